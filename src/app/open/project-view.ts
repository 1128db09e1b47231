// A repository for read-only commands: folders and names, found without starting git and without building the config schema.
import { join } from 'node:path';
import { ok, type Result } from '../../model/result.ts';
import { WITHOUT_GIT } from '../../playbooks/registry.ts';
import { findWorkTree, stateFolders } from '../../repos/folders.ts';
import type { Repository } from '../../repos/repository.ts';
import { refuseOwnPlace } from './own-places.ts';
import { readBasics, type ConfigBasics } from '../config/basics.ts';

export type ProjectView = Omit<ConfigBasics, 'stateDir'> & {
  readonly root: string;
  /** `.harness/` of the work tree. */
  readonly stateDir: string;
  /** `<git common dir>/harness/`; may not exist. */
  readonly privateDir: string;
  /** The state of this work tree (src/model/state-files.ts). */
  readonly workspaceDir: string;
  /** False: the folder has no git, which some playbooks allow. */
  readonly hasGit: boolean;
};

export type Where = { readonly repo: string; readonly configFile: string | null };

/** Fails as `openRepository` and as `resolveConfig`. */
export async function openProjectView(where: Where): Promise<Result<ProjectView>> {
  const folders = await repositoryFolders(where);
  if (!folders.ok) return folders;
  const { root, isPrivate } = folders.value;
  const config = await readBasics(root, where.configFile, isPrivate ? WITHOUT_GIT?.name : undefined);
  if (!config.ok) return config;
  const stateDir = join(root, config.value.stateDir);
  return ok({ ...config.value, root, stateDir, ...stateFolders(folders.value), hasGit: !isPrivate });
}

/** Starts git only if no repository is found without it, for git's better error message. */
export async function repositoryFolders(
  where: Where,
): Promise<Result<Pick<Repository, 'root' | 'gitDir' | 'commonDir' | 'isPrivate'>>> {
  const meant = refuseOwnPlace(where.repo);
  if (!meant.ok) return meant;
  const found = findWorkTree(where.repo);
  if (found !== null && !found.isPrivate) return ok(found);
  const { repositoryOf } = await import('./repository.ts');
  const { wholeEnvironment } = await import('../../host/environment.ts');
  return repositoryOf(where, { env: wholeEnvironment(), token: `${where.repo}@reader-${process.pid}` });
}
