// Changes that the harness itself made to the work tree between sessions (commits of others merged, unfinished work reverted): proved as a
// whole, and only then committed. What does not hold is rolled back and kept as an attempt.
import type { Run } from '../../engine/types.ts';
import type { Actions, CheckSpec } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { CommitAsk } from '../../model/landing-action.ts';
import type { PushOutcome } from '../../model/push.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure, type Params, failureSchema } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { provisionalOf } from '../../model/provisional.ts';
import type { Reason } from '../../model/reasons.ts';
import { readFacts, defineProcedure, defineSurvey } from '../../engine/definitions.ts';
import { baselineFailing, startEnvironment } from './preflight.ts';
import { head } from './surveys.ts';
import { baselineFrom } from '../../model/baseline-record.ts';
import { evidenceLine } from './verdicts.ts';
import { z } from 'zod';
import { baselineCheck } from './checks.ts';

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

type Landing = {
  readonly item: ItemId | null;
  readonly session: number;
  readonly commit: string;
  readonly push: PushOutcome;
  /** The checks that the landing rests on. */
  readonly checks: readonly CheckSpec[];
};

/**
 * Retries once a push that was refused because the remote branch diverged. Both branches are merged in the work tree, proved by the checks of the
 * landing, and only then committed and pushed; otherwise everything is rolled back. Nothing is forced, no commit is rewritten. Returns why the
 * push failed; null: the remote has the commit.
 */
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

const provisionalCommits = defineSurvey({
  id: 'provisional-commits',
  input: z.object({ item: z.string() }),
  facts: z.object({ count: z.number() }),
  read: async ({ view }, { item }) => ({
    count: provisionalOf(await view.recentCommits(MOST_PROVISIONAL), item).length,
  }),
});
const MOST_PROVISIONAL = 200;

/**
 * The work in progress of an item that is not continued becomes an attempt. Provisional commits that an older version made of it are reverted
 * by a commit of its own, if everything that passed before passes without them; they stay in the history.
 */
export const revertWip = defineProcedure({
  id: 'unwind',
  input: z.object({ item: z.string() }),
  /** `count`: so many provisional commits are reverted; `failure`: why they stay. */
  output: z.union([
    z.object({ commit: z.null(), attempt: z.string().nullable(), failure: z.null() }),
    z.object({ commit: z.string(), count: z.number(), failure: z.null() }),
    z.object({ commit: z.null(), failure: failureSchema }),
  ]),
  async perform(run, { item }, config) {
    const { attempt } = await run.do('drop-wip', { kind: 'drop-wip', item });
    const { count } = await readFacts(run, provisionalCommits, { item });
    if (count === 0) return { commit: null, attempt, failure: null };
    const checks = baselineCheck(config);
    const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session: 0, item, why: 'pre_unwind' });
    const keep = [config.paths.backlog, config.paths.progress];
    // Other items may rest on it by now, and without a suite nothing would show it.
    const isProvable = checks.length > 0;
    const undone = await run.do('unwind', { kind: 'unwind', checkpoint, item, keep, isProvable });
    const about = { checkpoint, item, session: 0 };
    if (undone.tree === null) {
      if (undone.isTouched) await rollBack(run, about, undone.failure);
      return { commit: null, failure: undone.failure };
    }
    const change = {
      ...about,
      tree: undone.tree,
      purpose: 'unwind',
      checks,
      commit: {
        item,
        subject: `revert(harness): #${item} is left out, its unfinished work is taken back`,
        unwinds: true,
      },
      failing: { reason: 'unwind-failing', about: { item } },
      edited: failure('unwind-not-clean', { item }),
    } as const;
    const made = await proveAndCommit(run, change, config);
    return made.commit === null ? made : { ...made, count: undone.count };
  },
});
