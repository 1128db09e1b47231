// Rules between keys: each value is fine alone, together they are not.
import { tidyPath } from './paths.ts';
import { SUBJECTS, type Subject } from '../../model/gate.ts';
import { dotted, invalid, missing, type Mistake } from './mistake.ts';
import type { Path } from './read.ts';
import type { Written } from './schema.ts';

export function checkRules(written: Written): readonly Mistake[] {
  const { session, context, paths, quota } = written;
  const warning = session.timeout_warning_minutes;
  const mistakes: Mistake[] = [];
  const below = (path: Path, value: number, other: Path, limit: number): void => {
    if (value >= limit) mistakes.push(invalid(path, value, `< ${limit} (${dotted(other)})`));
  };
  if (warning !== undefined)
    below(['session', 'timeout_warning_minutes'], warning, ['session', 'timeout_minutes'], session.timeout_minutes);
  below(['context', 'warn_threshold'], context.warn_threshold, ['context', 'force_threshold'], context.force_threshold);
  below(['quota', 'begin_below'], quota.begin_below, ['quota', 'wrap_up_at'], quota.wrap_up_at);
  if (tidyPath(paths.features) === tidyPath(paths.progress))
    mistakes.push(invalid(['paths', 'progress'], paths.progress, 'another file than paths.features'));
  mistakes.push(...policyMistakes(written));
  return mistakes;
}

/** A question that does not exist, an option that it does not have, or one that says that a person looked. */
function policyMistakes({ gates }: Written): readonly Mistake[] {
  return Object.entries(gates.policies).flatMap(([subject, { answer, after }]) => {
    const path = ['gates', 'policies', subject];
    if (!Object.hasOwn(SUBJECTS, subject)) return [invalid(path, subject, Object.keys(SUBJECTS).join(' | '))];
    const { options, never } = SUBJECTS[subject as Subject];
    const allowed = ['wait', ...options.filter((id) => !never.some((one) => one === id))];
    if (!allowed.includes(answer)) return [invalid([...path, 'answer'], answer, allowed.join(' | '))];
    return answer !== 'wait' && after === undefined ? [missing([...path, 'after'], '90s, 30m, 4h, 2d')] : [];
  });
}
