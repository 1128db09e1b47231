// Installed packages for proof workspaces (node_modules, virtual environments): kept outside of every workspace and linked in, package by
// package, so that what tools cache beside them stays in the workspace and no proof copies them.
import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isFolder, isLink, statsOf, targetStatsOf } from '../host/paths.ts';
import { isInstalledFolder } from './installed.ts';
import { makeSafeFolder } from './safe-dirs.ts';

export type Installation = {
  /** The folder that holds it, laid out as the root of the repository. */
  readonly folder: string;
  /** The folders with packages, relative to it. */
  readonly folders: readonly string[];
  /** The work tree whose packages were copied: links into it lead into the workspace. null: installed in `folder` itself. */
  readonly copiedFrom: string | null;
};

/** What tools write beside packages. */
const CACHES = /^\.(?:vite|vitest|cache|tmp)/;

/** Folders of packages among the paths that git does not keep, where folders end with a slash. */
export const installedFolders = (root: string, entries: readonly string[]): readonly string[] =>
  entries
    .filter((entry) => entry.endsWith('/') || isLink(join(root, entry)))
    .map((entry) => entry.replace(/\/$/, ''))
    .filter((path) => isInstalledFolder(path))
    .filter((path) => targetStatsOf(join(root, path))?.isDirectory() === true)
    .sort();

/** Copies installed folders as they are, links as links. */
export async function copyInstalled(root: string, folders: readonly string[], into: string): Promise<void> {
  for (const folder of folders) {
    mkdirSync(dirname(join(into, folder)), { recursive: true });
    const from = resolve(root, existingTarget(join(root, folder)));
    await cp(from, join(into, folder), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
}

/** A `node_modules` may be a link to that of another work tree. */
const existingTarget = (path: string): string =>
  lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;

/** Links the installation into the workspace at `root`, and removes what is beside the links. */
export function linkInstallation(installation: Installation, root: string): void {
  for (const path of installation.folders) {
    const from = join(installation.folder, path);
    const to = join(root, path);
    makeSafeFolder(root, dirname(path));
    if (basename(path) === 'node_modules') linkPackages(installation, root, from, to);
    else link(from, to);
  }
}

function linkPackages(installation: Installation, root: string, from: string, to: string): void {
  if (!isFolder(to)) {
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to, { recursive: true });
  }
  const entries = readdirSync(from, { withFileTypes: true }).filter(({ name }) => !CACHES.test(name));
  const names = new Set(entries.map(({ name }) => name));
  for (const name of readdirSync(to)) if (!names.has(name)) rmSync(join(to, name), { recursive: true, force: true });
  for (const entry of entries) {
    const [at, into] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name.startsWith('@') && entry.isDirectory()) linkPackages(installation, root, at, into);
    else link(entry.isSymbolicLink() ? targetOf(installation, root, at, into) : at, into);
  }
}

function link(target: string, path: string): void {
  const facts = statsOf(path);
  if (facts?.isSymbolicLink() === true && readlinkSync(path) === target) return;
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

/** A package of the repository itself is a link to its sources: those of the workspace. */
function targetOf({ folder, copiedFrom }: Installation, root: string, at: string, path: string): string {
  const target = resolve(dirname(at), readlinkSync(at));
  for (const top of [folder, ...(copiedFrom === null ? [] : [copiedFrom])]) {
    const below = relative(top, target);
    const isOwn = below !== '' && !below.startsWith('..') && !below.split(sep).includes('node_modules');
    // Relative: the workspace may be seen at another path.
    if (isOwn) return relative(dirname(path), join(root, below));
  }
  return existsSync(target) ? target : readlinkSync(at);
}
