// The folders of git that belong to a work tree. They are read-only in a box, because the harness runs git outside of it with the hooks,
// filters and settings in them.
import { dirname, join, resolve } from 'node:path';
import { ENGINE_FOLDER } from '../../model/engine-folder.ts';
import { textOrEmpty } from '../files.ts';
import { realPath, targetStatsOf } from '../paths.ts';

export type GitPaths = {
  /** `.git` of the root itself: a folder or, in a linked work tree, a file. */
  readonly entry: string | null;
  /** Where git keeps the rest, behind links and `gitdir:`. */
  readonly elsewhere: readonly string[];
  /** The folder in the root with the harness's own repository, where the user has none. */
  readonly own: string | null;
};

export function gitFolders(root: string): GitPaths {
  const own = join(root, ENGINE_FOLDER);
  return { ...userFolders(root), own: targetStatsOf(own) === null ? null : own };
}

function userFolders(root: string): Omit<GitPaths, 'own'> {
  const entry = join(root, '.git');
  const stat = targetStatsOf(entry);
  if (stat === null) return { entry: null, elsewhere: [] };
  if (stat.isDirectory()) {
    const real = realPath(entry);
    return { entry, elsewhere: [...(real === entry ? [] : [real]), ...commonOf(real)] };
  }
  const named = /^gitdir: (.+)$/m.exec(textOrEmpty(entry))?.[1];
  if (named === undefined) return { entry, elsewhere: [] };
  const folder = realPath(resolve(dirname(entry), named));
  return { entry, elsewhere: [folder, ...commonOf(folder)] };
}

/** The folder that linked work trees share. */
function commonOf(folder: string): readonly string[] {
  const named = textOrEmpty(join(folder, 'commondir')).trim();
  return named === '' ? [] : [realPath(resolve(folder, named))];
}
