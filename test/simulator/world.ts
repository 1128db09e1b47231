// The window through which the playbook looks at the repository in memory. The state folder alone lies on a disk.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/host/clock.ts';
import type { RepositoryView } from '../../src/model/repository-view.ts';
import { pendingIn } from '../../src/repos/pending-log.ts';
import { begunSessions } from '../../src/loop/sessions.ts';
import { pathFact } from '../../src/repos/path-facts.ts';
import { keptPath } from '../../src/repos/records.ts';
import { lookAmong } from '../support/look.ts';
import { isOnDisk } from './files.ts';
import { changedBetween, factsOf, headOf, history, treeAt, type Repository } from './repository.ts';

/** `rootOf`: the folder that a file of the state folder is in. `treeDir`: where records of this work tree alone are. */
export type WorldPlaces = { readonly rootOf?: (path: string) => string; readonly treeDir?: string };

export function worldOf(
  repo: Repository,
  root: string,
  privateDir: string,
  clock: Clock,
  { rootOf = () => root, treeDir = privateDir }: WorldPlaces = {},
): RepositoryView {
  const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  const fileAt = (path: string): string | null => textOf(join(rootOf(path), path));
  const folders = { privateDir, workspaceDir: privateDir, treeDir };
  return {
    get now() {
      return clock.iso();
    },
    hasGit: true,
    read: async (path) => (isOnDisk(path) ? fileAt(path) : (repo.work.get(path) ?? null)),
    readAt: async (rev, path) => treeAt(repo, rev)?.get(path) ?? null,
    names: async (folder) =>
      [...repo.work.keys()].flatMap((path) => {
        const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '';
        return name === '' || name.includes('/') ? [] : [name];
      }),
    async stat(path) {
      if (isOnDisk(path)) {
        const found = statSync(join(rootOf(path), path), { throwIfNoEntry: false });
        return found ? { kind: found.isDirectory() ? 'folder' : 'file', executable: false } : null;
      }
      if (repo.work.has(path)) return { kind: 'file', executable: path.endsWith('.sh') };
      const isFolder = path === '.' || [...repo.work.keys()].some((file) => file.startsWith(`${path}/`));
      return isFolder ? { kind: 'folder', executable: true } : null;
    },
    async record(name) {
      const text = textOf(keptPath(folders, name));
      return text === null ? null : { file: name, text };
    },
    hasProgram: async () => true,
    lastSession: async () => begunSessions(privateDir).at(-1) ?? 0,
    look: async (path) => (isOnDisk(path) ? pathFact(rootOf(path), path) : lookAmong(repo.work.keys(), path)),
    changedSince: async (rev) => changedBetween(treeAt(repo, rev) ?? new Map(), repo.work),
    changedBy: async (commits) =>
      commits.map((id) => {
        const commit = repo.commits.get(id);
        if (!commit) return [];
        return changedBetween(repo.commits.get(commit.parent ?? '')?.tree ?? new Map(), commit.tree);
      }),
    isCommit: async (rev) => repo.commits.has(rev),
    async recentCommits(limit) {
      const found = [];
      for (const commit of history(repo)) {
        if (found.length >= limit) break;
        found.push(factsOf(commit));
      }
      return found;
    },
    worksInProgress: async () => [...repo.wips.values()],
    pendingEntries: async (file) => pendingIn(privateDir).flatMap((one) => (one.file === file ? [one.text] : [])),
    head: async () => ({
      commit: repo.head,
      branch: repo.branch,
      dirty: changedBetween(headOf(repo).tree, repo.work),
      operation: null,
    }),
  };
}
