// What the stand-in for GitHub remembers: pull requests and issues with common numbers, comments, reviews, checks.

export type Labelled = { labels: string[] };
export type Said = {
  readonly id: number;
  body: string;
  readonly at: string;
  readonly login: string;
  /** Left out: the owner's. */
  readonly association?: 'NONE' | 'MEMBER';
};
export type StoredPull = Labelled & {
  readonly number: number;
  readonly head: string;
  base: string;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  readonly draft: boolean;
  merged: { readonly commit: string; readonly sha: string } | null;
  /** At the end the branch may be gone. */
  sha: string;
  readonly at: string;
  /** Looks at it until it is visible. */
  hidden: number;
};
export type StoredIssue = Labelled & {
  readonly number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  reason: 'completed' | 'reopened' | null;
  readonly events: { readonly event: 'closed' | 'reopened'; readonly at: string }[];
  readonly at: string;
  /** Its last change. */
  updated: string;
};
export type StoredCheck = {
  readonly name: string;
  readonly sha: string;
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion: string | null;
  /** The program that checks. */
  readonly app?: string;
};
/** What a program was asked to check, before and while it does. */
export type StoredSuite = {
  readonly sha: string;
  readonly app: string;
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly runs: number;
};
export type StoredStatus = {
  readonly context: string;
  readonly sha: string;
  readonly state: 'success' | 'failure' | 'pending' | 'error';
};

export type State = {
  readonly pulls: Map<number, StoredPull>;
  readonly issues: Map<number, StoredIssue>;
  readonly comments: Map<number, Said[]>;
  readonly reviews: { readonly number: number; readonly state: string; readonly body: string; readonly at: string }[];
  readonly inline: {
    readonly number: number;
    readonly path: string;
    readonly line: number;
    readonly body: string;
    readonly at: string;
  }[];
  readonly checks: StoredCheck[];
  readonly statuses: StoredStatus[];
  readonly suites: StoredSuite[];
  /** Checks without which nothing is merged into a branch: by its rules, or by the older protection of branches. */
  readonly required: { readonly branch: string; readonly name: string; readonly by: 'rules' | 'protection' }[];
  /** Looks until a new pull request is visible. */
  hidesNew: number;
  /** Rules of the base branch let nothing be merged. */
  isBlocked: boolean;
  next(): number;
  /** A new time for each thing that happens. */
  now(): string;
};

export function emptyState(): State {
  let [number, seconds] = [0, 0];
  return {
    pulls: new Map(),
    issues: new Map(),
    comments: new Map(),
    reviews: [],
    inline: [],
    checks: [],
    statuses: [],
    suites: [],
    required: [],
    hidesNew: 0,
    isBlocked: false,
    next: () => (number += 1),
    now: () => new Date(Date.parse('2026-03-01T08:00:00Z') + (seconds += 1) * 1_000).toISOString().replace('.000', ''),
  };
}
