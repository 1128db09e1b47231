// A verdict is void if the session that gives it changed the work that it judges: what it judged is gone once the change is taken back. Pure.
import type { Problem } from '../../../model/verdict.ts';
import type { Assignment } from '../table/assignments.ts';
import { JUDGES, readReturn, type ReturnLine } from './returns.ts';

/** `changed`: files that were not its own to change. Empty: the verdict counts, or the role gives none. */
export function voidedBy({ role }: Pick<Assignment, 'role'>, changed: readonly string[]): readonly Problem[] {
  const [path, ...more] = changed;
  if (path === undefined || !JUDGES.includes(role)) return [];
  const params = { role, path };
  return [{ code: 'verdict-void', params: more.length === 0 ? params : { ...params, count: changed.length } }];
}

/** What counts instead of the line that the session returned. */
export const voidReturn = ({ role }: Pick<Assignment, 'role'>, { params }: Problem): ReturnLine => ({
  ...readReturn(role, ''),
  line: `the verdict is void: the ${role} changed ${params['path']}`,
});
