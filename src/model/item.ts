// One unit of work, as every playbook shows it, whatever its own file calls it.

/** An item's id as people type it: "12", "task-003", "F-AUTH-2". Always text, also where a file stores a number. */
export type ItemId = string;

export type ItemStatus =
  | 'pending'
  | 'ready'
  | 'active'
  | 'waiting'
  | 'landed'
  | 'unproved'
  | 'failed'
  | 'blocked'
  | 'skipped';

export type Item = {
  readonly id: ItemId;
  readonly title: string;
  readonly status: ItemStatus;
  readonly dependsOn: readonly ItemId[];
  /** Lower runs first; null where the file gives none. */
  readonly priority: number | null;
  readonly attempts: number;
  /** How often it may be tried; left out: nobody has said. */
  readonly maxAttempts?: number;
  /** Items that keep this one from being ready, in the order of the file. */
  readonly blockedBy: readonly ItemId[];
};

/** Stands where the id of an item would, for a session that tidies up: no item can have it. */
export const CLEANUP: ItemId = 'cleanup';
/** Where what a session cost is written down and counted: under its item, or under what it is instead of one. */
export const bookedOn = ({ item, role }: { readonly item: ItemId | null; readonly role: string }): ItemId =>
  item ?? (role === CLEANUP ? CLEANUP : '0');

/** A person took it out of the queue. `unblock`: those who depend on it need not wait. */
export type Skipped = { readonly reason: string; readonly unblock: boolean; readonly at?: string };
/** A person decided without proof. Stays visible until the item lands with proof. */
export type Override = {
  readonly passes: boolean;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
};
/** It held once and does not any more, or it broke another. */
export type Failing = { readonly reason: string };

/** A command that an item brings with it as its proof. */
export type OwnProof = { readonly command: string; readonly timeoutMs: number };

/** What a backlog says of one item, whatever its format. */
export type Subject = {
  readonly id: ItemId;
  readonly title: string;
  readonly testFile: string | null;
  /** Left out: it is proved by its test file, or not by itself. */
  readonly proof?: OwnProof;
  readonly steps: readonly string[];
  readonly verification: string;
  readonly manualChecks: readonly string[];
  /** Files that it is expected to touch; left out: nobody has said. */
  readonly files?: readonly string[];
  readonly passes: boolean;
  readonly skipped: Skipped | null;
  readonly override: Override | null;
  readonly failing: Failing | null;
  /** Items that wait behind it, near or far. */
  readonly dependents: readonly ItemId[];
};

/** `at`: ISO 8601; without it the file's own date fields stay as they are. */
export type ItemChange =
  | { readonly type: 'landed'; readonly at?: string }
  | { readonly type: 'failing'; readonly why: string }
  | { readonly type: 'skipped'; readonly reason: string; readonly unblock: boolean; readonly at?: string }
  | {
      readonly type: 'overridden';
      readonly passes: boolean;
      readonly reason: string;
      readonly by: string;
      readonly at: string;
    }
  | { readonly type: 'size-accepted' };
