// Paths of the repository (forward slashes, relative to its top), and facts about one.
import { lstatSync, type Stats } from 'node:fs';
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

/** Facts about an absolute path, links not followed; null where nothing is there. */
export function factsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

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
