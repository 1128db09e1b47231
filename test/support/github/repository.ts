// The git side of the stand-in for GitHub: a bare repository, in which pull requests are compared and merged as GitHub does.
import { execFileSync } from 'node:child_process';

export type Bare = {
  readonly folder: string;
  /** null: there is no such branch. */
  tip(branch: string): string | null;
  isWithin(commit: string, tip: string): boolean;
  /** The merged tree; null: it conflicts. */
  mergedTree(base: string, head: string): string | null;
  merge(base: string, head: string, method: 'merge' | 'squash' | 'rebase', message: string): string | null;
  git(...args: string[]): string;
};

const NAMES = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
  [`GIT_${role}_NAME`, 'GitHub'],
  [`GIT_${role}_EMAIL`, 'noreply@github.example'],
]);

export function bareRepository(folder: string): Bare {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(NAMES),
  };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const tried = (...args: string[]): string | null => {
    try {
      return git(...args);
    } catch {
      return null;
    }
  };
  const mergedTree = (base: string, head: string) =>
    tried('merge-tree', '--write-tree', '--no-messages', base, head)?.split('\n')[0] ?? null;
  return {
    folder,
    git,
    mergedTree,
    tip: (branch) => tried('rev-parse', '--verify', '-q', `refs/heads/${branch}`),
    isWithin: (commit, tip) => tried('merge-base', '--is-ancestor', commit, tip) !== null,
    merge(base, head, method, message) {
      const tree = mergedTree(base, head);
      if (tree === null) return null;
      // A rebase of one commit is what a squash is, in this repository without authors.
      const parents = method === 'merge' ? ['-p', base, '-p', head] : ['-p', base];
      return git('commit-tree', tree, ...parents, '-m', message);
    },
  };
}
