// Where the folders of a repository are, read from the files themselves: no git runs, nothing is configured.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export type GitFolders = { readonly gitDir: string; readonly commonDir: string };

/** The git folders of the work tree with this top. */
export function gitFolders(root: string): GitFolders {
  const dot = join(root, '.git');
  const linked = readLine(dot)?.replace(/^gitdir: /, '');
  const gitDir = linked === undefined ? dot : absolute(root, linked);
  const common = readLine(join(gitDir, 'commondir'));
  return { gitDir, commonDir: common === undefined ? gitDir : absolute(gitDir, common) };
}

/** The work tree that `dir` lies in, for those who only look; null where git should be asked, if only for its complaint. */
export function findWorkTree(dir: string): ({ readonly root: string } & GitFolders) | null {
  let folder: string;
  try {
    folder = realpathSync(dir);
    if (!statSync(folder).isDirectory()) return null;
  } catch {
    return null;
  }
  for (let root = folder; ; root = dirname(root)) {
    if (existsSync(join(root, '.git'))) {
      const folders = gitFolders(root);
      const isWhole = existsSync(join(folders.gitDir, 'HEAD')) && existsSync(join(folders.commonDir, 'objects'));
      return isWhole ? { root, ...folders } : null;
    }
    if (root === dirname(root)) return null;
  }
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // a folder, or nothing: the caller's default holds
  }
}

const absolute = (from: string, path: string): string => (isAbsolute(path) ? path : resolve(from, path));
