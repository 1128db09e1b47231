// The user's own index: reading what is staged without locking it, making it equal to a tree, refreshing its times.
import { join } from 'node:path';
import { Buffer } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { asNull } from './head.ts';
import type { CacheKey } from './answer-cache.ts';
import { editedTree } from './edited-tree.ts';
import { readIndex, readSmallIndex, type IndexEntry } from './index-file.ts';
import { isObject, readObjects } from './objects.ts';
import { copyIndex, plainView, withIndex } from './view.ts';

/** By the checksum of the index. */
const STAGED: CacheKey<ObjectId> = { name: 'staged' };

/** The tree of what the user has staged; null while a merge has left several versions of a file in the index. */
export async function indexTree(git: Git): Promise<Result<ObjectId | null>> {
  return withIndex(git, null, async (env) => {
    copyIndex(join(git.gitDir, 'index'), env.GIT_INDEX_FILE);
    const checksum = checksumOf(env.GIT_INDEX_FILE);
    const known = checksum === '' ? undefined : git.memory.get(STAGED, checksum);
    if (known !== undefined && (await isObject(git, known))) return ok(known);
    const computed = await treeOfEntries(git, env.GIT_INDEX_FILE);
    const tree = computed === null ? await git.run(['write-tree'], { env }) : ok(computed);
    if (tree.ok) {
      if (checksum !== '') git.memory.set(STAGED, checksum, tree.value.trim());
      return ok(tree.value.trim());
    }
    const unmerged = await git.run(['ls-files', '-u', '-z'], { env });
    return unmerged.ok && unmerged.value !== '' ? ok(null) : tree;
  });
}

/** A copy of the user's index that is worked on; left out: the index itself. */
type IndexCopy = { readonly GIT_INDEX_FILE: string };
/** Where git has that very tree already; null: it is to be written, or there is none. */
async function treeOfEntries(git: Git, file: string): Promise<ObjectId | null> {
  const entries = readSmallIndex(git, file);
  const [first] = entries ?? [];
  if (entries === null || first === undefined || entries.some((one) => one.stage !== 0 || one.isIntent)) return null;
  const files = new Map(entries.map(({ path, mode, id }) => [path, { mode, id }]));
  const tree = editedTree({ tree: first.id, bytes: new Map() }, files);
  const read = await readObjects(git, [tree]);
  return read.ok && read.value[0]?.type === 'tree' ? tree : null;
}

type StagedFile = Pick<IndexEntry, 'path' | 'mode' | 'id'>;

/** The entries of the user's index. */
export async function stagedFiles(git: Git): Promise<Result<readonly StagedFile[]>> {
  const entries = readIndex(git, join(git.gitDir, 'index'));
  if (entries !== null) return ok(entries);
  const listed = await git.run(['ls-files', '-s', '-z']);
  if (!listed.ok) return listed;
  return ok(
    zeroSplit(listed.value).flatMap((line) => {
      const [, mode = '', id = '', path = ''] = /^(\d+) (\w+) \d\t([^]+)$/.exec(line) ?? [];
      return path === '' ? [] : [{ mode, id, path }];
    }),
  );
}

/** Entries of the user's index whose files git does not look at (assume-unchanged, skip-worktree). */
export async function markedPaths(git: Git): Promise<Result<ReadonlySet<string>>> {
  const entries = readIndex(git, join(git.gitDir, 'index'));
  if (entries !== null) return ok(new Set(entries.flatMap(({ path, isMarked }) => (isMarked ? [path] : []))));
  const listed = await git.run(['ls-files', '-z', '-v']);
  if (!listed.ok) return listed;
  return ok(new Set(zeroSplit(listed.value).flatMap((line) => (/^[a-zS]/.test(line) ? [line.slice(2)] : []))));
}

/** Makes the index equal to a tree; the work tree stays. */
export async function setIndex(git: Git, tree: string, env?: IndexCopy): Promise<Result<null>> {
  const args = ['read-tree', '--reset', tree];
  const made = () => git.run(args, env === undefined ? {} : { env });
  const done = await made();
  if (done.ok || done.failure.reason !== 'git-failed') return asNull(done);
  // It cannot be read, or a mark in it (assume-unchanged) forbids the change: its content is known, so it is made again.
  git.io.remove(env?.GIT_INDEX_FILE ?? join(git.gitDir, 'index'));
  return asNull(await made());
}

/** Makes these paths in the index as they are in the commit. */
export async function resetPaths(
  git: Git,
  commit: string,
  paths: readonly string[],
  env?: IndexCopy,
): Promise<Result<null>> {
  // Git resets the whole index for none.
  if (paths.length === 0) return ok(null);
  const view = await plainView(git);
  if (!view.ok) return view;
  return asNull(
    await git.run(['reset', '-q', commit, '--pathspec-from-file=-', '--pathspec-file-nul'], {
      env: { ...view.value.env, ...env, GIT_LITERAL_PATHSPECS: '1' },
      stdin: paths.map((path) => `${path}\0`).join(''),
      allow: [1],
    }),
  );
}

/** Makes the index equal to HEAD and its times true, in one git process as a rule. */
export async function indexAsHead(git: Git, copy?: IndexCopy): Promise<Result<null>> {
  const view = await plainView(git);
  if (!view.ok) return view;
  // A path, if only that of everything: without one git notes where HEAD was before.
  const reset = await git.run(['reset', '--', '.'], { env: { ...view.value.env, ...copy }, allow: [1] });
  if (reset.ok && reset.value === '') return ok(null); // it names what is not as in the index
  const set = await setIndex(git, 'HEAD', copy);
  if (set.ok) await refreshIndex(git, copy);
  return set;
}

/** Refreshes the times of unchanged files in the index, so that the next status is quick and true. May fail. */
export async function refreshIndex(git: Git, copy?: IndexCopy): Promise<void> {
  const view = await plainView(git);
  if (!view.ok) return;
  const env = { ...view.value.env, ...copy };
  const refresh = () => git.run(['update-index', '--refresh'], { env, allow: [1, 128] });
  const refreshed = await refresh();
  if (refreshed.ok && refreshed.value === '') return; // it names what is not up to date
  // A file of another size passes for changed unread, even if only line endings differ that git stores alike: an entry
  // without times makes git read the file.
  const changed = await git.run(['diff-files', '-z', '--ignore-submodules=all'], { env });
  if (!changed.ok || changed.value === '') return;
  const parts = zeroSplit(changed.value);
  const entries = parts.flatMap((part, i) => {
    const [, mode, id] = /^:(\d{6}) \d{6} ([0-9a-f]+) [0-9a-f]+ M$/.exec(part) ?? [];
    return mode === undefined || id === undefined ? [] : [`${mode} ${id} 0\t${parts[i + 1] ?? ''}\0`];
  });
  if (entries.length === 0) return;
  const forgotten = await git.run(['update-index', '-z', '--index-info'], {
    env: { ...copy },
    stdin: entries.join(''),
  });
  if (forgotten.ok) await refresh();
}

/** As long as the longest checksum; a shorter one has entries before it, which belong to the index as well. */
const CHECKSUM_BYTES = 32;
/** Of SHA-1, the shortest there is. */
const SHORTEST_BYTES = 20;

/** What an index ends with, a checksum of all that is in it; '' where there is none (no index yet, or written without). */
export function checksumOf(file: string): string {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  try {
    const index = openSync(file, 'r');
    try {
      readSync(index, bytes, 0, CHECKSUM_BYTES, Math.max(0, fstatSync(index).size - CHECKSUM_BYTES));
    } finally {
      closeSync(index);
    }
  } catch {
    return '';
  }
  // index.skipHash: two such indexes look the same.
  return bytes.subarray(-SHORTEST_BYTES).every((byte) => byte === 0) ? '' : bytes.toString('hex');
}
