// The read-only window through which a playbook looks at the item's tree, its history and the harness's records.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Clock } from '../host/clock.ts';
import type { Failure } from '../model/failure.ts';
import type { Result } from '../model/result.ts';
import type { World } from '../model/repository-view.ts';
import type { Git } from './git.ts';
import { changedPaths, commitFacts, pathsChangedBy, showFile } from './history.ts';
import { headFromFiles } from './head-file.ts';
import { resolveCommit } from './head.ts';
import { lookAtPath } from './path-facts.ts';
import { readStatus } from './status.ts';

/** Git did not answer while a playbook looked. The loop reads `failure`; playbooks do not meet it. */
export class WorldUnreadable extends Error {
  override readonly name = 'WorldUnreadable';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** Nothing outside `root` is read, also not through a link. `now` is the moment of the call. */
export function createWorld(git: Git, root: string, clock: Clock): World {
  // The harness's own repository may not be made yet: then nothing was ever kept.
  const isEmpty = (): boolean => git.isPrivate && headFromFiles(git) === null;
  return {
    get now() {
      return clock.iso();
    },
    hasGit: !git.isPrivate,
    read: async (path) => {
      const file = placeOf(root, path);
      return file !== null && statSync(file).isFile() ? readFileSync(file, 'utf8') : null;
    },
    readAt: async (rev, path) => (isEmpty() ? null : told(await showFile(git, rev, path))),
    stat: async (path) => {
      const place = placeOf(root, path);
      if (place === null) return null;
      const facts = statSync(place);
      const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
      return { kind, executable: facts.isFile() && (facts.mode & 0o111) !== 0 };
    },
    look: async (path) => lookAtPath(root, path),
    changedSince: async (rev) => (isEmpty() ? [] : told(await changedPaths(git, rev))),
    changedBy: async (commits) => (isEmpty() ? commits.map(() => []) : told(await pathsChangedBy(git, commits))),
    recentCommits: async (limit) => (isEmpty() ? [] : told(await commitFacts(git, { limit }))),
    isCommit: async (rev) => !isEmpty() && told(await resolveCommit(git, rev)) !== null,
    head: async () => (isEmpty() ? NOWHERE : told(await readStatus(git, { excluding: ['.harness/', ...git.own] }))),
  };
}

const NOWHERE = { commit: null, branch: null, dirty: [], operation: null };

function told<T>(result: Result<T>): T {
  if (!result.ok) throw new WorldUnreadable(result.failure);
  return result.value;
}

/** Where a path really is; null where there is nothing, or something that is not of this repository. */
function placeOf(root: string, path: string): string | null {
  try {
    const top = realpathSync(root);
    const place = realpathSync(join(top, path));
    return place === top || place.startsWith(top + sep) ? place : null;
  } catch {
    return null; // not there, or a link to nothing
  }
}
