// The work tree as a git tree: tracked changes, untracked files that are not ignored, modes and links; never the user's
// index. Owns what belongs to such a tree and how repositories inside the repository are met.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { readHead } from './head.ts';
import { factsOf, folderOf, isLink } from './paths.ts';
import { rawView, STATE_FOLDER, type View, withIndex } from './view.ts';

/** What a repository inside the work tree means: a failure that names it, or one more folder of files. */
export type Nested = 'refuse' | 'absorb';

export type WorkTree = {
  readonly view: View;
  /** The environment under which the private index of this operation holds the work tree. */
  readonly env: { readonly [name: string]: string | null };
  readonly tree: ObjectId;
  /** Folders with a repository of their own, repository-relative. */
  readonly nested: readonly Inner[];
};

export type Inner = { readonly path: string; readonly kind: 'untracked' | 'tracked' | 'submodule' };

/**
 * Tree id of the work tree as it lies there, byte for byte; keeps no ref. Equal ids mean equal bytes, modes and links.
 * Fails with `nested-repository` (`path`) where a folder is a repository of its own.
 */
export async function treeOf(git: Git): Promise<Result<ObjectId>> {
  const view = await rawView(git);
  return view.ok ? withWorkTree(git, view.value, 'refuse', async ({ tree }) => ok(tree)) : view;
}

/** Brings the work tree into a private index and hands it over for the time of `use`. */
export async function withWorkTree<T>(
  git: Git,
  view: View,
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

async function fill(
  git: Git,
  view: View,
  nested: Nested,
  env: Env,
  sinceMs: number,
): Promise<Result<Pick<WorkTree, 'tree' | 'nested'>>> {
  const head = await readHead(git);
  if (!head.ok) return head;
  const { commit } = head.value;
  const based = await git.run(['read-tree', ...(commit === null ? ['--empty'] : ['--reset', commit])], { env });
  if (!based.ok) return based;
  const [listed, hidden] = await Promise.all([listFiles(git, env), trackedThoughIgnored(git, view)]);
  if (!listed.ok) return listed;
  if (!hidden.ok) return hidden;
  const { tracked, untracked } = listed.value;
  const inner = findInner(git, listed.value);
  const [first] = inner;
  if (first !== undefined && nested === 'refuse') return err(failure('nested-repository', { path: first.path }));
  const doubted = await doubt(git, env, tracked, sinceMs);
  if (!doubted.ok) return doubted;
  const hasState = tracked.some(({ path }) => isState(path));
  if (view.kind === 'raw' && hasState) {
    const left = await git.run(['rm', '-r', '-f', '-q', '--cached', '--', STATE_FOLDER], { env });
    if (!left.ok) return left;
  }
  // A submodule is passed by, not asked: git would start a git inside it, under that one's configuration.
  const passedBy = inner.filter(({ kind }) => kind !== 'tracked').map(({ path }) => path);
  if (hasState || untracked.some(isState)) passedBy.push(STATE_FOLDER);
  const added = await addAll(git, env, passedBy, hidden.value);
  if (!added.ok) return added;
  for (const { path } of inner.filter(({ kind }) => kind === 'untracked')) {
    const absorbed = await absorb(git, view, path, env);
    if (!absorbed.ok) return absorbed;
  }
  const tree = await git.run(['write-tree'], { env });
  return tree.ok ? ok({ tree: tree.value.trim(), nested: inner }) : tree;
}

type Tracked = { readonly path: string; readonly mode: string; readonly id: ObjectId };
type Listing = { readonly tracked: readonly Tracked[]; readonly untracked: readonly string[] };

async function listFiles(git: Git, env: Env, at: readonly string[] = []): Promise<Result<Listing>> {
  const out = await git.run([...at, 'ls-files', '-z', '-s', '-c', '-o', '--exclude-standard'], { env });
  if (!out.ok) return out;
  const tracked: Tracked[] = [];
  const untracked: string[] = [];
  for (const line of zeroSplit(out.value)) {
    const entry = /^(\d{6}) ([0-9a-f]{40,64}) \d\t([^]*)$/.exec(line);
    if (entry === null) untracked.push(line);
    else tracked.push({ mode: entry[1] ?? '', id: entry[2] ?? '', path: entry[3] ?? '' });
  }
  return ok({ tracked, untracked });
}

/** Files the user tracks although they are ignored: `git add -A` alone would pass them by. */
async function trackedThoughIgnored(git: Git, view: View): Promise<Result<readonly string[]>> {
  // An index that cannot be read tracks nothing; whoever needs the index itself says so.
  const out = await git.run(['ls-files', '-z', '-c', '-i', '--exclude-standard'], { env: view.guard, allow: [128] });
  if (!out.ok) return out;
  return ok(zeroSplit(out.value).filter((path) => !isState(path) && isFileOrLink(git, path)));
}

function findInner(git: Git, { tracked, untracked }: Listing): Inner[] {
  const inner: Inner[] = untracked
    .filter((path) => path.endsWith('/'))
    .map((path) => ({ path: path.slice(0, -1), kind: 'untracked' }));
  const folders = new Set<string>();
  for (const { path, mode } of tracked) {
    if (mode === '160000') {
      if (hasRepository(git, path)) inner.push({ path, kind: 'submodule' });
      continue;
    }
    for (let at = folderOf(path); at !== '' && !folders.has(at); at = folderOf(at)) folders.add(at);
  }
  for (const path of folders) if (hasRepository(git, path)) inner.push({ path, kind: 'tracked' });
  return inner.filter(({ path }) => !isState(path));
}

const hasRepository = (git: Git, path: string): boolean =>
  !isLink(join(git.root, path)) && existsSync(join(git.root, path, '.git'));

/** The index compares times in whole seconds: an edit may be this much older than it seems. */
const TICK_MS = 1_000;

/**
 * Makes git read again every file touched since the index was made. Git compares whole seconds, so an edit of the same
 * size within one second, with its old time put back, would pass for no edit.
 */
async function doubt(git: Git, env: Env, tracked: readonly Tracked[], sinceMs: number): Promise<Result<unknown>> {
  if (sinceMs === 0) return ok(null);
  const touched = tracked.filter(({ path, mode }) => {
    const facts = mode === '160000' ? null : factsOf(join(git.root, path));
    return facts !== null && facts.ctimeMs >= sinceMs - TICK_MS;
  });
  if (touched.length === 0) return ok(null);
  const stdin = touched.map(({ path, mode, id }) => `${mode} ${id} 0\t${path}\0`).join('');
  return git.run(['update-index', '-z', '--index-info'], { env, stdin });
}

async function addAll(
  git: Git,
  env: Env,
  passedBy: readonly string[],
  hidden: readonly string[],
): Promise<Result<unknown>> {
  const paths = ['.', ...passedBy.map((path) => `:(top,exclude,literal)${path}`)];
  // 1: everything was added, and something that is passed by is also ignored.
  const added = await git.run(['add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    env,
    stdin: paths.join('\0'),
    allow: passedBy.length === 0 ? [] : [1],
  });
  return added.ok && hidden.length > 0 ? addExactly(git, env, hidden) : added;
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
async function absorb(git: Git, view: View, path: string, into: Env): Promise<Result<unknown>> {
  return withIndex(git, null, async (index) => {
    const env = { ...view.env, ...index, GIT_WORK_TREE: join(git.root, path) };
    const at = ['-C', path];
    const listed = await listFiles(git, env, at);
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

export const isState = (path: string): boolean => path === STATE_FOLDER || path.startsWith(`${STATE_FOLDER}/`);

function isFileOrLink(git: Git, path: string): boolean {
  for (let at = folderOf(path); at !== ''; at = folderOf(at))
    if (isLink(join(git.root, at)) || hasRepository(git, at)) return false;
  const facts = factsOf(join(git.root, path));
  return facts !== null && (facts.isFile() || facts.isSymbolicLink());
}
