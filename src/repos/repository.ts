// Finds the repository a folder belongs to, and says what is missing to work in it.
import { realpathSync } from 'node:fs';
import { targetStatsOf } from '../host/paths.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { shellWord } from '../model/shell-quote.ts';
import { ownFolders, locate, type GitFolders } from './folders.ts';
import { createGit, type GitOptions } from './git.ts';
import { resolveCommit } from './head.ts';
import { createAnswerCache, type AnswerCache } from './answer-cache.ts';
import { readSettings, refuseSparse } from './settings.ts';

export type Repository = {
  /** Top of the work tree; all three are absolute. */
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  /** The harness's own, of a folder that is no repository of its user's; it may be in the making, or not there at all. */
  readonly isPrivate: boolean;
  /** A linked worktree shares `commonDir` with others and has a git folder of its own. */
  readonly isLinked: boolean;
  /** Answers of git so far, for `createGit`. */
  readonly memory: AnswerCache;
};

const AS_USER = {
  GIT_DIR: null,
  GIT_WORK_TREE: null,
  GIT_COMMON_DIR: null,
  GIT_CONFIG_GLOBAL: null,
  GIT_CONFIG_NOSYSTEM: null,
};

/**
 * `dir` may be any folder inside the work tree. Fails with `folder-missing`, `bare-repository` (`path`), `not-a-repository`
 * (`path`, `words`: git's own), `repository-of-another` (`root`, `path`: another user owns it), `no-commits` (`root`),
 * `sparse-checkout` (`root`), `two-repositories` (`root`, `git`: one of the user and one of the harness, and it is unknown
 * which counts) or `git-missing`.
 */
export async function openRepository(dir: string, options: Omit<GitOptions, 'root'>): Promise<Result<Repository>> {
  if (!targetStatsOf(dir)?.isDirectory()) return err(failure('folder-missing', { path: dir }));
  const place = locate(dir);
  if (place.of === 'both') return err(failure('two-repositories', { root: place.root, git: place.git }));
  if (place.of === 'own') return openOwn(place.root, options);
  // Found the way the user's git finds it, safe.directory included; everything after names the folders itself.
  const finder = createGit({ ...options, root: dir });
  const found = await finder.run(
    ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'],
    { env: AS_USER },
  );
  if (!found.ok) {
    if (found.failure.reason !== 'git-failed') return found;
    const words = found.failure.params['words'] ?? '';
    if (/must be run in a work tree/.test(String(words))) return err(failure('bare-repository', { path: dir }));
    const [, root] = /dubious ownership in repository at '(.*)'/.exec(String(words)) ?? [];
    if (root !== undefined) return err(failure('repository-of-another', { root, path: shellWord(root) }));
    return err(failure('not-a-repository', { path: dir, words }));
  }
  const [root = '', gitDir = '', commonDir = ''] = found.value.split('\n');
  const git = createGit({ ...options, root });
  // Git itself found another one than the files say.
  if (real(git.gitDir) !== real(gitDir) || real(git.commonDir) !== real(commonDir))
    return err(failure('not-a-repository', { path: dir, words: `${root} is not the folder of ${gitDir}` }));
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  const whole = refuseSparse(git, settings.value);
  if (!whole.ok) return whole;
  const head = await resolveCommit(git, 'HEAD');
  if (!head.ok) return head;
  if (head.value === null) return err(failure('no-commits', { root }));
  const { commonDir: common, memory } = git;
  return ok({
    root,
    gitDir: git.gitDir,
    commonDir: common,
    isPrivate: false,
    isLinked: real(git.gitDir) !== real(common),
    memory,
  });
}

/** A repository of the harness's own in this folder, there or still to be made (`makeOwnRepository`). Fails with `git-missing`. */
export async function openOwn(root: string, options: Omit<GitOptions, 'root'>): Promise<Result<Repository>> {
  const folders: GitFolders = ownFolders(root);
  const git = createGit({ ...options, root, folders });
  const there = await git.run(['--version']);
  return there.ok ? ok({ root, ...folders, isLinked: false, memory: createAnswerCache() }) : there;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
