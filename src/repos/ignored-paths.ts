// What git ignores in the work tree. Git is asked again only where something happened that can change its answer: most of what happens in a work tree
// is that tracked files are written, and they are never ignored.
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import type { CacheKey } from './answer-cache.ts';
import { type Git, zeroSplit } from './git.ts';
import { placesOf } from './ignored-entries.ts';
import { isOurs } from './listing.ts';
import { foldersAbove } from './paths.ts';
import { keptIndex, rawView } from './view.ts';
import { isFolder, lookAtFiles, type FilesLook } from './work-tree-facts.ts';

/** The ignored paths, with the work tree and the tracked files as they were when that was so. */
export type IgnoredThen = {
  readonly ignored: readonly string[];
  /** What is inside a folder that is ignored as a whole was not looked at. */
  readonly look: FilesLook;
  readonly tracked: ReadonlySet<string>;
  /** What was added to the index that holds the whole work tree: by the rules of the time, it was not ignored. */
  readonly added: ReadonlySet<string>;
};
/** By the rules that are not in .gitignore files. */
const LAST: CacheKey<IgnoredThen> = { name: 'ignored-paths' };

/**
 * What git ignores, relative to the root; a folder that is ignored as a whole ends with a slash and stands for all of it. Without what the harness
 * keeps in the work tree for itself.
 */
export async function ignoredPaths(git: Git): Promise<Result<readonly string[]>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  const known = ignoredNow(git, view.value.rules);
  if (known !== null) return ok(known.ignored);
  const askedMs = Date.now();
  const listed = await git.run(['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']);
  if (!listed.ok) return listed;
  const ignored = zeroSplit(listed.value).filter((path) => !isOurs(git, path.replace(/\/$/, '')));
  const [indexed, look] = [indexedPaths(git), lookAtFiles(git, closedIn(ignored))];
  // What was touched after git was asked may have been touched before it looked there, or after.
  if (indexed !== null && look !== null && look.youngestMs < askedMs)
    git.memory.set(LAST, view.value.rules, { ignored, look, ...indexed });
  return ok(ignored);
}

/** What git would list, known without asking it; null: it has to be asked. `rules`: of the view. */
export function ignoredNow(git: Git, rules: string): IgnoredThen | null {
  const last = git.memory.get(LAST, rules);
  const indexed = last === undefined ? null : indexedPaths(git);
  if (last === undefined || indexed === null) return null;
  const look = lookAtFiles(git, closedIn(last.ignored));
  if (look === null || !areSameIgnored(last, { look, ...indexed })) return null;
  const now = { ignored: last.ignored, look, ...indexed };
  git.memory.set(LAST, rules, now);
  return now;
}

/**
 * What is not looked into: files, and folders that are ignored whatever is in them. A folder that git names because all that is in it is ignored can get
 * another file, which is not; git names that content, too.
 */
const closedIn = (ignored: readonly string[]): readonly string[] =>
  // Git lists in order.
  ignored.filter((path, n) => !path.endsWith('/') || ignored[n + 1]?.startsWith(path) !== true);

function indexedPaths(git: Git): Pick<IgnoredThen, 'tracked' | 'added'> | null {
  const [tracked, added] = [pathsIn(git, join(git.gitDir, 'index')), pathsIn(git, keptIndex(git, 'raw'))];
  return tracked === null || added === null ? null : { tracked, added };
}

function pathsIn(git: Git, file: string): ReadonlySet<string> | null {
  const places = placesOf(git, file);
  return places === null ? null : new Set(places.paths);
}

/**
 * Whether git ignores the same paths as then. False also where that is not certain. Whether a new path is ignored is for git to say, unless it is
 * tracked or was added since, or a folder with such a file in it.
 */
export function areSameIgnored(then: IgnoredThen, now: Omit<IgnoredThen, 'ignored'>): boolean {
  const ignored = new Set(then.ignored);
  /** Tracked, or added under the rules that still hold. */
  const listed = new Set([...now.tracked, ...[...now.added].filter((path) => !then.added.has(path))]);
  const places = foldersAbove(listed);
  const tops = new Set(then.ignored.map(topOf));
  const isInIgnored = (path: string): boolean =>
    ignored.has(path) ||
    ignored.has(`${path}/`) ||
    [...foldersAbove([path])].some((folder) => ignored.has(`${folder}/`));
  /** Git names a folder instead of its files where all of them are ignored: what else is there decides how they are listed. */
  const isBesideIgnored = (path: string): boolean => isInIgnored(path) || tops.has(topOf(path));
  for (const [path, facts] of now.look.paths) {
    const before = then.look.paths.get(path);
    if (before === facts) continue;
    if (DECIDES.test(path)) return false;
    if (before !== undefined && isFolder(before) === isFolder(facts)) continue;
    if (!(isFolder(facts) ? places : listed).has(path) || isInIgnored(path)) return false;
  }
  for (const path of then.look.paths.keys())
    if (!now.look.paths.has(path) && (DECIDES.test(path) || isBesideIgnored(path))) return false;
  for (const path of now.tracked) if (!then.tracked.has(path) && isInIgnored(path)) return false;
  for (const path of then.tracked)
    if (!now.tracked.has(path) && (now.look.paths.has(path) || isBesideIgnored(path))) return false;
  return true;
}

/** Rules, and repositories inside the repository. */
const DECIDES = /(?:^|\/)\.git(?:ignore)?$/;
const topOf = (path: string): string => path.slice(0, path.indexOf('/') + 1 || undefined);
