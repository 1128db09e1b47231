// Commits of a simulated processRun: each recognises by its token what it has done.
import type { ActionOf, Blocked } from '../../src/engine/types.ts';
import { sha256 } from '../../src/host/files.ts';
import { textsOf, type Texts } from '../../src/engine/definitions.ts';
import { readNewest } from '../../src/loop/newest-list.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { landBaseline } from '../../src/loop/records/baseline.ts';
import type { Actions, UnwindOutcome } from '../../src/model/action.ts';
import type { CommitOutcome } from '../../src/model/landing-action.ts';
import { failure } from '../../src/model/failure.ts';
import { ok } from '../../src/model/result.ts';
import { provisionalOf, UNWINDS } from '../../src/model/provisional.ts';
import type { Problem } from '../../src/model/verdict.ts';
import { dropLanded } from '../../src/repos/pending-log.ts';
import { count } from './ledger.ts';
import { checkpointNow, hasAgentCommits } from './parked.ts';
import type { ProcessRun } from './process-run.ts';
import type { A } from './performers.ts';
import {
  addCommit,
  changedBetween,
  headOf,
  history,
  idOf,
  makeCommit,
  merged,
  pick,
  tipOf,
  withFiles,
  type Commit,
  type Repository,
  type Tree,
} from './repository.ts';
import { keepAttempt } from './snapshots.ts';

type Ask = ActionOf<Actions, 'commit'>;
/** The branch moved while the commit was made. */
const OVERTAKEN = 'overtaken';
const MOST_ROUNDS = 5;

export const simulatedCommits = (lane: RunContext, processRun: ProcessRun): A<'commit'> => ({
  async perform(ask, { token }): Promise<CommitOutcome | Blocked> {
    const { repo } = processRun.mission;
    // A change of the list is made from the newest commit.
    if (ask.checkpoint === null && repo.user !== null && lane.lane === 0) await lane.bring();
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const made = await commitOnce(lane, processRun, ask, token);
      if (made === OVERTAKEN) continue;
      const { bundle, onto, session } = ask;
      if ('blocked' in made || bundle === undefined || onto !== undefined || made.commit === null) return made;
      const landed = await landBaseline(lane, session, { verdict: bundle.verdict, commit: made.commit });
      return landed.ok ? made : { blocked: landed.failure };
    }
    return { blocked: failure('git-busy', { command: 'simulated', words: 'the branch moved again and again' }) };
  },
  probe: repeatable,
});

async function commitOnce(
  lane: RunContext,
  processRun: ProcessRun,
  { style, item, session, subject, tree, mergedWith, only, edit, checkpoint, unwinds: isUnwinding, onto }: Ask,
  token: string,
): Promise<CommitOutcome | Blocked | typeof OVERTAKEN> {
  const { repo, mutant, trees, kind } = processRun.mission;
  const mark = sha256(token).slice(0, 20);
  const from = onto === undefined ? tipOf(repo).id : repo.refs.get(`refs/heads/${onto}`)?.head;
  for (const commit of history(repo, from))
    if (commit.trailers['Harness-Token'] === mark) return { commit: commit.id, tree: idOf(commit.tree), refused: null };
  const now = checkpoint === null ? null : checkpointNow(processRun.mission, checkpoint);
  const base = now === null ? null : repo.user === null ? now.head : checkpoint!.head;
  if (base !== null && (repo.user === null ? repo.head !== base : hasAgentCommits(repo)))
    await lane.io.effect('squash the agent', async () => {
      keepAttempt(processRun, `${token} commits`, new Map(), 'commits of the agent');
      repo.head = base;
    });
  const moved = { commit: null, tree: '', refused: { code: 'branch-moved', params: {} } } as const;
  if (repo.user === null && checkpoint !== null && base !== checkpoint.head) return moved;
  // Own files are made from it, on top of what is committed since.
  if (checkpoint !== null && now !== null && now.head !== checkpoint.head) repo.refs.set(checkpoint.ref, now);
  const newest = repo.user === null ? null : (checkpoint?.ref ?? tipOf(repo).id);
  const edited = edit === null ? ok<Texts>({}) : await textsOf(edit, readNewest(lane, newest));
  if (!edited.ok) return { blocked: edited.failure };
  const files = edited.value;
  const verified = tree === null ? null : trees.get(tree);
  if (verified) {
    const ids = changedBetween(verified, repo.work).filter((path) => !(path in files));
    if (ids.length > 0 && mutant.takesAnyTree !== true)
      return { commit: null, tree: '', refused: { code: 'tree-changed-since-check', params: {}, ids } };
  }
  const parent = tipOf(repo);
  const whole = withFiles(repo.work, files);
  const some = only === null ? null : withFiles(parent.tree, { ...pick(repo.work, only), ...files });
  const newer = checkpoint === null ? null : withNewer(repo, mergedWith ?? checkpoint.head, whole, Object.keys(files));
  if (newer !== null && mutant.landsUnproved !== true) return { commit: null, tree: idOf(whole), refused: newer };
  const next = some ?? whole;
  const inTheWay = onto === undefined ? filesInTheWay(repo, parent.tree, next) : [];
  if (inTheWay.length > 0)
    return { commit: null, tree: '', refused: { code: 'landing-in-the-way', params: {}, ids: inTheWay } };
  let made: string | null = null;
  let isOvertaken = false;
  await lane.io.effect('git commit', async () => {
    // One compare-and-swap.
    if ((isOvertaken = tipOf(repo).id !== parent.id || filesInTheWay(repo, parent.tree, next).length > 0)) return;
    repo.work = whole;
    if (style !== 'accept' && changedBetween(next, parent.tree).length === 0) return;
    const trailers = {
      ...(item === null ? {} : { 'Harness-Item': item }),
      ...(isUnwinding === true ? { [UNWINDS]: item ?? '' } : {}),
      'Harness-Session': String(session),
      'Harness-Token': mark,
    };
    const about = { tree: next, subject, at: lane.clock.iso(), trailers };
    if (onto !== undefined) {
      made = makeCommit(repo, about, parent.id).id;
      repo.refs.set(`refs/heads/${onto}`, { tree: next, head: made, branch: onto });
      return;
    }
    const commit = addCommit(repo, about, parent.id);
    made = commit.id;
    if (repo.user !== null) follow(repo.user, commit, parent.tree);
    if (style === 'accept') repo.wips.delete(item ?? '');
    if (style === 'accept')
      kind.lands(processRun.mission, { commit, item: item ?? '', session, isProved: tree !== null });
  });
  if (isOvertaken) return OVERTAKEN;
  dropLanded(lane.io, lane.privateDir, files);
  return { commit: made, tree: idOf(next), refused: null };
}

/** Commits of others since the work was begun: null where the tree has them already, beside the harness's own files. */
function withNewer(repo: Repository, head: string, tree: Tree, own: readonly string[]): Problem | null {
  const tip = tipOf(repo);
  if (repo.user === null || tip.id === head) return null;
  const base = repo.commits.get(head)!.tree;
  const both = merged(base, withFiles(tree, pick(base, own)), tip.tree);
  const params = { commit: tip.id };
  if (both === null) return { code: 'landing-conflict', params, ids: changedBetween(base, tip.tree) };
  return changedBetween(withFiles(both, pick(tree, own)), tree).length === 0 ? null : { code: 'branch-moved', params };
}

/** Files that a landing changes, and that a user is changing in their own work tree. */
const filesInTheWay = ({ user }: Repository, from: Tree, to: Tree): readonly string[] =>
  user === null ? [] : changedBetween(from, to).filter((path) => user.work.get(path) !== from.get(path));

/** The user's work tree moves with the branch. */
function follow(user: Repository, { id, tree }: Commit, from: Tree): void {
  user.head = id;
  user.work = withFiles(user.work, pick(tree, changedBetween(from, tree)));
}

/** File by file: git would do it line by line. */
export const simulatedUnwinds = (lane: RunContext, processRun: ProcessRun): A<'unwind'> => ({
  async perform({ checkpoint, item, keep }): Promise<UnwindOutcome> {
    const { repo } = processRun.mission;
    const head = headOf(repo);
    const refused = (reason: 'unwind-not-clean' | 'unwind-conflict'): UnwindOutcome => ({
      tree: null,
      failure: failure(reason, { item }),
      isTouched: false,
    });
    if (repo.head !== checkpoint.head) return refused('unwind-not-clean');
    const commits = provisionalOf([...history(repo)], item);
    let tree = head.tree;
    for (const commit of commits) {
      const before = repo.commits.get(commit.parent ?? '')?.tree ?? new Map();
      const paths = changedBetween(before, commit.tree).filter((path) => !keep.includes(path));
      if (paths.some((path) => tree.get(path) !== commit.tree.get(path))) return refused('unwind-conflict');
      tree = withFiles(tree, pick(before, paths));
    }
    count(processRun.mission.ledger.acts, 'unwound');
    await lane.io.effect('unwind', async () => {
      repo.work = tree;
      processRun.mission.trees.set(idOf(tree), tree);
    });
    return { tree: idOf(tree), count: commits.length, failure: null };
  },
  probe: repeatable,
});
