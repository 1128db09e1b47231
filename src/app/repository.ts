// Which repository a command works in: the user's; or, for a workflow in a folder without git, one of the harness's own.
// Looking makes nothing: a lane does (life.ts). Every other playbook needs the user's git.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegular } from '../host/files.ts';
import { isBelow } from '../host/paths.ts';
import type { PlaybookName } from '../model/config.ts';
import { failure } from '../model/failure.ts';
import { err, type Result } from '../model/result.ts';
import { WORKFLOW_FILE } from '../model/workflow-file.ts';
import { placeOf } from '../repos/folders.ts';
import type { GitOptions } from '../repos/git.ts';
import { openOwn, openRepository, type Repository } from '../repos/repository.ts';
import { findConfig } from './config/find.ts';
import { openWindows } from './open-windows.ts';
import { asPlain } from './plain.ts';

export type Asked = {
  readonly repo: string;
  readonly configFile: string | null;
  /** Where there is no configuration. */
  readonly playbook?: PlaybookName;
};

/** Fails as `openRepository`. One of the harness's own may be there or not: whoever writes makes it. */
export async function repositoryOf(asked: Asked, options: Omit<GitOptions, 'root'>): Promise<Result<Repository>> {
  const found = await openRepository(asked.repo, options);
  if (found.ok) {
    const { root, isPrivate, commonDir } = found.value;
    if (!isPrivate || openWindows(join(commonDir, 'harness')).length > 0) return found;
    if (await isWorkflow(root, asked, true)) return found;
    return err(failure('not-a-repository', { path: asked.repo, words: '' }));
  }
  if (found.failure.reason !== 'not-a-repository' || placeOf(asked.repo).of !== 'none') return found;
  const root = realpathSync(asked.repo);
  // A copy of a whole home is nothing that anybody asked for; and a session that had git has lost it.
  if (isBelow(homedir(), root) || (await sessionIn(root)) === 'with-git') return found;
  if (!(await isWorkflow(root, asked, false))) return found;
  return openOwn(root, options);
}

/** What is written says it; else the command; else what a session has left there. */
async function isWorkflow(root: string, { configFile, playbook }: Asked, isMade: boolean): Promise<boolean> {
  const found = findConfig(root, configFile);
  if (!found.ok) return isMade;
  if (found.value !== null) {
    const { readTree } = await import('./config/read.ts');
    const tree = readTree(found.value.file, found.value.text);
    if (!tree.ok) return isMade;
    const written = asPlain(tree.value.value)?.['playbook'];
    if (written !== undefined) return (asPlain(written)?.['machine'] ?? written) === 'workflow';
  }
  if (playbook !== undefined) return playbook === 'workflow';
  return isMade || (await sessionIn(root)) !== 'none';
}

const LARGEST_STATE_BYTES = 1024 * 1024;

/** One that cannot be read is not passed over: whoever reads it says what is wrong with it. */
async function sessionIn(root: string): Promise<'none' | 'with-git' | 'without'> {
  const file = readRegular(join(root, WORKFLOW_FILE), LARGEST_STATE_BYTES);
  if (file.kind !== 'file') return 'none';
  const { readState } = await import('../playbooks/workflow/file/read.ts');
  const state = readState(file.bytes.toString('utf8'), WORKFLOW_FILE);
  if (!state.ok) return 'without';
  if (state.value.kind !== 'workflow') return 'none';
  return state.value.file.has_git === true ? 'with-git' : 'without';
}
