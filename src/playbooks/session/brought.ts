// What the harness itself brought into the work tree between sessions (commits of others, the absence of unfinished work): proved
// as a whole, and only then committed; what does not hold is put back as it was and kept as an attempt.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, CheckSpec, CommitAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import type { Reason } from '../../model/reasons.ts';
import { ask } from './asks.ts';
import { evidenceLine, takenFrom } from './verdicts.ts';
import { baselineFailing, environment } from './preflight.ts';

type R = Run<Actions>;
export type Brought = {
  /** Taken before anything was brought in. */
  readonly checkpoint: Checkpoint;
  /** What the work tree is now. */
  readonly tree: string;
  /** Whose it is. */
  readonly item: ItemId | null;
  readonly session: number;
  readonly purpose: string;
  readonly checks: readonly CheckSpec[];
  readonly commit: Pick<CommitAsk, 'item' | 'subject' | 'merges' | 'unwinds'>;
  /** What to say where the whole does not hold, with what failed; and where somebody is at work in the tree. */
  readonly failing: { readonly reason: Reason; readonly about: Params };
  readonly edited: Failure;
};
type Settled =
  | { readonly commit: string; readonly failure: null }
  | { readonly commit: null; readonly failure: Failure };

export async function settleBrought(run: R, brought: Brought, config: Config): Promise<Settled> {
  const { tree, session, purpose, checks, edited } = brought;
  const back = async (why: Failure): Promise<Settled> => {
    await putBack(run, brought, why);
    return { commit: null, failure: why };
  };
  const failing = ({ params }: Failure): Failure =>
    failure(brought.failing.reason, { ...params, ...brought.failing.about });
  // What is installed may not fit what lies there now.
  const unready = await environment(run, config);
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
    ...brought.commit,
  });
  if (made.commit === null) return back(edited);
  const taken = takenFrom(verdict, made.tree);
  if (taken !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session, input: taken });
  return { commit: made.commit, failure: null };
}

export async function putBack(
  run: R,
  { checkpoint, item, session }: Pick<Brought, 'checkpoint' | 'item' | 'session'>,
  { reason: why }: Failure,
): Promise<void> {
  // A person who committed meanwhile decides what becomes of it: a rollback would take their commit off the branch.
  const { commit: head } = await ask<{ commit: string | null }>(run, 'head', {});
  if (head === checkpoint.head) await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why });
}
