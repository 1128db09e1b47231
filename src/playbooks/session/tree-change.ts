// Changes that the harness itself made to the work tree between sessions (commits of others merged, unfinished work reverted): proved as a
// whole, and only then committed. What does not hold is rolled back and kept as an attempt.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, CheckSpec, CommitAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import type { Reason } from '../../model/reasons.ts';
import { readFacts } from '../../engine/definitions.ts';
import { baselineFailing, startEnvironment } from './preflight.ts';
import { head } from './surveys.ts';
import { baselineFrom, evidenceLine } from './verdicts.ts';

type R = Run<Actions>;
export type TreeChange = {
  /** Taken before the change. */
  readonly checkpoint: Checkpoint;
  /** The work tree after it. */
  readonly tree: string;
  /** The item that it is about. */
  readonly item: ItemId | null;
  readonly session: number;
  readonly purpose: string;
  readonly checks: readonly CheckSpec[];
  readonly commit: Pick<CommitAsk, 'item' | 'subject' | 'merges' | 'unwinds'>;
  /** `failing`: the failure when the checks fail. `edited`: the failure when the user changes the tree meanwhile. */
  readonly failing: { readonly reason: Reason; readonly about: Params };
  readonly edited: Failure;
};
type CommitResult =
  | { readonly commit: string; readonly failure: null }
  | { readonly commit: null; readonly failure: Failure };

export async function proveAndCommit(run: R, change: TreeChange, config: Config): Promise<CommitResult> {
  const { tree, session, purpose, checks, edited } = change;
  const back = async (why: Failure): Promise<CommitResult> => {
    await rollBack(run, change, why);
    return { commit: null, failure: why };
  };
  const failing = ({ params }: Failure): Failure =>
    failure(change.failing.reason, { ...params, ...change.failing.about });
  // The installed dependencies may not fit the changed tree.
  const unready = await startEnvironment(run, config);
  if (unready !== null) return back(failing(unready));
  const verdict = await run.do('check', { kind: 'check', purpose, session: null, checks });
  if (!verdict.holds || verdict.tampering.length > 0) return back(failing(baselineFailing(verdict)));
  if (verdict.tree !== tree) return back(edited);
  const made = await run.do('commit', {
    kind: 'commit',
    style: 'plain',
    session,
    body: evidenceLine(verdict),
    tree,
    only: null,
    checkpoint: null,
    edit: null,
    ...change.commit,
  });
  if (made.commit === null) return back(edited);
  const baseline = baselineFrom(verdict, made.tree);
  if (baseline !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session, baseline });
  return { commit: made.commit, failure: null };
}

export async function rollBack(
  run: R,
  { checkpoint, item, session }: Pick<TreeChange, 'checkpoint' | 'item' | 'session'>,
  { reason: why }: Failure,
): Promise<void> {
  // A rollback would remove a commit that the user made meanwhile: then they decide.
  const { commit } = await readFacts(run, head, {});
  if (commit === checkpoint.head) await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why });
}
