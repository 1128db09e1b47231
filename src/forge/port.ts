// What a delivery needs of the place where code is reviewed: pull requests, their checks, issues. Types only; the adapters are github/ and
// local/, and one suite holds for both (test/contract/forge.long.test.ts). Every failure is a value with a reason of its own.
import type { Result } from '../model/result.ts';

export type Pull = {
  readonly number: number;
  /** For people. */
  readonly url: string;
  readonly state: 'open' | 'merged' | 'closed';
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly head: { readonly branch: string; readonly sha: string };
  readonly base: string;
  /** Whether it merges without conflicts. `unknown`: not computed yet, or it is not open. */
  readonly mergeable: 'yes' | 'no' | 'unknown';
  readonly labels: readonly string[];
  /** Rules of its base branch do not let it be merged yet, such as a check that is required and was not reported; left out: none, or it is not known. */
  readonly isBlocked?: true;
  /** null: it is not merged, or the answer of a list, which does not say it. */
  readonly mergeCommit: string | null;
};

/** `key`: marks the pull request as ours, as a trailer of its body: with the head branch it names one pull request. */
export type PullAsk = {
  readonly head: string;
  readonly base: string;
  readonly key: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
};
export type OpenedPull = { readonly pull: Pull; readonly how: 'opened' | 'updated' | 'unchanged' };

export type Comment = {
  readonly id: string;
  /** `inline`: on a line of the change. `review`: the words of a review as a whole. */
  readonly kind: 'comment' | 'review' | 'inline';
  readonly author: string;
  /** The author may change the repository; others are anyone. */
  readonly isTrusted: boolean;
  readonly body: string;
  readonly at: string;
  readonly path: string | null;
  readonly line: number | null;
  /** What a review says of the change. */
  readonly verdict: 'approved' | 'changes-requested' | null;
};
/** `key`: the one comment with this key is edited instead of repeated; null: always a new one. */
export type CommentAsk = { readonly body: string; readonly key: string | null };

export type CheckState = 'pending' | 'passed' | 'failed';
export type Check = {
  readonly name: string;
  readonly state: CheckState;
  readonly url: string | null;
  /** In a few words or lines, as the check says it; may be empty. */
  readonly summary: string;
  /** The program that checks, as the forge names it; left out: it is not known. */
  readonly by?: string;
};
/** `none`: nothing checks this commit, or nothing has been registered yet. */
export type Checks = {
  readonly sha: string;
  readonly state: CheckState | 'none';
  readonly checks: readonly Check[];
};

export const MERGE_METHODS = ['merge', 'squash', 'rebase'] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];
/** `head`: the commit that was looked at; if the branch has moved since, nothing is merged (`forge-head-moved`). */
export type PullMergeAsk = {
  readonly method: MergeMethod;
  readonly head: string;
  readonly title: string;
  readonly message: string;
};
/** `already`: it was merged before, with this head. */
export type MergedPull = { readonly commit: string; readonly how: 'merged' | 'already' };

export type Issue = {
  readonly number: number;
  readonly url: string;
  readonly state: 'open' | 'closed';
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** It is open again after it was closed. */
  readonly isReopened: boolean;
  /** When it was changed last, by the clock of the forge; ISO 8601. */
  readonly updatedAt: string;
};
/** `key`: as of a pull request; an issue with this key is not created twice. `since`: it cannot be older; null: it can. */
export type IssueAsk = {
  readonly key: string;
  readonly since: string | null;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
};
export type IssueFilter = {
  readonly state: 'open' | 'closed' | 'all';
  readonly labels: readonly string[];
  /** Only those changed then or later; null: all. */
  readonly since: string | null;
  /** From 1 to 100. */
  readonly size: number;
  /** Of the page before; null: the first page. */
  readonly cursor: string | null;
};
export type IssuePage = { readonly issues: readonly Issue[]; readonly next: string | null };
export type IssueEvent = { readonly what: 'closed' | 'reopened'; readonly at: string; readonly by: string };

/** Repeating any of these is a no-op, but for a comment without a key. Several processes may ask at the same time. */
export type Forge = {
  readonly kind: 'github' | 'local';
  /** The newest pull request of the head branch with this key, open or not; null: there is none. */
  findPull(ask: Pick<PullAsk, 'head' | 'key'>): Promise<Result<Pull | null>>;
  /**
   * The open pull request of the head branch with this key, opened or brought up to date. Fails with `forge-pull-of-another` where the branch
   * has an open one without the key.
   */
  openPull(ask: PullAsk): Promise<Result<OpenedPull>>;
  readPull(number: number): Promise<Result<Pull>>;
  closePull(number: number): Promise<Result<Pull>>;
  mergePull(number: number, ask: PullMergeAsk): Promise<Result<MergedPull>>;
  /** All comments, oldest first. */
  comments(number: number): Promise<Result<readonly Comment[]>>;
  /** On a pull request or an issue. */
  comment(number: number, ask: CommentAsk): Promise<Result<Comment>>;
  /** Of a pull request or an issue; gives all its labels. */
  label(number: number, change: LabelChange): Promise<Result<readonly string[]>>;
  /** What checked this commit. A local forge runs its `ci` here if it has no result of it yet. */
  checks(sha: string): Promise<Result<Checks>>;
  /** The names of checks without which nothing is merged into the branch, as far as this account may see them. */
  requiredChecks(branch: string): Promise<Result<readonly string[]>>;
  /** Newest first. */
  issues(filter: IssueFilter): Promise<Result<IssuePage>>;
  createIssue(ask: IssueAsk): Promise<Result<{ readonly issue: Issue; readonly how: 'created' | 'unchanged' }>>;
  /** Fails with `forge-not-found` for the number of a pull request too. */
  readIssue(number: number): Promise<Result<Issue>>;
  /** When it was closed and reopened, oldest first. */
  issueEvents(number: number): Promise<Result<readonly IssueEvent[]>>;
  setIssueState(number: number, state: 'open' | 'closed'): Promise<Result<Issue>>;
};
/** A forge with the remote that its branches are on. */
export type OpenForge = {
  readonly forge: Forge;
  readonly remote: string;
  /** As it is pushed to. */
  readonly url: string;
  readonly baseBranch: string;
};
export type LabelChange = { readonly add: readonly string[]; readonly remove: readonly string[] };

/** The state of all checks together. */
export function checksOf(sha: string, checks: readonly Check[]): Checks {
  const has = (state: CheckState): boolean => checks.some((check) => check.state === state);
  const state = has('failed') ? 'failed' : has('pending') ? 'pending' : checks.length > 0 ? 'passed' : 'none';
  return { sha, state, checks };
}
