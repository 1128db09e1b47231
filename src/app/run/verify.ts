// Manual verification: the harness runs the checks of an item, or all. Changes nothing.
import { existsSync } from 'node:fs';
import { checks as checkPerformer } from '../../loop/performers/check.ts';
import type { CheckSpec } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { baselineCheck, featureChecks, featureCommand } from '../../playbooks/session/checks.ts';
import { recordPath } from '../../repos/records.ts';
import type { Subject } from '../../model/item.ts';
import { hasRunBranch } from '../open/unmerged.ts';
import type { OpenRunContext, Watcher } from '../open/run-context.ts';
import { tokenBase, withRunLock } from '../open/run-lock.ts';
import { runName } from '../open/run-name.ts';
import type { Target } from '../open/target.ts';
import { isItemUnderWay } from '../open/unfinished-sessions.ts';

export type VerifyReport = {
  readonly verdict: Verdict;
  /** Checks that were skipped after one failed. */
  readonly notRun: readonly string[];
  /** A baseline is recorded: its tests must still pass. */
  readonly hasBaseline: boolean;
};

/** `subject` null: the whole suite against the baseline. Fails with `locked` during a run, and if no command is configured. */
export async function verify(
  target: Target,
  subject: Subject | null,
  command: string,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<Result<VerifyReport>> {
  const specs = checksFor(target, subject);
  if (!specs.ok) return specs;
  const run = runName(target.clock, 'v');
  // What landed on the branch of a run is verified there; with an item at work that tree is its agent's.
  const isThere = !isItemUnderWay(target.workspaceDir) && (await hasRunBranch(target));
  const whose = isThere ? 'agents' : 'user';
  const use = async ({ context }: OpenRunContext): Promise<Result<VerifyReport>> => {
    const ask = { kind: 'check', key: 'verify', purpose: 'verify', session: null, checks: specs.value } as const;
    const token = `${tokenBase(target)}${run}/verify`;
    const verdict = await checkPerformer(context).perform(ask, { token, epoch: 0, signal });
    if ('blocked' in verdict) return err(verdict.blocked);
    if ('parked' in verdict) throw new Bug('a check was parked');
    const ran = new Set(verdict.checks.map((c) => c.name));
    const notRun = specs.value.map((c) => c.name).filter((name) => !ran.has(name));
    const hasBaseline = existsSync(recordPath(target, 'test_baseline.json'));
    return ok({ verdict, notRun, hasBaseline });
  };
  return withRunLock(target, run, command, 'box', watcher, use, whose);
}

/** The command that runs the item's own test; null: not configured, or the item has no test file. */
export const featureTestCommand = ({ config }: Target, { testFile, proof }: Subject): string | null =>
  proof?.command ?? (testFile === null ? null : featureCommand(config, testFile));

function checksFor({ config, needed, playbook }: Target, subject: Subject | null): Result<readonly CheckSpec[]> {
  if (subject === null) {
    const all = baselineCheck(config);
    const missing = failure('config-value-missing', { key: 'testing.full', allowed: 'command' });
    return all.length === 0 ? err(missing) : ok(all);
  }
  const { id: item, verification: kind, testFile, proof } = subject;
  if (playbook.oneTask !== undefined) return err(failure(playbook.oneTask.provesItself, { item }));
  if (proof) return ok(featureChecks({ testFile, proof }, config));
  if (testFile === null) return err(failure('needs-manual-verification', { item, kind }));
  if (config.testing.feature === null)
    return err(needed[0] ?? failure('config-value-missing', { key: 'testing.feature', allowed: 'command' }));
  return ok(featureChecks({ testFile }, config));
}
