// Rules between keys: each value is fine alone, together they are not.
import { tidyPath } from './paths.ts';
import { dotted, invalid, type Mistake } from './mistake.ts';
import type { Path } from './read.ts';
import type { Written } from './schema.ts';

export function checkRules(written: Written): readonly Mistake[] {
  const { session, context, paths } = written;
  const warning = session.timeout_warning_minutes;
  const mistakes: Mistake[] = [];
  const below = (path: Path, value: number, other: Path, limit: number): void => {
    if (value >= limit) mistakes.push(invalid(path, value, `< ${limit} (${dotted(other)})`));
  };
  if (warning !== undefined)
    below(['session', 'timeout_warning_minutes'], warning, ['session', 'timeout_minutes'], session.timeout_minutes);
  below(['context', 'warn_threshold'], context.warn_threshold, ['context', 'force_threshold'], context.force_threshold);
  if (tidyPath(paths.features) === tidyPath(paths.progress))
    mistakes.push(invalid(['paths', 'progress'], paths.progress, 'another file than paths.features'));
  return mistakes;
}
