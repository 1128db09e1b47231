// Whether a workflow that is begun here would be found by the commands that come after it.
import { ok, type Result } from '../../model/result.ts';
import { readBasics } from '../config/basics.ts';
import type { Target } from '../target.ts';

/** The list of another playbook that they would take up instead, since no configuration says otherwise; null: there is none. */
export async function otherList(
  { root, world }: Pick<Target, 'root' | 'world'>,
  configFile: string | null,
): Promise<Result<string | null>> {
  const seen = await readBasics(root, configFile);
  if (!seen.ok) return seen;
  const { playbook, backlog } = seen.value;
  return ok(playbook === 'workflow' || (await world.stat(backlog)) === null ? null : backlog);
}
