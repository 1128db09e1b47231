// Folders of the harness's own that look like a repository: the work tree of agents beside a project, and clean workspaces. A command that
// is started in one is meant for the project: worked on as a target of its own, it would have sessions of its own, and be written over.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod/mini';
import { readEnvironment } from '../../host/environment.ts';
import { readText, sha256 } from '../../host/files.ts';
import { isBelow, realPath } from '../../host/paths.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { findWorkTree, gitFolders, stateFolders } from '../../repos/folders.ts';
import { laneOf, readWorkTreeNote, workTreeBeside, workTreeOfLane } from '../../repos/work-trees.ts';

/** Outside of every repository, since test runners would find the tests in it. */
const workspaces = (): string => join(readEnvironment().stateHome ?? tmpdir(), 'harness', 'workspaces');

/** The clean workspaces of a work tree. */
export const proofDirOf = (root: string): string => join(workspaces(), sha256(root).slice(0, 12));

/** Fails with `harness-own-folder` (`path`; `root`: the project that it belongs to). Starts no git. */
export function refuseOwnPlace(dir: string): Result<null> {
  const path = realPath(dir);
  const work = projectOfWorkspace(path);
  // A clean workspace may be that of the agents' work tree.
  const root = projectBeside(work ?? path) ?? work;
  return root === null ? ok(null) : err(failure('harness-own-folder', { path, root }));
}

const ownerSchema = z.object({ root: z.string() });

function projectOfWorkspace(path: string): string | null {
  const top = realPath(workspaces());
  if (path === top || !isBelow(path, top)) return null;
  const [pool = ''] = path.slice(top.length + 1).split('/');
  const owner = readText(join(top, pool, 'owner.json'));
  try {
    return ownerSchema.parse(JSON.parse((owner.ok ? owner.value : null) ?? '')).root;
  } catch {
    return null; // something else is there
  }
}

function projectBeside(path: string): string | null {
  const found = findWorkTree(path);
  if (found === null || found.gitDir === found.commonDir) return null;
  const [, name] = /^\.(.+)-harness(?:-[1-9]\d*)?$/.exec(basename(found.root)) ?? [];
  if (name === undefined) return null;
  const root = join(dirname(found.root), name);
  const lane = laneOf(found.root);
  const beside = lane === null ? workTreeBeside(root) : workTreeOfLane(root, lane);
  if (!existsSync(join(root, '.git')) || beside !== found.root) return null;
  const project = gitFolders(root);
  if (realPath(project.commonDir) !== realPath(found.commonDir)) return null;
  return readWorkTreeNote(stateFolders(project).workspaceDir) === null ? null : root;
}
