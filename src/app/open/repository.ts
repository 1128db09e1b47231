// Which repository a command works in: the user's, or the harness's own for a playbook that works without git. Read access
// creates none; the run lock does (run-lock.ts).
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegular } from '../../host/files.ts';
import { isBelow } from '../../host/paths.ts';
import type { PlaybookName } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import { err, type Result } from '../../model/result.ts';
import { STATE_FILE } from '../../model/state-file.ts';
import { findPlaybook, WITHOUT_GIT } from '../../playbooks/registry.ts';
import { locate, stateFolders } from '../../repos/folders.ts';
import type { GitOptions } from '../../repos/git.ts';
import { openOwn, openRepository, type Repository } from '../../repos/repository.ts';
import { findConfig } from '../config/find.ts';
import { putGitBack } from './broken-git.ts';
import { refuseOwnPlace } from './own-places.ts';
import { openTamperGuards } from './unfinished-sessions.ts';
import { asPlain } from './loose-json.ts';

export type OpenRequest = {
  readonly repo: string;
  readonly configFile: string | null;
  /** The playbook if no configuration names one. */
  readonly playbook?: PlaybookName;
};

/** Fails as `openRepository`, or with `harness-own-folder`. The harness's own repository may not exist yet; the first writer creates it. */
export async function repositoryOf(asked: OpenRequest, options: Omit<GitOptions, 'root'>): Promise<Result<Repository>> {
  const meant = refuseOwnPlace(asked.repo);
  if (!meant.ok) return meant;
  const first = await openRepository(asked.repo, options);
  const found = !first.ok && (await putGitBack(asked.repo)) ? await openRepository(asked.repo, options) : first;
  if (found.ok) {
    const { root, isPrivate } = found.value;
    if (!isPrivate || openTamperGuards(stateFolders(found.value).workspaceDir).length > 0) return found;
    if (await worksWithoutGit(root, asked, true)) return found;
    return err(failure('not-a-repository', { path: asked.repo, words: '' }));
  }
  if (found.failure.reason !== 'not-a-repository' || locate(asked.repo).of !== 'none') return found;
  const root = realpathSync(asked.repo);
  // Never a repository of a whole home directory. A session that started with git has lost it.
  if (isBelow(homedir(), root) || (await sessionIn(root)) === 'with-git') return found;
  if (!(await worksWithoutGit(root, asked, false))) return found;
  return openOwn(root, options);
}

/** Decided by the configuration, else by the command, else by an existing session. */
async function worksWithoutGit(root: string, { configFile, playbook }: OpenRequest, isMade: boolean): Promise<boolean> {
  const found = findConfig(root, configFile);
  if (!found.ok) return isMade;
  const works = (name: unknown): boolean => findPlaybook(name)?.withoutGit !== undefined;
  if (found.value !== null) {
    const { readTree } = await import('../config/read.ts');
    const tree = readTree(found.value.file, found.value.text);
    if (!tree.ok) return isMade;
    const written = asPlain(tree.value.value)?.['playbook'];
    if (written !== undefined) return works(asPlain(written)?.['machine'] ?? written);
  }
  if (playbook !== undefined) return works(playbook);
  return isMade || (await sessionIn(root)) !== 'none';
}

const LARGEST_STATE_BYTES = 1024 * 1024;

async function sessionIn(root: string): Promise<'none' | 'with-git' | 'without'> {
  const file = readRegular(join(root, STATE_FILE), LARGEST_STATE_BYTES);
  return file.kind === 'file' ? (WITHOUT_GIT?.withoutGit?.sessionIn(file.bytes.toString('utf8')) ?? 'none') : 'none';
}
