// The id of a tree with some of its files exchanged, worked out from the folders on the way to them: nothing is written, and no
// other object has to be there. Pure.
import { Buffer } from 'node:buffer';
import type { ObjectId } from './git.ts';
import { objectIdOf } from './objects.ts';

/** Mode and id as git names them. */
export type TreeEntry = { readonly mode: string; readonly id: ObjectId };
/** `tree`: the id of the root folder. `bytes`: the tree objects by their path, `''` for the root; a folder that is not there is left out. */
export type Folders = { readonly tree: ObjectId; readonly bytes: ReadonlyMap<string, Buffer> };

/** The mode of a folder. */
export const FOLDER = '40000';
const NOTHING = Buffer.alloc(0);

/** The folders on the way to these files, the root first. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  const found = new Set(['']);
  for (const path of paths)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.add(path.slice(0, at));
  return [...found].toSorted();
}

/** The entry of a file; null: there is none. */
export function entryIn(folders: Folders, path: string): TreeEntry | null {
  const at = path.lastIndexOf('/');
  return entriesIn(folders, at < 0 ? '' : path.slice(0, at)).get(nameOf(path.slice(at + 1))) ?? null;
}

/** The tree with these files as given; null: without the file. `folders` holds the folders on the way to them. */
export const editedTree = (folders: Folders, files: ReadonlyMap<string, TreeEntry | null>): ObjectId =>
  editedFolders(folders, files).tree;

/** The same with the tree objects of the folders that were edited. */
export function editedFolders(
  folders: Folders,
  files: ReadonlyMap<string, TreeEntry | null>,
): { readonly tree: ObjectId; readonly written: readonly Buffer[] } {
  const written: Buffer[] = [];
  return { tree: edited(folders, '', [...files], written), written };
}

/** `files`: relative to the folder. */
function edited(
  folders: Folders,
  folder: string,
  files: readonly (readonly [path: string, entry: TreeEntry | null])[],
  written: Buffer[],
): ObjectId {
  const entries = new Map(entriesIn(folders, folder));
  const inside = new Map<string, (readonly [string, TreeEntry | null])[]>();
  const placed = new Set<string>();
  for (const [path, entry] of files) {
    const at = path.indexOf('/');
    const name = at < 0 ? path : path.slice(0, at);
    if (at >= 0) {
      const below = inside.get(name) ?? [];
      below.push([path.slice(at + 1), entry]);
      inside.set(name, below);
    } else if (entry !== null) {
      placed.add(name);
      entries.set(nameOf(name), entry);
    } else if (entries.get(nameOf(name))?.mode !== FOLDER) entries.delete(nameOf(name));
  }
  for (const [name, below] of inside) {
    // A file has taken the place of the folder.
    if (placed.has(name)) continue;
    const id = edited(folders, folder === '' ? name : `${folder}/${name}`, below, written);
    // git stores no empty folder.
    if (id === objectIdOf('tree', NOTHING, folders.tree)) entries.delete(nameOf(name));
    else entries.set(nameOf(name), { mode: FOLDER, id });
  }
  const bytes = bytesOf(entries);
  written.push(bytes);
  return objectIdOf('tree', bytes, folders.tree);
}

/** Names are kept byte for byte. */
const nameOf = (name: string): string => Buffer.from(name, 'utf8').toString('latin1');

/** By name, with a character for every byte. */
export type Entries = ReadonlyMap<string, TreeEntry>;

const entriesIn = ({ tree, bytes }: Folders, folder: string): Entries =>
  entriesOf(bytes.get(folder) ?? NOTHING, tree.length);

/** The entries of a tree object; `length`: that of an id of the repository. */
export function entriesOf(bytes: Buffer, length: number): Entries {
  const size = length / 2;
  const found = new Map<string, TreeEntry>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const [mode = '', ...name] = bytes.toString('latin1', at, end).split(' ');
    found.set(name.join(' '), { mode, id: bytes.toString('hex', end + 1, end + 1 + size) });
    at = end + 1 + size;
  }
  return found;
}

function bytesOf(entries: Entries): Buffer {
  // git sorts a folder as if its name ended with a slash.
  const key = ([name, { mode }]: readonly [string, TreeEntry]): string => (mode === FOLDER ? `${name}/` : name);
  const sorted = [...entries].toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(([name, { mode, id }]) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
  );
}
