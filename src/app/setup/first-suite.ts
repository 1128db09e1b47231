// The suite of a project that is set up, as the first run will run it: in a clean checkout and, if it fails there, in the user's work tree. What
// passes only in the work tree is named before an agent is paid.
import { checks as checkPerformer } from '../../loop/performers/check.ts';
import { takeBaseline } from '../../loop/records/baseline.ts';
import type { RunContext } from '../../loop/run-context.ts';
import { baselineFrom } from '../../model/baseline-record.ts';
import { Bug } from '../../model/bug.ts';
import type { Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
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
  const verdict = await verdictOfSuite(context, token, signal);
  return verdict.ok ? ok(verdict.value === null ? NOT_TRIED : triedAs(verdict.value)) : verdict;
}

/** The same for a target without a run of its own. What passes is the baseline of the first run, which does not run the suite again on the same tree. */
export async function trySuiteOf(target: Target, watcher: Watcher, signal: AbortSignal): Promise<Result<TriedSuite>> {
  if (baselineCheck(target.config).length === 0) return ok(NOT_TRIED);
  const run = runName(target.clock, 'v');
  return withRunLock(target, run, 'harness init', 'box', watcher, async ({ context }) => {
    const verdict = await verdictOfSuite(context, `${tokenBase(target)}${run}`, signal);
    if (!verdict.ok) return verdict;
    const baseline = verdict.value?.holds === true ? baselineFrom(verdict.value, verdict.value.tree) : null;
    const taken = baseline === null ? ok(null) : takeBaseline(context, 0, baseline);
    if (!taken.ok) return taken;
    return ok(verdict.value === null ? NOT_TRIED : triedAs(verdict.value));
  });
}

const triedAs = (verdict: Verdict): TriedSuite =>
  verdict.holds ? { suite: 'holds', why: null } : { suite: 'fails', why: baselineFailing(verdict) };

/** Null: no command runs the suite. */
async function verdictOfSuite(
  context: RunContext,
  token: string,
  signal: AbortSignal,
): Promise<Result<Verdict | null>> {
  const checks = baselineCheck(context.config);
  const [suite] = checks;
  if (suite === undefined) return ok(null);
  context.notify({ type: 'suite-tried', level: 'routine', data: { command: suite.command } });
  const ask = { kind: 'check', key: 'suite', purpose: 'baseline', session: null, checks } as const;
  const verdict = await checkPerformer(context).perform(ask, { token: `${token}/suite`, epoch: 0, signal });
  if ('blocked' in verdict) return err(verdict.blocked);
  if ('parked' in verdict) throw new Bug('a check was parked');
  return ok(verdict);
}
