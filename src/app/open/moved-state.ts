// State that was recorded in another place: of a repository that was moved or copied, and of linked work trees that were removed.
// A copy never takes the processes or files of the original for its own.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readText } from '../../host/files.ts';
import { endOrphans } from '../../host/process-tree.ts';
import { begunSessions, pointerOf } from '../../loop/sessions.ts';
import { ok, type Result } from '../../model/result.ts';
import { workspaceDirs, workspaceOf } from '../../repos/folders.ts';
import { giveUpWipsOf } from '../../repos/wip.ts';
import { rootOfSession } from '../../repos/work-trees.ts';
import { moveTamperGuard } from '../../verify/tamper-guard/moved.ts';
import type { Target } from './target.ts';
import { openTamperGuards } from './unfinished-sessions.ts';

type Place = Pick<Target, 'io' | 'git' | 'root' | 'privateDir' | 'workspaceDir'>;

/** Only under the lock, and before orphans are looked for by the folder's own name. Fails with `state-unreadable`, or as git. */
export async function settleMovedState(place: Place): Promise<Result<null>> {
  const dropped = await dropOfRemovedTrees(place);
  if (!dropped.ok) return dropped;
  for (const folder of earlierFolders(place)) if (!existsSync(folder)) await endOrphans(`${folder}#`);
  for (const into of openTamperGuards(place.workspaceDir)) {
    const rootOf = (was: string): string => rootOfSession(place.root, place.workspaceDir, was);
    const moved = moveTamperGuard(place.io, { into, rootOf, commonDir: place.git.commonDir });
    if (!moved.ok) return moved;
  }
  return ok(null);
}

/** Folders that the newest session names as its own and that are not this one. Where such a folder exists, this is a copy of it. */
function earlierFolders({ workspaceDir }: Place): readonly string[] {
  const last = begunSessions(workspaceDir).at(-1);
  const token = last === undefined ? '' : (pointerOf(workspaceDir, last)?.token ?? '');
  const [, folder] = /^(.*?)#[rcv]-/s.exec(token) ?? [];
  return folder === undefined || folder === workspaceDir ? [] : [folder];
}

/** Git gives the id of a removed work tree to the next one of that name: the state in the folder is then another's. */
async function dropOfRemovedTrees({ io, git, privateDir, workspaceDir }: Place): Promise<Result<null>> {
  const [inGit, here] = [join(git.privateDir, 'work-tree-id'), join(workspaceDir, 'work-tree-id')];
  const own = workspaceOf({ privateDir, workspaceDir });
  const [id, known] = own === null ? [null, null] : [lineOf(inGit), lineOf(here)];
  const isAnothers = known !== null && known !== id;
  const given = await giveUpWipsOf(git, (one) => isAnothers && one === own);
  if (!given.ok) return given;
  for (const folder of workspaceDirs(privateDir))
    if (
      folder !== privateDir &&
      folder !== workspaceDir &&
      !existsSync(join(git.commonDir, 'worktrees', basename(folder)))
    )
      io.remove(folder);
  if (own === null || (id !== null && id === known)) return ok(null);
  if (isAnothers)
    for (const name of readdirSync(workspaceDir)) if (!name.startsWith('lock.')) io.remove(join(workspaceDir, name));
  const next = id ?? randomUUID();
  // In git's folder first: a crash in between finds no state that could be another's.
  io.replace(inGit, next);
  io.replace(here, next);
  return ok(null);
}

function lineOf(file: string): string | null {
  const text = readText(file);
  return text.ok ? text.value : null;
}
