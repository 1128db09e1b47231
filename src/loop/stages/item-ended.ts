// What follows from the end of an item: another one, the end of the run, or a backoff.
import type { Done } from '../../engine/types.ts';
import { SESSION_ABANDONED, type Actions, type ItemOutcome } from '../../model/action.ts';
import { inWords } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { MOST_RESTS } from '../../model/retry.ts';
import type { RunMode, RunResult } from '../../model/run.ts';
import { hasOwnTrouble, isOfItemAlone, leftAside } from '../aside.ts';
import { areSeveral, isExit, type Lanes } from '../lanes.ts';
import { areFlagsInVain, choose, end, limitReached, type LoopContext, type LoopState } from '../positions.ts';

/** Results of sessions that have a record; others may not have begun, and their number is free. */
const ENDED: readonly ItemOutcome['result'][] = ['landed', 'unproved', 'partial', 'failed', 'rejected'];

const isLeftover = (s: LoopState, { reason }: ItemOutcome): boolean => reason === 'user_pause' && !s.mem.paused;

const counted = (
  counts: LoopState['file']['counts'],
  { result, reason }: ItemOutcome,
): LoopState['file']['counts'] => ({
  sessions: counts.sessions + (result === 'skipped' || result === 'gate' || reason === SESSION_ABANDONED ? 0 : 1),
  landed: counts.landed + (result === 'landed' ? 1 : 0),
  skipped: counts.skipped + (result === 'skipped' ? 1 : 0),
  waiting: counts.waiting + (result === 'gate' ? 1 : 0),
});

/** A work tree that is being cleared or filled for an item is left when that is done, whatever ended meanwhile. */
export function itemEnded(
  s: LoopState,
  { action, outcome }: Done<Actions, 'item'>,
  { mode, machine }: Pick<LoopContext, 'mode' | 'machine'>,
  lanes: Lanes,
): LoopState {
  const others = s.file.running.filter((r) => r.item !== action.item);
  const { item, lane, session } = action;
  const { gate, resumes = '' } = outcome;
  const running = gate === null ? others : [...others, { item, lane, session, gate, resumes }];
  const counts = counted(s.file.counts, outcome);
  const last = Math.max(s.file.last, ENDED.includes(outcome.result) ? session : 0);
  const known = (s.file.overtaken ?? []).filter((one) => one !== item || gate !== null);
  const overtaken = areSeveral(lanes) && outcome.reason === 'overtaken' ? [...known, item] : known;
  const { overtaken: _, ...file } = s.file;
  const ended = {
    ...s,
    file: { ...file, running, counts, last, ...(overtaken.length > 0 ? { overtaken } : {}) },
  };
  const asks = machine.asksAfterTrouble === true && !areSeveral(lanes);
  const next = after(ended, item, outcome, { mode, asks });
  if (s.at.stage !== 'choose' || (s.at.up ?? s.at.parks) === undefined) return next;
  const reached = limitReached(next, mode);
  const { at } = reached === null ? next : end(next, 'limit', reached);
  return isExit(at) ? { ...next, at: s.at, mem: { ...next.mem, exit: at } } : { ...next, at: s.at };
}

/** Each was asked about at a gate: more in one run means that the answer does not reach the list. */
const MOST_SKIPPED = 10;

function after(
  s: LoopState,
  item: ItemId,
  outcome: ItemOutcome,
  { mode, asks }: { readonly mode: RunMode; readonly asks: boolean },
): LoopState {
  if (outcome.reason === SESSION_ABANDONED) return s.mem.paused ? end(s, 'paused', 'asked') : choose(s);
  switch (outcome.result) {
    case 'blocked':
    case 'aborted':
      // Marked in the list, it is chosen again, and its machine asks about it.
      if (asks && !s.mem.paused && hasOwnTrouble(outcome) && !areFlagsInVain(s))
        return {
          ...s,
          at: {
            stage: 'flag',
            n: s.at.n,
            items: [item],
            flag: { as: 'failing', why: outcome.failure === null ? outcome.reason : inWords(outcome.failure) },
          },
        };
      return isOfItemAlone(outcome)
        ? beside(s, item, outcome, mode)
        : end(s, 'blocked', outcome.reason, outcome.failure);
    case 'paused':
      // An earlier process was asked to stop and crashed before it closed its session: it is closed now, and this run continues.
      return isLeftover(s, outcome) ? choose(s) : end(s, 'paused', outcome.reason);
    // It waits for an answer; other items continue.
    case 'gate': {
      if (s.mem.paused) return end(s, 'paused', 'asked');
      const { sessions, waiting } = s.file.counts;
      const most = mode.maxSessions ?? (mode.untilDone ? Infinity : 1);
      return sessions + waiting >= most ? end(s, 'gate', 'gate') : choose(s);
    }
    case 'landed':
    case 'unproved':
    case 'partial':
    case 'failed':
    case 'rejected': {
      if (s.mem.paused) return end(s, 'paused', 'asked');
      const outage = outcome.result === 'partial' ? outcome.failure : null;
      const { sessions } = s.file.counts;
      if (!mode.untilDone && sessions >= (mode.maxSessions ?? 1))
        return outage ? end(s, 'paused', outage.reason, outage) : end(s, single(outcome), outcome.reason);
      if (outage === null || limitReached(s, mode) !== null)
        return choose({ ...s, mem: { ...s.mem, backoffs: 0, flags: 0 } });
      const backoffs = s.mem.backoffs + 1;
      const stage = backoffs > MOST_RESTS ? 'unavailable' : 'backoff';
      return { ...s, at: { stage, n: s.at.n, why: outage }, mem: { ...s.mem, backoffs } };
    }
    // A user skipped it: that was no session, and the run continues with the next item.
    case 'skipped': {
      if (s.mem.paused) return end(s, 'paused', 'asked');
      return s.file.counts.skipped >= MOST_SKIPPED ? end(s, 'limit', 'max-items') : choose(s);
    }
  }
}

/** It stays as it is, and the run continues with others; one that was asked for a single session has its result. */
function beside(s: LoopState, item: ItemId, outcome: ItemOutcome, mode: RunMode): LoopState {
  const left = leftAside(s, item, outcome);
  if (s.mem.paused) return end(left, 'paused', 'asked');
  const { sessions } = s.file.counts;
  if (!mode.untilDone && sessions >= (mode.maxSessions ?? 1))
    return end(left, 'blocked', outcome.reason, outcome.failure);
  return choose(left);
}

/** The result of a run that was asked for one session is the session's own. */
function single(outcome: ItemOutcome): RunResult {
  switch (outcome.result) {
    case 'landed':
    case 'partial':
    case 'failed':
    case 'rejected':
      return outcome.result;
    case 'unproved':
      return 'landed';
    default:
      return 'done';
  }
}
