// Rules between keys: each value is valid alone, together they are not.
import type { WrittenConfig } from '../../model/config.ts';
import { tidyPath } from '../../model/config/paths.ts';
import { entryOf } from '../../model/entry.ts';
import { SUBJECTS, type GateSubject } from '../../model/gate.ts';
import { PLAYBOOKS } from '../../playbooks/registry.ts';
import { dotted, invalid, missing, type ConfigMistake, type Path } from './mistake.ts';

export function checkRules({ session, context, quota, paths, gates }: WrittenConfig): readonly ConfigMistake[] {
  return [
    ...below(
      ['session', 'timeout_warning_minutes'],
      session.timeoutWarningMinutes,
      ['session', 'timeout_minutes'],
      session.timeoutMinutes,
    ),
    ...below(
      ['context', 'warn_threshold'],
      context.warnThreshold,
      ['context', 'force_threshold'],
      context.forceThreshold,
    ),
    ...below(['quota', 'begin_below'], quota.beginBelow, ['quota', 'wrap_up_at'], quota.wrapUpAt),
    ...(tidyPath(paths.features) === tidyPath(paths.progress)
      ? [invalid(['paths', 'progress'], paths.progress, 'another file than paths.features')]
      : []),
    ...policyMistakes(gates),
  ];
}

const below = (path: Path, value: number, other: Path, limit: number): readonly ConfigMistake[] =>
  value < limit ? [] : [invalid(path, value, `< ${limit} (${dotted(other)})`)];

const subjects: { readonly [subject: string]: GateSubject } = Object.assign(
  {},
  SUBJECTS,
  ...PLAYBOOKS.map(({ gates }) => gates),
);

/** A question that does not exist, an option that it does not have, or one that says that a person looked. */
function policyMistakes({ policies }: WrittenConfig['gates']): readonly ConfigMistake[] {
  return Object.entries(policies).flatMap(([name, { answer, afterMs }]) => {
    const path = ['gates', 'policies', name];
    const subject = entryOf(subjects, name);
    if (subject === undefined) return [invalid(path, name, Object.keys(subjects).join(' | '))];
    const { options, never } = subject;
    const allowed = ['wait', ...options.filter((id) => !never.includes(id))];
    if (!allowed.includes(answer ?? 'wait')) return [invalid([...path, 'answer'], answer, allowed.join(' | '))];
    return answer !== null && afterMs === 0 ? [missing([...path, 'after'], '90s, 30m, 4h, 2d')] : [];
  });
}
