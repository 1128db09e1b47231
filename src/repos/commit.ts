// The harness's own commits. What is committed is what was verified, made once however often it is asked for.
import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { CommitAsk, CommitOutcome } from '../model/landing-action.ts';
import { readText } from '../host/files.ts';
import { type Failure, failure } from '../model/failure.ts';
import { PROVISIONAL, UNWINDS } from '../model/provisional.ts';
import type { Problem } from '../model/verdict.ts';
import { err, ok, type Result } from '../model/result.ts';
import { findByToken, type Found } from './by-token.ts';
import { commitTreeObject } from './checkpoint.ts';
import { moveBranch, tipOf } from './follow.ts';
import type { Git, ObjectId } from './git.ts';
import { moveRefs, readHead, resolveCommit } from './head.ts';
import { idFromFiles } from './ref-files.ts';
import { pathsBetween } from './history.ts';
import { indexAsHead, resetPaths } from './index.ts';
import { moveWithIndex } from './landing-index.ts';
import { buildTree, explained, type LandingTreeAsk, type RefusedCommit, withNewer } from './landing-tree.ts';
import { branchCommits, EVIDENCE_TRAILER, rememberCommit, writeMessage } from './message.ts';
import { indexFromCache } from './tree-cache.ts';
import { rawView } from './view.ts';
import { factsOf } from './paths.ts';
import { asUser } from './settings.ts';
import { signingOf } from './signing.ts';
import { proposedBefore, sameProposal } from './proposed.ts';
import { branchGone, isRunBranch, keptRefOf } from './run-branch.ts';
import { verifiedRef } from './verified.ts';
import { wipRef } from './wip.ts';
import { Bug } from '../model/bug.ts';

export type TreeCommitAsk = LandingTreeAsk &
  Pick<CommitAsk, 'style' | 'item' | 'session' | 'subject' | 'body' | 'merges' | 'unwinds' | 'proof' | 'onto'> & {
    readonly run: string;
    /** Asked again with the same token, the answer is the commit of then. */
    readonly token: string;
    /** Why there must be no such commit; null: nothing. Asked before anything is written. */
    judge?(place: CommitPlace): Promise<Result<Problem | null>>;
    /** Proof of the commit, kept outside of it. */
    readonly seal?: Seal;
  };

/** What the commit will be. */
export type CommitPlace = { readonly tree: ObjectId; readonly parent: ObjectId; readonly parentTree: ObjectId };
/**
 * Proof that is bound to a commit: made before it, so that the commit can name it, and put in its place together with the
 * branch. Both are idempotent.
 */
export type Seal = {
  /** The trailer of the commit and the refs that move with the branch, or why there must be no commit. */
  make(
    place: CommitPlace,
  ): Promise<Result<{ readonly trailer: string; readonly refs: readonly string[] } | { readonly refused: Problem }>>;
  /** For a commit that is there already: git may have died in the middle of moving the refs. */
  settle(): Promise<Result<void>>;
};

/** The branch moved while the commit was made: nothing of it is there, and it can be asked for again. */
export type Overtaken = { readonly overtaken: true };
const OVERTAKEN: Overtaken = { overtaken: true };

/**
 * One commit on the current branch, as one compare-and-swap: branch, evidence chain and private refs move together, and only if the branch is
 * where it was. A style other than `accept` is left out (`commit: null`) where nothing changed. The user's index then
 * matches the commit. A work tree that is not what was verified is `refused`, and so is one that newer commits change
 * (`branch-moved`: to be proved with them; `landing-conflict`); nothing is written then.
 */
export async function tryCommit(git: Git, ask: TreeCommitAsk): Promise<Result<CommitOutcome | Overtaken>> {
  const before = await findByToken(git, ask.token, ask.onto);
  if (!before.ok) return before;
  const [head, user, signing] = await Promise.all([readHead(git), asUser(git), signingOf(git)]);
  if (!head.ok) return head;
  if (!user.ok) return user;
  if (!signing.ok) return signing;
  const tip = git.lands === null ? ok(head.value.commit) : await tipOf(git);
  if (!tip.ok) return tip;
  const at = tip.value;
  if (before.value !== null) {
    const { commit, tree, evidence } = before.value;
    const settled = await settleAll(git, ask);
    if (!settled.ok) return settled;
    if (ask.onto !== undefined) return ok({ commit, tree, refused: null, evidence });
    return finish(git, ask, { commit, tree, evidence, isHead: commit === at });
  }
  if (at === null) return err(await noTip(git));
  const { merges } = ask;
  if (merges !== undefined && merges.mine !== at) return ok(movedSince(merges.mine, at));
  const inside = insideRoot(git, Object.keys(ask.files));
  if (!inside.ok) return inside;
  dropLeftovers(git, ask);
  const newer = await withNewerInLane(git, ask, at);
  if (!newer.ok) return newer;
  if (newer.value !== null) return ok(newer.value);
  const built = await buildTree(git, ask, at);
  if (!built.ok) return built;
  if ('refused' in built.value) return explained(git, ask, built.value, at);
  const { tree, landed, stay } = built.value;
  const fits = await withNewer(git, ask, tree, at);
  if (!fits.ok) return fits;
  if (fits.value !== null) return ok({ commit: null, tree, refused: fits.value });
  const parent = await parentFor(git, ask, at);
  if (!parent.ok) return parent;
  const place = { tree, parent: parent.value.commit, parentTree: parent.value.tree };
  const { onto: branch } = ask;
  const same =
    branch === undefined || ask.style !== 'accept'
      ? ok(null)
      : await sameProposal(git, { branch, item: ask.item, tree, base: parent.value.commit });
  if (!same.ok) return same;
  if (same.value !== null) return ok({ ...same.value, refused: null });
  const refused = ask.judge === undefined ? ok(null) : await ask.judge(place);
  if (!refused.ok) return refused;
  if (refused.value !== null) return ok({ commit: null, tree, refused: refused.value });
  const sealed = ask.seal === undefined ? ok({ trailer: '', refs: [] }) : await ask.seal.make(place);
  if (!sealed.ok) return sealed;
  if ('refused' in sealed.value) return ok({ commit: null, tree, refused: sealed.value.refused });
  const evidence = sealed.value.trailer;
  const putBack = filesAsTheyAre(git, ask);
  writeFiles(git, ask);
  if (ask.style !== 'accept' && merges === undefined && tree === parent.value.tree)
    return ok({ commit: null, tree, refused: null });
  const message = writeMessage(ask.subject, ask.body, trailersOf(ask, evidence));
  const proposed =
    branch === undefined ? null : await proposedBefore(git, { branch, item: ask.item, base: parent.value.commit });
  if (proposed?.ok === false) return proposed;
  const more = merges === undefined ? (proposed?.value.parents ?? []) : [merges.theirs];
  const parents = [parent.value.commit, ...more];
  const commit = await commitTreeObject(git, user.value, tree, parents, message, signing.value);
  if (!commit.ok) return commit;
  if (proposed !== null) {
    const { tip } = proposed.value;
    const move =
      tip === null
        ? `create refs/heads/${branch} ${commit.value}`
        : `update refs/heads/${branch} ${commit.value} ${tip}`;
    const moved = await moveRefs(git, [move, ...sealed.value.refs], {
      message: `harness: ${ask.subject}`,
      env: user.value,
    });
    if (!moved.ok) return isOvertaken(moved.failure) ? ok(OVERTAKEN) : moved;
    return ok({ commit: commit.value, tree, refused: null, evidence });
  }
  const refs = [
    ...sealed.value.refs,
    ...(ask.style === 'accept' && ask.item !== null
      ? [`delete ${wipRef(git, ask.item)}`, `delete ${verifiedRef(ask.session)}`]
      : []),
  ];
  const why = `harness: ${ask.subject}`;
  const moving = { from: at, to: commit.value, refs, why, env: user.value };
  if (git.lands === null) {
    const moved = await moveWithIndex(git, { ...moving, branch: head.value.branch, paths: indexPaths(ask) });
    if (!moved.ok) return isOvertaken(moved.failure) ? ok(OVERTAKEN) : moved;
  } else {
    const moved = await moveBranch(git, git.lands, moving);
    if (!moved.ok) return isOvertaken(moved.failure) ? ok(OVERTAKEN) : moved;
    if (moved.value.is === 'elsewhere') return ok(OVERTAKEN);
    if (moved.value.is !== 'moved') {
      // Asked for again later, its own files are made from what is the newest commit then.
      putBack();
      return ok(inTheWay(moved.value.paths));
    }
  }
  landed(commit.value);
  const made = { commit: commit.value, tree, parents };
  await rememberCommit(git, made, { subject: ask.subject, trailers: trailersOf(ask, evidence) });
  // In the user's own work tree the index has moved with the branch.
  const done = await finish(git, ask, { commit: commit.value, tree, evidence, isHead: git.lands !== null });
  return !done.ok || stay.length === 0 ? done : ok({ ...done.value, stay });
}

/**
 * In a lane others land meanwhile as a rule. The verified tree alone says whether the work goes together with theirs; the tree of the commit, which
 * takes longer, would be made in vain. Whether the work tree is still what was verified is seen when the work is brought onto theirs.
 */
async function withNewerInLane(git: Git, ask: TreeCommitAsk, at: ObjectId): Promise<Result<RefusedCommit | null>> {
  const { expectTree, only } = ask;
  if (git.lands === null || expectTree === null || only !== null) return ok(null);
  const fits = await withNewer(git, ask, expectTree, at);
  if (!fits.ok) return fits;
  // A conflict is looked at again: the verified tree has files as they are in the work tree, and commits have them as git converts them.
  const isMoved = fits.value?.code === 'branch-moved';
  return ok(isMoved ? { commit: null, tree: expectTree, refused: fits.value } : null);
}

/** A branch that is landed on has been deleted, or there was never a commit. */
async function noTip(git: Git): Promise<Failure> {
  const { root, lands } = git;
  if (lands === null) return failure('no-commits', { root });
  const here = await resolveCommit(git, isRunBranch(lands.branch) ? keptRefOf(lands.branch) : 'HEAD');
  return branchGone(lands.branch, here.ok ? here.value : null);
}

/** How often a commit is tried again because the branch moved meanwhile. */
const MOST_ROUNDS = 5;

/** The same for an ask that does not depend on what the branch is at. */
export async function commitTree(git: Git, ask: TreeCommitAsk): Promise<Result<CommitOutcome>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const { commit: from } = head.value;
  return inRounds(() => tryCommit(git, { ...(from === null ? {} : { from }), ...ask }));
}

export async function inRounds(once: () => Promise<Result<CommitOutcome | Overtaken>>): Promise<Result<CommitOutcome>> {
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const made = await once();
    if (!made.ok) return made;
    if (!('overtaken' in made.value)) return ok(made.value);
  }
  return err(failure('git-busy', { command: 'git update-ref', words: 'the branch moved again and again' }));
}

/** A ref is not where it was read: somebody else moved it. Git says it in these words. */
const isOvertaken = ({ reason, params }: Failure): boolean =>
  reason === 'git-failed' &&
  /but expected|reference already exists|unable to resolve reference/.test(String(params['words']));

const trailersOf = (ask: TreeCommitAsk, evidence: string) => ({
  'Harness-Item': ask.item ?? '',
  [UNWINDS]: ask.unwinds === true ? (ask.item ?? '') : '',
  'Harness-Run': ask.run,
  'Harness-Session': String(ask.session),
  'Harness-Proof': ask.proof ?? '',
  [EVIDENCE_TRAILER]: evidence,
  'Harness-Token': ask.token,
});

const movedSince = (expected: ObjectId, found: ObjectId): RefusedCommit => ({
  commit: null,
  tree: '',
  refused: { code: 'tree-changed-since-check', params: { expected, found } },
});

/** The branch stays, and so does the work. */
const inTheWay = (ids: readonly string[]): RefusedCommit => ({
  commit: null,
  tree: '',
  refused: { code: 'landing-in-the-way', params: { count: ids.length }, ids },
});

/** The harness's own files before they are written, for a commit that is not made. */
function filesAsTheyAre(git: Git, { files }: TreeCommitAsk): () => void {
  const before = Object.keys(files).map((path) => ({
    path: join(git.root, path),
    text: readText(join(git.root, path)),
  }));
  return () => {
    for (const { path, text } of before)
      if (text.ok && text.value !== null) git.io.replace(path, text.value);
      else if (text.ok) git.io.remove(path);
  };
}

function writeFiles(git: Git, { files }: TreeCommitAsk): void {
  git.io.replaceAll(Object.entries(files).map(([path, text]) => ({ path: join(git.root, path), text })));
}

/** The last step, and all that is left to do when the commit was found: refs, files and index as the commit has them. */
async function finish(
  git: Git,
  ask: TreeCommitAsk,
  { commit, tree, evidence, isHead }: Found & { readonly isHead: boolean },
): Promise<Result<CommitOutcome>> {
  const done = { commit, tree, refused: null, ...(evidence === '' ? {} : { evidence }) };
  if (!isHead) return ok(done);
  const paths = indexPaths(ask);
  if (paths !== null) {
    const reset = await resetPaths(git, 'HEAD', paths);
    return reset.ok ? ok(done) : reset;
  }
  const view = git.lands === null ? null : await rawView(git);
  if (view?.ok === true && (await indexFromCache(git, view.value, tree))) return ok(done);
  const set = await indexAsHead(git);
  return set.ok ? ok(done) : set;
}

/** What the user's index gets of the commit; null: all of it. */
const indexPaths = ({ only, files }: TreeCommitAsk): readonly string[] | null =>
  only === null ? null : [...only, ...Object.keys(files)];

/** Git moves refs one after the other: where it died in the middle, the branch may have moved alone. */
async function settleAll(git: Git, { seal, style, item, session, onto }: TreeCommitAsk): Promise<Result<unknown>> {
  const settled = seal === undefined ? ok(undefined) : await seal.settle();
  if (!settled.ok || style !== 'accept' || item === null || onto !== undefined) return settled;
  const left = [wipRef(git, item), verifiedRef(session)].filter(
    (ref) => idFromFiles(git, ref) !== null || ref.includes('%'),
  );
  return moveRefs(
    git,
    left.map((ref) => `delete ${ref}`),
  );
}

/** For a commit that a crash cut before its last step: what it changed since `from` is in the index as it is in the commit. */
export async function finishIndex(git: Git, from: ObjectId, commit: ObjectId): Promise<Result<void>> {
  const [head, paths] = [await readHead(git), await pathsBetween(git, from, commit)];
  if (!head.ok) return head;
  if (!paths.ok) return paths;
  if (head.value.commit !== commit || paths.value.length === 0) return ok(undefined);
  const reset = await resetPaths(git, commit, paths.value);
  return reset.ok ? ok(undefined) : reset;
}

/** A folder that became a link must not lead the harness's own writes elsewhere. */
function insideRoot(git: Git, paths: readonly string[]): Result<null> {
  const root = realpathSync(git.root);
  for (const path of paths) {
    let at = dirname(join(root, path));
    while (factsOf(at) === null && at !== dirname(at)) at = dirname(at);
    if (!`${at}${sep}`.startsWith(`${root}${sep}`) || realpathSync(at) !== at)
      return err(failure('path-outside-repository', { path }));
  }
  return ok(null);
}

/** A crash while a file is replaced leaves `<file>.<pid>.tmp` beside it, which belongs to no verified tree. */
function dropLeftovers(git: Git, { files }: TreeCommitAsk): void {
  for (const path of Object.keys(files)) {
    const folder = dirname(join(git.root, path));
    if (factsOf(folder)?.isDirectory() !== true) continue;
    const name = basename(path);
    for (const file of readdirSync(folder))
      if (file.startsWith(`${name}.`) && /^\d+\.tmp$/.test(file.slice(name.length + 1)))
        git.io.remove(join(folder, file));
  }
}

/**
 * The parent of a new commit on top of `head`. For `accept`: the nearest ancestor that is no provisional commit of the
 * item, where an older version left such commits on top of the branch. A merge, a commit of others, or one that a remote-tracking ref already has ends the walk.
 */
export async function parentFor(
  git: Git,
  { style, item }: { readonly style: string; readonly item: string | null },
  head: ObjectId,
): Promise<Result<{ readonly commit: ObjectId; readonly tree: ObjectId }>> {
  const read = await branchCommits(git, head);
  if (!read.ok) return read;
  const [top] = read.value;
  if (top === undefined) throw new Bug(`commit ${head} has no record`);
  if (style !== 'accept' || item === null) return ok(top);
  const isOurs = (at: number) => {
    const record = read.value[at];
    return record?.trailers[PROVISIONAL] === item && record.parents.length === 1;
  };
  if (!isOurs(0)) return ok(top);
  const local = await git.run(['rev-list', '--first-parent', `-n${read.value.length}`, head, '--not', '--remotes']);
  if (!local.ok) return local;
  const unpushed = new Set(local.value.split('\n'));
  let at = 0;
  while (at + 1 < read.value.length && isOurs(at) && unpushed.has(read.value[at]?.commit ?? '')) at++;
  return ok(read.value[at] ?? top);
}
