// Copies of a tree to run things in and throw away: its files byte for byte in a folder of their own, with what is
// installed but not kept in git (node_modules, virtual environments) linked from the work tree. No git folder in it.
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { temporaryFolders, temporaryPrefix } from '../host/temporary-folders.ts';
import { ok, type Result } from '../model/result.ts';
import { type Git, zeroSplit } from './git.ts';
import { isSafeFolder, makeSafeFolder } from './safe-dirs.ts';
import { rawView, STATE_FOLDER, withIndex } from './view.ts';

/** Paths taken from another tree; those it does not have are left out. */
export type Over = { readonly tree: string; readonly paths: readonly string[] };

/** Virtual environments and stores of package managers: linked whole. */
const LINKED = /^(?:\.venv|venv|\.tox|\.nox|vendor|bower_components|\.yarn|\.pnpm-store)$/;
/** Ignored files that tests may need (`.env`), as far as they are few and small. */
const MOST_FILES = 64;
const MOST_BYTES = 256 * 1024;
const NOT_COPIED = /\.(?:log|pyc|tsbuildinfo|tgz|lock|pid|sock)$/;

/** A folder for copies of the work tree at `root`. */
export const copiesFolder = (root: string): string => realpathSync(mkdtempSync(temporaryPrefix('copy', root)));

/** Removes copies that an earlier process left; each is given to `beforehand` first. */
export function sweepCopies(root: string, beforehand: (copy: string) => void): void {
  for (const folder of temporaryFolders('copy', root)) {
    for (const copy of readdirSync(folder)) beforehand(join(folder, copy));
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes a tree into a new folder below `folder` and gives its path. Names tell nothing about what is in them. `ignored`: what
 * `ignoredEntries` found in the work tree.
 */
export async function copyTree(
  git: Git,
  from: { readonly tree: string; readonly over: Over | null; readonly ignored: readonly string[] },
  folder: string,
): Promise<Result<string>> {
  const { tree, over, ignored } = from;
  const view = await rawView(git);
  if (!view.ok) return view;
  const into = join(folder, randomBytes(6).toString('hex'));
  mkdirSync(into, { recursive: true, mode: 0o700 });
  return withIndex(git, null, async (index) => {
    const env = { ...view.value.env, ...index };
    const read = await git.run(['read-tree', tree], { env });
    if (!read.ok) return read;
    const mixed = over === null || over.paths.length === 0 ? ok(null) : await overlay(git, env, over);
    if (!mixed.ok) return mixed;
    const written = await git.run(['checkout-index', '-a', '-f', '-q', `--prefix=${into}/`], { env });
    if (!written.ok) return written;
    bringIgnored(git.root, into, ignored);
    return ok(into);
  });
}

async function overlay(
  git: Git,
  env: { readonly [name: string]: string | null },
  over: Over,
): Promise<Result<unknown>> {
  const listed = await git.run(['--literal-pathspecs', 'ls-tree', '-r', '-z', over.tree, '--', ...over.paths], { env });
  if (!listed.ok) return listed;
  const entries = zeroSplit(listed.value);
  const there = new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)));
  const gone = over.paths.filter((path) => !there.has(path)).map((path) => `0 ${'0'.repeat(40)}\t${path}`);
  // What goes comes first: a file may stand where a folder was.
  const stdin = [...gone, ...entries].map((entry) => `${entry}\0`).join('');
  return git.run(['update-index', '-z', '--index-info'], { env, stdin });
}

function bringIgnored(root: string, into: string, entries: readonly string[]): void {
  let files = 0;
  for (const entry of entries) {
    const path = entry.replace(/\/$/, '');
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (path === STATE_FOLDER || path.startsWith(`${STATE_FOLDER}/`)) continue;
    const [from, to] = [join(root, path), join(into, path)];
    const facts = lstatSync(from, { throwIfNoEntry: false });
    if (facts === undefined || lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue;
    mkdirSync(dirname(to), { recursive: true });
    if (name === 'node_modules') bringModules(root, into, from, to);
    else if (facts.isDirectory() && LINKED.test(name)) symlinkSync(from, to);
    else if (facts.isFile() && facts.size <= MOST_BYTES && !NOT_COPIED.test(name) && ++files <= MOST_FILES)
      copyFileSync(from, to);
  }
}

/**
 * Each package is linked by itself: what tools cache beside them stays in the copy, and a package that is a link into the
 * work tree (a workspace) leads into the copy.
 */
function bringModules(root: string, into: string, from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (/^\.(?:vite|vitest|cache|tmp)/.test(entry.name)) continue;
    const [at, link] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name.startsWith('@') && entry.isDirectory()) bringModules(root, into, at, link);
    else symlinkSync(entry.isSymbolicLink() ? targetOf(root, into, at) : at, link);
  }
}

function targetOf(root: string, into: string, link: string): string {
  const target = resolve(dirname(link), readlinkSync(link));
  const below = relative(root, target);
  const isOwn = !below.startsWith('..') && !below.split(sep).includes('node_modules');
  return isOwn ? join(into, below) : target;
}

/** Writes a file in a copy, or removes it (null). A link on the way, which may lead out of the copy, gives way. */
export function writeInCopy(copy: string, path: string, text: string | null): void {
  const folder = dirname(path);
  if (text === null && !isSafeFolder(copy, folder)) return;
  makeSafeFolder(copy, folder);
  const file = join(copy, path);
  const mode = lstatSync(file, { throwIfNoEntry: false })?.mode;
  rmSync(file, { recursive: true, force: true });
  if (text !== null) writeFileSync(file, text, { mode: (mode ?? 0o644) & 0o777 });
}
