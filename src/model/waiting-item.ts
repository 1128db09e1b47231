// Items that wait for an answer while others continue: what the loop asks about them, and what comes of it.
import type { ItemId } from './item.ts';

/** An item that waits for an answer, and what it continues with. */
export type WaitingItem = {
  readonly item: ItemId;
  /** Where it was at work; it continues there where it can. */
  readonly lane: number;
  readonly session: number;
  readonly gate: string;
  readonly resumes: string;
};
/** `waits`: until one of them can continue, or none will without a user. `areOthersAtWork`: until one can continue. */
export type LookAsk = {
  readonly items: readonly WaitingItem[];
  readonly waits: boolean;
  readonly areOthersAtWork?: true;
};
/** What waiting items came to, by `resumes`. */
export type LookOutcome = {
  /** Answered, or due by their policy. */
  readonly ready: readonly string[];
  /** Skipped or landed by other means: their work counts no more. */
  readonly over: readonly string[];
  /** At least one of the others is answered by its policy in time. */
  readonly isDueLater: boolean;
};
/** Takes the work of a waiting item out of the work tree, onto a ref of its own, so that another item can start from the tip. */
export type ParkAsk = {
  readonly item: ItemId;
  readonly session: number;
  readonly resumes: string;
  /** Left out: 0. */
  readonly lane?: number;
};
/** `isParked` false: git cannot keep the work tree (a repository inside), which stays as it is. */
export type ParkOutcome = { readonly isParked: boolean };
/** Ends the parking. `to`: `work-tree`: its work is where it was; `attempt`: it counts no more, and its questions are withdrawn. */
export type UnparkAsk = ParkAsk & { readonly to: 'work-tree' | 'attempt' };
export type UnparkOutcome = { readonly attempt: string | null };
