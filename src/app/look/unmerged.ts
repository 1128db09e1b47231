// `land: branch`: what landed and waits to be merged, for commands that only look. Most projects have none, and load nothing for it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Backlog } from '../../engine/backlog.ts';
import { shellWord } from '../../model/shell-quote.ts';
import type { Git } from '../../repos/git.ts';
import { RUN_BRANCHES, type UnmergedBranch } from '../../repos/run-branch.ts';
import type { ProjectView } from '../open/project-view.ts';

type Place = Pick<ProjectView, 'root' | 'workspaceDir' | 'landsOnBranch'>;

const mayWait = ({ landsOnBranch, workspaceDir }: Place): boolean =>
  landsOnBranch && existsSync(join(workspaceDir, RUN_BRANCHES));

async function gitOf({ root, workspaceDir }: Place): Promise<Git> {
  const { createGit } = await import('../../repos/git.ts');
  const { wholeEnvironment } = await import('../../host/environment.ts');
  return createGit({ root, env: wholeEnvironment(), token: `${workspaceDir}@reader-${process.pid}` });
}

export async function unmergedHere(view: Place): Promise<UnmergedBranch | null> {
  if (!mayWait(view)) return null;
  const { unmergedOf } = await import('../open/unmerged.ts');
  const found = await unmergedOf({ git: await gitOf(view), workspaceDir: view.workspaceDir });
  return found.ok ? found.value : null;
}

/** The list where it says what is done; null: that is the user's own. `users`: its text. */
export async function listWhereLanded(
  view: Place,
  list: { readonly file: string; readonly backlog: () => Promise<Backlog> },
  users: string | null,
): Promise<string | null> {
  if (!mayWait(view)) return null;
  const { listOnBranch } = await import('../open/unmerged.ts');
  const place = { git: await gitOf(view), workspaceDir: view.workspaceDir };
  const about = { file: list.file, backlog: await list.backlog() };
  return listOnBranch(place, about, () => Promise.resolve(users));
}

/** The newest commit that has what landed. */
export async function tipWhereLanded(view: Place): Promise<string> {
  if (!mayWait(view)) return 'HEAD';
  const { openRunBranch } = await import('../../repos/run-branch.ts');
  const open = await openRunBranch(await gitOf(view), view.workspaceDir);
  return open.ok && open.value !== null ? open.value.tip : 'HEAD';
}

export const mergeCommand = ({ branch }: UnmergedBranch): string => `git merge ${shellWord(branch)}`;

export const branchJson = (unmerged: UnmergedBranch) => ({
  name: unmerged.branch,
  commits: unmerged.commits,
  behind: unmerged.behind,
  merge: mergeCommand(unmerged),
});
