// Issues during a run: at its start and after each item, one sync at a time.
import type { RunContext } from '../../loop/run-context.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Target } from '../open/target.ts';

type Sync = NonNullable<RunContext['syncIssues']>;
export type IssuesOfRun = {
  /** Where there is something to do then. */
  readonly atStart: Sync | null;
  readonly afterItem: Sync | null;
};
export const NO_ISSUES: IssuesOfRun = { atStart: null, afterItem: null };

/** Nothing where items have no issues, and in a replay, which changes nothing outside. */
export function issuesOfRun(
  target: Target,
  { notify, catalogue, tape }: Pick<RunContext, 'notify' | 'catalogue' | 'tape'>,
): IssuesOfRun {
  const { github, backlog } = target.config;
  const isBacklog = backlog === 'github';
  if ((!github.mirrors && !isBacklog) || tape?.is === 'playing') return NO_ISSUES;
  let last: Promise<unknown> = Promise.resolve();
  const sync: Sync = (signal) => {
    const next = last.then(() => syncOnce(signal));
    last = next;
    return next;
  };

  async function syncOnce(signal: AbortSignal): Promise<Result<null>> {
    const { syncIssues } = await import('./sync.ts');
    const done = await syncIssues(target, {
      catalogue,
      signal,
      report: ({ do: what, number, item, words }) =>
        notify({
          type: 'issue',
          level: 'important',
          ...(item === '' ? {} : { item }),
          data: { do: what, number, words },
        }),
    });
    if (done.ok || signal.aborted) return ok(null);
    const cause = catalogue.failure(done.failure).title;
    notify({ type: 'issues-failed', level: 'important', data: { cause, reason: done.failure.reason } });
    return github.onSyncFailure === 'fail'
      ? err(failure('issues-not-synced', { cause }, { causes: [done.failure] }))
      : ok(null);
  }

  return {
    atStart: isBacklog || github.syncOnSessionEnd ? sync : null,
    afterItem: github.syncOnSessionEnd ? sync : null,
  };
}
