// Another state of the repository brought into the work tree, without moving any ref: commits of others, as git would
// merge them, with no program that the repository configured. The caller proves the outcome and commits it.
import { join } from 'node:path';
import type { Failure } from '../model/failure.ts';
import { ok, type Result } from '../model/result.ts';
import { commitTreeObject, type Snapshot, treeAt } from './checkpoint.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { pathsBetween } from './history.ts';
import { mergedApart, type ThreeTrees } from './merge-apart.ts';
import { factsOf, folderOf } from './paths.ts';
import { asUser } from './settings.ts';
import { cacheWrittenTree, indexBefore } from './tree-cache.ts';
import { treeOf, withWorkTree } from './tree.ts';
import { entriesBetween } from './tree-walk.ts';
import { rawView, type GitView } from './view.ts';

export type BringAskOf = {
  /** Taken with `mine` as HEAD: the work tree is what it has. */
  readonly before: Snapshot;
  readonly mine: ObjectId;
  /** Paths that only a user may change. */
  readonly isReserved: (path: string) => boolean;
};
export type MergeAskOf = BringAskOf & { readonly theirs: ObjectId };
export type Merged =
  | { readonly is: 'merged'; readonly tree: ObjectId }
  /** Nothing was touched. */
  | { readonly is: 'conflict' | 'reserved'; readonly files: readonly string[] }
  /** Nothing was touched: the work tree is not what `mine` has, byte for byte (edits of the user, files that git converts). */
  | { readonly is: 'not-clean' }
  /** The result is not the merged tree: the caller restores the checkpoint. */
  | { readonly is: 'unfinished' };

export const mergeIntoWorkTree = (git: Git, ask: MergeAskOf): Promise<Result<Merged>> =>
  bringIntoWorkTree(git, ask, () => mergedTree(git, ask.mine, ask.theirs));

/**
 * Repeatable after a crash at any point: every step depends on the commits and the work tree alone. `wanted` is
 * called if nothing is in the way.
 */
export async function bringIntoWorkTree(
  git: Git,
  { before, mine, isReserved }: BringAskOf,
  wanted: () => Promise<Result<Tree>>,
): Promise<Result<Merged>> {
  const own = await treeAt(git, mine);
  if (!own.ok) return own;
  if (before.head !== mine || before.tree !== own.value) return ok({ is: 'not-clean' });
  const merged = await wanted();
  // Git before 2.38 cannot merge without a work tree: the user must do it.
  if (!merged.ok) return isTooOld(merged.failure) ? ok({ is: 'not-clean' }) : merged;
  if ('conflicts' in merged.value) return ok({ is: 'conflict', files: merged.value.conflicts });
  const changed = await pathsBetween(git, mine, merged.value.tree);
  if (!changed.ok) return changed;
  const reserved = changed.value.filter(isReserved);
  if (reserved.length > 0) return ok({ is: 'reserved', files: reserved });
  // Files of the harness that are committed are in no tree of the work.
  const work = await treeAt(git, merged.value.tree);
  if (!work.ok) return work;
  const tree = work.value;
  const written = await writeOver(git, before.tree, tree);
  if (!written.ok) return written;
  if (written.value === 'hidden') return ok({ is: 'not-clean' });
  const now = await treeOf(git);
  if (!now.ok) return now;
  if (now.value === tree) return ok({ is: 'merged', tree });
  return ok({ is: now.value === before.tree ? 'not-clean' : 'unfinished' });
}

const USAGE = 129;
const isTooOld = ({ reason, params }: Failure): boolean => reason === 'git-failed' && params['exit'] === USAGE;

export type Tree = { readonly tree: ObjectId } | { readonly conflicts: readonly string[] };

/** Under our own git folder, where no merge driver is configured: what names one is merged as text. */
export async function mergedTree(git: Git, mine: ObjectId, theirs: ObjectId): Promise<Result<Tree>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', mine, theirs];
  const { env } = view.value;
  const clean = await git.run(args, { env });
  if (clean.ok) return ok({ tree: zeroSplit(clean.value)[0]?.trim() ?? '' });
  const { reason, params } = clean.failure;
  if (reason !== 'git-failed' || params['exit'] !== 1) return clean;
  const listed = await git.run(args, { env, allow: [1] });
  if (!listed.ok) return listed;
  const [tree = '', ...conflicts] = zeroSplit(listed.value);
  // Git ends the same way where it could not begin: then it names no tree.
  return /^[0-9a-f]{40,64}$/.test(tree) ? ok({ conflicts: [...new Set(conflicts)] }) : clean;
}

/** The same for three trees, which need no history between them. */
export async function mergedTrees(git: Git, trees: ThreeTrees): Promise<Result<Tree>> {
  const { base, ours, theirs } = trees;
  if (ours === base || ours === theirs) return ok({ tree: theirs });
  if (theirs === base) return ok({ tree: ours });
  const apart = await mergedApart(git, trees);
  if (!apart.ok) return apart;
  if (apart.value !== null) return ok({ tree: apart.value });
  const user = await asUser(git);
  if (!user.ok) return user;
  const from = await commitTreeObject(git, user.value, base, [], 'the base of a merge\n');
  if (!from.ok) return from;
  const sides: ObjectId[] = [];
  for (const tree of [ours, theirs]) {
    const side = await commitTreeObject(git, user.value, tree, [from.value], 'a side of a merge\n');
    if (!side.ok) return side;
    sides.push(side.value);
  }
  return mergedTree(git, sides[0] ?? '', sides[1] ?? '');
}

/**
 * Whether a file that would be new is ignored here, or an ignored file is in its place: git would
 * overwrite that, and it would be lost.
 */
async function hidesInTheWay(git: Git, { env }: GitView, from: ObjectId, to: ObjectId): Promise<Result<boolean>> {
  const changed = await entriesBetween(git, from, to);
  if (!changed.ok) return changed;
  const added = changed.value.filter(({ before }) => before === null).map(({ path }) => path);
  if (added.length === 0) return ok(false);
  if (added.some((path) => isTaken(git, path))) return ok(true);
  const stdin = added.map((path) => `${path}\0`).join('');
  const ignored = await git.run(['check-ignore', '--no-index', '-z', '--stdin'], { env, stdin, allow: [1] });
  return ignored.ok ? ok(ignored.value !== '') : ignored;
}

/** The path is taken, or a file or link is where a folder on the way to it would be. */
function isTaken(git: Git, path: string): boolean {
  if (factsOf(join(git.root, path)) !== null) return true;
  for (let at = folderOf(path); at !== ''; at = folderOf(at)) {
    const facts = factsOf(join(git.root, at));
    if (facts !== null) return !facts.isDirectory();
  }
  return false;
}

/**
 * Only over the very tree that is expected there: another one was written by an earlier process. Git leaves alone what is in
 * the way; `hidden`: where it would not.
 */
export async function writeOver(git: Git, from: ObjectId, to: ObjectId): Promise<Result<'tried' | 'hidden'>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  return withWorkTree(git, view.value, 'refuse', async ({ env, tree }) => {
    if (tree !== from) return ok('tried');
    const before = indexBefore(git, { view: view.value, env });
    const hidden = await hidesInTheWay(git, view.value, from, to);
    if (!hidden.ok) return hidden;
    if (hidden.value) return ok('hidden');
    const done = await git.run(['read-tree', '-m', '-u', from, to], { env });
    if (!done.ok) return done.failure.reason === 'git-failed' ? ok('tried') : done;
    const cached = await cacheWrittenTree(git, { view: view.value, env }, before, { from, tree: to });
    return cached.ok ? ok('tried') : cached;
  });
}
