// Copies of what is installed (installed.ts), so that it can be put back as it was: kept before an agent starts, used
// when its work is rolled back. Only what changed since is copied again. Too much of it is not kept, and that is reported.
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isFolder, statsOf } from '../host/paths.ts';
import { z } from 'zod';
import { entryOf } from '../model/entry.ts';
import { sha256 } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import { installedFiles, isInstalledFolder } from './installed.ts';
import { makeSafeFolder } from './safe-dirs.ts';

/** More than this is not kept: copying it would take longer than installing it again. */
const MOST_FILES = 40_000;
const MOST_BYTES = 256 * 1024 * 1024;

const entrySchema = z.object({
  /** Where the link points, as written; null: a file. */
  to: z.string().nullable(),
  size: z.number(),
  mode: z.int(),
  /** Milliseconds since the epoch, of content and of inode; the second cannot be set. */
  mtimeMs: z.number(),
  ctimeMs: z.number(),
});
const listSchema = z.object({ schema: z.literal(1), entries: z.record(z.string(), entrySchema) });
type Entry = z.infer<typeof entrySchema>;
type Entries = { readonly [path: string]: Entry };

/** Keeps what is installed below `root` in the private folder `into`. Survives a crash of this process once it returns. */
export function keepInstalled(io: Io, root: string, ignored: readonly string[], into: string): void {
  const files = installedFiles(root, ignored);
  const bytes = files.reduce((sum, { facts }) => sum + facts.size, 0);
  if (files.length > MOST_FILES || bytes > MOST_BYTES) {
    if (existsSync(into)) io.remove(into);
    return;
  }
  const known = listIn(into);
  const old = known ?? {};
  mkdirSync(join(into, 'files'), { recursive: true });
  const entries: { [path: string]: Entry } = {};
  let isNew = known === null;
  for (const { path, facts } of files) {
    const entry = asEntry(join(root, path), facts);
    entries[path] = entry;
    if (isSame(entry, entryOf(old, path))) continue;
    isNew = true;
    if (entry.to === null) copyFileSync(join(root, path), copyOf(into, path), constants.COPYFILE_FICLONE);
  }
  const gone = Object.keys(old).filter((path) => !Object.hasOwn(entries, path));
  if (!isNew && gone.length === 0) return;
  for (const path of gone) rmSync(copyOf(into, path), { force: true });
  io.replace(listPath(into), JSON.stringify({ schema: 1, entries }));
}

/** `left`: these were changed and cannot be put back, because nothing was kept. */
export type PutBack = { readonly put: readonly string[]; readonly left: readonly string[] };

/**
 * Puts back what is installed as it was kept: what differs, what is gone, and away with what is new. Repeatable. `changed`:
 * what is known to have changed, for when nothing was kept.
 */
export function putInstalledBack(
  root: string,
  ignored: readonly string[],
  into: string,
  changed: () => readonly string[],
): PutBack {
  const entries = listIn(into);
  if (entries === null) return { put: [], left: changed() };
  const put: string[] = [];
  for (const { path } of installedFiles(root, ignored)) {
    if (Object.hasOwn(entries, path)) continue;
    rmSync(join(root, path), { force: true });
    removeEmpty(root, dirname(path));
    put.push(path);
  }
  for (const [path, entry] of Object.entries(entries)) {
    const file = join(root, path);
    makeSafeFolder(root, dirname(path)); // first: a link on the way would lead the looks, and what is removed, elsewhere
    const facts = statsOf(file);
    if (facts !== null && !facts.isDirectory() && isSame(asEntry(file, facts), entry)) continue;
    rmSync(file, { recursive: true, force: true });
    if (entry.to !== null) symlinkSync(entry.to, file);
    else {
      copyFileSync(copyOf(into, path), file, constants.COPYFILE_FICLONE);
      chmodSync(file, entry.mode);
      utimesSync(file, entry.mtimeMs / 1000, entry.mtimeMs / 1000);
    }
    put.push(path);
  }
  return { put: put.sort(), left: [] };
}

function asEntry(file: string, facts: Stats): Entry {
  const { size, mode, mtimeMs, ctimeMs } = facts;
  return { to: facts.isSymbolicLink() ? readlinkSync(file) : null, size, mode: mode & 0o7777, mtimeMs, ctimeMs };
}

const isSame = (a: Entry, b: Entry | undefined): boolean =>
  b !== undefined && a.to === b.to && a.size === b.size && a.ctimeMs === b.ctimeMs;

/** Up to the folder of all that is installed there, itself included. */
function removeEmpty(root: string, folder: string): void {
  for (let at = folder; at !== '.'; at = dirname(at)) {
    const path = join(root, at);
    if (!isFolder(path) || readdirSync(path).length > 0) return;
    rmdirSync(path);
    if (isInstalledFolder(at)) return;
  }
}

function listIn(into: string): Entries | null {
  try {
    return listSchema.parse(JSON.parse(readFileSync(listPath(into), 'utf8'))).entries;
  } catch {
    return null; // none, or one of another version: then nothing was kept
  }
}

const listPath = (into: string): string => join(into, 'list.json');
const copyOf = (into: string, path: string): string => join(into, 'files', sha256(path));
