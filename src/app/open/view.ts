// A repository as commands see it that only look: folders and names, found without starting git and without a schema.
import { join } from 'node:path';
import type { Config, PlaybookName } from '../../model/config.ts';
import { ok, type Result } from '../../model/result.ts';
import { WITHOUT_GIT } from '../../playbooks/registry.ts';
import { findWorkTree } from '../../repos/folders.ts';
import type { Repository } from '../../repos/repository.ts';
import { readBasics } from '../config/basics.ts';

export type View = {
  readonly root: string;
  /** `.harness/` of the work tree. */
  readonly stateDir: string;
  /** `<git common dir>/harness/`, there or not. */
  readonly privateDir: string;
  /** Whether the user has git here: some playbooks work without. */
  readonly hasGit: boolean;
  readonly project: string;
  readonly playbook: PlaybookName;
  /** The backlog, repository-relative. */
  readonly backlog: string;
  /** The log of the machine, repository-relative. */
  readonly progress: string;
  /** What a person set for state of another version. */
  readonly onOlderState: Config['compatibility']['onOlderState'];
  readonly onNewerState: Config['compatibility']['onNewerState'];
  /** The configuration file; null: there is none. */
  readonly source: string | null;
};

export type Where = { readonly repo: string; readonly configFile: string | null };

/** Fails as `openRepository` and as `resolveConfig`. */
export async function openView(where: Where): Promise<Result<View>> {
  const folders = await foldersOf(where);
  if (!folders.ok) return folders;
  const { root, commonDir, isPrivate } = folders.value;
  const config = await readBasics(root, where.configFile, isPrivate ? WITHOUT_GIT?.name : undefined);
  if (!config.ok) return config;
  const privateDir = join(commonDir, 'harness');
  return ok({ ...config.value, root, stateDir: join(root, config.value.stateDir), privateDir, hasGit: !isPrivate });
}

/** Git is asked only where there is nothing to be found: its complaint is the better one. */
export async function foldersOf(where: Where): Promise<Result<Pick<Repository, 'root' | 'commonDir' | 'isPrivate'>>> {
  const found = findWorkTree(where.repo);
  if (found !== null && !found.isPrivate) return ok(found);
  const { repositoryOf } = await import('./repository.ts');
  const { wholeEnvironment } = await import('../../host/environment.ts');
  return repositoryOf(where, { env: wholeEnvironment(), token: `${where.repo}@reader-${process.pid}` });
}
