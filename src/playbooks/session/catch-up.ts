// A push that was refused because the remote branch diverged: pulled and retried once. Both branches are merged in the work tree, proved as a
// whole by the checks that the landing rests on, and only then committed and pushed. Nothing is forced, no commit is rewritten; where the
// whole does not hold, everything is as before.
import type { Run } from '../../engine/types.ts';
import type { Actions, CheckSpec, PushOutcome } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { proveAndCommit, rollBack } from './tree-change.ts';

type Landing = {
  readonly item: ItemId | null;
  readonly session: number;
  readonly commit: string;
  readonly push: PushOutcome;
  /** The checks that the landing rests on. */
  readonly checks: readonly CheckSpec[];
};

/** Why the push failed; null: the remote has the commit. */
export async function catchUp(run: Run<Actions>, landing: Landing, config: Config): Promise<Failure | null> {
  const { item, session, commit: mine, push, checks } = landing;
  const { theirs } = push;
  // A tree that nothing proves as a whole is not pushed.
  if (theirs === undefined || !checks.some(({ name }) => name === 'full')) return push.failure;
  const step = run.scope('catch-up');
  const checkpoint = await step.do('checkpoint', { kind: 'checkpoint', session, item, why: 'pre_merge' });
  const merged = await step.do('merge', { kind: 'merge', checkpoint, mine, theirs });
  const about = { checkpoint, item, session };
  if (merged.tree === null) {
    if (merged.isTouched) await rollBack(step, about, merged.failure);
    return merged.failure;
  }
  const change = {
    ...about,
    tree: merged.tree,
    purpose: 'merge',
    checks,
    commit: { item: null, subject: merged.subject, merges: { mine, theirs } },
    failing: { reason: 'pull-failing', about: { remote: push.remote ?? '', branch: checkpoint.branch } },
    edited: push.failure ?? failure('push-behind'),
  } as const;
  const made = await proveAndCommit(step, change, config);
  if (made.commit === null) return made.failure;
  const again = await step.do('push', { kind: 'push', commit: made.commit });
  return again.failure;
}
