// From item to item: changes that users asked for, the next item, its outcome.
import { procedureAction, surveyAction } from '../../engine/definitions.ts';
import type { NextFacts } from '../../engine/playbook.ts';
import type { WaitingItem } from '../../model/waiting-item.ts';
import { asideItems, endWithAside } from '../aside.ts';
import { areSeveral, drained, fill, lanesFor, looksBeside, placeFor, type Lanes } from '../lanes.ts';
import {
  applied,
  areFlagsInVain,
  choose,
  end,
  limitReached,
  listChange,
  type LoopContext,
  type LoopState,
  type LoopStages,
} from '../positions.ts';
import { atWork, waitingHere, waitingItems, withApart } from '../run-file.ts';
import { changeOf, itemOf, parkOf, unparkOf } from '../wants.ts';
import { itemEnded } from './item-ended.ts';
import { begun, looked, parked, unparked, type Choose } from './places.ts';

export const items = (context: LoopContext) => {
  const { mode, machine, lanes = lanesFor(1) } = context;
  const busy = (s: LoopState) => atWork(s.file).map((one) => itemOf(s.at.n, one, s.file.overtaken ?? []));
  const settled = (s: LoopState): LoopState => fill(drained(s, lanes, mode), lanes, mode);

  const chosenAfter = (s: LoopState & { readonly at: Choose }, facts: NextFacts): LoopState => {
    const { failure, cycle, leftover } = facts;
    if (mode.onlyLooks === true) return end(s, 'done', 'looked');
    if (s.mem.paused) return failure ? end(s, 'blocked', failure.reason, failure) : end(s, 'paused', 'asked');
    const isBusy = atWork(s.file).length > 0;
    const isReverted = leftover === undefined || s.mem.reverted.includes(leftover);
    // What items at work come to may change it.
    if (isBusy && (failure || facts.next === null || !isReverted)) return { ...s, at: { stage: 'work', n: s.at.n } };
    // A list that is done exactly at the limit is done.
    const reached = limitReached(s, mode);
    const isOver = !failure && facts.next === null && facts.remaining === 0;
    if (reached !== null && !isOver) return end(s, 'limit', reached);
    if (failure && cycle && !areFlagsInVain(s)) return { ...s, at: { stage: 'cycle', n: s.at.n, cycle } };
    if (failure) return end(s, 'blocked', failure.reason, failure);
    if (!isReverted) return { ...s, at: { stage: 'revert-wip', n: s.at.n, item: leftover } };
    if (facts.next === null && facts.remaining === 0) return { ...s, at: { stage: 'final', n: s.at.n } };
    if (facts.next === null && waitingItems(s.file).length > 0) {
      const isAnsweredLater = mode.untilDone && s.at.looked?.isDueLater === true;
      return isAnsweredLater ? { ...s, at: { stage: 'choose', n: s.at.n + 1, isLast: true } } : end(s, 'gate', 'gate');
    }
    if (facts.next === null) {
      const isHeld = (facts.held ?? []).length > 0;
      if (!isHeld && (facts.awaited ?? []).length > 0) return endWithAside(s) ?? end(s, 'gate', 'awaiting-merge');
      return endWithAside(s) ?? (isHeld ? end(s, 'paused', 'items-held') : end(s, 'blocked', 'nothing-ready'));
    }
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
        // Where the limit is reached, none continues in this run.
        if (items.length > 0 && s.at.looked === undefined && !s.mem.paused && limitReached(s, mode) === null)
          return [...busy(s), { kind: 'look', key: `look-${n}`, items, waits: s.at.isLast === true }];
        const parks = parksIn(s, lanes);
        if (parks !== undefined) return [...busy(s), parkOf(n, parks)];
        const one = items.find(({ resumes }) => resumes === up?.resumes);
        if (up !== undefined && one !== undefined) return [...busy(s), unparkOf(n, one, up.to, up.lane ?? 0)];
        if (change) return [...busy(s), changeOf(change, context)];
        if (machine.begin && mustBegin(s)) return [procedureAction(machine.begin, {}, `begin-${n}`)];
        return [...busy(s), surveyAction(`next-${n}`, machine.next, { only: mode.only, ...askNext(s) })];
      },
      apply(s, done) {
        const change = listChange(done, s);
        if (change) return applied(s, change);
        if (done.kind === 'item') return settled(itemEnded(s, done, context, lanes));
        if (done.kind === 'look') {
          // A run that only looks continues no item.
          const ready = mode.onlyLooks === true ? [] : done.outcome.ready;
          return settled(looked(s, { ...done.outcome, ready }, lanes));
        }
        if (done.kind === 'park')
          return settled(done.outcome.isParked ? parked(s, done.action) : end(s, 'gate', 'gate'));
        if (done.kind === 'unpark') return settled(unparked(s, done.action));
        if (done.kind === 'procedure') {
          const { continues } = machine.begin?.output.parse(done.outcome.output) ?? { continues: true };
          if (!continues) return end(s, 'blocked', 'decided-stop');
          const opened = { ...s, mem: { ...s.mem, hasBegun: true as const } };
          // An item that waits for an answer may be over by what has come.
          if (waitingItems(s.file).length > 0) return choose(opened);
          return mode.onlyLooks === true ? end(s, 'done', 'looked') : opened;
        }
        if (done.kind !== 'survey') return s;
        const facts = machine.next.facts.parse(done.outcome.facts);
        const next = chosenAfter({ ...s, file: withApart(s.file, facts.apart) }, facts);
        // Where none can begin now, the next is chosen when one of the others has ended.
        return next.file.running === s.file.running ? drained(next, lanes, mode) : settled(next);
      },
    },
    work: {
      wants(s) {
        const { n } = s.at;
        const items = waitingItems(s.file);
        const [change] = s.file.pending;
        if (change && areSeveral(lanes)) return [...busy(s), changeOf(change, context)];
        if (items.length === 0 || !looksBeside(s, lanes, mode)) return busy(s);
        return [...busy(s), { kind: 'look', key: `wait-${n}`, items, waits: true, areOthersAtWork: true }];
      },
      apply(s, done) {
        const change = listChange(done, s);
        if (change) return applied(s, change);
        if (done.kind === 'look') return choose(s);
        return done.kind === 'item' ? settled(itemEnded(s, done, context, lanes)) : s;
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
        return change && isFree ? [changeOf(change, context)] : { verdict: s.at.result, reason: s.at.reason };
      },
      apply(s, done) {
        const change = listChange(done, s);
        return change ? applied(s, change) : s;
      },
    },
  } satisfies Partial<LoopStages>;
};

/** Before the first item of a run. */
const mustBegin = (s: LoopState): boolean => s.mem.hasBegun !== true && !s.mem.paused && atWork(s.file).length === 0;

/** Items that were overtaken are next, and one of them at a time: none is overtaken twice. */
function askNext(s: LoopState) {
  const busy = [...[...s.file.running, ...s.file.parked].map(({ item }) => item), ...asideItems(s.file)];
  if (busy.length === 0 && s.file.overtaken === undefined) return { taken: [] };
  const { overtaken = [] } = s.file;
  const [first] = overtaken.filter((item) => !busy.includes(item));
  const isOneAtWork = atWork(s.file).some(({ item }) => overtaken.includes(item));
  return {
    taken: isOneAtWork ? [...new Set([...busy, ...overtaken])] : busy,
    ...(atWork(s.file).length === 0 ? {} : { atWork: atWork(s.file).map(({ item }) => item) }),
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
