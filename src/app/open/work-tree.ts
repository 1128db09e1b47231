// Where agents of a run work: in the user's own work tree, or (`isolation: worktree`) in one of the harness's own beside it, which is made
// at the first run, kept for the next ones, and removed when the setting is in-place again.
import { cpSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../host/error-code.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { createGit, type Git } from '../../repos/git.ts';
import { asNull, readHead, resolveCommit } from '../../repos/head.ts';
import { ignoredPaths } from '../../repos/ignored-paths.ts';
import { isInstalledFolder } from '../../repos/installed.ts';
import {
  addWorkTree,
  bringTo,
  followNote,
  forgetWorkTree,
  readWorkTreeNote,
  removeWorkTree,
  workTreeBeside,
  workTreeNote,
} from '../../repos/work-trees.ts';
import { branchGone, isRunBranch, keptRefOf, openRunBranch } from '../../repos/run-branch.ts';
import { isTreeHeld } from '../../loop/held-tree.ts';
import { beginRunBranch, type BegunRunBranch } from './run-branch.ts';
import type { Target } from './target.ts';
import { isUnderWay } from './unfinished-sessions.ts';

/** `bring`: to the tip of the branch, before an item is chosen. */
export type WorkPlace = { readonly root: string; readonly git: Git; readonly bring: () => Promise<Result<null>> };
/** `gone`: branches of earlier runs that a user deleted before they merged them. */
export type OpenWorkPlace = WorkPlace & Pick<BegunRunBranch, 'gone'>;

/**
 * Only under the lock, with no agent at work. `git`: that of the user's work tree, with the token of the run. What was begun in one place
 * is continued there, whatever the setting is now. `run`: the name of a run that works on items; null: of another command, which begins no
 * branch. Fails with `workspace-unusable`, as `landsOn`, or as git.
 */
export async function openWorkPlace(
  target: Target,
  git: Git,
  token: string,
  run: string | null,
): Promise<Result<OpenWorkPlace>> {
  const { root, workspaceDir, io } = target;
  const inPlace: OpenWorkPlace = { root, git, bring: () => Promise.resolve(ok(null)), gone: [] };
  const note = readWorkTreeNote(workspaceDir);
  const path = workTreeBeside(root);
  const isBegun = isUnderWay(workspaceDir);
  const isWanted = isBegun ? note?.isInUse === true : target.config.isolation === 'worktree';
  if (isBegun && run !== null && target.config.land === 'branch' && !(isWanted && isRunBranch(note?.branch ?? '')))
    return err(failure('run-branch-late'));
  if (!isWanted) {
    if (note === null || isBegun) return ok(inPlace);
    const removed = await removeWorkTree(git, path);
    if (removed.ok) io.remove(workTreeNote(workspaceDir));
    return removed.ok ? ok(inPlace) : removed;
  }
  if (!target.hasGit) return err(failure('workspace-unusable', { path, words: 'no git' }, { at: { file: path } }));
  const landing = await landsOn(target, git, isBegun ? null : run);
  if (!landing.ok) return landing;
  // The machine says what is wrong with a detached HEAD.
  if (landing.value === null) return ok(inPlace);
  const { branch, gone } = landing.value;
  // A machine with one task keeps its work in the tree between runs, unless that task was given up.
  const keeps = target.playbook.oneTask !== undefined;
  const opened = await openTree(target, git, token, {
    path,
    branch,
    noteIn: workspaceDir,
    isBegun,
    keeps,
  });
  if (!opened.ok) return opened;
  const { bring } = opened.value;
  // The work of an item that waits for an answer stays where it is until another item needs the tree.
  return ok({ ...opened.value, gone, bring: () => (isTreeHeld(workspaceDir) ? Promise.resolve(ok(null)) : bring()) });
}

/**
 * The branch that an item under way began on; else that of the run (`land: branch`), or the current one. `begins`: the run that may begin one. null:
 * HEAD is detached, or there is no commit. Fails with `run-branch-gone`, or as `beginRunBranch`.
 */
async function landsOn(target: Target, git: Git, begins: string | null): Promise<Result<BegunRunBranch | null>> {
  const { workspaceDir, config } = target;
  const note = readWorkTreeNote(workspaceDir);
  const head = await readHead(git);
  if (!head.ok) return head;
  if (head.value.commit === null) return ok(null);
  if (note !== null && isUnderWay(workspaceDir)) {
    const there = await onRunBranch(git, note.branch);
    return there.ok ? ok({ branch: note.branch, gone: [] }) : there;
  }
  if (config.land === 'branch' && begins !== null) return beginRunBranch(target, git, begins);
  const open = config.land === 'branch' ? await openRunBranch(git, workspaceDir) : ok(null);
  if (!open.ok) return open;
  const branch = open.value?.branch ?? head.value.branch;
  return ok(branch === null ? null : { branch, gone: [] });
}

/** What is under way belongs on it, and only the user knows why it is not there. */
async function onRunBranch(git: Git, branch: string): Promise<Result<null>> {
  if (!isRunBranch(branch)) return ok(null);
  const [tip, kept] = [await resolveCommit(git, `refs/heads/${branch}`), await resolveCommit(git, keptRefOf(branch))];
  if (!tip.ok) return tip;
  return tip.value === null ? err(branchGone(branch, kept.ok ? kept.value : null)) : ok(null);
}

/** `noteIn`: the folder of its note. `isBegun`: an item is under way in it. `keeps`: what is in it between items stays. */
export type TreeAsk = {
  readonly path: string;
  readonly branch: string;
  readonly noteIn: string;
  readonly isBegun: boolean;
  readonly keeps: boolean;
};

/** A work tree of the harness's own: made where there is none, and brought to the tip of the branch unless an item is under way in it. */
export async function openTree(
  target: Target,
  git: Git,
  token: string,
  { path, branch, noteIn, isBegun, keeps }: TreeAsk,
): Promise<Result<WorkPlace>> {
  const { workspaceDir, io } = target;
  const note = readWorkTreeNote(noteIn);
  const folders = await addWorkTree(git, path);
  if (!folders.ok) return folders;
  if (note !== null && note.path !== path) forgetWorkTree(git, note.path);
  const { own, carried, userEnv: env } = git;
  const lands = { branch, user: git, note: followNote(workspaceDir) };
  const here = createGit({ root: path, folders: folders.value, lands, env, token, io, own, carried });
  const bring = async (how: { readonly isKept: boolean; readonly isNew: boolean }): Promise<Result<null>> => {
    const tip = await resolveCommit(git, `refs/heads/${branch}`);
    return tip.ok && tip.value !== null ? bringTo(here, tip.value, how) : asNull(tip);
  };
  // An item under way has its work in there.
  const isEmpty = !existsSync(join(folders.value.gitDir, 'index'));
  if (!isBegun || isEmpty) {
    const brought = await bring({ isKept: keeps && note?.isInUse !== false, isNew: isEmpty });
    if (!brought.ok) return brought;
  }
  const installed = isEmpty || note === null ? await copyInstalled(target, path) : ok(null);
  if (!installed.ok) return installed;
  io.replace(workTreeNote(noteIn), `${JSON.stringify({ schema: 1, path, branch, isInUse: true })}\n`);
  return ok({ root: path, git: here, bring: () => bring({ isKept: keeps, isNew: false }) });
}

/** What is installed and git does not keep comes from the user's work tree: as copies, so that no agent writes into it. */
async function copyInstalled({ git, root }: Target, to: string): Promise<Result<null>> {
  const ignored = await ignoredPaths(git);
  if (!ignored.ok) return ignored;
  for (const entry of ignored.value) {
    const folder = entry.replace(/\/$/, '');
    if (!isInstalledFolder(folder)) continue;
    try {
      cpSync(join(root, folder), join(to, folder), {
        recursive: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
        mode: constants.COPYFILE_FICLONE,
      });
    } catch (error) {
      return err(failure('workspace-unusable', { path: join(to, folder), words: codeOf(error) }, { at: { file: to } }));
    }
  }
  return ok(null);
}
