// A World in memory for playbook tests: revisions are maps of files, the work tree is one more.
import type { CommitFacts, RepositoryView, WorkInProgress } from '../../src/model/repository-view.ts';
import { lookAmong } from './look.ts';

export type Files = { readonly [path: string]: string };
export type MemoryWorld = RepositoryView & { readonly reads: string[] };

export function memoryWorld(given: {
  readonly files: Files;
  readonly revisions?: { readonly [rev: string]: Files };
  readonly executable?: readonly string[];
  readonly commits?: readonly CommitFacts[];
  readonly changed?: { readonly [rev: string]: readonly string[] };
  readonly changedBy?: { readonly [commit: string]: readonly string[] };
  readonly wips?: readonly WorkInProgress[];
  readonly pending?: readonly string[];
  readonly branch?: string | null;
  readonly dirty?: readonly string[];
  readonly operation?: string;
  readonly hasGit?: boolean;
  readonly missingPrograms?: readonly string[];
}): MemoryWorld {
  const reads: string[] = [];
  return {
    now: '2025-01-16T14:30:00.000Z',
    hasGit: given.hasGit ?? true,
    reads,
    async record(name) {
      const text = given.files[`.harness/${name}`];
      return text === undefined ? null : { file: `.harness/${name}`, text };
    },
    hasProgram: async (name) => !(given.missingPrograms ?? []).includes(name),
    lastSession: async () => 0,
    read: (path) => {
      reads.push(path);
      return Promise.resolve(textIn(given.files, path));
    },
    readAt: (rev, path) => Promise.resolve(textIn(given.revisions?.[rev], path)),
    names: (folder) =>
      Promise.resolve(
        Object.keys(given.files)
          .filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'))
          .map((path) => path.slice(folder.length + 1))
          .sort(),
      ),
    stat(path) {
      if (Object.hasOwn(given.files, path))
        return Promise.resolve({ kind: 'file', executable: given.executable?.includes(path) ?? false });
      const isFolder = path === '.' || Object.keys(given.files).some((file) => file.startsWith(`${path}/`));
      return Promise.resolve(isFolder ? { kind: 'folder', executable: true } : null);
    },
    look: (path) => Promise.resolve(lookAmong(Object.keys(given.files), path)),
    changedSince: (rev) => Promise.resolve(given.changed?.[rev] ?? []),
    changedBy: (commits) => Promise.resolve(commits.map((id) => given.changedBy?.[id] ?? [])),
    isCommit: (rev) => Promise.resolve((given.commits ?? []).some(({ id }) => id.startsWith(rev))),
    recentCommits: (limit) => Promise.resolve((given.commits ?? []).slice(0, limit)),
    worksInProgress: () => Promise.resolve(given.wips ?? []),
    pendingEntries: () => Promise.resolve(given.pending ?? []),
    head: () =>
      Promise.resolve({
        commit: 'head',
        branch: given.branch === undefined ? 'main' : given.branch,
        dirty: given.dirty ?? [],
        operation: given.operation ?? null,
      }),
  };
}

/** A file may be called `valueOf`; an object that has no such file has something of that name all the same. */
const textIn = (files: Files | undefined, path: string): string | null =>
  files !== undefined && Object.hasOwn(files, path) ? (files[path] ?? null) : null;
