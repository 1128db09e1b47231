// `harness github sync`: issues and items brought together now, and what that changes in the list.
import type { Catalogue } from '../../host/catalogue.ts';
import { ok, type Result } from '../../model/result.ts';
import { applyChange, type ChangeResult } from './changes.ts';
import type { Target } from '../open/target.ts';
import { syncIssues } from '../issues/sync.ts';
import type { SyncEvent } from '../issues/syncing.ts';

export type SyncedIssues = {
  readonly acts: readonly SyncEvent[];
  /** Of the list. */
  readonly changed: ChangeResult;
};

const CHANGES_LIST: readonly SyncEvent['do'][] = ['add', 'retitle', 'skip'];

/** What was done before it failed stays done, and is not reported. */
export async function syncNow(
  target: Target,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<Result<SyncedIssues>> {
  const acts: SyncEvent[] = [];
  const synced = await syncIssues(target, { catalogue, signal, report: (act) => void acts.push(act) });
  if (!synced.ok) return synced;
  const isChanged = acts.some((act) => CHANGES_LIST.includes(act.do));
  const changed = isChanged
    ? await applyChange(target, null, 'harness github sync')
    : ok<ChangeResult>({ result: 'already' });
  return changed.ok ? ok({ acts, changed: changed.value }) : changed;
}
