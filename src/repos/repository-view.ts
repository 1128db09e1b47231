// The read-only view of a playbook: the item's tree, its history and the harness's records.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Clock } from '../host/clock.ts';
import { lastLines } from '../host/files.ts';
import { isInstalled } from '../host/installed-program.ts';
import type { Failure } from '../model/failure.ts';
import type { Result } from '../model/result.ts';
import type { LandingProposal } from '../model/proposal.ts';
import type { RecordName } from '../model/records.ts';
import type { HarnessRecord, RepositoryView } from '../model/repository-view.ts';
import type { Git } from './git.ts';
import { changedPaths, commitFacts, pathsChangedBy, showFile } from './history.ts';
import { resolveCommit } from './head.ts';
import { headFromFiles } from './ref-files.ts';
import { pathFact } from './path-facts.ts';
import { readStatus } from './status.ts';
import { listWips } from './wip.ts';

/** Git failed while a playbook was reading. The loop handles it; playbooks never see it. */
export class RepositoryUnreadable extends Error {
  override readonly name = 'RepositoryUnreadable';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** What of the harness's own records a view gives, from the private folders. */
export type KeptRecords = {
  readonly record: (name: RecordName) => HarnessRecord | null;
  readonly lastSession: () => number;
  readonly pendingEntries: (file: string) => readonly string[];
  readonly proposals?: () => readonly LandingProposal[];
};
const NO_RECORDS: KeptRecords = { record: () => null, lastSession: () => 0, pendingEntries: () => [] };

/** `rootOf`: the folder that a path is in, where it is not `root`. Nothing outside of it is read, also not through a link. `now` is the moment of the call. */
export function openRepositoryView(
  git: Git,
  root: string,
  clock: Clock,
  kept: KeptRecords = NO_RECORDS,
  rootOf: (path: string) => string = () => root,
): RepositoryView {
  // The harness's own repository may not exist yet: then its history is empty.
  const isEmpty = (): boolean => git.isPrivate && headFromFiles(git) === null;
  return {
    get now() {
      return clock.iso();
    },
    hasGit: !git.isPrivate,
    read: async (path, last) => {
      const file = realPathOf(rootOf(path), path);
      if (file === null || !statSync(file).isFile()) return null;
      return last === undefined ? readFileSync(file, 'utf8') : lastLines(file, last);
    },
    readAt: async (rev, path) => (isEmpty() ? null : valueOf(await showFile(git, rev, path))),
    names: async (folder) => {
      const found = realPathOf(rootOf(folder), folder);
      if (found === null || !statSync(found).isDirectory()) return [];
      const entries = readdirSync(found, { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
    },
    stat: async (path) => {
      const place = realPathOf(rootOf(path), path);
      if (place === null) return null;
      const facts = statSync(place);
      const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
      return { kind, executable: facts.isFile() && (facts.mode & 0o111) !== 0 };
    },
    hasProgram: async (name) => isInstalled(name, root),
    look: async (path) => pathFact(rootOf(path), path),
    changedSince: async (rev) => (isEmpty() ? [] : valueOf(await changedPaths(git, rev))),
    async changedBy(commits) {
      if (isEmpty()) return commits.map(() => []);
      // The harness's own files are not part of what a session keeps.
      const all = valueOf(await pathsChangedBy(git, commits));
      return all.map((paths) => paths.filter((path) => !git.carried.includes(path)));
    },
    record: async (name) => kept.record(name),
    lastSession: async () => kept.lastSession(),
    recentCommits: async (limit) => (isEmpty() ? [] : valueOf(await commitFacts(git, { limit }))),
    isCommit: async (rev) => !isEmpty() && valueOf(await resolveCommit(git, rev)) !== null,
    proposals: () => Promise.resolve(kept.proposals?.() ?? []),
    worksInProgress: async () => (isEmpty() ? [] : valueOf(await listWips(git))),
    pendingEntries: async (file) => kept.pendingEntries(file),
    head: async () => (isEmpty() ? NOWHERE : valueOf(await readStatus(git, { excluding: ['.harness/', ...git.own] }))),
  };
}

const NOWHERE = { commit: null, branch: null, dirty: [], operation: null };

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new RepositoryUnreadable(result.failure);
  return result.value;
}

/** The real path; null if nothing is there, or it is outside of this repository. */
function realPathOf(root: string, path: string): string | null {
  try {
    const top = realpathSync(root);
    const place = realpathSync(join(top, path));
    return place === top || place.startsWith(top + sep) ? place : null;
  } catch {
    return null; // not there, or a link to nothing
  }
}
