// The action `remember`: records of sessions, of money and of what a machine remembers. Each is absolute, so that writing it again changes nothing.
import type { BaselineRecord } from './baseline-record.ts';
import type { Raise } from './budget.ts';
import type { CompetitionFacts } from './competition.ts';
import type { Failure } from './failure.ts';
import type { ItemId } from './item.ts';
import type { CuratedOutcome, MemoryAsk } from './memory.ts';
import type { ReviewFacts } from './review.ts';
import type { Problem } from './verdict.ts';

/** Texts that the edit with this id computes when it is performed. */
export type EditCall = { readonly edit: string; readonly input: unknown };

/** What a user reviews before answering: checks, steps and screenshots of a session. */
export type ManualRecord = {
  readonly item: ItemId;
  readonly title: string;
  readonly kind: string;
  readonly checks: readonly string[];
  readonly steps: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string;
  readonly evidence: string | null;
};
/** The part of a session's record that the harness did not count itself. */
export type SessionSummary = {
  readonly item: ItemId;
  readonly completed: boolean;
  readonly termination: string;
  readonly result: string;
  readonly reason?: string;
  /** ISO 8601; left out: the start of the agent, and now. */
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly role?: string;
  /** The first line of the agent's answer, if only that matters. */
  readonly said?: string;
  readonly commit?: string | null;
  /** The private ref of work that was rolled back. */
  readonly attempt?: string | null;
  readonly evidence?: string | null;
  readonly verifiedBy?: { readonly by: string; readonly at: string; readonly note: string } | null;
  readonly bundle?: string;
  readonly problems?: readonly Problem[];
  /** What a user should know of it, and what is no problem of its work. */
  readonly notes?: readonly Problem[];
  readonly failure?: Failure | null;
  readonly broken?: readonly {
    readonly id: string;
    readonly dependents: readonly string[];
    readonly isFailing: boolean;
  }[];
};
/** Writes one record that can be rebuilt; absolute, so that writing it again changes nothing. */
export type RememberAsk = { readonly session: number } & (
  | { readonly what: 'baseline'; readonly baseline: BaselineRecord }
  /** `evidence`: the folder of the checks of what landed; left out by older versions. */
  | { readonly what: 'sizes'; readonly evidence?: string | null }
  | { readonly what: 'costs'; readonly item: ItemId }
  | { readonly what: 'session'; readonly summary: SessionSummary }
  | { readonly what: 'manual'; readonly manual: ManualRecord }
  /** What a role answered that judged the work of the session. `since`: where the work began; `testFile`: null, it has none. */
  | { readonly what: 'review'; readonly review: ReviewFacts; readonly since: string; readonly testFile: string | null }
  | { readonly what: 'competition'; readonly competition: CompetitionFacts; readonly role: string }
  /** A log entry that the next landing carries: the edit gives the entry alone, by the file of the log. */
  | { readonly what: 'log'; readonly edit: EditCall }
  /** A user raised a budget. `from`: the previous limit, US dollars. */
  | {
      readonly what: 'budget';
      readonly raise: Raise & { readonly from: number; readonly by: string; readonly at: string };
    }
  | MemoryAsk
);
/** `files`: others that were kept with it. `curated`: set exactly for `what: 'curated'`. */
export type RememberOutcome = {
  readonly file: string;
  readonly files?: readonly string[];
  readonly curated?: CuratedOutcome;
};
