// A run without a list begins with the plan, where the playbook makes one from a specification of a standard name.
import { playbookNamed } from '../../playbooks/registry.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Watcher } from '../open/run-context.ts';
import type { Target } from '../open/target.ts';
import { isInitUnfinished } from '../open/run-blockers.ts';
import { initFromSpec, type InitReport } from '../setup/init.ts';

/** null: there is nothing to plan. */
export async function planFirst(
  target: Target,
  stop: AbortSignal,
  watcher: Watcher,
): Promise<Result<InitReport | null>> {
  const { fromSpec } = await playbookNamed(target.config.playbook.machine).load();
  if (!('start' in fromSpec) || fromSpec.standard === undefined) return ok(null);
  const hasList = (await target.view.stat(target.config.paths.backlog)) !== null;
  const hasSpec = (await target.view.stat(fromSpec.standard)) !== null;
  if ((hasList && !isInitUnfinished(target)) || !hasSpec) return ok(null);
  return initFromSpec(target, fromSpec.standard, target.root, { stop, withSuite: true }, watcher);
}
