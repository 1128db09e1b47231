// Lanes: how many items are worked on at the same time, and in which work tree each of them is. Pure.
//
// One item at a time has lane 0, the work tree of the run itself. Several have the lanes 1, 2, … with a work tree each, and the run's own is
// only read and committed from. An item that waits for an answer keeps its lane until another item needs it.
import type { RunMode } from '../model/run.ts';
import type { WaitingItem } from '../model/waiting-item.ts';
import type { LoopPosition, LoopState } from './positions.ts';
import { atWork, waitingHere, type LoopFile } from './run-file.ts';

/** Numbers of lanes. */
export type Lanes = readonly number[];
const ONE: Lanes = [0];
export const lanesFor = (count: number): Lanes => (count > 1 ? Array.from({ length: count }, (_, i) => i + 1) : ONE);

/**
 * How many actions are performed at once: beside the items, what comes next is chosen. Where an earlier run left more items under way than there are lanes
 * now, no more than these are at work; the others continue when one of them has ended.
 */
export const mostActions = (lanes: number, underWay: number): number => (underWay > lanes ? lanes : lanes + 1);

/** An item of a run with one lane is in the work tree of the run: no other is begun beside it. */
const usable = ({ running }: Pick<LoopFile, 'running'>, lanes: Lanes): Lanes =>
  running.some(({ lane }) => lane === 0) ? ONE : lanes;

/** Whether several items can be at work: then changes of the list need no free work tree. */
export const areSeveral = (lanes: Lanes): boolean => lanes.length > 1;

/** `lane` is free · `park`: this item makes room there first · `busy`: an item is at work in it. */
type LaneChoice = { readonly lane: number } | { readonly park: WaitingItem } | 'busy';

/** Where an item can continue (`wanted`: the lane that it was in) or begin. */
export function placeFor(file: LoopFile, lanes: Lanes, wanted?: number): LaneChoice {
  const all = usable(file, lanes);
  if (atWork(file).length >= all.length) return 'busy';
  const isFree = (lane: number): boolean => !file.running.some((one) => one.lane === lane);
  if (wanted !== undefined && lanes.includes(wanted)) {
    if (isFree(wanted)) return { lane: wanted };
    const waits = waitingHere(file).find(({ lane }) => lane === wanted);
    return waits === undefined ? 'busy' : { park: waits };
  }
  const free = all.find(isFree);
  if (free !== undefined) return { lane: free };
  const [first] = waitingHere(file);
  return first === undefined ? 'busy' : { park: first };
}

/** Whether another item may begin beside those at work. */
function hasRoom(s: LoopState, lanes: Lanes, mode: RunMode): boolean {
  const busy = atWork(s.file).length;
  if (s.mem.paused || s.mem.exit !== undefined || busy >= usable(s.file, lanes).length) return false;
  const { sessions, landed, waiting } = s.file.counts;
  const most = mode.maxSessions ?? (mode.untilDone ? Infinity : 1);
  return busy === 0 || (sessions + waiting + busy < most && landed + busy < (mode.maxItems ?? Infinity));
}

/** An item was begun, or one has ended: another is chosen where there is room. */
export const fill = (s: LoopState, lanes: Lanes, mode: RunMode): LoopState =>
  areSeveral(lanes) && s.at.stage === 'work' && hasRoom(s, lanes, mode)
    ? { ...s, at: { stage: 'choose', n: s.at.n + 1 } }
    : s;

/** Stages that no item is at work in, and that end what is under way. */
export const isExit = (at: LoopPosition['at']): at is NonNullable<LoopPosition['mem']['exit']> =>
  at.stage === 'ended' || at.stage === 'backoff' || at.stage === 'unavailable';

/** Items that are still at work end first. The end of the run counts before a backoff. */
export function drained(s: LoopState, lanes: Lanes, mode: RunMode): LoopState {
  const isBusy = atWork(s.file).length > 0;
  if (s.at.stage === 'choose' && (s.at.up ?? s.at.parks) !== undefined) return s;
  if (isBusy && isExit(s.at)) {
    const { exit = s.at } = s.mem;
    return {
      ...s,
      at: { stage: 'work', n: s.at.n },
      mem: { ...s.mem, exit: exit.stage === 'ended' ? exit : s.at },
    };
  }
  const { exit, ...mem } = s.mem;
  if (!isBusy && exit !== undefined) return { ...s, at: s.at.stage === 'ended' ? s.at : exit, mem };
  if (isBusy && s.at.stage === 'choose' && !hasRoom(s, lanes, mode)) return { ...s, at: { stage: 'work', n: s.at.n } };
  return s;
}

/** An answer is looked for while others are at work, so that its item continues. */
export const looksBeside = (s: LoopState, lanes: Lanes, mode: RunMode): boolean =>
  areSeveral(lanes) && atWork(s.file).length > 0 && hasRoom(s, lanes, mode);
