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
  /** Items that keep this one from being ready, in the order of the file. */
  readonly blockedBy: readonly ItemId[];
};

/** Stands where the id of an item would, for a session that tidies up: no item can have it. */
export const CLEANUP: ItemId = 'cleanup';
