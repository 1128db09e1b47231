// What a run keeps about itself in a file of its own, and what it hears from the playbook. Data only.
import { z } from 'zod';
import type { ItemOutcome } from '../model/action.ts';
import type { Failure } from '../model/failure.ts';
import type { ItemId } from '../model/item.ts';
import type { Json } from '../model/json.ts';
import type { Problem } from '../model/verdict.ts';

export type ItemReport = ItemOutcome & { readonly id: ItemId; readonly session: number };
/** What the loop keeps about the run under way, from the first day in a file of its own. */
export type LoopFile = {
  readonly schema: 1;
  readonly run: string;
  readonly running: readonly { readonly item: ItemId; readonly lane: number; readonly session: number }[];
  readonly reports: readonly ItemReport[];
  /** Changes of the backlog that people asked for, applied before the next item is chosen. */
  readonly pending: readonly Pending[];
};
/** An edit of the playbook, committed by itself. `id` is the message's: the same message twice is one change. */
export type Pending = {
  readonly id: string;
  readonly subject: string;
  readonly edit: { readonly name: string; readonly input: Json };
  readonly item: ItemId | null;
};

/** Items that wait for each other, and the ways round, as people read them. */
export type Circle = { readonly items: readonly ItemId[]; readonly paths: readonly string[] };

/** What the playbook's survey `next` answers. */
export type NextFacts = {
  readonly next: ItemId | null;
  readonly remaining: number;
  readonly session: number;
  readonly failure: Failure | null;
  /** As the listing has it. */
  readonly prompt?: string;
  /** Set where the failure is nothing but this. */
  readonly circle?: Circle;
  /** An item that is left out, with unfinished work of its own on the branch. */
  readonly leftover?: ItemId;
};

/** Where the backlog, the log and the state are, repository-relative. `isOwn`: no commit carries the backlog. */
export type Where = {
  readonly backlog: string;
  readonly progress: string;
  readonly stateDir: string;
  readonly isOwn?: boolean;
};

/** What the playbook's procedure `final` answers. */
export type Broken = {
  readonly end: 'broken';
  readonly problems: readonly Problem[];
  readonly tests: { readonly failed: number; readonly total: number } | null;
  readonly broken: readonly ItemId[];
};
export type Final = { readonly end: 'unready'; readonly failure: Failure } | { readonly end: 'holds' } | Broken;

/** Reads the file; what it does not name is kept. */
export const loopFile = z.looseObject({
  schema: z.literal(1),
  run: z.string(),
  running: z.array(z.object({ item: z.string(), lane: z.number(), session: z.number() })),
  reports: z.array(z.looseObject({ id: z.string(), session: z.number(), result: z.string() })),
  pending: z.array(z.looseObject({ id: z.string(), subject: z.string() })).default([]),
});
export const emptyLoop = (run: string): LoopFile => ({ schema: 1, run, running: [], reports: [], pending: [] });
