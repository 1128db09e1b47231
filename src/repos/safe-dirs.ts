// Folders above a file that the harness writes where an agent could have put links.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isFolder } from '../host/paths.ts';

const stepsTo = (root: string, folder: string): readonly string[] => {
  const parts = folder.split('/');
  return parts.map((_, n) => join(root, ...parts.slice(0, n + 1)));
};

/** Whether `folder`, relative to the root, and all folders above it are real folders and no links. */
export const isSafeFolder = (root: string, folder: string): boolean => stepsTo(root, folder).every(isFolder);

/** Makes it so: links and files on the way are replaced by folders. */
export function makeSafeFolder(root: string, folder: string): void {
  for (const path of stepsTo(root, folder)) {
    if (isFolder(path)) continue;
    rmSync(path, { force: true });
    mkdirSync(path);
  }
}
