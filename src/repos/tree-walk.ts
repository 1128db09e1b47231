// Trees read object by object from the git that stays: the files of one, and what differs between pairs of them. A folder is read once, and
// one that is the same on both sides not at all.
import { Buffer } from 'node:buffer';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { CacheKey } from './answer-cache.ts';
import { entriesOf, FOLDER, type Entries, type TreeEntry } from './edited-tree.ts';
import { createFolderCache, type FolderCache } from './folder-cache.ts';
import type { Git, ObjectId } from './git.ts';
import { readObjects } from './objects.ts';

export type EntryChange = {
  readonly path: string;
  /** Mode and id as git names them; null: there was, or is, none. */
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
};
export type TreeFile = { readonly path: string; readonly mode: string; readonly id: ObjectId };

/** A folder of a tree, by its place; null: there is none. Names have a character for every byte until they are handed out. */
type Folder = { readonly at: string; readonly tree: ObjectId | null };
type Pair = { readonly of: number; readonly at: string; readonly from: ObjectId | null; readonly to: ObjectId | null };

/** Every file below a tree, or those of these paths that are there with all below them, sorted as git sorts. */
export async function filesOfTree(
  git: Git,
  tree: string,
  paths: readonly string[] = [],
): Promise<Result<readonly TreeFile[]>> {
  const roots = await treesOf(git, [tree]);
  if (!roots.ok) return roots;
  const wanted = paths.map((path) => bytesOf(path.replace(/\/$/, '')));
  const isWanted = (path: string): boolean =>
    paths.length === 0 || wanted.some((one) => path === one || path.startsWith(`${one}/`));
  const leadsThere = (path: string): boolean => isWanted(path) || wanted.some((one) => one.startsWith(`${path}/`));
  const found: TreeFile[] = [];
  for (let level: readonly Folder[] = [{ at: '', tree: roots.value[0] ?? null }]; level.length > 0;) {
    const read = await readFolders(
      git,
      level.map((one) => one.tree),
    );
    if (!read.ok) return read;
    const below: Folder[] = [];
    for (const [n, { at }] of level.entries())
      for (const [name, entry] of read.value[n] ?? NONE) {
        const path = `${at}${name}`;
        if (entry.mode !== FOLDER && isWanted(path)) found.push({ path, ...entry });
        if (entry.mode === FOLDER && leadsThere(path)) below.push({ at: `${path}/`, tree: entry.id });
      }
    level = below;
  }
  knownFolders(git).listed(found.length);
  return ok(inOrder(found));
}

/** What differs between two revisions or trees, entry by entry; a rename is two. */
export async function entriesBetween(git: Git, from: string, to: string): Promise<Result<readonly EntryChange[]>> {
  const found = await changesBetween(git, [{ from, to }]);
  return found.ok ? ok(found.value[0] ?? []) : found;
}

/** The same for many pairs, in their order; null: nothing, of which everything on the other side differs. */
export async function changesBetween(
  git: Git,
  pairs: readonly { readonly from: string | null; readonly to: string }[],
): Promise<Result<readonly (readonly EntryChange[])[]>> {
  const names = pairs.flatMap(({ from, to }) => (from === null ? [to] : [from, to]));
  const roots = await treesOf(git, names);
  if (!roots.ok) return roots;
  const rootOf = new Map(names.map((name, n) => [name, roots.value[n] ?? null]));
  const found: EntryChange[][] = pairs.map(() => []);
  let level: readonly Pair[] = pairs.map(({ from, to }, of) => ({
    of,
    at: '',
    from: from === null ? null : (rootOf.get(from) ?? null),
    to: rootOf.get(to) ?? null,
  }));
  for (; level.length > 0;) {
    const open = level.filter(({ from, to }) => from !== to);
    const sides = open.flatMap(({ from, to }) => [from, to]);
    const read = await readFolders(git, sides);
    if (!read.ok) return read;
    const below: Pair[] = [];
    for (const [n, pair] of open.entries()) {
      const [was, is] = [read.value[2 * n] ?? NONE, read.value[2 * n + 1] ?? NONE];
      for (const name of new Set([...was.keys(), ...is.keys()])) {
        const [before, after] = [was.get(name) ?? null, is.get(name) ?? null];
        if (before?.id === after?.id && before?.mode === after?.mode) continue;
        const path = `${pair.at}${name}`;
        const [from, to] = [folderIn(before), folderIn(after)];
        if (from !== null || to !== null) below.push({ of: pair.of, at: `${path}/`, from, to });
        const files = { before: from === null ? before : null, after: to === null ? after : null };
        if (files.before !== null || files.after !== null) found[pair.of]?.push({ path, ...files });
      }
    }
    level = below;
  }
  return ok(found.map(inOrder));
}

const folderIn = (entry: TreeEntry | null): ObjectId | null => (entry?.mode === FOLDER ? entry.id : null);

const bytesOf = (path: string): string => Buffer.from(path, 'utf8').toString('latin1');

/** As git sorts, byte by byte, and readable. */
const inOrder = <T extends { readonly path: string }>(found: readonly T[]): readonly T[] =>
  found
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((one) => ({ ...one, path: Buffer.from(one.path, 'latin1').toString('utf8') }));

const NONE: Entries = new Map();

/** Of the bits of an old tree git counts one: whether the owner may execute the file. */
const listed = (entries: Entries): Entries =>
  new Map([...entries].map(([name, { mode, id }]) => [name, { mode: modeOf(mode), id }]));

const modeOf = (mode: string): string =>
  mode.startsWith('100') ? ((Number.parseInt(mode, 8) & 0o100) === 0 ? '100644' : '100755') : mode;

/** The trees that revisions stand for. */
async function treesOf(git: Git, names: readonly string[]): Promise<Result<readonly ObjectId[]>> {
  const read = await readObjects(
    git,
    names.map((name) => `${name}^{tree}`),
  );
  if (!read.ok) return read;
  const known = knownFolders(git);
  const found: ObjectId[] = [];
  for (const [n, name] of names.entries()) {
    const tree = read.value[n];
    if (tree?.type !== 'tree') return missing(name);
    known.keep(tree.id, listed(entriesOf(tree.bytes, tree.id.length)));
    found.push(tree.id);
  }
  return ok(found);
}

const FOLDERS: CacheKey<FolderCache> = { name: 'folders-of-trees' };

function knownFolders(git: Git): FolderCache {
  const known = git.objects.get(FOLDERS, '') ?? createFolderCache();
  git.objects.set(FOLDERS, '', known);
  return known;
}

async function readFolders(git: Git, ids: readonly (ObjectId | null)[]): Promise<Result<readonly Entries[]>> {
  const known = knownFolders(git);
  const found = new Map(ids.flatMap((id) => (id === null ? [] : [[id, known.get(id)] as const])));
  const asked = [...found].flatMap(([id, folder]) => (folder === undefined ? [id] : []));
  const read = await readObjects(git, asked);
  if (!read.ok) return read;
  for (const [n, id] of asked.entries()) {
    const tree = read.value[n];
    if (tree?.type !== 'tree') return missing(id);
    const folder = listed(entriesOf(tree.bytes, id.length));
    known.keep(id, folder);
    found.set(id, folder);
  }
  known.trim();
  return ok(ids.map((id) => (id === null ? NONE : (found.get(id) ?? NONE))));
}

const missing = (name: string): Result<never> =>
  err(failure('git-failed', { command: 'git cat-file --batch', exit: 0, words: `${name} is no tree` }));
