// Applies a diff to the work tree: whole or not at all, and only to the paths that were judged. It is applied
// to the checkpoint's tree first, in an index of our own: what would come of it is known in full before a file is touched.
import { keepAttempt } from './attempts.ts';
import type { Snapshot } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { entriesBetween } from './tree-walk.ts';
import { writeOver } from './merge.ts';
import { ok, type Result } from '../model/result.ts';
import type { Failure } from '../model/failure.ts';
import { restoreTree } from './restore.ts';
import { treeOf } from './tree.ts';
import { rawView, withIndex } from './view.ts';

export type PatchAskOf = {
  /** Taken just before: the work tree is what it has. */
  readonly before: Snapshot;
  readonly diff: string;
  readonly paths: readonly string[];
  /** Of the caller: content that is neither the checkpoint's nor the patch's is kept under it. */
  readonly token: string;
};
/** `refused`: nothing is changed, `why` in git's own first words where it is git's. */
export type Patched =
  | { readonly is: 'patched'; readonly tree: ObjectId }
  | { readonly is: 'refused'; readonly why: string };

/** Repeatable after a crash at any point: the work tree is put back to the checkpoint first, unless the patch is in it already. */
export async function patchWorkTree(git: Git, { before, diff, paths, token }: PatchAskOf): Promise<Result<Patched>> {
  const wanted = await treeWith(git, before.tree, diff);
  if (!wanted.ok) return wanted;
  const refused =
    'why' in wanted.value ? ok(wanted.value.why) : await faultOf(git, before.tree, wanted.value.tree, paths);
  if (!refused.ok) return refused;
  const now = await treeOf(git);
  if (!now.ok) return now;
  const tree = 'tree' in wanted.value && refused.value === null ? wanted.value.tree : null;
  if (tree !== null && now.value === tree) return ok({ is: 'patched', tree });
  if (now.value !== before.tree) {
    const back = await putBack(git, before, token);
    if (!back.ok) return back;
  }
  if (tree === null) return ok({ is: 'refused', why: refused.value ?? '' });
  const written = await writeOver(git, before.tree, tree);
  if (!written.ok) return written;
  if (written.value === 'hidden')
    return ok({ is: 'refused', why: 'something that git ignores is in the way, or git would ignore a file of it' });
  const after = await treeOf(git);
  if (!after.ok) return after;
  if (after.value === tree) return ok({ is: 'patched', tree });
  const back = after.value === before.tree ? ok(null) : await putBack(git, before, token);
  return back.ok ? ok({ is: 'refused', why: 'something in the work tree is in the way' }) : back;
}

type With = { readonly tree: ObjectId } | { readonly why: string };

/** Byte for byte, and by the letter: no filter, no attribute and no setting of the repository counts. */
async function treeWith(git: Git, from: ObjectId, diff: string): Promise<Result<With>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  return withIndex(git, null, async (index) => {
    const env = { ...view.value.env, ...index };
    const based = await git.run(['read-tree', from], { env });
    if (!based.ok) return based;
    const args = ['apply', '--cached', '--whitespace=nowarn', '--no-ignore-whitespace', '-p1', '-'];
    const applied = await git.run(args, { env, stdin: diff });
    if (!applied.ok) return refusalOf(applied.failure);
    const tree = await git.run(['write-tree'], { env });
    return tree.ok ? ok({ tree: tree.value.trim() }) : tree;
  });
}

/** 1: it does not fit · 128: it is no patch. */
function refusalOf(failure: Failure): Result<With> {
  const { reason, params } = failure;
  if (reason !== 'git-failed' || ![1, 128].includes(Number(params['exit']))) return { ok: false, failure };
  const words = String(params['words'] ?? '')
    .split('\n')
    .filter((line) => !line.startsWith('warning:'));
  return ok({ why: words.slice(0, 3).join('\n') || 'git could not apply it' });
}

const FILES = ['100644', '100755'];

/** Why what it would come to is not what was judged; null: it is. */
async function faultOf(
  git: Git,
  from: ObjectId,
  to: ObjectId,
  paths: readonly string[],
): Promise<Result<string | null>> {
  const entries = await entriesBetween(git, from, to);
  if (!entries.ok) return entries;
  const beyond = entries.value.find(({ path }) => !paths.includes(path));
  if (beyond !== undefined) return ok(`it touches a path that was not judged: ${beyond.path}`);
  const odd = entries.value.find(({ before, after }) => {
    const modes = [before, after].flatMap((entry) => (entry === null ? [] : [entry.mode]));
    return modes.some((mode) => !FILES.includes(mode)) || new Set(modes).size > 1;
  });
  if (odd !== undefined) return ok(`it changes what kind of file this is: ${odd.path}`);
  return ok(entries.value.length === 0 ? 'it changes nothing' : null);
}

/** The file may be the user's: it is kept. */
async function putBack(git: Git, before: Snapshot, token: string): Promise<Result<unknown>> {
  const kept = await keepAttempt(git, { item: null, session: 0, why: 'patch', base: before, token });
  return kept.ok ? restoreTree(git, before) : kept;
}
