// The suite of a project that is set up, as the first run will run it: in a clean checkout and, if it fails there, in the user's work tree. What
// passes only in the work tree is named before an agent is paid.
import { checks as checkPerformer } from '../../loop/performers/check.ts';
import type { RunContext } from '../../loop/run-context.ts';
import { Bug } from '../../model/bug.ts';
import type { Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { baselineCheck } from '../../playbooks/session/checks.ts';
import { baselineFailing } from '../../playbooks/session/preflight.ts';
import type { Watcher } from '../open/run-context.ts';
import { tokenBase, withRunLock } from '../open/run-lock.ts';
import { runName } from '../open/run-name.ts';
import type { Target } from '../open/target.ts';

/** `not-run`: no suite is known, or it was not asked for. */
export type FirstSuite = 'holds' | 'fails' | 'not-run';
/** `why`: set where it fails. */
export type TriedSuite = { readonly suite: FirstSuite; readonly why: Failure | null };
export const NOT_TRIED: TriedSuite = { suite: 'not-run', why: null };

/** Fails with `passes-only-here`, or as opening a clean checkout does. A suite that fails in both places is no obstacle yet. */
export async function trySuite(context: RunContext, token: string, signal: AbortSignal): Promise<Result<TriedSuite>> {
  const checks = baselineCheck(context.config);
  const [suite] = checks;
  if (suite === undefined) return ok(NOT_TRIED);
  context.notify({ type: 'suite-tried', level: 'routine', data: { command: suite.command } });
  const ask = { kind: 'check', key: 'suite', purpose: 'baseline', session: null, checks } as const;
  const verdict = await checkPerformer(context).perform(ask, { token: `${token}/suite`, epoch: 0, signal });
  if ('blocked' in verdict) return err(verdict.blocked);
  if ('parked' in verdict) throw new Bug('a check was parked');
  return ok(verdict.holds ? { suite: 'holds', why: null } : { suite: 'fails', why: baselineFailing(verdict) });
}

/** The same for a target without a run of its own. */
export async function trySuiteOf(target: Target, watcher: Watcher, signal: AbortSignal): Promise<Result<TriedSuite>> {
  if (baselineCheck(target.config).length === 0) return ok(NOT_TRIED);
  const run = runName(target.clock, 'v');
  return withRunLock(target, run, 'harness init', 'box', watcher, ({ context }) =>
    trySuite(context, `${tokenBase(target)}${run}`, signal),
  );
}
