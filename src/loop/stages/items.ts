// From item to item: what people asked for, the next one, its session, and what comes of it.
import type { ItemOutcome } from '../../model/action.ts';
import { MOST_RESTS } from '../../model/retry.ts';
import type { RunMode, RunResult } from '../../model/run.ts';
import { applied, choose, end, isMarkedInVain, restsOf, type Given, type S, type Stages } from '../positions.ts';
import type { NextFacts } from '../run-file.ts';
import { changeOf } from '../wants.ts';

export const items = ({ mode, where }: Given) =>
  ({
    choose: {
      wants(s) {
        const [change] = s.file.pending;
        if (change) return [changeOf(change, where)];
        return [{ kind: 'survey', key: `next-${s.at.n}`, survey: 'next', input: { only: mode.only, ...where } }];
      },
      apply(s, done) {
        if (done.kind === 'commit' || done.kind === 'write') return applied(s, done);
        if (done.kind !== 'survey') return s;
        const facts = done.outcome.facts as unknown as NextFacts;
        const { failure, circle, leftover } = facts;
        if (failure && circle && !s.mem.paused && !isMarkedInVain(s))
          return { ...s, at: { stage: 'circle', n: s.at.n, circle } };
        if (failure) return end(s, 'blocked', failure.reason, failure);
        if (s.mem.paused) return end(s, 'paused', 'asked');
        if (leftover !== undefined && !(s.mem.unwound ?? []).includes(leftover))
          return { ...s, at: { stage: 'unwind', n: s.at.n, item: leftover } };
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
        const { item: id, session } = done.action;
        const running = s.file.running.filter((r) => r.item !== id);
        const reports = [...s.file.reports, { id, session, ...done.outcome }];
        return after({ ...s, file: { ...s.file, running, reports } }, done.outcome, mode);
      },
    },

    // Half done work of an item that is left out would be in everybody's way (reference 000, Feature Stuck Escalation: skip).
    unwind: {
      wants: (s) => [{ kind: 'procedure', key: `unwind-${s.at.n}`, procedure: 'unwind', input: { item: s.at.item } }],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        return choose({ ...s, mem: { ...s.mem, unwound: [...(s.mem.unwound ?? []), s.at.item] } });
      },
    },

    // No session is open any more: what people asked for meanwhile is not left for a later run.
    ended: {
      wants(s) {
        const [change] = s.file.pending;
        return change ? [changeOf(change, where)] : { verdict: s.at.result, reason: s.at.reason };
      },
      apply: (s, done) => applied(s, done),
    },
  }) satisfies Partial<Stages>;

const isLeftover = (s: S, { reason }: ItemOutcome): boolean => reason === 'user_pause' && !s.mem.paused;

/** Each was asked about at a gate: more in one run means that the answer does not reach the backlog. */
const MOST_SKIPPED = 10;

function after(s: S, outcome: ItemOutcome, mode: RunMode): S {
  switch (outcome.result) {
    case 'blocked':
    case 'aborted':
      return end(s, 'blocked', outcome.reason, outcome.failure);
    case 'paused':
      // A life that was told to stop died before it had put its session away: that is done now, and nobody asks to stop any more.
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
      const landed = s.file.reports.filter((r) => r.result === 'landed').length;
      const sessions = s.file.reports.filter((r) => r.result !== 'skipped').length;
      if (!mode.untilDone && sessions >= (mode.maxSessions ?? 1))
        return outage ? end(s, 'paused', outage.reason, outage) : end(s, single(outcome), outcome.reason);
      if (mode.maxSessions !== null && sessions >= mode.maxSessions) return end(s, 'limit', 'max-sessions');
      if (mode.maxItems !== null && landed >= mode.maxItems) return end(s, 'limit', 'max-items');
      if (outage === null) return choose({ ...s, mem: { ...s.mem, rests: 0, marks: 0 } });
      const rests = restsOf(s) + 1;
      const stage = rests > MOST_RESTS ? 'unavailable' : 'rest';
      return { ...s, at: { stage, n: s.at.n, why: outage }, mem: { ...s.mem, rests } };
    }
    // A person took it out: that was no session, the run goes on with the next.
    case 'skipped': {
      if (s.mem.paused) return end(s, 'paused', 'asked');
      const skipped = s.file.reports.filter((r) => r.result === 'skipped').length;
      return skipped >= MOST_SKIPPED ? end(s, 'limit', 'max-items') : choose(s);
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
