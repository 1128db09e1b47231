// What is installed beside the files git keeps (node_modules, virtual environments): what there is of it, and which was
// changed at certain times. Owns the walk; git neither compares nor restores these files. A change is recognised by the ctime,
// which no program can set.
import { readdirSync, type Dirent, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { statsOf } from '../host/paths.ts';

/** Milliseconds since the epoch, both ends included. */
export type TimeSpan = { readonly fromMs: number; readonly toMs: number };

const FOLDERS = /^(?:node_modules|\.venv|venv|\.tox|\.nox|vendor|bower_components|\.yarn)$/;
/** Whether this folder, by its name, holds what was installed. */
export const isInstalledFolder = (path: string): boolean => FOLDERS.test(path.slice(path.lastIndexOf('/') + 1));

/** What tools write here while they work: compiled files, caches. Packages of pnpm lie in a folder with a dot. */
const WRITTEN_BY_TOOLS = /^(?:__pycache__|\.(?!bin$|pnpm$).*)$|\.pyc$/;
/** A kernel's clock for files goes in steps. */
const STEP_MS = 20;

/**
 * Paths of installed files and links, relative to the root, whose last change fell into one of the spans. Sorted.
 * `ignored`: what `ignoredPaths` found.
 */
export function changedInstalled(
  root: string,
  ignored: readonly string[],
  spans: readonly TimeSpan[],
): readonly string[] {
  if (spans.length === 0) return [];
  const isWithin = (changedMs: number): boolean =>
    spans.some(({ fromMs, toMs }) => changedMs >= fromMs - STEP_MS && changedMs <= toMs);
  return installedFiles(root, ignored)
    .filter(({ facts }) => isWithin(facts.ctimeMs))
    .map(({ path }) => path)
    .sort();
}

export type InstalledFile = { readonly path: string; readonly facts: Stats };

/** Installed files and links, paths relative to the root, without what tools write beside them. */
export function installedFiles(root: string, ignored: readonly string[]): readonly InstalledFile[] {
  const folders = ignored
    .filter((entry) => entry.endsWith('/'))
    .map((entry) => entry.slice(0, -1))
    .filter(isInstalledFolder);
  const found: InstalledFile[] = [];
  for (const folder of folders) walk(root, folder, found);
  return found;
}

function walk(root: string, folder: string, found: InstalledFile[]): void {
  for (const entry of entriesOf(join(root, folder))) {
    if (WRITTEN_BY_TOOLS.test(entry.name)) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      walk(root, path, found);
      continue;
    }
    const facts = statsOf(join(root, path.replaceAll('/', sep)));
    if (facts !== null) found.push({ path, facts });
  }
}

/** A folder that goes away meanwhile, or may not be read, holds nothing that tests could load. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
