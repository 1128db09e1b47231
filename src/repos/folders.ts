// Where the folders of a repository are, read from the files themselves: no git runs, nothing is configured. A folder
// without git may have a repository of the harness's own (own-repository.ts): found here too, and kept apart from the user's.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { targetStatsOf } from '../host/paths.ts';
import { ENGINE_FOLDER } from '../model/engine-folder.ts';
import { STATE_FILE } from '../model/state-file.ts';

export type GitFolders = {
  readonly gitDir: string;
  readonly commonDir: string;
  /** The harness made it for itself: the folder has no git as far as its user knows. */
  readonly isPrivate: boolean;
};

/** Where the harness keeps its state of a repository, and that of one work tree (src/model/state-files.ts says which file is where). */
export type StateFolders = { readonly privateDir: string; readonly workspaceDir: string };

/** The main work tree has its state beside that of the repository; a linked one, whose git folder is `worktrees/<id>`, has a folder of its own. */
export function stateFolders({ gitDir, commonDir }: Pick<GitFolders, 'gitDir' | 'commonDir'>): StateFolders {
  const privateDir = join(commonDir, STATE);
  const isLinked = gitDir !== commonDir && basename(dirname(gitDir)) === 'worktrees';
  return { privateDir, workspaceDir: isLinked ? join(privateDir, 'worktrees', basename(gitDir)) : privateDir };
}

/** The id of a linked work tree; null: the main one. */
export const workspaceOf = ({ privateDir, workspaceDir }: StateFolders): string | null =>
  workspaceDir === privateDir ? null : basename(workspaceDir);

/** The state folders of every work tree that has one. */
export function workspaceDirs(privateDir: string): readonly string[] {
  const linked = join(privateDir, 'worktrees');
  const names = existsSync(linked) ? readdirSync(linked) : [];
  return [privateDir, ...names.map((name) => join(linked, name))];
}

const STATE = 'harness';

/** The git folders of the work tree with this top. */
export function gitFolders(root: string): GitFolders {
  const own = ownFolders(root);
  if (!existsSync(own.gitDir)) return userFolders(root);
  return !existsSync(join(root, '.git')) || ownerOf(root, root) === 'own' ? own : userFolders(root);
}

/** The harness's own repository of this folder, there or not. */
export function ownFolders(root: string): GitFolders {
  const gitDir = join(root, ENGINE_FOLDER, 'git');
  return { gitDir, commonDir: gitDir, isPrivate: true };
}

function userFolders(root: string): GitFolders {
  const dot = join(root, '.git');
  const linked = readLine(dot)?.replace(/^gitdir: /, '');
  const gitDir = linked === undefined ? dot : absolute(root, linked);
  const common = readLine(join(gitDir, 'commondir'));
  return { gitDir, commonDir: common === undefined ? gitDir : absolute(gitDir, common), isPrivate: false };
}

/**
 * The repository around `dir`: `user`, a work tree of git; `own`, one of the harness's own; `both`, and it is unknown which
 * of them counts (`git`: where the user's is); `none`.
 */
export type RepositoryLocation =
  | { readonly of: 'user' | 'own'; readonly root: string }
  | { readonly of: 'both'; readonly root: string; readonly git: string }
  | { readonly of: 'none' };

/** Upwards, as git looks. Whether a `.git` is whole, git says. */
export function locate(dir: string): RepositoryLocation {
  let folder: string;
  try {
    folder = realpathSync(dir);
  } catch {
    return { of: 'none' };
  }
  let own: string | null = null;
  for (let root = folder; ; root = dirname(root)) {
    if (own === null && existsSync(ownFolders(root).gitDir)) own = root;
    if (root === folder ? existsSync(join(root, '.git')) : isGit(root)) {
      const of = own === null ? 'user' : ownerOf(own, root);
      return of === 'both' ? { of, root: own ?? root, git: root } : { of, root: of === 'own' ? (own ?? root) : root };
    }
    if (root === dirname(root)) return own === null ? { of: 'none' } : { of: 'own', root: own };
  }
}

/** Git passes a folder by that is called so and is none. */
function isGit(root: string): boolean {
  const facts = targetStatsOf(join(root, '.git'));
  return facts !== null && (!facts.isDirectory() || existsSync(join(root, '.git', 'HEAD')));
}

/**
 * Somebody ran `git init` in a folder that the harness has a repository of its own for, or above it. The session that
 * began without git ends without git; without one under way the user's git counts. What an agent has put there to be taken
 * for the one or the other shows: a `.git` that the harness works in, or that was there before, is none that came later.
 */
function ownerOf(own: string, git: string): 'user' | 'own' | 'both' {
  if (!isUnderWay(own)) return 'user';
  const { commonDir } = userFolders(git);
  const isLater = bornAt(join(git, '.git')) >= bornAt(ownFolders(own).gitDir);
  return isLater && !existsSync(join(commonDir, 'harness')) ? 'own' : 'both';
}

/** Whether a session without git is under way: by its state file, or by an item that the loop is working on. */
export function isUnderWay(root: string): boolean {
  const loop = join(ownFolders(root).commonDir, 'harness', 'loop.json');
  return (
    says(join(root, STATE_FILE), ({ has_git: hasGit, phase }) => hasGit !== true && phase !== 'completed') ||
    says(loop, ({ running }) => Array.isArray(running) && running.length > 0)
  );
}

function says(file: string, what: (value: { readonly [key: string]: unknown }) => boolean): boolean {
  const text = readLine(file);
  if (text === undefined) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'object' || value === null || what({ ...value });
  } catch {
    return true; // unreadable counts as under way: nothing is skipped
  }
}

const bornAt = (path: string): number => targetStatsOf(path)?.birthtimeMs ?? 0;

/** The work tree that `dir` lies in, for those who only look; null where git should be asked, if only for its complaint. */
export function findWorkTree(dir: string): ({ readonly root: string } & GitFolders) | null {
  if (!existsSync(`${dir}/.`)) return null; // no folder; its other facts change with every file in it
  const place = locate(dir);
  if (place.of === 'none' || place.of === 'both') return null;
  const { root } = place;
  const folders = place.of === 'own' ? ownFolders(root) : userFolders(root);
  const isWhole = existsSync(join(folders.gitDir, 'HEAD')) && existsSync(join(folders.commonDir, 'objects'));
  return isWhole || folders.isPrivate ? { root, ...folders } : null;
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // a folder, or nothing: the caller's default holds
  }
}

const absolute = (from: string, path: string): string => (isAbsolute(path) ? path : resolve(from, path));
