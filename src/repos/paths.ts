// Paths of the repository (forward slashes, relative to its top), and facts about one.
import { lstatSync, type BigIntStats, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder above a path, '' at the top. */
export const folderOf = (path: string): string => {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
};

/** Every folder above one of these; not the top. */
export function foldersAbove(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = folderOf(path); at !== '' && !folders.has(at); at = folderOf(at)) folders.add(at);
  return folders;
}

/** Facts about an absolute path, links not followed; null where nothing is there, and where that cannot be known (`statsOf` throws then). */
export function factsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** The mode that git gives to a file or link; null: it is neither. */
export function modeOf(facts: BigIntStats): string | null {
  if (facts.isSymbolicLink()) return '120000';
  if (!facts.isFile()) return null;
  return (facts.mode & 0o100n) === 0n ? '100644' : '100755';
}

/**
 * How long after this change a file can be changed again without looking different, in nanoseconds: the clock of files has steps, and some file
 * systems have whole seconds.
 */
export const clockStepNs = ({ ctimeNs }: Pick<BigIntStats, 'ctimeNs'>): bigint =>
  ctimeNs % 1_000_000n === 0n ? 2_000_000_000n : 50_000_000n;

export const isLink = (path: string): boolean => factsOf(path)?.isSymbolicLink() === true;

/** Whether a folder above a path, below `root`, is a link. The function that it returns reads each folder once. */
export function behindLinks(root: string): (path: string) => boolean {
  const links = new Map([['', false]]);
  const isIn = (folder: string): boolean => {
    const is = links.get(folder) ?? (isLink(join(root, folder)) || isIn(folderOf(folder)));
    links.set(folder, is);
    return is;
  };
  return (path) => isIn(folderOf(path));
}
