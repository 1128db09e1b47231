// Single paths of one tree in another: what the harness writes itself is never merged as text, but taken from one side.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { editedFolders, foldersOf, type TreeEntry } from './edited-tree.ts';
import type { Git, ObjectId } from './git.ts';
import { writeObjects } from './loose-objects.ts';
import { readObjects } from './objects.ts';
import { filesOfTree } from './tree-walk.ts';

/** `tree` with these files as `from` has them; a file that `from` lacks is left out. Only the folders on the way to them are written. */
export async function withPathsOf(
  git: Git,
  tree: ObjectId,
  from: ObjectId,
  paths: readonly string[],
): Promise<Result<ObjectId>> {
  if (paths.length === 0 || tree === from) return ok(tree);
  const [theirs, ours] = await Promise.all([filesOfTree(git, from, paths), filesOfTree(git, tree, paths)]);
  if (!theirs.ok) return theirs;
  if (!ours.ok) return ours;
  if (JSON.stringify(theirs.value) === JSON.stringify(ours.value)) return ok(tree);
  const wanted = new Map(theirs.value.map(({ path, mode, id }) => [path, { mode, id }]));
  const files = new Map([...new Set([...paths, ...wanted.keys()])].map((path) => [path, wanted.get(path) ?? null]));
  return withEntries(git, tree, files);
}

/** `tree` with these files; null: without the file. */
export async function withEntries(
  git: Git,
  tree: ObjectId,
  files: ReadonlyMap<string, TreeEntry | null>,
): Promise<Result<ObjectId>> {
  const folders = foldersOf([...files.keys()]);
  const read = await readObjects(
    git,
    folders.map((folder) => (folder === '' ? `${tree}^{tree}` : `${tree}:${folder}`)),
  );
  if (!read.ok) return read;
  const bytes = folders.flatMap((folder, n) => {
    const found = read.value[n] ?? null;
    return found?.type === 'tree' ? [[folder, found.bytes] as const] : [];
  });
  const edited = editedFolders({ tree, bytes: new Map(bytes) }, files);
  const trees = edited.written.map((one) => ({ type: 'tree' as const, bytes: one }));
  if ((await writeObjects(git, trees, tree)) === null)
    return err(failure('git-failed', { command: 'write a tree', exit: 'unknown', words: git.commonDir }));
  return ok(edited.tree);
}
