// Copies of small files that git ignores (.env, local data): no checkpoint and no commit has them, so what an agent deletes of them would be
// gone for good. They are kept before a session, and put back where they are missing after it.
// I1 the list is open from before the first turn until what was missing is back: after a crash the next session puts it back first.
// I2 nothing that exists is written over.
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { z } from 'zod';
import { readText, sha256 } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import { isInstalledFolder } from './installed.ts';
import { isSafeFolder } from './safe-dirs.ts';

/** A larger file is no setting, and more files are no work of a person. */
const MOST_BYTES_EACH = 1024 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 5_000;
/** How many entries of ignored folders are looked at. */
const MOST_LOOKED_AT = 20_000;

/** Made again by tools whenever they are missing. */
const MADE_AGAIN =
  /(?:^|\/)(?:__pycache__|\.[\w-]*cache|\.nyc_output|coverage|htmlcov|\.harness|\.vite|\.turbo|\.next|dist|build|out|target|tmp|temp)$|\.(?:pyc|log|tsbuildinfo|tmp|swp|pid|lock)$/;

const entrySchema = z.object({ size: z.number(), mode: z.int(), mtimeMs: z.number(), ctimeMs: z.number() });
const listSchema = z.object({
  schema: z.literal(1),
  isOpen: z.boolean(),
  entries: z.record(z.string(), entrySchema),
});
type List = z.infer<typeof listSchema>;

/** `ignored`: as git lists them, folders with a slash at the end. Call it before the agent of a session can write. */
export function keepIgnored(io: Io, root: string, ignored: readonly string[], into: string): void {
  const before = listIn(into);
  if (before?.isOpen === true) putIgnoredBack(io, root, into);
  const entries: List['entries'] = {};
  let bytes = 0;
  for (const { path, facts } of smallFiles(root, ignored)) {
    bytes += facts.size;
    if (bytes > MOST_BYTES || Object.keys(entries).length >= MOST_FILES) break;
    const entry = { size: facts.size, mode: facts.mode & 0o7777, mtimeMs: facts.mtimeMs, ctimeMs: facts.ctimeMs };
    entries[path] = entry;
    if (JSON.stringify(before?.entries[path]) === JSON.stringify(entry) && existsSync(copyOf(into, path))) continue;
    mkdirSync(join(into, 'files'), { recursive: true });
    copyFileSync(join(root, path), copyOf(into, path), constants.COPYFILE_FICLONE);
  }
  for (const path of Object.keys(before?.entries ?? {}))
    if (!Object.hasOwn(entries, path)) rmSync(copyOf(into, path), { force: true });
  if (Object.keys(entries).length > 0 || before !== null)
    io.replace(listPath(into), JSON.stringify({ schema: 1, isOpen: true, entries }));
}

/** The paths that were missing and are there again. Call it when the session has no process any more. Repeatable. */
export function putIgnoredBack(io: Io, root: string, into: string): readonly string[] {
  const list = listIn(into);
  if (list === null || !list.isOpen) return [];
  const back: string[] = [];
  for (const [path, { mode, mtimeMs }] of Object.entries(list.entries)) {
    const file = join(root, path);
    if (statsOf(file) !== null || !isSafeFolder(root, existingOf(root, dirname(path)))) continue;
    if (!existsSync(copyOf(into, path))) continue;
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(copyOf(into, path), file, constants.COPYFILE_EXCL);
    chmodSync(file, mode);
    utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
    back.push(path);
  }
  io.replace(listPath(into), JSON.stringify({ ...list, isOpen: false }));
  return back.sort();
}

/** The nearest folder above that exists: nothing is made below a link or a file. */
function existingOf(root: string, folder: string): string {
  let at = folder;
  while (at !== '.' && statsOf(join(root, at)) === null) at = dirname(at);
  return at;
}

type Found = { readonly path: string; readonly facts: Stats };

function smallFiles(root: string, ignored: readonly string[]): readonly Found[] {
  const found: Found[] = [];
  let looked = 0;
  const look = (path: string): void => {
    looked += 1;
    if (looked > MOST_LOOKED_AT || MADE_AGAIN.test(path) || isInstalledFolder(path)) return;
    const facts = statsOf(join(root, path));
    if (facts?.isFile() === true && facts.size <= MOST_BYTES_EACH) found.push({ path, facts });
    if (facts?.isDirectory() === true) for (const name of namesIn(join(root, path))) look(`${path}/${name}`);
  };
  for (const entry of ignored) look(entry.replace(/\/$/, ''));
  return found;
}

/** A repository inside has a history of its own. */
function namesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder);
    return names.includes('.git') ? [] : names;
  } catch {
    return [];
  }
}

function listIn(into: string): List | null {
  const text = readText(listPath(into));
  try {
    return text.ok && text.value !== null ? listSchema.parse(JSON.parse(text.value)) : null;
  } catch {
    return null; // of another version: then nothing was kept
  }
}

const listPath = (into: string): string => join(into, 'list.json');
const copyOf = (into: string, path: string): string => join(into, 'files', sha256(path));
