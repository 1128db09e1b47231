// Issues as the backlog of the daemon: new ones become items while nothing runs. During a run, the run itself looks for them.
import { openFullCatalogue } from '../open/language.ts';
import type { Failure } from '../../model/failure.ts';
import type { Target } from '../open/target.ts';

/** A failure is said, and tried again after the interval. `say`: a line for the server's log. */
export function issuesOfDaemon(
  signal: AbortSignal,
  say: (failure: Failure) => void,
): (target: Target) => Promise<void> {
  let next = 0;
  return async (target) => {
    const { config, clock } = target;
    if (config.backlog !== 'github' || clock.now() < next) return;
    next = clock.now() + config.daemon.pollSeconds * 1_000;
    const { syncIssues } = await import('../issues/sync.ts');
    const catalogue = await openFullCatalogue('en');
    const done = await syncIssues(target, { catalogue, signal, report: () => undefined });
    if (!done.ok && !signal.aborted) say(done.failure);
  };
}
