// What a playbook may look at: a read-only window on the item's tree, its history and the harness's records.
import type { PathFact } from './path-fact.ts';

export type CommitFacts = {
  readonly id: string;
  readonly subject: string;
  readonly at: string;
  readonly trailers: { readonly [name: string]: string };
};

/** Paths are repository-relative with forward slashes. Nothing here changes anything. */
export type RepositoryView = {
  readonly now: string;
  /** Whether there is a git of the user's: without one nobody sees branches and commits, and nothing is committed for anybody. */
  readonly hasGit: boolean;
  /** Text of a file in the work tree; null if there is none. */
  read(path: string): Promise<string | null>;
  /** Text of a file as of a commit or ref; null if there is none. */
  readAt(rev: string, path: string): Promise<string | null>;
  /** Facts about a path in the work tree without reading it. */
  stat(path: string): Promise<{ readonly kind: 'file' | 'folder' | 'other'; readonly executable: boolean } | null>;
  /** What a path without links on its way is, not followed if it is a link itself. It never fails: what cannot be looked at is `other`. */
  look(path: string): Promise<PathFact>;
  /** Paths that differ between a revision and the work tree, untracked ones included. */
  changedSince(rev: string): Promise<readonly string[]>;
  /** For each commit the paths that it changed, seen from its first parent. */
  changedBy(commits: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** Whether there is such a commit, named in full or by its beginning. */
  isCommit(rev: string): Promise<boolean>;
  /** Newest first. */
  recentCommits(limit: number): Promise<readonly CommitFacts[]>;
  head(): Promise<{
    readonly commit: string | null;
    readonly branch: string | null;
    readonly dirty: readonly string[];
    /** A merge or the like that a person began and has not ended: `merge`, `rebase`, `cherry-pick`, `revert`. */
    readonly operation: string | null;
  }>;
};
