// What a playbook may read: the item's tree, its history and the harness's records.
import type { PathFact } from './path-fact.ts';
import type { LandingProposal } from './proposal.ts';
import type { RecordName } from './records.ts';

export type CommitFacts = {
  readonly id: string;
  readonly subject: string;
  readonly at: string;
  readonly trailers: { readonly [name: string]: string };
};

/** Work that a session left unfinished, on a ref of its own. */
export type WorkInProgress = {
  readonly item: string;
  readonly ref: string;
  readonly commit: string;
  readonly session: number;
  readonly subject: string;
  /** ISO 8601. */
  readonly at: string;
  /** How far it has come, in the words of its machine; left out: it is not done. */
  readonly reached?: string;
};
/** `file`: where it is, for a message. */
export type HarnessRecord = { readonly file: string; readonly text: string };

/** Paths are repository-relative with forward slashes. Nothing here changes anything. */
export type RepositoryView = {
  readonly now: string;
  /** False in a folder without a git repository of the user: no branches or commits are shown, and nothing is committed. */
  readonly hasGit: boolean;
  /** Text of a file in the work tree; null if there is none. `last`: only its last whole lines, at most so many bytes, so that a log may grow. */
  read(path: string, last?: number): Promise<string | null>;
  /** Text of a file as of a commit or ref; null if there is none. */
  readAt(rev: string, path: string): Promise<string | null>;
  /** Names of the files in a folder of the work tree, sorted; empty if there is no such folder. */
  names(folder: string): Promise<readonly string[]>;
  /** Facts about a path in the work tree without reading it. */
  stat(path: string): Promise<{ readonly kind: 'file' | 'folder' | 'other'; readonly executable: boolean } | null>;
  /** The kind of a path, links not followed. Never fails: a path that cannot be read is `other`. */
  look(path: string): Promise<PathFact>;
  /** Paths that differ between a revision and the work tree, untracked ones included. */
  changedSince(rev: string): Promise<readonly string[]>;
  /** For each commit the paths that it changed against its first parent. */
  changedBy(commits: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** Whether the commit exists, by its full or abbreviated id. */
  isCommit(rev: string): Promise<boolean>;
  /** Whether a check can start this program, by its name on the PATH. */
  hasProgram(name: string): Promise<boolean>;
  /** The text of a record as the harness keeps it, out of the agents' reach; null if there is none. */
  record(name: RecordName): Promise<HarnessRecord | null>;
  /** The highest number of a session that was begun in this work tree; 0: none. */
  lastSession(): Promise<number>;
  /** Newest first. */
  recentCommits(limit: number): Promise<readonly CommitFacts[]>;
  /** Unfinished work, at most one of each item. */
  worksInProgress(): Promise<readonly WorkInProgress[]>;
  /** Landings that wait for the merge of their pull request; left out: there are none. */
  proposals?(): Promise<readonly LandingProposal[]>;
  /** Entries of this log that no commit carries yet, oldest session first. */
  pendingEntries(file: string): Promise<readonly string[]>;
  head(): Promise<{
    readonly commit: string | null;
    readonly branch: string | null;
    readonly dirty: readonly string[];
    /** A git operation that the user has not finished: `merge`, `rebase`, `cherry-pick`, `revert`. */
    readonly operation: string | null;
  }>;
};
