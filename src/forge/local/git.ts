// What a local forge needs of git, and of the machine for its checks. The layer above gives it (src/app/forge/): this one starts no git.
import type { Result } from '../../model/result.ts';
import type { MergeMethod } from '../port.ts';

/** A ref of the remote, moved only from where it was; null: it does not exist. */
export type RefMove = { readonly ref: string; readonly from: string | null; readonly to: string | null };
export type MergeOf = {
  readonly base: string;
  readonly head: string;
  readonly method: MergeMethod;
  readonly title: string;
  readonly message: string;
};

export type ForgeGit = {
  /** The address of the remote as people may see it. */
  readonly url: string;
  /** The user, as the author of comments. */
  readonly author: string;
  /** Where these refs of the remote are, with their objects here. Refs that do not exist are left out. */
  refs(names: readonly string[]): Promise<Result<ReadonlyMap<string, string>>>;
  /** The text of all files in a folder of a commit, by name; empty if there is no such folder. */
  files(commit: string, folder: string): Promise<Result<ReadonlyMap<string, string>>>;
  /** A commit with these files changed. `parent` null: the first one. Moves nothing. */
  record(parent: string | null, files: ReadonlyMap<string, string>, message: string): Promise<Result<string>>;
  /** All of them or none. `overtaken`: one of them is not where it was. */
  push(moves: readonly RefMove[]): Promise<Result<'moved' | 'overtaken'>>;
  isWithin(commit: string, tip: string): Promise<Result<boolean>>;
  /** A commit on the base with what the head has. Moves nothing. */
  merged(ask: MergeOf): Promise<Result<{ readonly commit: string } | { readonly conflicts: readonly string[] }>>;
};

export type CiResult = {
  readonly passed: boolean;
  readonly exit: number | null;
  readonly ms: number;
  /** The end of what it printed. */
  readonly output: string;
};
/** The checks of the project on a clean checkout of a commit that is here. */
export type Ci = { readonly command: string; run(sha: string): Promise<Result<CiResult>> };
