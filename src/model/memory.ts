// What a machine with a memory keeps between sessions, as data: entries, tricks, what a curator's file became. The files are src/memory/.
import type { ItemId } from './item.ts';
import type { Result } from './result.ts';
import type { Problem } from './verdict.ts';

/** What a session leaves for the others. `lines` may say `TRICK: …` or, from a validator, `CONFIRMED: …`. */
export type MemoryNote = {
  readonly session: number;
  readonly role: string;
  readonly item: ItemId | null;
  readonly lines: readonly string[];
};
/** `n`: counts the entries of a memory from 1. `at`: ISO 8601. */
export type MemoryEntry = MemoryNote & { readonly n: number; readonly at: string };

/** A pattern that a session found useful beyond its own item. */
export type Trick = {
  /** As it was first written. */
  readonly text: string;
  /** Roles and sessions that named it, in the order of the entries. */
  readonly roles: readonly string[];
  readonly sessions: readonly number[];
  /** The session of a validator that confirmed it; null: none did. */
  readonly confirmedBy: number | null;
  /** Named in two sessions, or confirmed by a validator. */
  readonly isConfirmed: boolean;
};

export const REPAIR_CAUSES = ['not-utf-8', 'binary', 'heading', 'too-long', 'unreadable'] as const;
/** A file of the memory that was not as the harness writes it. `file`: its absolute path. `unreadable`: it is left as it is, and not used. */
export type MemoryRepair = { readonly file: string; readonly why: (typeof REPAIR_CAUSES)[number] };

/** The line of a curator that was not promoted. */
export type RefusedPromotion = {
  readonly line: string;
  readonly why: 'unknown-trick' | 'unconfirmed' | 'unknown-role';
};
/** What a machine that remembers asks beyond the records of every session. */
export type MemoryAsk =
  /** What a session leaves for the others. Added once for the token of the action. */
  | ({ readonly what: 'memory' } & Omit<MemoryNote, 'session'>)
  /**
   * What a curator wrote. `file`: repository-relative, in the work tree of its agent. `upTo`: the marker of its brief; left out: it has read every
   * entry. `isLast`: too long a text is cut, and what is missing stays as it was; left out: a problem, and nothing is written.
   */
  | { readonly what: 'curated'; readonly file: string; readonly upTo?: number; readonly isLast?: true };
/** What became of a curator's file. */
export type CuratedOutcome = {
  /** False: nothing was written, because of the problems. */
  readonly isWritten: boolean;
  /** For the curator: what is missing, twice there or too long. */
  readonly problems: readonly Problem[];
  /** What was cut in the last attempt, and identities that were broken. */
  readonly repairs: readonly MemoryRepair[];
  /** Tricks that the identity of a role has now; those that it had before are among them. */
  readonly promoted: readonly { readonly role: string; readonly trick: string }[];
  readonly refused: readonly RefusedPromotion[];
};

/** Entries as text, for a curator's brief. */
export type RawText = {
  readonly text: string;
  /** The marker after the last entry in it. */
  readonly upTo: number;
  readonly entries: number;
  /** Newer entries that did not fit: a later curation reads them. */
  readonly left: number;
};
export type Curation = { readonly at: string; readonly session: number; readonly upTo: number };

/** What surveys and briefs may read of the memory. Fails with `state-unreadable` and `file-unreadable`. */
export type MemoryView = {
  /** Entries after this marker, oldest first, at most `tokens` (12,000 where it is left out). Left out: those that no curation has read. */
  rawSince(marker?: number, tokens?: number): Result<RawText>;
  /** How many entries no curation has read, and the last curation; null: there was none. */
  freshness(): Result<{ readonly fresh: number; readonly upTo: number; readonly last: Curation | null }>;
  tricks(): Result<readonly Trick[]>;
  /** The summary and the long memory as they are now, within their caps. */
  curatedTexts(): Result<{ readonly summary: string; readonly memory: string }>;
};
