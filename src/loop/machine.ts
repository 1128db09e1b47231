// The loop over items is a machine too: choose the next item, have it worked on, continue or stop.
//
//   choose ─┬─ the machine has to let the run begin: its `begin` procedure, once a run ─▶ choose, or ended
//           ├─ an item ─▶ work ─┬─ continues, or waits for an answer ─▶ choose
//           │                   ├─ limit, pause, failure ─▶ ended
//           │                   └─ the agent is unavailable ─▶ backoff ─▶ choose; too often ─▶ unavailable? ─▶ choose, or ended
//           ├─ a skipped item left work on the branch ─▶ revert-wip ─▶ choose
//           ├─ none ready ─▶ ended: blocked, or gate where items wait for an answer
//           ├─ they wait for each other ─▶ cycle? ─▶ flag ─▶ choose, or ended
//           └─ none left ─▶ final ─┬─ holds ─▶ ended: done; in maintenance ─▶ maintain ─▶ choose
//                                  └─ else ─▶ false-positives? ─▶ flag ─▶ choose, or ended
//
// Changes that users ask for are committed between items: before one is chosen, and before the end.
// An item that waits for an answer holds nothing up: its work is parked on a ref before another item begins, and comes back with the answer.
// An item is one action; its performer drives the item's own machine. With several lanes (lanes.ts) the next one is chosen while others are at
// work; stages other than choose and work are entered when none is.
import type { External, Machine } from '../engine/types.ts';
import type { Actions } from '../model/action.ts';
import type { Json } from '../model/json.ts';
import type { RunMode } from '../model/run.ts';
import { fill, lanesFor } from './lanes.ts';
import { end, positionSchema, type LoopContext, type LoopPosition, type LoopState } from './positions.ts';
import { atWork, listChangeSchema, loopFile, NOTHING_COUNTED, type LoopFile } from './run-file.ts';
import { finished, waiting } from './stages/between.ts';
import { changesOnly, flagging } from './stages/changes.ts';
import { items } from './stages/items.ts';

export type LoopMachine = Machine<LoopFile, LoopPosition['at'], LoopPosition['mem'], Actions>;

/** Who writes `loop.jsonl`. */
export const LOOP = { name: 'loop', version: 3 } as const;

export function loopMachine(mode: RunMode, about: Omit<LoopContext, 'mode'>): LoopMachine {
  const context = { mode, ...about };
  return {
    ...LOOP,
    file: loopFile,
    position: positionSchema,
    place: (file) => ({
      at: { stage: atWork(file).length > 0 ? 'work' : 'choose', n: lastPosition(file) },
      mem: { paused: false, applied: [], backoffs: 0, flags: 0, reverted: [] },
    }),
    on: (s, event) => {
      const next = onEvent(s, event);
      return mode.work && event.type === 'life-started' ? fill(next, context.lanes ?? lanesFor(1), mode) : next;
    },
    stages: mode.work
      ? { ...items(context), ...waiting, ...flagging(context), ...finished(context) }
      : changesOnly(context),
  };
}

/** Keys of items name the position that they began in: none is used again where the position was lost. */
const lastPosition = ({ running }: LoopFile): number => Math.max(0, ...running.map(({ n = 0 }) => n));

/** A message to the loop alone: the session under way ends by itself, no other starts. */
export const STOP_AFTER_SESSION = { stop: 'after-session' } as const;
const isStop = (body: Json): boolean =>
  typeof body === 'object' && body !== null && 'stop' in body && body['stop'] === STOP_AFTER_SESSION.stop;

/** The run of a token base, in which the name of the run follows the path of the repository. */
const runOf = (base: string): string => base.slice(base.lastIndexOf('#') + 1);

/** A new process continues where the last one stopped; an ended run starts again with the items that are still under way. */
function onEvent(s: LoopState, event: External): LoopState {
  if (event.type === 'pause') return pausing(s);
  if (event.type === 'message') return isStop(event.body) ? pausing(s) : received(s, event.id, event.body);
  if (event.type !== 'life-started') return s;
  const run = runOf(event.life);
  const isSameRun = s.file.run === run;
  const { aside: _, ...kept } = s.file;
  const file = isSameRun ? s.file : { ...kept, run, counts: NOTHING_COUNTED };
  const at: LoopPosition['at'] = s.at.stage === 'ended' ? { stage: 'choose', n: s.at.n + 1 } : s.at;
  if (isSameRun && at === s.at && !s.mem.paused) return s;
  const { exit: _exit, hasBegun, ...mem } = s.mem;
  const begun = isSameRun && hasBegun ? { hasBegun } : {};
  return { file, at, mem: { ...mem, ...begun, paused: false, applied: [], reverted: isSameRun ? s.mem.reverted : [] } };
}

/** A pause does not wait for the end of a backoff. */
function pausing(s: LoopState): LoopState {
  const paused = { ...s, mem: { ...s.mem, paused: true } };
  const isWaiting = s.at.stage === 'choose' && s.at.isLast === true && s.at.up === undefined;
  const isIdle = s.at.stage === 'backoff' || s.at.stage === 'maintain' || isWaiting;
  return isIdle ? end(paused, 'paused', 'asked') : paused;
}

function received(s: LoopState, id: string, body: Json): LoopState {
  const isKnown = s.file.pending.some((p) => p.id === id) || s.mem.applied.some((a) => a.id === id);
  if (isKnown) return s;
  const change = listChangeSchema.omit({ id: true }).parse(body);
  return { ...s, file: { ...s.file, pending: [...s.file.pending, { ...change, id }] } };
}
