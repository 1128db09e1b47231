// Where git keeps what belongs to a work tree: read-only in a box, since the harness runs git outside of it, with the
// hooks, filters and settings that lie there.
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ENGINE_FOLDER } from '../../model/engine-folder.ts';
import { realOf } from './level.ts';

/**
 * `entry`: `.git` of the root itself, a folder or (linked work tree) a file. `elsewhere`: folders outside of the root. `own`:
 * the folder in the root with the harness's own repository, where the user has none.
 */
export type GitFolders = {
  readonly entry: string | null;
  readonly elsewhere: readonly string[];
  readonly own: string | null;
};

export function gitFolders(root: string): GitFolders {
  const own = join(root, ENGINE_FOLDER);
  return { ...userFolders(root), own: statSync(own, { throwIfNoEntry: false }) === undefined ? null : own };
}

function userFolders(root: string): Omit<GitFolders, 'own'> {
  const entry = join(root, '.git');
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (stat === undefined) return { entry: null, elsewhere: [] };
  if (stat.isDirectory()) {
    const real = realOf(entry);
    return { entry, elsewhere: [...(real === entry ? [] : [real]), ...commonOf(real)] };
  }
  const named = /^gitdir: (.+)$/m.exec(textOf(entry))?.[1];
  if (named === undefined) return { entry, elsewhere: [] };
  const folder = realOf(resolve(dirname(entry), named));
  return { entry, elsewhere: [folder, ...commonOf(folder)] };
}

/** The folder that a linked work tree shares with the others. */
function commonOf(folder: string): readonly string[] {
  const named = textOf(join(folder, 'commondir')).trim();
  return named === '' ? [] : [realOf(resolve(folder, named))];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
