// The folders on the way to a file that is written where an agent could have put something else: real folders, or none.
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const stepsTo = (root: string, folder: string): readonly string[] => {
  const parts = folder.split('/');
  return parts.map((_, n) => join(root, ...parts.slice(0, n + 1)));
};
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether only folders lead to `folder`, relative to the root: no link on the way, which may lead out of it. */
export const isSafeFolder = (root: string, folder: string): boolean => stepsTo(root, folder).every(isFolder);

/** Makes it so. A link or a file on the way gives way. */
export function makeSafeFolder(root: string, folder: string): void {
  for (const path of stepsTo(root, folder)) {
    if (isFolder(path)) continue;
    rmSync(path, { force: true });
    mkdirSync(path);
  }
}
