// The positions of the loop, what it counts, and the moves that several stages make.
import { z } from 'zod';
import { addedItem, finalResult, nextFacts, type ItemMachine } from '../engine/playbook.ts';
import type { Done, Machine, State } from '../engine/types.ts';
import type { Actions } from '../model/action.ts';
import { failureSchema, type Failure } from '../model/failure.ts';
import type { ItemId } from '../model/item.ts';
import { RUN_RESULTS, type RunMode, type RunResult } from '../model/run.ts';
import { notAside, type BacklogPath, type LoopFile } from './run-file.ts';
import { flagSchema } from './wants.ts';

/** `n` counts the items that were chosen: keys made with it are used once. */
const n = z.number();
const cycle = nextFacts.shape.cycle.unwrap();
export type CycleFacts = z.output<typeof cycle>;
const [, , brokenProject] = finalResult.options;

const backoff = z.object({ stage: z.literal('backoff'), n, why: failureSchema });
const unavailable = z.object({ stage: z.literal('unavailable'), n, why: failureSchema });
const ended = z.object({
  stage: z.literal('ended'),
  n,
  result: z.enum(RUN_RESULTS),
  reason: z.string(),
  failure: failureSchema.nullable(),
});

export const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({
      stage: z.literal('choose'),
      n,
      /** Nothing else can continue: an answer is waited for, or given by a policy in time. */
      isLast: z.literal(true).optional(),
      /** What the items that wait for an answer came to; left out: not looked yet. */
      looked: z.object({ isDueLater: z.boolean() }).optional(),
      /** An item that continues (in this lane), or whose work counts no more; by `resumes`. */
      up: z
        .object({ resumes: z.string(), to: z.enum(['work-tree', 'attempt']), lane: z.number().optional() })
        .optional(),
      /** The next item: it begins when a work tree is free. */
      chosen: z.object({ item: z.string(), session: z.number() }).optional(),
      /** With several lanes: the item that makes room, by `resumes`. */
      parks: z.string().optional(),
    }),
    /** Nothing is chosen before one of the items at work ends. */
    z.object({ stage: z.literal('work'), n }),
    backoff,
    unavailable,
    /** Every item has landed: does the whole still hold? */
    z.object({ stage: z.literal('final'), n }),
    z.object({ stage: z.literal('maintain'), n }),
    z.object({ stage: z.literal('false-positives'), n, found: brokenProject }),
    /** The unfinished work of a skipped item is reverted. */
    z.object({ stage: z.literal('revert-wip'), n, item: z.string() }),
    z.object({ stage: z.literal('cycle'), n, cycle }),
    /** These items are flagged in the list, one after another. */
    z.object({ stage: z.literal('flag'), n, items: z.array(z.string()).readonly(), flag: flagSchema }),
    ended,
  ]),
  mem: z.object({
    paused: z.boolean(),
    /** Where the loop goes when the items that are still at work have ended: no other is chosen. */
    exit: z.discriminatedUnion('stage', [backoff, unavailable, ended]).optional(),
    /** The machine has let this run begin. */
    hasBegun: z.literal(true).optional(),
    /** Backoffs in a row, without a session in between that got anywhere. */
    backoffs: z.number(),
    /** Times in a row that items were flagged, or should have been edited, without a session in between. */
    flags: z.number(),
    /** Items whose unfinished work was reverted in this run, or could not be: it is tried once. */
    reverted: z.array(z.string()).readonly(),
    /**
     * Changes that users asked for: the commit of each, or `isWritten`, that a file which no commit carries has changed.
     */
    applied: z
      .array(z.object({ id: z.string(), commit: z.string().nullable(), isWritten: z.literal(true).optional() }))
      .readonly(),
  }),
});
export type LoopPosition = z.output<typeof positionSchema>;
export type AppliedChange = LoopPosition['mem']['applied'][number];
export type LoopState = State<LoopFile, LoopPosition['at'], LoopPosition['mem']>;
export type LoopStages = Machine<LoopFile, LoopPosition['at'], LoopPosition['mem'], Actions>['stages'];
export type LoopContext = {
  readonly mode: RunMode;
  readonly path: BacklogPath;
  readonly machine: Pick<ItemMachine, 'begin' | 'adds' | 'next' | 'final' | 'revertWip' | 'asksAfterTrouble'>;
  /** Numbers of lanes (lanes.ts); left out: that of one item at a time. */
  readonly lanes?: readonly number[];
};

export const end = (s: LoopState, result: RunResult, reason: string, failure: Failure | null = null): LoopState => ({
  ...s,
  at: { stage: 'ended', n: s.at.n, result, reason, failure },
});
export const choose = (s: LoopState): LoopState => ({ ...s, at: { stage: 'choose', n: s.at.n + 1 } });

/** No other item is begun in this run. null: there is no limit, or it is not reached. */
export function limitReached({ file }: LoopState, mode: RunMode): 'max-sessions' | 'max-items' | null {
  const { sessions, landed } = file.counts;
  if (mode.maxSessions !== null && sessions >= mode.maxSessions) return 'max-sessions';
  return mode.maxItems !== null && landed >= mode.maxItems ? 'max-items' : null;
}

/** The first of the pending changes is applied. */
export function applied<T extends LoopState>(s: T, done: ChangeDone): T {
  const [first, ...pending] = s.file.pending;
  return {
    ...s,
    file: { ...notAside(s.file, first?.item ?? null), pending },
    mem: { ...s.mem, applied: [...s.mem.applied, appliedBy(done)] },
  };
}
type ChangeDone = Done<Actions, 'commit'> | Done<Actions, 'write'> | Done<Actions, 'procedure'>;

function appliedBy(done: ChangeDone): AppliedChange {
  const id = done.key;
  if (done.kind === 'commit') return { id, commit: done.outcome.commit };
  if (done.kind === 'procedure') return { id, commit: addedItem.parse(done.outcome.output).commit };
  return { id, commit: null, ...(done.outcome.written.length > 0 ? { isWritten: true } : {}) };
}

/** null: it is none. A procedure of a change has the change's id as its key. */
export function listChange(done: Done<Actions>, { file }: LoopState): ChangeDone | null {
  if (done.kind === 'commit' || done.kind === 'write') return done;
  return done.kind === 'procedure' && done.key === file.pending[0]?.id ? done : null;
}

/** After flags there is something to work on: more in a row, without a session, means that they do not reach the list. */
const MOST_FLAGS = 2;
export const areFlagsInVain = (s: LoopState): boolean => s.mem.flags >= MOST_FLAGS;
export const flagged = (s: LoopState): LoopState => choose({ ...s, mem: { ...s.mem, flags: s.mem.flags + 1 } });
export const flagFailing = (at: number, items: readonly ItemId[]): LoopPosition['at'] => ({
  stage: 'flag',
  n: at,
  items,
  flag: { as: 'failing' },
});
