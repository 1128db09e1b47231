// From item to item: the changes that users asked for, the next item, its session, and its outcome.
import { procedureAction, surveyAction } from '../../engine/definitions.ts';
import { SESSION_ABANDONED, type ItemOutcome } from '../../model/action.ts';
import { MOST_RESTS } from '../../model/retry.ts';
import type { RunMode, RunResult } from '../../model/run.ts';
import {
  applied,
  areFlagsInVain,
  choose,
  end,
  isListChange,
  type LoopContext,
  type LoopState,
  type LoopStages,
} from '../positions.ts';
import { changeOf } from '../wants.ts';

export const items = ({ mode, path, machine }: LoopContext) =>
  ({
    choose: {
      wants(s) {
        const [change] = s.file.pending;
        if (change) return [changeOf(change, path)];
        return [surveyAction(`next-${s.at.n}`, machine.next, { only: mode.only })];
      },
      apply(s, done) {
        if (isListChange(done)) return applied(s, done);
        if (done.kind !== 'survey') return s;
        const facts = machine.next.facts.parse(done.outcome.facts);
        const { failure, cycle, leftover } = facts;
        if (failure && cycle && !s.mem.paused && !areFlagsInVain(s))
          return { ...s, at: { stage: 'cycle', n: s.at.n, cycle } };
        if (failure) return end(s, 'blocked', failure.reason, failure);
        if (s.mem.paused) return end(s, 'paused', 'asked');
        if (leftover !== undefined && !s.mem.reverted.includes(leftover))
          return { ...s, at: { stage: 'revert-wip', n: s.at.n, item: leftover } };
        if (facts.next === null && facts.remaining === 0) return { ...s, at: { stage: 'final', n: s.at.n } };
        if (facts.next === null) return end(s, 'blocked', 'nothing-ready');
        const running = [{ item: facts.next, lane: 0, session: facts.session }];
        return { ...s, file: { ...s.file, running }, at: { stage: 'work', n: s.at.n } };
      },
    },
    work: {
      wants: (s) => s.file.running.map((r) => ({ kind: 'item', key: `item-${r.item}-s${r.session}-${s.at.n}`, ...r })),
      apply(s, done) {
        if (done.kind !== 'item') return s;
        const running = s.file.running.filter((r) => r.item !== done.action.item);
        const counts = counted(s.file.counts, done.outcome);
        return after({ ...s, file: { ...s.file, running, counts } }, done.outcome, mode);
      },
    },

    // The unfinished work of a skipped item would break later items.
    'revert-wip': {
      wants: (s) => [procedureAction(machine.revertWip, { item: s.at.item }, `unwind-${s.at.n}`)],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        return choose({ ...s, mem: { ...s.mem, reverted: [...s.mem.reverted, s.at.item] } });
      },
    },

    // No session is open any more: changes that users asked for meanwhile are not left for a later run.
    ended: {
      wants(s) {
        const [change] = s.file.pending;
        return change ? [changeOf(change, path)] : { verdict: s.at.result, reason: s.at.reason };
      },
      apply: (s, done) => (isListChange(done) ? applied(s, done) : s),
    },
  }) satisfies Partial<LoopStages>;

const isLeftover = (s: LoopState, { reason }: ItemOutcome): boolean => reason === 'user_pause' && !s.mem.paused;

const counted = (
  counts: LoopState['file']['counts'],
  { result, reason }: ItemOutcome,
): LoopState['file']['counts'] => ({
  sessions: counts.sessions + (result === 'skipped' || reason === SESSION_ABANDONED ? 0 : 1),
  landed: counts.landed + (result === 'landed' ? 1 : 0),
  skipped: counts.skipped + (result === 'skipped' ? 1 : 0),
});

/** Each was asked about at a gate: more in one run means that the answer does not reach the list. */
const MOST_SKIPPED = 10;

function after(s: LoopState, outcome: ItemOutcome, mode: RunMode): LoopState {
  if (outcome.reason === SESSION_ABANDONED) return s.mem.paused ? end(s, 'paused', 'asked') : choose(s);
  switch (outcome.result) {
    case 'blocked':
    case 'aborted':
      return end(s, 'blocked', outcome.reason, outcome.failure);
    case 'paused':
      // A process that was told to stop crashed before it had closed its session: that is done now, and this run was not asked to stop.
      return isLeftover(s, outcome) ? choose(s) : end(s, 'paused', outcome.reason);
    case 'gate':
      return end(s, 'gate', outcome.reason);
    case 'landed':
    case 'unproved':
    case 'partial':
    case 'failed':
    case 'rejected': {
      if (s.mem.paused) return end(s, 'paused', 'asked');
      const outage = outcome.result === 'partial' ? outcome.failure : null;
      const { landed, sessions } = s.file.counts;
      if (!mode.untilDone && sessions >= (mode.maxSessions ?? 1))
        return outage ? end(s, 'paused', outage.reason, outage) : end(s, single(outcome), outcome.reason);
      if (mode.maxSessions !== null && sessions >= mode.maxSessions) return end(s, 'limit', 'max-sessions');
      if (mode.maxItems !== null && landed >= mode.maxItems) return end(s, 'limit', 'max-items');
      if (outage === null) return choose({ ...s, mem: { ...s.mem, backoffs: 0, flags: 0 } });
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
