// What a machine wants done at the place where code is reviewed, as data: a commit is proposed, checked, merged; a file of the base branch is moved; the
// branch here follows the one there. Each is idempotent: a pull request is found by its branch and mark, a merge by its head, a move by where the file is,
// added files by the mark of their commit.
import type { Failure } from './failure.ts';
import type { ItemId } from './item.ts';

/** The commit becomes the branch of the remote, and gets a pull request, opened or brought up to date. */
export type ProposePullAsk = {
  readonly item: ItemId;
  readonly branch: string;
  /** By which the pull request is recognized. */
  readonly mark: string;
  readonly commit: string;
  readonly title: string;
  readonly body: string;
  /** Others merge it: title and text are the evidence of the commit, and the item waits. Left out: the run itself merges it. */
  readonly isAwaited?: true;
};
/** `failure`: others have work of their own on the branch, or a pull request of it. */
export type ProposePullOutcome =
  | { readonly number: number; readonly url: string; readonly isMerged: boolean; readonly failure?: undefined }
  | { readonly failure: Failure };

/** The newest pull request of this branch with this mark. */
export type FindPullAsk = Pick<ProposePullAsk, 'branch' | 'mark'>;
/** `head`: what its branch is at, or was at the end; left out: there is none, or an older version asked. */
export type FindPullOutcome = { readonly state: 'none' | 'open' | 'merged' | 'closed'; readonly head?: string };

/** The checks of a commit as they are now. `branch`, `pull`: of its pull request; left out: it is not known which checks will come. */
export type CiAsk = { readonly commit: string; readonly branch?: string; readonly pull?: number };
export type CiOutcome = {
  readonly state: 'none' | 'pending' | 'passed' | 'failed';
  readonly checks: readonly { readonly name: string; readonly state: string; readonly summary: string }[];
  /** Others may be registered later. */
  readonly mayCome: boolean;
};

export type MergePullAsk = {
  readonly number: number;
  /** The commit that was looked at. */
  readonly head: string;
  readonly title: string;
  readonly message: string;
  /** Set before the merge; null: none. */
  readonly label: string | null;
};
/** `failure`: it conflicts with newer commits, or its branch has moved: the work is to be brought up to date. */
export type MergePullOutcome =
  | { readonly commit: string; readonly failure: null }
  | { readonly commit: null; readonly failure: Failure };

/** A file of the base branch gets another path, by a commit on the branch of the remote. */
export type MoveFileAsk = {
  readonly item: ItemId;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** A file of one of the two folders whose name begins so is the same one: users rename files. Left out: it has these names alone. */
  readonly alike?: string;
};
/** `commit` null: it is there already, or a user has removed it. */
export type MoveFileOutcome = { readonly commit: string | null };

/** Files become part of the base branch, by a commit on the branch of the remote, while that is where it was looked at. */
export type AddFilesAsk = {
  readonly base: string;
  /** Path → text. */
  readonly files: { readonly [path: string]: string };
  readonly subject: string;
};
/** `commit` null: the base branch has moved, and nothing was added. */
export type AddFilesOutcome = { readonly commit: string | null };

/** The branch here becomes what the base branch of the remote is. The work tree must be as committed. */
export type FollowBaseAsk = { readonly item: ItemId | null };
export type FollowBaseOutcome = { readonly commit: string };
