// A run begins with the plan, where the playbook makes its list from a specification of a standard name and the list has no items yet.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../../model/result.ts';
import type { Watcher } from '../open/run-context.ts';
import type { Target } from '../open/target.ts';
import { isInitUnfinished } from '../open/run-blockers.ts';
import { hasList, initFromSpec } from '../setup/from-spec.ts';
import type { InitReport } from '../setup/init.ts';

/** null: there is nothing to plan. */
export async function planFirst(
  target: Target,
  stop: AbortSignal,
  watcher: Watcher,
): Promise<Result<InitReport | null>> {
  const { specFile } = target.playbook;
  if (specFile === undefined || !existsSync(join(target.root, specFile))) return ok(null);
  if ((await hasList(target)) && !isInitUnfinished(target)) return ok(null);
  const how = { stop, withSuite: true, isFirst: true, command: 'harness run' };
  const made = await initFromSpec(target, specFile, target.root, how, watcher);
  // The base branch of the remote has plans that the branch here did not.
  return made.ok && made.value.reason === 'already-planned' ? ok(null) : made;
}
