// The positions of the loop, what it counts, and the words in which its rows are written.
import { z } from 'zod';
import type { Done, Machine, State } from '../engine/types.ts';
import type { Actions, CommitOutcome, WriteOutcome } from '../model/action.ts';
import type { Failure } from '../model/failure.ts';
import type { ItemId } from '../model/item.ts';
import type { RunMode, RunResult } from '../model/run.ts';
import type { Broken, Circle, LoopFile, Where } from './run-file.ts';
import type { Mark } from './wants.ts';

export type At =
  | { readonly stage: 'choose'; readonly n: number }
  | { readonly stage: 'work'; readonly n: number }
  | { readonly stage: 'rest'; readonly n: number; readonly why: Failure }
  | { readonly stage: 'unavailable'; readonly n: number; readonly why: Failure }
  /** Everything has landed: does it still hold? */
  | { readonly stage: 'final'; readonly n: number }
  | { readonly stage: 'maintain'; readonly n: number }
  | { readonly stage: 'false-positives'; readonly n: number; readonly found: Broken }
  /** Unfinished work of an item that is left out is taken back. */
  | { readonly stage: 'unwind'; readonly n: number; readonly item: ItemId }
  | { readonly stage: 'circle'; readonly n: number; readonly circle: Circle }
  /** These items are marked, one after another. */
  | { readonly stage: 'mark'; readonly n: number; readonly items: readonly ItemId[]; readonly mark: Mark }
  | {
      readonly stage: 'ended';
      readonly n: number;
      readonly result: RunResult;
      readonly reason: string;
      readonly failure: Failure | null;
    };
/** What people asked for: the commit it made, or `isWritten`, that a file which no commit carries has changed. */
export type Applied = { readonly id: string; readonly commit: string | null; readonly isWritten?: true };
export type Mem = {
  readonly paused: boolean;
  /** Rests in a row, without a session in between that got anywhere. */
  readonly rests?: number;
  /** Times in a row that items were marked, or should have been edited, without a session in between. */
  readonly marks?: number;
  /** Items whose unfinished work was taken back in this run, or could not be: it is tried once. */
  readonly unwound?: readonly ItemId[];
  readonly applied: readonly Applied[];
};
export type S = State<LoopFile, At, Mem>;
export type Stages = Machine<LoopFile, At, Mem, Actions>['stages'];
/** What every row may know. */
export type Given = { readonly mode: RunMode; readonly where: Where };

export const STAGES = [
  'choose',
  'work',
  'rest',
  'unavailable',
  'unwind',
  'circle',
  'final',
  'maintain',
  'false-positives',
  'mark',
  'ended',
] as const satisfies readonly At['stage'][];

const stored = z.object({
  at: z.looseObject({ stage: z.enum(STAGES), n: z.number() }),
  mem: z.looseObject({ paused: z.boolean(), applied: z.array(z.looseObject({ id: z.string() })) }),
});
export const position = { parse: (value: unknown) => stored.parse(value) as unknown as { at: At; mem: Mem } };

export const end = (s: S, result: RunResult, reason: string, failure: Failure | null = null): S => ({
  ...s,
  at: { stage: 'ended', n: s.at.n, result, reason, failure },
});
export const choose = (s: S): S => ({ ...s, at: { stage: 'choose', n: s.at.n + 1 } });

/** The first of what waits is done; nothing where the outcome is of something else. */
export function applied<T extends S>(s: T, done: Pick<Done<Actions>, 'kind' | 'key' | 'outcome'>): T {
  const how = appliedBy(done);
  if (how === null) return s;
  return {
    ...s,
    file: { ...s.file, pending: s.file.pending.slice(1) },
    mem: { ...s.mem, applied: [...s.mem.applied, { id: done.key, ...how }] },
  };
}

function appliedBy({ kind, outcome }: Pick<Done<Actions>, 'kind' | 'outcome'>): Omit<Applied, 'id'> | null {
  if (kind === 'commit') return { commit: (outcome as CommitOutcome).commit };
  if (kind !== 'write') return null;
  return { commit: null, ...((outcome as WriteOutcome).written.length > 0 ? { isWritten: true } : {}) };
}

export const restsOf = (s: S): number => s.mem.rests ?? 0;

/** After marks there is something to work on: more in a row, without a session, means that they do not reach the backlog. */
const MOST_MARKS = 2;
export const isMarkedInVain = (s: S): boolean => (s.mem.marks ?? 0) >= MOST_MARKS;
export const marked = (s: S): S => choose({ ...s, mem: { ...s.mem, marks: (s.mem.marks ?? 0) + 1 } });
export const failingOf = (n: number, items: readonly ItemId[]): At => ({
  stage: 'mark',
  n,
  items,
  mark: { as: 'failing' },
});
