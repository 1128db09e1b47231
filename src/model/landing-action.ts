// Actions of a landing: the turn, newer commits, the commit with its evidence, and work that is kept because it does not land yet.
import type { Checkpoint } from './checkpoint.ts';
import type { ItemId } from './item.ts';
import type { MergedWork } from './merged-work.ts';
import type { ProofSummary } from './proof.ts';
import type { EditCall } from './remember.ts';
import type { Problem, Verdict } from './verdict.ts';

/** Keeps the work tree as the work in progress of the item, on a ref of its own, and restores the checkpoint, on the newest tip. */
export type KeepWipAsk = {
  readonly item: ItemId;
  readonly session: number;
  readonly subject: string;
  /** Start of the session. */
  readonly checkpoint: Checkpoint;
  /** Files that the harness writes itself: they are no work in progress. */
  readonly own: readonly string[];
  /** What was verified and could not land; left out: the work tree as it is. */
  readonly tree?: string;
  /** What is in the work tree, where it was merged with newer commits to land; left out: it is `tree`. */
  readonly merged?: string;
  /** How far this work has come, in the machine's own words; left out: it is not done. */
  readonly reached?: string;
};
/** `commit` null: there is nothing to keep. */
export type KeepWipOutcome = { readonly commit: string | null; readonly refused: Problem | null };
/** The work in progress of the item becomes an attempt: its next session starts from the tip. */
export type DropWipAsk = { readonly item: ItemId };
/** `attempt` null: there was none. */
export type DropWipOutcome = { readonly attempt: string | null };

/** Brings the work in progress of the item into the work tree, which is as in the checkpoint. Repeated, it begins again from there. */
export type TakeWipAsk = { readonly item: ItemId; readonly session: number; readonly checkpoint: Checkpoint };
/** `isThere`: false where there is none, or where it does not fit the branch any more and is an attempt now. */
export type TakeWipOutcome = { readonly isThere: boolean };

/** One commit made by the harness. `accept` lands an item, and ends its work in progress; `plain` is an ordinary commit. */
export type CommitAsk = {
  readonly style: 'accept' | 'plain';
  readonly item: ItemId | null;
  readonly session: number;
  readonly subject: string;
  readonly body: string;
  /** Start of the session: commits that the agent made since are kept as an attempt and left out. null: HEAD as it is. */
  readonly checkpoint: Checkpoint | null;
  /** The verified tree: the commit is refused if the work tree differs. null: no check. */
  readonly tree: string | null;
  /** The newest commit that the verified tree was merged with; left out: that of the checkpoint. */
  readonly mergedWith?: string;
  /** Only these paths are committed; null: everything that is not ignored. */
  readonly only: readonly string[] | null;
  /** Changes that the harness itself makes to its own files. */
  readonly edit: EditCall | null;
  /** How strong the proof of a landing is; left out: the commit does not say. */
  readonly proof?: ProofSummary['strength'];
  /** The session that lands: a bundle of its evidence is made, and the commit message has the bundle's hash. */
  readonly bundle?: BundleAsk;
  /** `theirs` becomes the second parent; refused where HEAD is not `mine` any more. Left out: one parent. */
  readonly merges?: { readonly mine: string; readonly theirs: string };
  /** The changes of the item's provisional commits (of an older version) are reverted: they no longer count. Left out: they count. */
  readonly unwinds?: true;
  /** A branch that becomes the commit, for others to merge; nothing else moves. Left out: the current branch gets it. */
  readonly onto?: string;
};
export type CommitOutcome = {
  readonly commit: string | null;
  readonly tree: string;
  readonly refused: Problem | null;
  /** `sha256:…` of the manifest of the bundle that belongs to the commit. */
  readonly evidence?: string;
  /** Files of the user's work tree that are not as in the commit, because the user changed them meanwhile. */
  readonly stay?: readonly string[];
};

/**
 * Takes the turn to land, waiting for a few seconds where another item has it, and merges the work with the newest commit: it is proved once, as it will
 * land. Nothing is written into the work tree.
 */
export type TakeTurnAsk = Omit<BringAsk, 'tree' | 'work'>;
/** `newest` null: there is no newer commit, or the item does not have the turn. */
export type TakeTurnOutcome = { readonly has: boolean; readonly newest: MergedWork | null };
/** What was proved in the turn does not hold: others land, and the baseline is again that of the checkpoint. */
export type GiveTurnAsk = Pick<BringAsk, 'item' | 'checkpoint'>;

/** Brings verified work onto commits that came meanwhile, in the work tree; no ref moves. */
export type BringAsk = {
  readonly item: ItemId | null;
  readonly session: number;
  /** Start of the session. */
  readonly checkpoint: Checkpoint;
  /** The verified tree, which is in the work tree. */
  readonly tree: string;
  /** The work by itself, where `tree` has it merged with newer commits already; left out: it is `tree`. */
  readonly work?: string;
  /** Files that the harness writes itself: they stay. */
  readonly own: readonly string[];
};
/** `checkpoint`: on top of the newer commits. */
export type BringOutcome =
  | { readonly tree: string; readonly checkpoint: Checkpoint; readonly problem: null }
  | { readonly tree: null; readonly problem: Problem };

/** Writes a kept tree into the work tree; what was there is kept already. No ref moves. */
export type TakeTreeAsk = { readonly tree: string };
export type TakeTreeOutcome = { readonly tree: string };

/** Facts about a session that lands, for its evidence bundle. */
export type BundleAsk = {
  readonly title: string;
  readonly role: string;
  readonly attempt: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** The end of the agent's text. */
  readonly said: string;
  /** Start of the session: the claim is its change of the item since. */
  readonly checkpoint: Checkpoint;
  readonly verdict: Verdict;
  /** The backlog, repository-relative. */
  readonly backlog: string;
  /** The session of the agent whose work it is, where that is another one; left out: the session that lands. */
  readonly by?: number;
  /** Its agents make no claims and need not show a test run; left out: they do. */
  readonly claims?: false;
  /** Left out: as the verdict says. */
  readonly proof?: ProofSummary;
  /**
   * What says that the item is done; left out: as the list and the verdict say. `flip`: its claim in the list · `command`: its own command · `gate`: a question at the end · `person`:
   * a user verified it.
   */
  readonly claim?: 'flip' | 'command' | 'gate' | 'person';
};
