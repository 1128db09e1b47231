// One unit of work, as every playbook shows it, whatever its own file calls it.
import { z } from 'zod';
import type { Params } from './failure.ts';

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
  /** How often it may be tried; left out: not limited. */
  readonly maxAttempts?: number;
  /** Items that keep this one from being ready, in the order of the file. */
  readonly blockedBy: readonly ItemId[];
};

/** Used as the item id of a cleanup session; no item can have it. */
export const CLEANUP: ItemId = 'cleanup';
/** The key under which the cost of a session is recorded: its item, or what the session is instead. */
export const bookedOn = ({ item, role }: { readonly item: ItemId | null; readonly role: string }): ItemId =>
  item ?? (role === CLEANUP ? CLEANUP : '0');

/** A user removed it from the queue. `unblock`: items that depend on it may start. */
export type Skipped = { readonly reason: string; readonly unblock: boolean; readonly at?: string };
/** A user decided without proof. Stays visible until the item lands with proof. */
export type Override = {
  readonly passes: boolean;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
};
/** It passed once and fails now, or it broke another item. */
export type Failing = { readonly reason: string };

/** A command that an item brings with it as its proof. */
export const ownProofSchema = z.object({ command: z.string(), timeoutMs: z.number() });
export type OwnProof = z.output<typeof ownProofSchema>;

/** What a user has to check, because no test shows it. */
export const byHandSchema = z.object({
  kind: z.enum(['hybrid', 'manual']),
  /** What to check, and the steps that lead there. */
  checks: z.array(z.string()).readonly(),
  steps: z.array(z.string()).readonly(),
  /** Automated checks that are commands: run by the harness in addition to the test. */
  commands: z.array(z.string()).readonly(),
});
export type ByHand = z.output<typeof byHandSchema>;

/** The details of an item, in any backlog format. */
export type Subject = {
  readonly id: ItemId;
  readonly title: string;
  /** '' where the format has none. */
  readonly category: string;
  readonly testFile: string | null;
  /** Left out: it is proved by its test file, or not by itself. */
  readonly proof?: OwnProof;
  /** Old test files that it may change. */
  readonly mayChangeTests: readonly string[];
  /** Why it is too large for one session; empty if it is not, or if a user accepted its size. */
  readonly oversized: readonly { readonly flag: string; readonly params: Params }[];
  /** null: a test or command proves it all. */
  readonly byHand: ByHand | null;
  readonly steps: readonly string[];
  readonly verification: string;
  readonly manualChecks: readonly string[];
  /** Files that it is expected to touch; left out: not given. */
  readonly files?: readonly string[];
  /** What its author says of it beyond the rest; left out: nothing. */
  readonly notes?: string;
  readonly passes: boolean;
  readonly skipped: Skipped | null;
  readonly override: Override | null;
  readonly failing: Failing | null;
  /** Items that depend on it, directly or indirectly. */
  readonly dependents: readonly ItemId[];
};

/** `at`: ISO 8601; without it the file's own date fields stay as they are. */
export const itemChangeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('landed'), at: z.string().optional() }),
  z.object({ type: z.literal('failing'), why: z.string() }),
  z.object({ type: z.literal('skipped'), reason: z.string(), unblock: z.boolean(), at: z.string().optional() }),
  z.object({
    type: z.literal('overridden'),
    passes: z.boolean(),
    reason: z.string(),
    by: z.string(),
    at: z.string(),
  }),
  z.object({ type: z.literal('size-accepted') }),
  z.object({ type: z.literal('retitled'), title: z.string() }),
]);
export type ItemChange = z.output<typeof itemChangeSchema>;
