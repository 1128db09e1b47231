// What a landing would change in the user's work tree, and which files of the user are in its way: changed, staged, marked to be ignored,
// or there without being tracked.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { markedPaths } from './index.ts';
import { factsOf } from './paths.ts';
import { copyIndex, plainView, withIndex } from './view.ts';

export type PathChanges = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
};

/** Commits inside of submodules are not the work tree's. */
export async function changesBetween(git: Git, from: ObjectId, to: ObjectId): Promise<Result<PathChanges>> {
  const out = await git.run([
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--name-status',
    '--ignore-submodules=all',
    from,
    to,
  ]);
  if (!out.ok) return out;
  const parts = zeroSplit(out.value);
  const of = (wanted: RegExp): readonly string[] =>
    parts.flatMap((part, n) => (n % 2 === 1 && wanted.test(parts[n - 1] ?? '') ? [part] : []));
  return ok({ added: of(/^A/), changed: of(/^[MT]/), deleted: of(/^D/) });
}

type Env = { readonly [name: string]: string | null };

/** Files that are not as in this index, deleted ones included. Refreshes the index. */
export async function unlikeIndex(git: Git, env: Env): Promise<Result<ReadonlySet<string>>> {
  await git.run(['update-index', '-q', '--refresh'], { env, allow: [1] });
  const out = await git.run(['diff-files', '-z', '--name-only', '--ignore-submodules=all'], { env });
  return out.ok ? ok(new Set(zeroSplit(out.value))) : out;
}

/**
 * Paths of the landing that the user does not have as in `from`, in the index or in the work tree; sorted. A new file that is there as in `to`,
 * without being tracked, is in nothing's way.
 */
export async function pathsInTheWay(
  user: Git,
  { from, to }: { readonly from: ObjectId; readonly to: ObjectId },
  { added, changed, deleted }: PathChanges,
): Promise<Result<readonly string[]>> {
  const view = await plainView(user);
  if (!view.ok) return view;
  return withIndex(user, null, async (own): Promise<Result<readonly string[]>> => {
    const env = { ...view.value.env, ...own };
    copyIndex(join(user.gitDir, 'index'), own.GIT_INDEX_FILE);
    const unlike = await unlikeIndex(user, env);
    if (!unlike.ok) return unlike;
    const [staged, marks] = await Promise.all([
      user.run(['diff-index', '--cached', '-z', '--name-only', '--no-renames', '--ignore-submodules=all', from], {
        env,
      }),
      markedPaths(user),
    ]);
    if (!staged.ok) return staged;
    if (!marks.ok) return marks;
    // Git says of marked files (assume-unchanged, skip-worktree) that they are as they were.
    const differ = new Set([...unlike.value, ...zeroSplit(staged.value), ...marks.value]);
    const gone = new Set(deleted);
    const untracked = added.flatMap((path) => untrackedAt(user.root, path, gone));
    const same = await sameIn(
      user,
      to,
      untracked.filter((path) => added.includes(path)),
    );
    if (!same.ok) return same;
    const found = [
      ...[...added, ...changed, ...deleted].filter((path) => differ.has(path)),
      ...untracked.filter((path) => !same.value.has(path)),
    ];
    return ok([...new Set(found)].sort());
  });
}

/** Those of the files that are in this commit as they are in the work tree. */
async function sameIn(user: Git, to: ObjectId, paths: readonly string[]): Promise<Result<ReadonlySet<string>>> {
  if (paths.length === 0) return ok(new Set());
  const view = await plainView(user);
  if (!view.ok) return view;
  return withIndex(user, null, async (own): Promise<Result<ReadonlySet<string>>> => {
    const env = { ...view.value.env, ...own };
    const read = await user.run(['read-tree', to], { env });
    if (!read.ok) return read;
    const differ = await unlikeIndex(user, env);
    return differ.ok ? ok(new Set(paths.filter((path) => !differ.value.has(path)))) : differ;
  });
}

/** What is where a new file, or a folder that it needs, would be, and does not go with the landing. */
function untrackedAt(root: string, path: string, gone: ReadonlySet<string>): readonly string[] {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const facts = factsOf(join(root, folder));
    if (facts !== null && !facts.isDirectory() && !gone.has(folder)) return [folder];
  }
  const facts = factsOf(join(root, path));
  if (facts === null) return [];
  return facts.isDirectory() ? filesBelow(root, path).filter((file) => !gone.has(file)) : [path];
}

const filesBelow = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
