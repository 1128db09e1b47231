// The work tree as a git tree: tracked changes, untracked files that are not ignored, modes and links; never the user's
// index. Owns what belongs to such a tree and how repositories inside the repository are met.
import { join } from 'node:path';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import {
  forceReread,
  ignoredInside,
  treeFromCache,
  touchedFiles,
  type TreeLookup,
  cacheTree,
  privateIndex,
  type KnownTree,
} from './tree-cache.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import type { TreeEntry } from './edited-tree.ts';
import { readHead } from './head.ts';
import { isLargeIndex, readIndex } from './index-file.ts';
import { knowNotIgnored } from './ignored-entries.ts';
import {
  findInner,
  GITLINK,
  hasAttributes,
  type Inner,
  isOurs,
  listFiles,
  type FileListing,
  trackedThoughIgnored,
} from './listing.ts';
import { factsOf } from './paths.ts';
import { withEntries } from './tree-paths.ts';
import { filesOfTree } from './tree-walk.ts';
import { rawView, STATE_FOLDER, type GitView, withIndex } from './view.ts';

/** What a repository inside the work tree means: a failure that names it, or one more folder of files. */
export type Nested = 'refuse' | 'absorb';

export type WorkTree = {
  readonly view: GitView;
  /** The environment under which the private index of this operation holds the work tree. */
  readonly env: { readonly [name: string]: string | null };
  readonly tree: ObjectId;
  /** Folders with a repository of their own, repository-relative. */
  readonly nested: readonly Inner[];
  /** No repository inside, no submodule, nothing of the harness's own folder, no attributes: every entry is a file's bytes. */
  readonly isPlain: boolean;
};

/**
 * Tree id of the work tree, byte for byte; keeps no ref. Equal ids mean equal bytes, modes and links.
 * Fails with `nested-repository` (`path`) where a folder is a repository of its own.
 */
export async function treeOf(git: Git): Promise<Result<ObjectId>> {
  const view = await rawView(git);
  return view.ok ? withWorkTree(git, view.value, 'refuse', async ({ tree }) => ok(tree)) : view;
}

/** Brings the work tree into a private index and hands it over for the time of `use`. */
export async function withWorkTree<T>(
  git: Git,
  view: GitView,
  nested: Nested,
  use: (work: WorkTree) => Promise<Result<T>>,
): Promise<Result<T>> {
  return withIndex(git, view.kind, async (index, sinceMs) => {
    const env = { ...view.env, ...index };
    const filled = await fill(git, view, nested, env, sinceMs);
    return filled.ok ? use({ view, env, ...filled.value }) : filled;
  });
}

type Env = WorkTree['env'];
type Filled = Pick<WorkTree, 'tree' | 'nested' | 'isPlain'>;

async function fill(git: Git, view: GitView, nested: Nested, env: Env, sinceMs: number): Promise<Result<Filled>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const place = { view, env, sinceMs, head: head.value.commit };
  // Only the raw view knows no attributes and no filters: what it finds unchanged is unchanged byte for byte.
  const again = view.kind === 'raw' ? await treeFromCache(git, place) : ok(null);
  if (!again.ok) return again;
  if (again.value?.is === 'same') return ok({ tree: again.value.tree, nested: [], isPlain: again.value.isPlain });
  if (again.value === null) return fillFromHead(git, nested, place);
  const added = await addAll(git, env, [], again.value.hidden);
  return added.ok ? written(git, place, [], again.value) : added;
}

async function fillFromHead(git: Git, nested: Nested, place: TreeLookup): Promise<Result<Filled>> {
  const { view, env, head, sinceMs } = place;
  const based = await git.run(['read-tree', ...(head === null ? ['--empty'] : ['--reset', head])], { env });
  if (!based.ok) return based;
  const [listed, hidden] = await Promise.all([listFiles(git, env), trackedThoughIgnored(git, view)]);
  if (!listed.ok) return listed;
  if (!hidden.ok) return hidden;
  const { tracked, untracked } = listed.value;
  const inner = findInner(git, listed.value);
  const first = inner.find(({ kind }) => kind !== 'submodule');
  if (first !== undefined && nested === 'refuse') return err(failure('nested-repository', { path: first.path }));
  const files = tracked.filter(({ mode }) => mode !== GITLINK);
  const { touched, gone } = touchedFiles(git, files, sinceMs);
  const doubted = await forceReread(git, env, touched);
  if (!doubted.ok) return doubted;
  const ours = [STATE_FOLDER, ...git.own];
  const isTracked = tracked.some(({ path }) => isOurs(git, path));
  if (view.kind === 'raw' && isTracked) {
    const left = await git.run(['rm', '-r', '-f', '-q', '--cached', '--ignore-unmatch', '--', ...ours], { env });
    if (!left.ok) return left;
  }
  // A submodule is passed by, not asked: git would start a git inside it, under that one's configuration.
  const passedBy = inner.filter(({ kind }) => kind !== 'tracked').map(({ path }) => path);
  if (isTracked || untracked.some((path) => isOurs(git, path))) passedBy.push(...ours);
  const added = await addAll(git, env, passedBy, hidden.value);
  if (!added.ok) return added;
  for (const { path } of inner.filter(({ kind }) => kind === 'untracked')) {
    const absorbed = await absorb(git, view, path, env);
    if (!absorbed.ok) return absorbed;
  }
  const isOrdinary = inner.length + passedBy.length === 0 && files.length === tracked.length && view.kind === 'raw';
  const isPlain = isOrdinary && !hasAttributes(git, listed.value);
  return written(
    git,
    place,
    inner,
    isOrdinary ? { listing: listed.value, facts: null, rules: null, hidden: hidden.value, gone, isPlain } : null,
  );
}

/** Writes the tree, and remembers what it came from where the next look may rest on it. */
async function written(
  git: Git,
  place: TreeLookup,
  nested: readonly Inner[],
  from:
    | (Omit<KnownTree, 'tree' | 'ignored'> & {
        readonly listing: FileListing;
        readonly facts: string | null;
        readonly rules: string | null;
        readonly base?: ObjectId;
      })
    | null,
): Promise<Result<Filled>> {
  const known = from?.base === undefined ? null : await treeOnto(git, from.base, place.env);
  if (known !== null && !known.ok) return known;
  const written = known ?? (await git.run(['write-tree'], { env: place.env }));
  if (!written.ok) return written;
  const tree = written.value.trim();
  if (from === null) return ok({ tree, nested, isPlain: false });
  const { listing, facts, rules, hidden, gone, isPlain } = from;
  // To compare so many files with those of before would be as much work as to add them again.
  if (isLargeIndex(place.env['GIT_INDEX_FILE'] ?? '')) return ok({ tree, nested, isPlain });
  knowNotIgnored(git, privateIndex(place), rules, listing.untracked);
  // After the tree, which git notes in the index: the next look begins with this very one.
  const ignored = await ignoredInside(git, place);
  if (!ignored.ok) return ignored;
  cacheTree(git, place, { tree, ignored: ignored.value, hidden, gone, isPlain }, facts);
  return ok({ tree, nested, isPlain });
}

/** The tree of the private index, as an edit of an earlier one: no more than the folders that differ is written. null: that is for git. */
async function treeOnto(git: Git, base: ObjectId, env: Env): Promise<Result<ObjectId> | null> {
  const entries = readIndex(git, env['GIT_INDEX_FILE'] ?? '');
  if (entries === null || entries.some((one) => one.stage !== 0 || one.isIntent || one.path.includes('\uFFFD')))
    return null;
  const before = await filesOfTree(git, base);
  if (!before.ok) return before;
  if (before.value.some(({ path }) => path.includes('\uFFFD'))) return null;
  const edits = new Map<string, TreeEntry | null>(before.value.map(({ path }) => [path, null]));
  const was = new Map(before.value.map((one) => [one.path, one]));
  for (const { path, mode, id } of entries) {
    const old = was.get(path);
    if (old?.mode === mode && old.id === id) edits.delete(path);
    else edits.set(path, { mode, id });
  }
  return withEntries(git, base, edits);
}

async function addAll(
  git: Git,
  env: Env,
  passedBy: readonly string[],
  hidden: readonly string[],
): Promise<Result<unknown>> {
  const paths = ['.', ...passedBy.map((path) => `:(top,exclude,literal)${path}`)];
  // 1: everything was added, and something that is passed by is also ignored.
  const add = () =>
    git.run(['add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      env,
      stdin: paths.join('\0'),
      allow: passedBy.length === 0 ? [] : [1],
    });
  const first = await add();
  const added = first.ok || !(await forgetOdd(git, env)) ? first : await add();
  return added.ok && hidden.length > 0 ? addExactly(git, env, hidden) : added;
}

/** Git cannot add a pipe or socket in the place of a file it knows: the file is gone, then. Says whether there was any. */
async function forgetOdd(git: Git, env: Env): Promise<boolean> {
  const listed = await git.run(['ls-files', '-z', '-c'], { env });
  const odd = (listed.ok ? zeroSplit(listed.value) : []).filter((path) => {
    const facts = factsOf(join(git.root, path));
    return facts !== null && !facts.isFile() && !facts.isSymbolicLink() && !facts.isDirectory();
  });
  if (odd.length === 0) return false;
  const stdin = odd.map((path) => `${path}\0`).join('');
  return (await git.run(['update-index', '--force-remove', '-z', '--stdin'], { env, stdin })).ok;
}

/** Adds these files whether ignored or not. */
export function addExactly(git: Git, env: Env, paths: readonly string[]): Promise<Result<string>> {
  const stdin = paths.map((path) => `:(top,literal)${path}`).join('\0');
  return git.run(['add', '-A', '-f', '--pathspec-from-file=-', '--pathspec-file-nul'], { env, stdin });
}

/** Adds what is not ignored in these folders. */
export function addFolders(git: Git, env: Env, paths: readonly string[]): Promise<Result<string>> {
  const stdin = paths.map((path) => `:(top,literal)${path}`).join('\0');
  return git.run(['add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul'], { env, stdin });
}

/** The files of a repository inside the repository become files of the tree; its history does not. */
async function absorb(git: Git, view: GitView, path: string, into: Env): Promise<Result<unknown>> {
  return withIndex(git, null, async (index) => {
    const env = { ...view.env, ...index, GIT_WORK_TREE: join(git.root, path) };
    const at = ['-C', path];
    const listed = await listFiles(git, env, { at });
    if (!listed.ok) return listed;
    const deeper = listed.value.untracked.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
    const paths = ['.', ...deeper.map((name) => `:(top,exclude,literal)${name}`)].join('\0');
    const added = await git.run([...at, 'add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      env,
      stdin: paths,
    });
    if (!added.ok) return added;
    const tree = await git.run(['write-tree'], { env });
    if (!tree.ok) return tree;
    const grafted = await git.run(['read-tree', `--prefix=${path}/`, tree.value.trim()], { env: into });
    if (!grafted.ok) return grafted;
    for (const name of deeper) {
      const inside = await absorb(git, view, `${path}/${name}`, into);
      if (!inside.ok) return inside;
    }
    return ok(null);
  });
}
