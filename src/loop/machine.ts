// The loop over items is a machine too: choose the next item, have it worked, go on or stop.
//
//   choose ─┬─ an item ─▶ work ─┬─ goes on ─▶ choose
//           │                   └─ limit, gate, pause, trouble ─▶ ended
//           │                   └─ the agent cannot be had ─▶ rest ─▶ choose; too often ─▶ unavailable? ─▶ choose, or ended
//           ├─ one that is left out has left something behind ─▶ unwind ─▶ choose
//           ├─ none ready ─▶ ended: blocked
//           ├─ they wait for each other ─▶ circle? ─▶ mark ─▶ choose, or ended
//           └─ none left ─▶ final ─┬─ holds ─▶ ended: done; in maintenance ─▶ rest ─▶ choose
//                                  └─ else ─▶ false positives? ─▶ mark ─▶ choose, or ended
//
// What people ask for is committed between items: before one is chosen, and before the end.
// An item is one action; its performer drives the item's own machine. Several lanes are a longer list, not another loop.
import type { External, Machine } from '../engine/types.ts';
import type { Actions } from '../model/action.ts';
import type { Json } from '../model/json.ts';
import type { RunMode } from '../model/run.ts';
import { end, position, type At, type Mem, type S } from './positions.ts';
import { loopFile, type LoopFile, type Pending, type Where } from './run-file.ts';
import { changesOnly } from './stages/changes.ts';
import { finished } from './stages/finished.ts';
import { items } from './stages/items.ts';
import { marking } from './stages/marking.ts';
import { waiting } from './stages/waiting.ts';

export function loopMachine(mode: RunMode, where: Where): Machine<LoopFile, At, Mem, Actions> {
  const given = { mode, where };
  return {
    name: 'loop',
    version: 2,
    file: { parse: (value) => loopFile.parse(value) as unknown as LoopFile },
    position,
    place: (file) => ({
      at: file.running.length > 0 ? { stage: 'work', n: 0 } : { stage: 'choose', n: 0 },
      mem: { paused: false, applied: [] },
    }),
    on: begin,
    stages: mode.work ? { ...items(given), ...waiting, ...marking(given), ...finished(given) } : changesOnly(given),
  };
}

/** A message to the loop alone: the session under way comes to its end, no other begins. */
export const STOP_AFTER_SESSION = { stop: 'after-session' } as const;
const isStop = (body: Json): boolean =>
  typeof body === 'object' && body !== null && 'stop' in body && body['stop'] === STOP_AFTER_SESSION.stop;

/** The run whose tokens begin so: its name stands behind the place where it runs. */
const runOf = (base: string): string => base.slice(base.lastIndexOf('#') + 1);

/** A new life begins where the last one stood; an ended one begins anew with the items that are still under way. */
function begin(s: S, event: External): S {
  if (event.type === 'pause') return pausing(s);
  if (event.type === 'message') {
    if (isStop(event.body)) return pausing(s);
    return received(s, event.id, event.body as unknown as Omit<Pending, 'id'>);
  }
  if (event.type !== 'life-started') return s;
  const isOver = s.at.stage === 'ended';
  const run = runOf(event.life);
  const file = s.file.run === run ? s.file : { ...s.file, run, reports: [] };
  const at: At = isOver ? { stage: 'choose', n: s.at.n + 1 } : s.at;
  if (file === s.file && at === s.at && !s.mem.paused) return s;
  const { unwound = [], ...mem } = s.mem;
  const kept = file === s.file && unwound.length > 0 ? { unwound } : {};
  return { file, at, mem: { ...mem, paused: false, applied: [], ...kept } };
}

/** A rest is nothing to be waited for. */
function pausing(s: S): S {
  const paused = { ...s, mem: { ...s.mem, paused: true } };
  return s.at.stage === 'rest' || s.at.stage === 'maintain' ? end(paused, 'paused', 'asked') : paused;
}

function received(s: S, id: string, change: Omit<Pending, 'id'>): S {
  const isKnown = s.file.pending.some((p) => p.id === id) || s.mem.applied.some((a) => a.id === id);
  return isKnown ? s : { ...s, file: { ...s.file, pending: [...s.file.pending, { ...change, id }] } };
}
