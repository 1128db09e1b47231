// Checkpoints: the whole work tree and the user's index as private commits, made without touching either.
import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { commitText } from './commit-text.ts';
import { readHead, rememberIsCommit, resolveCommit, setRef } from './head.ts';
import { indexTree } from './index.ts';
import { writeObjects } from './loose-objects.ts';
import type { CacheKey } from './answer-cache.ts';
import { readCommits, writeMessage } from './message.ts';
import { isObject, readObjects } from './objects.ts';
import { asUser } from './settings.ts';
import type { Signing } from './signing.ts';
import { withWorkTree } from './tree.ts';
import { ignoreRules, rawView, STATE_FOLDER, withIndex } from './view.ts';

/** A moment to come back to. `branch` is '' where HEAD was detached. */
export type Snapshot = {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  readonly head: ObjectId;
  readonly branch: string;
};

/** Files of the git folder that say that a merge, a rebase or the like is under way. */
export const PENDING = [
  'MERGE_HEAD',
  'MERGE_MODE',
  'MERGE_MSG',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'AUTO_MERGE',
  'SQUASH_MSG',
  'REBASE_HEAD',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'BISECT_LOG',
  'BISECT_START',
] as const;

/** The last checkpoint, under everything that is in one. */
const TAKEN: CacheKey<Snapshot> = { name: 'checkpoint' };

export const pendingNow = (git: Git): string[] => PENDING.filter((name) => existsSync(join(git.gitDir, name)));

/**
 * Keeps the whole work tree under `ref` (`refs/harness/checkpoints/…`), byte for byte: tracked changes, untracked files
 * that are not ignored, modes, links. The second parent holds the user's index. Works while the index is locked. Taken
 * again under the same ref, the newer one counts; where nothing changed since the last one, it is the same commit under
 * another ref. `of`: a commit of the branch instead of the work tree. `ref: null`: for use at once; a crash leaves objects alone, which
 * git removes in time. Fails with `nested-repository` (`path`) or `no-commits`.
 */
export async function takeCheckpoint(
  git: Git,
  ask: { readonly ref: string | null; readonly message: string; readonly of?: string },
): Promise<Result<Snapshot>> {
  const [head, view, user] = await Promise.all([readHead(git), rawView(git), asUser(git)]);
  if (!head.ok) return head;
  if (!view.ok) return view;
  if (!user.ok) return user;
  const { commit: at, branch } = head.value;
  if (at === null) return err(failure('no-commits', { root: git.root }));
  if (ask.of !== undefined) return checkpointOf(git, user.value, { ...ask, of: ask.of, branch: branch ?? '' });
  const [tree, staged] = await Promise.all([
    withWorkTree(git, view.value, 'refuse', async (work) => ok(work.tree)),
    indexTree(git),
  ]);
  if (!tree.ok) return tree;
  if (!staged.ok) return staged;
  const [rules, pending] = [ignoreRules(git), pendingNow(git).join(' ')];
  const holds = JSON.stringify([at, branch, tree.value, staged.value, rules, pending, user.value]);
  const last = git.memory.get(TAKEN, holds);
  // A commit that is gone is made again.
  if (last !== undefined && (await isObject(git, last.commit)) && (await nameCommit(git, ask.ref, last.commit)).ok)
    return ok(last);
  const indexMessage = `index\n\n${rules}\n`;
  const index = await commitTreeObject(git, user.value, staged.value ?? tree.value, [at], indexMessage);
  if (!index.ok) return index;
  const message = writeMessage(ask.message, '', { 'Harness-Branch': branch ?? '', 'Harness-Pending': pending });
  const commit = await commitTreeObject(git, user.value, tree.value, [at, index.value], message);
  if (!commit.ok) return commit;
  const kept = await nameCommit(git, ask.ref, commit.value);
  if (!kept.ok) return kept;
  const taken = { commit: commit.value, tree: tree.value, head: at, branch: branch ?? '' };
  git.memory.set(TAKEN, holds, taken);
  return ok(taken);
}

const nameCommit = async (git: Git, ref: string | null, commit: ObjectId): Promise<Result<null>> =>
  ref === null ? ok(null) : setRef(git, ref, commit);

/** A commit as a moment to come back to: its files, all of them staged as they are. */
async function checkpointOf(
  git: Git,
  user: { readonly [name: string]: string },
  ask: { readonly ref: string | null; readonly message: string; readonly of: string; readonly branch: string },
): Promise<Result<Snapshot>> {
  const head = await resolveCommit(git, ask.of);
  if (!head.ok) return head;
  if (head.value === null) return err(failure('no-commits', { root: git.root }));
  const tree = await treeAt(git, head.value);
  if (!tree.ok) return tree;
  const index = await commitTreeObject(
    git,
    user,
    await wholeTreeAt(git, head.value),
    [head.value],
    `index\n\n${ignoreRules(git)}\n`,
  );
  if (!index.ok) return index;
  const message = writeMessage(ask.message, '', { 'Harness-Branch': ask.branch, 'Harness-Pending': '' });
  const commit = await commitTreeObject(git, user, tree.value, [head.value, index.value], message);
  if (!commit.ok) return commit;
  const kept = await nameCommit(git, ask.ref, commit.value);
  return kept.ok ? ok({ commit: commit.value, tree: tree.value, head: head.value, branch: ask.branch }) : kept;
}

/** The files of a commit or tree without the harness's own, which are never restored, tracked or not. */
export async function treeAt(git: Git, commit: ObjectId): Promise<Result<ObjectId>> {
  const ours = [STATE_FOLDER, ...git.own];
  // Mostly none of them is committed: then it is the tree of the commit.
  const read = await readObjects(git, [`${commit}^{tree}`, ...ours.map((path) => `${commit}:${path}`)]);
  const [whole = null, ...own] = read.ok ? read.value : [];
  if (whole?.type === 'tree' && own.every((object) => object === null)) return ok(whole.id);
  return withIndex(git, null, async (env) => {
    for (const args of [
      ['read-tree', commit],
      ['--literal-pathspecs', 'rm', '-r', '-f', '-q', '--cached', '--ignore-unmatch', '--', ...ours],
    ]) {
      const done = await git.run(args, { env });
      if (!done.ok) return done;
    }
    const tree = await git.run(['write-tree'], { env });
    return tree.ok ? ok(tree.value.trim()) : tree;
  });
}

/** All files of a commit, the harness's own too; a name of the tree where its id is not known. */
export async function wholeTreeAt(git: Git, commit: ObjectId): Promise<string> {
  const read = await readObjects(git, [`${commit}^{tree}`]);
  return (read.ok ? read.value[0]?.id : undefined) ?? `${commit}^{tree}`;
}

/** The checkpoint under a ref; null where none was taken. */
export async function findCheckpoint(git: Git, ref: string): Promise<Result<Snapshot | null>> {
  const there = await resolveCommit(git, ref);
  if (!there.ok || there.value === null) return there.ok ? ok(null) : there;
  const read = await readCommits(git, ['-n1', there.value]);
  if (!read.ok) return read;
  const [record] = read.value;
  const head = record?.parents[0];
  if (record === undefined || head === undefined) return ok(null);
  return ok({ commit: record.commit, tree: record.tree, head, branch: record.trailers['Harness-Branch'] ?? '' });
}

/** A commit object and nothing else: no ref moves. Without a signature no git process is started. */
export async function commitTreeObject(
  git: Git,
  user: { readonly [name: string]: string },
  tree: ObjectId,
  parents: readonly ObjectId[],
  message: string,
  signing: Signing = { args: [], env: {} },
): Promise<Result<ObjectId>> {
  const text = signing.args.length > 0 ? null : commitText(user, tree, parents, message, new Date());
  const isThere = text !== null && (await areThere(git, tree, parents));
  const [id] = (isThere ? await writeObjects(git, [{ type: 'commit', bytes: Buffer.from(text) }], tree) : null) ?? [];
  if (id !== undefined) {
    rememberIsCommit(git, id);
    return ok(id);
  }
  const args = ['commit-tree', ...signing.args, tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  const made = await git.run(args, { env: { ...user, ...signing.env }, stdin: message });
  if (!made.ok) return made;
  const commit = made.value.trim();
  rememberIsCommit(git, commit);
  return ok(commit);
}

/** A commit must not name what the repository does not have. */
async function areThere(git: Git, tree: ObjectId, parents: readonly ObjectId[]): Promise<boolean> {
  const read = await readObjects(git, [tree, ...parents]);
  return read.ok && read.value.every((object, n) => object?.type === (n === 0 ? 'tree' : 'commit'));
}
