// What provisional commits of an item brought, taken out of the work tree: each is undone as git would revert it, the newest first,
// on top of whatever came after it. No ref moves; the commits stay in the history. For repositories of older versions: this one makes no
// provisional commits (wip.ts).
import { provisionalOf } from '../model/provisional.ts';
import { ok, type Result } from '../model/result.ts';
import type { Snapshot } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { pathsBetween } from './history.ts';
import { bringIntoWorkTree, type Merged, mergedTrees, type Tree } from './merge.ts';
import { branchCommits, type CommitRecord } from './message.ts';
import { withPathsOf } from './tree-paths.ts';

export type UnwindAskOf = {
  /** Taken with HEAD at the item's work: the work tree is what it has. */
  readonly before: Snapshot;
  readonly item: string;
  /** Files that stay as they are. */
  readonly keep: readonly string[];
};
/** `count`: of how many commits. */
export type Unwound = { readonly merged: Merged; readonly count: number };

/** Repeatable after a crash at any point. */
export async function unwindInWorkTree(git: Git, { before, item, keep }: UnwindAskOf): Promise<Result<Unwound>> {
  const read = await branchCommits(git, before.head);
  if (!read.ok) return read;
  // A merge came from others, whatever its message.
  const commits = provisionalOf(read.value, item).filter(({ parents }) => parents.length === 1);
  const ask = { before, mine: before.head, isReserved: (path: string) => keep.includes(path) };
  const merged = await bringIntoWorkTree(git, ask, () => treeWithout(git, before, commits, keep));
  return merged.ok ? ok({ merged: merged.value, count: commits.length }) : merged;
}

async function treeWithout(
  git: Git,
  { tree }: Snapshot,
  commits: readonly CommitRecord[],
  keep: readonly string[],
): Promise<Result<Tree>> {
  let now = tree;
  for (const commit of commits) {
    const next = await without(git, now, commit, keep);
    if (!next.ok || 'conflicts' in next.value) return next;
    now = next.value.tree;
  }
  return ok({ tree: now });
}

/** A three-way merge whose base is the commit: one side is what there is now, the other what was there before the commit. */
async function without(git: Git, now: ObjectId, commit: CommitRecord, keep: readonly string[]): Promise<Result<Tree>> {
  const [parent = ''] = commit.parents;
  const changed = await pathsBetween(git, parent, commit.commit);
  if (!changed.ok) return changed;
  if (changed.value.every((path) => keep.includes(path))) return ok({ tree: now });
  const before = await git.run(['rev-parse', '--verify', '-q', `${parent}^{tree}`]);
  if (!before.ok) return before;
  const earlier = await withPathsOf(git, before.value.trim(), commit.tree, keep);
  if (!earlier.ok) return earlier;
  return mergedTrees(git, { base: commit.tree, ours: now, theirs: earlier.value });
}
