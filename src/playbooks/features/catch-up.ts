// A push that was refused because the remote branch went another way (reference 000, Git Failures: pull, retry once). Both
// are brought together in the work tree, proved as a whole by the checks that the landing rests on, and only then
// committed and pushed. Nothing is forced, no commit is rewritten; where it does not hold, everything is as before.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, CheckSpec, PushOutcome } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { evidenceLine, takenFrom } from './entries.ts';
import { baselineFailing, environment } from './preflight.ts';
import { putBack } from './put-back.ts';

type Landing = {
  readonly item: ItemId | null;
  readonly session: number;
  readonly commit: string;
  readonly push: PushOutcome;
  /** What the landing rests on. */
  readonly checks: readonly CheckSpec[];
};

/** What a person must be told of the push; null: it is there. */
export async function catchUp(run: Run<Actions>, landing: Landing, config: Config): Promise<Failure | null> {
  const { item, session, commit: mine, push, checks } = landing;
  const { theirs } = push;
  const stillBehind = push.failure ?? failure('push-behind');
  // A tree that nothing proves as a whole is not pushed.
  if (theirs === undefined || !checks.some(({ name }) => name === 'full')) return push.failure;
  const step = run.scope('catch-up');
  const checkpoint = await step.do('checkpoint', { kind: 'checkpoint', session, item, why: 'pre_merge' });
  const merged = await step.do('merge', { kind: 'merge', checkpoint, mine, theirs });
  const undone = async (why: Failure): Promise<Failure> => {
    await putBack(step, checkpoint, { item, session, why: why.reason });
    return why;
  };
  if (merged.tree === null) return merged.isTouched ? undone(merged.failure) : merged.failure;
  // What they need may have to be installed first.
  const unready = await environment(step, config);
  if (unready !== null) return undone(failing(push, checkpoint, unready));
  const verdict = await step.do('check', { kind: 'check', purpose: 'merge', session: null, checks });
  if (!verdict.holds || verdict.tampering.length > 0)
    return undone(failing(push, checkpoint, baselineFailing(verdict)));
  if (verdict.tree !== merged.tree) return undone(stillBehind); // somebody edits it
  const made = await step.do('commit', {
    kind: 'commit',
    style: 'plain',
    item: null,
    session,
    subject: merged.subject,
    body: evidenceLine(verdict),
    tree: verdict.tree,
    only: null,
    checkpoint: null,
    edit: null,
    merges: { mine, theirs },
  });
  if (made.commit === null) return undone(stillBehind);
  const taken = takenFrom(verdict, made.tree);
  if (taken !== null) await step.do('baseline', { kind: 'remember', what: 'baseline', session, input: taken });
  const again = await step.do('push', { kind: 'push', commit: made.commit });
  return again.failure;
}

/** With the command that failed, the tests where they are known, and what it printed. */
const failing = ({ remote }: PushOutcome, { branch }: Checkpoint, { params }: Failure): Failure =>
  failure('pull-failing', { ...params, remote: remote ?? '', branch });
