// Single paths of one tree in another: what the harness writes itself is never merged as text, but taken from one side.
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { filesOfTree } from './tree-walk.ts';
import { withIndex } from './view.ts';

/** `tree` with these files as `from` has them; a file that `from` lacks is left out. */
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
  const none = '0'.repeat(from.length);
  const entries = paths.map((path) => {
    const { mode, id } = theirs.value.find((file) => file.path === path) ?? { mode: '0', id: none };
    return `${mode} ${id}\t${path}\0`;
  });
  // What goes first makes room: a file may have become a folder.
  entries.sort((a, b) => Number(b.startsWith('0 ')) - Number(a.startsWith('0 ')));
  return withIndex(git, null, async (env) => {
    const based = await git.run(['read-tree', tree], { env });
    if (!based.ok) return based;
    const set = await git.run(['update-index', '-z', '--index-info'], { env, stdin: entries.join('') });
    if (!set.ok) return set;
    const made = await git.run(['write-tree'], { env });
    return made.ok ? ok(made.value.trim()) : made;
  });
}
