// Merges of two sides that do not meet: one side's changes put on the other, as git would merge them, without a process.
import { ok, type Result } from '../model/result.ts';
import type { TreeEntry } from './edited-tree.ts';
import type { Git, ObjectId } from './git.ts';
import { GITLINK } from './listing.ts';
import { foldersAbove } from './paths.ts';
import { withEntries } from './tree-paths.ts';
import { changesBetween, type EntryChange } from './tree-walk.ts';

export type ThreeTrees = { readonly base: ObjectId; readonly ours: ObjectId; readonly theirs: ObjectId };

/** The merged tree; null: the sides meet, or may, and git has to merge them. */
export async function mergedApart(git: Git, { base, ours, theirs }: ThreeTrees): Promise<Result<ObjectId | null>> {
  const changes = await changesBetween(git, [
    { from: base, to: ours },
    { from: base, to: theirs },
  ]);
  if (!changes.ok) return changes;
  const [mine = [], others = []] = changes.value;
  const edits = editsApart(mine, others);
  return edits === null ? ok(null) : withEntries(git, ours, edits);
}

/**
 * What the other side changed, by path; null: that is for git to merge. Only where no side removed a file: git looks for what became of it
 * (renames), and merges what the other side made of it there.
 */
export function editsApart(
  ours: readonly EntryChange[],
  theirs: readonly EntryChange[],
): ReadonlyMap<string, TreeEntry> | null {
  const edits = new Map<string, TreeEntry>();
  const mine = new Map<string, TreeEntry>();
  for (const [side, found] of [
    [ours, mine],
    [theirs, edits],
  ] as const)
    for (const { path, before, after } of side) {
      if (after === null || before?.mode === GITLINK || after.mode === GITLINK || path.includes('\uFFFD')) return null;
      found.set(path, after);
    }
  const folders = [foldersAbove([...mine.keys()]), foldersAbove([...edits.keys()])] as const;
  const meets = (path: string, one: TreeEntry): boolean => {
    const other = mine.get(path);
    return other !== undefined && (other.id !== one.id || other.mode !== one.mode);
  };
  for (const [path, entry] of edits) if (meets(path, entry) || folders[0].has(path)) return null;
  for (const path of mine.keys()) if (folders[1].has(path)) return null;
  return edits;
}
