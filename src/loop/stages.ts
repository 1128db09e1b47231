// The stages of the loop: the next item, its session and its outcome; backoff while the agent is unavailable; the final check; flags.
import { procedureAction, surveyAction } from '../engine/definitions.ts';
import { SESSION_ABANDONED, type ItemOutcome, type Actions } from '../model/action.ts';
import type { LookOutcome, ParkAsk, UnparkAsk, WaitingItem } from '../model/waiting-item.ts';
import { MOST_RESTS } from '../model/retry.ts';
import type { RunMode, RunResult } from '../model/run.ts';
import {
  applied,
  areFlagsInVain,
  choose,
  end,
  isListChange,
  type LoopContext,
  type LoopState,
  type LoopStages,
  flagFailing,
  flagged,
} from './positions.ts';
import type { NextFacts } from '../engine/playbook.ts';
import { areSeveral, drained, fill, isExit, lanesFor, looksBeside, placeFor, type Lanes } from './lanes.ts';
import { atWork, waitingHere, waitingItems, type UnderWay } from './run-file.ts';
import {
  itemOf,
  parkOf,
  unparkOf,
  changeOf,
  askUnavailable,
  backoffOf,
  askFalsePositives,
  lookLater,
  askCycle,
  flagOf,
} from './wants.ts';
import { Bug } from '../model/bug.ts';
import type { Done } from '../engine/types.ts';

/** From item to item: changes that users asked for, the next item, its outcome. */
export const items = ({ mode, path, machine, lanes = lanesFor(1) }: LoopContext) => {
  const busy = (s: LoopState) => atWork(s.file).map((one) => itemOf(s.at.n, one, s.file.overtaken ?? []));
  const settled = (s: LoopState): LoopState => fill(drained(s, lanes, mode), lanes, mode);

  const chosenAfter = (s: LoopState & { readonly at: Choose }, facts: NextFacts): LoopState => {
    const { failure, cycle, leftover } = facts;
    if (s.mem.paused) return failure ? end(s, 'blocked', failure.reason, failure) : end(s, 'paused', 'asked');
    const isBusy = atWork(s.file).length > 0;
    const isReverted = leftover === undefined || s.mem.reverted.includes(leftover);
    // What items at work come to may change it.
    if (isBusy && (failure || facts.next === null || !isReverted)) return { ...s, at: { stage: 'work', n: s.at.n } };
    if (failure && cycle && !areFlagsInVain(s)) return { ...s, at: { stage: 'cycle', n: s.at.n, cycle } };
    if (failure) return end(s, 'blocked', failure.reason, failure);
    if (!isReverted) return { ...s, at: { stage: 'revert-wip', n: s.at.n, item: leftover } };
    if (facts.next === null && facts.remaining === 0) return { ...s, at: { stage: 'final', n: s.at.n } };
    if (facts.next === null && waitingItems(s.file).length > 0) {
      const isAnsweredLater = mode.untilDone && s.at.looked?.isDueLater === true;
      return isAnsweredLater ? { ...s, at: { stage: 'choose', n: s.at.n + 1, isLast: true } } : end(s, 'gate', 'gate');
    }
    if (facts.next === null) return end(s, 'blocked', 'nothing-ready');
    const chosen = { item: facts.next, session: Math.max(facts.session, leastSession(s)) };
    const place = placeFor(s.file, lanes);
    if (place === 'busy') return { ...s, at: { stage: 'work', n: s.at.n } };
    return 'lane' in place
      ? begun(s, { ...chosen, lane: place.lane })
      : { ...s, at: { ...s.at, chosen, parks: place.park.resumes } };
  };

  return {
    choose: {
      wants(s) {
        const { n, up } = s.at;
        const items = waitingItems(s.file);
        const [change] = s.file.pending;
        if (items.length > 0 && s.at.looked === undefined && !s.mem.paused)
          return [...busy(s), { kind: 'look', key: `look-${n}`, items, waits: s.at.isLast === true }];
        const parks = parksIn(s, lanes);
        if (parks !== undefined) return [...busy(s), parkOf(n, parks)];
        const one = items.find(({ resumes }) => resumes === up?.resumes);
        if (up !== undefined && one !== undefined) return [...busy(s), unparkOf(n, one, up.to, up.lane ?? 0)];
        if (change) return [...busy(s), changeOf(change, path)];
        if (machine.begin && mustBegin(s)) return [procedureAction(machine.begin, {}, `begin-${n}`)];
        return [...busy(s), surveyAction(`next-${n}`, machine.next, { only: mode.only, ...askNext(s) })];
      },
      apply(s, done) {
        if (isListChange(done)) return applied(s, done);
        if (done.kind === 'item') return settled(itemEnded(s, done, mode, lanes));
        if (done.kind === 'look') return settled(looked(s, done.outcome, lanes));
        if (done.kind === 'park')
          return settled(done.outcome.isParked ? parked(s, done.action) : end(s, 'gate', 'gate'));
        if (done.kind === 'unpark') return settled(unparked(s, done.action));
        if (done.kind === 'procedure') {
          const { continues } = machine.begin?.output.parse(done.outcome.output) ?? { continues: true };
          return continues ? { ...s, mem: { ...s.mem, hasBegun: true } } : end(s, 'blocked', 'decided-stop');
        }
        if (done.kind !== 'survey') return s;
        const next = chosenAfter(s, machine.next.facts.parse(done.outcome.facts));
        // Where none can begin now, the next is chosen when one of the others has ended.
        return next.file.running === s.file.running ? drained(next, lanes, mode) : settled(next);
      },
    },
    work: {
      wants(s) {
        const { n } = s.at;
        const items = waitingItems(s.file);
        const [change] = s.file.pending;
        if (change && areSeveral(lanes)) return [...busy(s), changeOf(change, path)];
        if (items.length === 0 || !looksBeside(s, lanes, mode)) return busy(s);
        return [...busy(s), { kind: 'look', key: `wait-${n}`, items, waits: true, areOthersAtWork: true }];
      },
      apply(s, done) {
        if (isListChange(done)) return applied(s, done);
        if (done.kind === 'look') return choose(s);
        return done.kind === 'item' ? settled(itemEnded(s, done, mode, lanes)) : s;
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
        const isFree = areSeveral(lanes) || waitingHere(s.file).length === 0;
        return change && isFree ? [changeOf(change, path)] : { verdict: s.at.result, reason: s.at.reason };
      },
      apply: (s, done) => (isListChange(done) ? applied(s, done) : s),
    },
  } satisfies Partial<LoopStages>;
};

/** Before the first item of a run. */
const mustBegin = (s: LoopState): boolean => s.mem.hasBegun !== true && !s.mem.paused && atWork(s.file).length === 0;

type Choose = Extract<LoopState['at'], { readonly stage: 'choose' }>;

/** Items that were overtaken are next, and one of them at a time: none is overtaken twice. */
function askNext(s: LoopState) {
  const busy = [...s.file.running, ...s.file.parked].map(({ item }) => item);
  if (busy.length === 0 && s.file.overtaken === undefined) return { taken: [] };
  const { overtaken = [] } = s.file;
  const [first] = overtaken.filter((item) => !busy.includes(item));
  const isOneAtWork = atWork(s.file).some(({ item }) => overtaken.includes(item));
  return {
    taken: isOneAtWork ? [...new Set([...busy, ...overtaken])] : busy,
    least: leastSession(s),
    ...(first === undefined || isOneAtWork ? {} : { prefer: first }),
  };
}

/** The numbers of sessions under way are taken, also where the agent has not started. */
const leastSession = ({ file }: LoopState): number =>
  Math.max(file.last, ...[...file.running, ...file.parked].map(({ session }) => session)) + 1;

/** The item whose work is taken out of its work tree. With one lane whatever comes next needs that work tree. */
function parksIn({ file, at }: LoopState & { readonly at: Choose }, lanes: Lanes): WaitingItem | undefined {
  const here = waitingHere(file);
  if (areSeveral(lanes)) return here.find(({ resumes }) => resumes === at.parks);
  return (at.up ?? file.pending[0] ?? at.chosen) === undefined ? undefined : here[0];
}

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

/** The item has the work tree of its lane from now on. */
function begun(s: LoopState, { item, session, resumes, lane }: Omit<UnderWay, 'n' | 'gate'>): LoopState {
  if (s.mem.paused) return end(s, 'paused', 'asked');
  const one = { item, lane, session, n: s.at.n, ...(resumes === undefined ? {} : { resumes }) };
  const others = s.file.running.filter((r) => r.item !== item);
  return { ...s, file: { ...s.file, running: [...others, one] }, at: { stage: 'work', n: s.at.n } };
}

/**
 * An item continues, unless another one waits in the work tree, which is parked first. One whose work counts no more is cleared away before;
 * one whose lane is at work continues later.
 */
function looked(s: LoopState, { ready, over, isDueLater }: LookOutcome, lanes: Lanes): LoopState {
  if (s.at.stage !== 'choose') return s;
  const at = { ...s.at, looked: { isDueLater } };
  const here = waitingHere(s.file);
  const [gone] = over;
  if (gone !== undefined) {
    const isHere = here.some(({ resumes }) => resumes === gone);
    return { ...s, at: { ...at, up: { resumes: gone, to: 'attempt' }, ...(isHere ? { parks: gone } : {}) } };
  }
  const stays = here.find(({ resumes }) => ready.includes(resumes));
  if (stays !== undefined) return resumed(s, stays);
  for (const one of s.file.parked.filter(({ resumes }) => ready.includes(resumes))) {
    const place = placeFor(s.file, lanes, one.lane);
    if (place === 'busy') continue;
    const up = { resumes: one.resumes, to: 'work-tree' } as const;
    return 'lane' in place
      ? { ...s, at: { ...at, up: { ...up, lane: place.lane } } }
      : { ...s, at: { ...at, up: { ...up, lane: place.park.lane }, parks: place.park.resumes } };
  }
  return { ...s, at };
}

/** Where the run is about to end, its answer is found by the next one. */
function resumed(s: LoopState, one: WaitingItem): LoopState {
  const { item, lane, session, gate, resumes } = one;
  if (s.mem.paused || s.mem.exit !== undefined) {
    const others = s.file.running.filter((r) => r.item !== item);
    const held = { ...s, file: { ...s.file, running: [...others, { item, lane, session, gate, resumes }] } };
    return s.mem.paused ? end(held, 'paused', 'asked') : choose(held);
  }
  const counts = { ...s.file.counts, waiting: Math.max(0, s.file.counts.waiting - 1) };
  return begun({ ...s, file: { ...s.file, counts } }, { item, lane, session, resumes });
}

/** Its place in the work tree is free. */
function parked(s: LoopState, { resumes }: ParkAsk): LoopState {
  const here = waitingHere(s.file).find((one) => one.resumes === resumes);
  if (here === undefined || s.at.stage !== 'choose') return s;
  const running = s.file.running.filter((one) => one.resumes !== resumes);
  const file = { ...s.file, running, parked: [...s.file.parked, here] };
  const { chosen, parks: _, ...at } = s.at;
  if (chosen === undefined) return { ...s, file, at };
  return s.mem.exit === undefined ? begun({ ...s, file }, { ...chosen, lane: here.lane }) : choose({ ...s, file });
}

function unparked(s: LoopState, { to, lane = 0, ...one }: UnparkAsk): LoopState {
  const was = s.file.parked.find(({ resumes }) => resumes === one.resumes);
  const file = { ...s.file, parked: s.file.parked.filter(({ resumes }) => resumes !== one.resumes) };
  return to === 'work-tree' && was !== undefined ? resumed({ ...s, file }, { ...was, lane }) : choose({ ...s, file });
}

/** A work tree that is being cleared or filled for an item is left when that is done, whatever ended meanwhile. */
function itemEnded(s: LoopState, { action, outcome }: Done<Actions, 'item'>, mode: RunMode, lanes: Lanes): LoopState {
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
  const next = after(ended, outcome, mode);
  if (s.at.stage !== 'choose' || (s.at.up ?? s.at.parks) === undefined) return next;
  return isExit(next.at) ? { ...next, at: s.at, mem: { ...next.mem, exit: next.at } } : { ...next, at: s.at };
}

/** Each was asked about at a gate: more in one run means that the answer does not reach the list. */
const MOST_SKIPPED = 10;

function after(s: LoopState, outcome: ItemOutcome, mode: RunMode): LoopState {
  if (outcome.reason === SESSION_ABANDONED) return s.mem.paused ? end(s, 'paused', 'asked') : choose(s);
  switch (outcome.result) {
    case 'blocked':
    case 'aborted':
      return end(s, 'blocked', outcome.reason, outcome.failure);
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

/** While the agent is unavailable the run backs off, longer each time, and finally asks a user. */
export const waiting = {
  // Nothing can be done without the agent, but a user may fix it, or its provider's window resets.
  backoff: {
    wants: (s) => [backoffOf(s.at.n, s.at.why, s.mem.backoffs)],
    apply: (s, done) => (done.kind === 'wait' ? choose(s) : s),
  },

  unavailable: {
    wants: (s) => [askUnavailable(s.at.n, s.at.why, s.mem.backoffs)],
    apply(s, done) {
      if (done.kind !== 'ask') return s;
      const { n, why } = s.at;
      const after: LoopState = { ...s, at: { stage: 'choose', n }, mem: { ...s.mem, backoffs: 0 } };
      if (done.outcome.option === 'retry') return choose(after);
      return done.outcome.option === 'pause'
        ? end(after, 'paused', why.reason, why)
        : end(after, 'blocked', 'decided-abort');
    },
  },
} satisfies Partial<LoopStages>;

/** Every item has landed: does the whole still hold? In maintenance this is repeated. */
export const finished = ({ mode, machine }: LoopContext) =>
  ({
    final: {
      wants: (s) => [procedureAction(machine.final, {}, `final-${s.at.n}`)],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const found = machine.final.output.parse(done.outcome.output);
        const { n } = s.at;
        if (found.end === 'unready') return end(s, 'blocked', found.failure.reason, found.failure);
        if (s.mem.paused) return end(s, 'paused', 'asked');
        const isMaintained = (mode.maintainMs ?? null) !== null;
        if (found.end === 'holds')
          return isMaintained ? { ...s, at: { stage: 'maintain', n } } : end(s, 'done', 'nothing-left');
        if (areFlagsInVain(s)) return end(s, 'blocked', 'reset-without-effect');
        // Maintenance does not ask: the broken item is the next one.
        if (isMaintained && found.broken.length > 0) return { ...s, at: flagFailing(n, found.broken) };
        return { ...s, at: { stage: 'false-positives', n, found } };
      },
    },

    maintain: {
      wants: (s) => [lookLater(s.at.n, mode.maintainMs ?? 0)],
      apply: (s, done) => (done.kind === 'wait' ? choose(s) : s),
    },

    'false-positives': {
      wants: (s) => [askFalsePositives(s.at.n, s.at.found)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { n, found } = s.at;
        const { option } = done.outcome;
        if (option !== 'reset') return end(s, 'blocked', `decided-${option}`);
        return found.broken.length > 0
          ? { ...s, at: flagFailing(n, found.broken) }
          : end(s, 'blocked', 'decided-investigate');
      },
    },
  }) satisfies Partial<LoopStages>;

/** Items in a dependency cycle are edited or skipped; items that fail are flagged. */
export const flagging = ({ path }: Pick<LoopContext, 'path'>) =>
  ({
    cycle: {
      wants: (s) => [askCycle(s.at.n, s.at.cycle)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { n, cycle } = s.at;
        const { option, note } = done.outcome;
        if (option === 'abort') return end(s, 'blocked', 'decided-abort');
        if (option === 'edit') return flagged(s);
        return { ...s, at: { stage: 'flag', n, items: cycle.items, flag: { as: 'skipped', why: note, at: done.at } } };
      },
    },

    flag: {
      wants: (s) => [flagOf(s.at.n, s.at.items[0] ?? '', s.at.flag, path)],
      apply(s, done) {
        if (done.kind !== 'commit' && done.kind !== 'write') return s;
        const items = s.at.items.slice(1);
        return items.length > 0 ? { ...s, at: { ...s.at, items } } : flagged(s);
      },
    },
  }) satisfies Partial<LoopStages>;

/** A run that only applies changes that users asked for. It keeps the position, works on no item and asks nothing. */
export function changesOnly({ path }: Pick<LoopContext, 'path'>): LoopStages {
  const stage = {
    wants(s: LoopState) {
      const [change] = s.file.pending;
      return change ? [changeOf(change, path)] : { verdict: 'done', reason: 'applied' };
    },
    apply(s: LoopState, done: Done<Actions>) {
      if (!isListChange(done)) throw new Bug(`a ${done.kind} is no change of the list`);
      return applied(s, done);
    },
  };
  return {
    choose: stage,
    // In the middle of a session the list belongs to the session.
    work: { ...stage, wants: () => ({ verdict: 'blocked', reason: 'session-interrupted' }) },
    backoff: stage,
    unavailable: stage,
    final: stage,
    maintain: stage,
    'false-positives': stage,
    'revert-wip': stage,
    cycle: stage,
    flag: stage,
    ended: stage,
  };
}
