// The loop over items is a machine too: choose the next item, have it worked, go on or stop.
//
//   choose ─┬─ an item ─▶ work ─┬─ goes on ─▶ choose
//           │                   └─ limit, gate, pause, trouble ─▶ ended
//           │                   └─ the agent cannot be had ─▶ rest ─▶ choose; too often ─▶ unavailable? ─▶ choose, or ended
//           ├─ none ready ─▶ ended: blocked
//           └─ none left ─▶ final ─┬─ holds ─▶ ended: done; in maintenance ─▶ rest ─▶ choose
//                                  └─ else ─▶ false positives? ─▶ reset ─▶ choose, or ended
//
// What people ask for is committed between items: before one is chosen, and before the end.
// An item is one action; its performer drives the item's own machine. Several lanes are a longer list, not another loop.
import { z } from 'zod';
import type { External, Machine, State } from '../engine/types.ts';
import type { Actions, ItemOutcome } from '../model/action.ts';
import type { Failure } from '../model/failure.ts';
import type { ItemId } from '../model/item.ts';
import type { Json } from '../model/json.ts';
import { MOST_RESTS } from '../model/retry.ts';
import type { RunMode, RunResult } from '../model/run.ts';
import {
  loopFile,
  type Broken,
  type Final,
  type LoopFile,
  type NextFacts,
  type Pending,
  type Where,
} from './run-file.ts';
import { askFalse, askUnavailable, commitOf, failing, lookLater, restOf } from './wants.ts';

type At =
  | { readonly stage: 'choose'; readonly n: number }
  | { readonly stage: 'work'; readonly n: number }
  | { readonly stage: 'rest'; readonly n: number; readonly why: Failure }
  | { readonly stage: 'unavailable'; readonly n: number; readonly why: Failure }
  /** Everything has landed: does it still hold? */
  | { readonly stage: 'final'; readonly n: number }
  | { readonly stage: 'maintain'; readonly n: number }
  | { readonly stage: 'false-positives'; readonly n: number; readonly found: Broken }
  /** These items, one after another, are marked as failing. */
  | { readonly stage: 'reset'; readonly n: number; readonly items: readonly ItemId[] }
  | {
      readonly stage: 'ended';
      readonly n: number;
      readonly result: RunResult;
      readonly reason: string;
      readonly failure: Failure | null;
    };
type Mem = {
  readonly paused: boolean;
  /** Rests in a row, without a session in between that got anywhere. */
  readonly rests?: number;
  /** Times in a row that items were marked as failing, without a session in between. */
  readonly resets?: number;
  readonly applied: readonly { readonly id: string; readonly commit: string | null }[];
};
type S = State<LoopFile, At, Mem>;

const position = z.object({
  at: z.looseObject({
    stage: z.enum(['choose', 'work', 'rest', 'unavailable', 'final', 'maintain', 'false-positives', 'reset', 'ended']),
    n: z.number(),
  }),
  mem: z.looseObject({ paused: z.boolean(), applied: z.array(z.looseObject({ id: z.string() })) }),
});

const end = (s: S, result: RunResult, reason: string, failure: Failure | null = null): S => ({
  ...s,
  at: { stage: 'ended', n: s.at.n, result, reason, failure },
});
const choose = (s: S): S => ({ ...s, at: { stage: 'choose', n: s.at.n + 1 } });

export function loopMachine(mode: RunMode, where: Where): Machine<LoopFile, At, Mem, Actions> {
  return {
    name: 'loop',
    version: 1,
    file: { parse: (value) => loopFile.parse(value) as unknown as LoopFile },
    position: { parse: (value) => position.parse(value) as unknown as { at: At; mem: Mem } },
    place: (file) => ({
      at: file.running.length > 0 ? { stage: 'work', n: 0 } : { stage: 'choose', n: 0 },
      mem: { paused: false, applied: [] },
    }),
    on: begin,
    stages: {
      choose: {
        wants(s) {
          const [change] = s.file.pending;
          if (change) return [commitOf(change, where)];
          if (!mode.work) return { verdict: 'done', reason: 'applied' };
          return [{ kind: 'survey', key: `next-${s.at.n}`, survey: 'next', input: { only: mode.only, ...where } }];
        },
        apply(s, done) {
          if (done.kind === 'commit') return applied(s, done.key, done.outcome.commit);
          if (done.kind !== 'survey') return s;
          const facts = done.outcome.facts as unknown as NextFacts;
          if (facts.failure) return end(s, 'blocked', facts.failure.reason, facts.failure);
          if (s.mem.paused) return end(s, 'paused', 'asked');
          if (facts.next === null && facts.remaining === 0) return { ...s, at: { stage: 'final', n: s.at.n } };
          if (facts.next === null) return end(s, 'blocked', 'nothing-ready');
          const running = [{ item: facts.next, lane: 0, session: facts.session }];
          return { ...s, file: { ...s.file, running }, at: { stage: 'work', n: s.at.n } };
        },
      },
      work: {
        wants: (s) =>
          !mode.work
            ? { verdict: 'blocked', reason: 'session-interrupted' }
            : s.file.running.map((r) => ({ kind: 'item', key: `item-${r.item}-s${r.session}-${s.at.n}`, ...r })),
        apply(s, done) {
          if (done.kind !== 'item') return s;
          const { item: id, session } = done.action;
          const running = s.file.running.filter((r) => r.item !== id);
          const reports = [...s.file.reports, { id, session, ...done.outcome }];
          return after({ ...s, file: { ...s.file, running, reports } }, done.outcome, mode);
        },
      },
      // Nothing can be done without the agent, but somebody may mend it, or its provider's window begins anew.
      rest: {
        wants: (s) => [restOf(s.at.n, s.at.why, restsOf(s))],
        apply: (s, done) => (done.kind === 'wait' ? choose(s) : s),
      },

      unavailable: {
        wants: (s) => [askUnavailable(s.at.n, s.at.why, restsOf(s))],
        apply(s, done) {
          if (done.kind !== 'ask') return s;
          const { n, why } = s.at;
          const rested: S = { ...s, at: { stage: 'choose', n }, mem: { ...s.mem, rests: 0 } };
          if (done.outcome.option === 'retry') return choose(rested);
          return done.outcome.option === 'pause'
            ? end(rested, 'paused', why.reason, why)
            : end(rested, 'blocked', 'decided-abort');
        },
      },

      final: {
        wants: (s) => [{ kind: 'procedure', key: `final-${s.at.n}`, procedure: 'final', input: {} }],
        apply(s, done) {
          if (done.kind !== 'procedure') return s;
          const found = done.outcome.output as unknown as Final;
          const { n } = s.at;
          if (found.end === 'unready') return end(s, 'blocked', found.failure.reason, found.failure);
          if (s.mem.paused) return end(s, 'paused', 'asked');
          const isKept = (mode.maintainMs ?? null) !== null;
          if (found.end === 'holds')
            return isKept ? { ...s, at: { stage: 'maintain', n } } : end(s, 'done', 'nothing-left');
          if ((s.mem.resets ?? 0) >= MOST_RESETS) return end(s, 'blocked', 'reset-without-effect');
          // Whoever looks after a project has been told what to do about it: it is the next item.
          if (isKept && found.broken.length > 0) return { ...s, at: { stage: 'reset', n, items: found.broken } };
          return { ...s, at: { stage: 'false-positives', n, found } };
        },
      },

      maintain: {
        wants: (s) => [lookLater(s.at.n, mode.maintainMs ?? 0)],
        apply: (s, done) => (done.kind === 'wait' ? choose(s) : s),
      },

      'false-positives': {
        wants: (s) => [askFalse(s.at.n, s.at.found)],
        apply(s, done) {
          if (done.kind !== 'ask') return s;
          const { n, found } = s.at;
          const { option } = done.outcome;
          if (option !== 'reset') return end(s, 'blocked', `decided-${option}`);
          return found.broken.length > 0
            ? { ...s, at: { stage: 'reset', n, items: found.broken } }
            : end(s, 'blocked', 'decided-investigate');
        },
      },

      reset: {
        wants: (s) => [failing(s.at.n, s.at.items[0] ?? '', where)],
        apply(s, done) {
          if (done.kind !== 'commit') return s;
          const items = s.at.items.slice(1);
          if (items.length > 0) return { ...s, at: { ...s.at, items } };
          return choose({ ...s, mem: { ...s.mem, resets: (s.mem.resets ?? 0) + 1 } });
        },
      },

      // No session is open any more: what people asked for meanwhile is not left for a later run.
      ended: {
        wants(s) {
          const [change] = s.file.pending;
          return change ? [commitOf(change, where)] : { verdict: s.at.result, reason: s.at.reason };
        },
        apply: (s, done) => (done.kind === 'commit' ? applied(s, done.key, done.outcome.commit) : s),
      },
    },
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
  return file === s.file && at === s.at && !s.mem.paused
    ? s
    : { file, at, mem: { ...s.mem, paused: false, applied: [] } };
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

const applied = <T extends S>(s: T, id: string, commit: string | null): T => ({
  ...s,
  file: { ...s.file, pending: s.file.pending.slice(1) },
  mem: { ...s.mem, applied: [...s.mem.applied, { id, commit }] },
});

const restsOf = (s: S): number => s.mem.rests ?? 0;

const isLeftover = (s: S, { reason }: ItemOutcome): boolean => reason === 'user_pause' && !s.mem.paused;

/** Items marked as failing are worked next: more without a session in between means that the marks do not reach the backlog. */
const MOST_RESETS = 2;

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
      if (outage === null) return choose({ ...s, mem: { ...s.mem, rests: 0, resets: 0 } });
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
