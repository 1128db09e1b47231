// The loop with several lanes, played against random outcomes, pauses and answers: which item is where, and that none is lost.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usage } from '../../test/support/outcomes.ts';
import { featuresPlaybook } from '../../test/support/features.ts';
import type { ActionOf } from '../engine/types.ts';
import type { Actions, ItemOutcome } from '../model/action.ts';
import { nextInput } from '../engine/playbook.ts';
import { chooseApart } from '../model/expected-files.ts';
import { failure } from '../model/failure.ts';
import type { RunMode } from '../model/run.ts';
import { lanesFor, mostActions } from './lanes.ts';
import { loopMachine } from './machine.ts';
import { atWork, emptyLoop, waitingItems } from './run-file.ts';

const MODE: RunMode = { work: true, only: null, untilDone: true, maxSessions: null, maxItems: null };
const ENDED: ItemOutcome = {
  result: 'landed',
  reason: 'verified',
  failure: null,
  problems: [],
  commit: 'c',
  evidence: null,
  usage,
  gate: null,
};
type Kind = 'landed' | 'rejected' | 'overtaken' | 'gate' | 'outage' | 'blocked' | 'aside';
const outcomeFor = (kind: Kind, token: string): ItemOutcome => {
  switch (kind) {
    case 'landed':
      return ENDED;
    case 'rejected':
      return { ...ENDED, result: 'rejected', reason: 'tests-failed', commit: null };
    case 'overtaken':
      return { ...ENDED, result: 'partial', reason: 'overtaken', commit: null };
    case 'gate':
      return { ...ENDED, result: 'gate', reason: 'gate', commit: null, gate: `g-${token}`, resumes: token };
    case 'outage':
      return {
        ...ENDED,
        result: 'partial',
        reason: 'agent-overloaded',
        failure: failure('agent-overloaded'),
        commit: null,
      };
    case 'aside':
      return { ...ENDED, result: 'blocked', reason: 'decided-manual', commit: null };
    case 'blocked':
      return {
        ...ENDED,
        result: 'blocked',
        reason: 'agent-logged-out',
        failure: failure('agent-crashed'),
        commit: null,
      };
  }
};

/** `groups`: so many files, of which each item is expected to change one; left out: each changes one of its own. */
type Play = { readonly lanes: number; readonly count: number; readonly mode: RunMode; readonly groups?: number };
type Step = { readonly pick: number; readonly kind: Kind; readonly event: number };

/** Ends when the run does. Every step, one action that is in flight ends, as the driver would have it. */
function play({ lanes, count, mode, groups = count + 1 }: Play, steps: readonly Step[], pauseAt = -1) {
  const machine = loopMachine(mode, {
    path: { backlog: 'features.json', isOwn: false },
    machine: featuresPlaybook.machine,
    lanes: lanesFor(lanes),
  });
  let s: Parameters<NonNullable<typeof machine.on>>[0] = { file: emptyLoop('r'), ...machine.place(emptyLoop('r')) };
  const landed = new Set<string>();
  const answered = new Set<string>();
  const usedKeys = new Set<string>();
  let flying = new Map<string, ActionOf<Actions>>();
  let most = 0;
  let apart = 0;
  let token = 0;
  const dropped: string[] = [];
  for (let at = 0; at < 3_000; at += 1) {
    if (at === pauseAt && machine.on) s = machine.on(s, { type: 'pause' }, '');
    const stage = machine.stages[s.at.stage] as (typeof machine.stages)['choose'];
    const wants = stage.wants(s as never);
    if ('verdict' in wants) return { s, landed, most, verdict: wants, dropped, apart };
    const keys = wants.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const gone = [...flying.values()].filter(({ key }) => !keys.includes(key));
    dropped.push(...gone.map(({ kind }) => kind));
    for (const one of wants)
      if (!flying.has(one.key)) {
        expect(usedKeys.has(one.key), `${one.key} is used twice`).toBe(false);
        usedKeys.add(one.key);
      }
    flying = new Map(wants.map((one) => [one.key, one]));
    check();
    most = Math.max(most, atWork(s.file).length);
    apart += s.file.apart?.length ?? 0;
    const step = steps[at % steps.length] ?? { pick: 0, kind: 'landed', event: 9 };
    // A look that waits ends only when there is an answer.
    const waiting = waitingItems(s.file);
    if (step.event === 0) for (const { resumes } of waiting) answered.add(resumes);
    const ready = waiting.filter(({ resumes }) => answered.has(resumes)).map(({ resumes }) => resumes);
    const able = wants.filter((one) => !(one.kind === 'look' && one.waits && ready.length === 0));
    const action = able.at(step.pick % Math.max(1, able.length));
    if (action === undefined) {
      for (const { resumes } of waiting) answered.add(resumes);
      continue;
    }
    const done = { kind: action.kind, key: action.key, action, outcome: outcome(action, step.kind, ready), at: '' };
    flying.delete(action.key);
    s = stage.apply(s as never, done as never);
  }
  function groupOf(id: string): string {
    return String(Number(id) % groups);
  }

  throw new Error(`it does not end: ${JSON.stringify(s)} ${JSON.stringify([...flying.values()])}`);

  function outcome(action: ActionOf<Actions>, kind: Kind, ready: readonly string[]): object {
    switch (action.kind) {
      case 'survey': {
        const { taken, prefer, atWork: busy = [] } = nextInput.parse(action.input);
        const open = Array.from({ length: count }, (_, i) => String(i + 1)).filter((id) => !landed.has(id));
        const free = open.filter((id) => !taken.includes(id));
        const choice = chooseApart({
          pick: (without) =>
            prefer !== undefined && free.includes(prefer) ? prefer : (free.find((id) => !without.has(id)) ?? null),
          filesOf: (id) => new Set([groupOf(id)]),
          atWork: busy,
          prefer: prefer ?? null,
        });
        return { facts: { ...choice, remaining: open.length, session: 1, failure: null } };
      }
      case 'item': {
        // Every item lands in the end.
        const ends = token > 10 * count ? 'landed' : kind;
        const result = outcomeFor(ends, String((token += 1)));
        expect(s.file.aside?.some(({ item }) => item === action.item) ?? false, 'it is aside').toBe(false);
        if (result.result === 'landed') landed.add(action.item);
        return result;
      }
      case 'look':
        return { ready, over: [], isDueLater: false };
      case 'park':
        return { isParked: true };
      case 'unpark':
        return { attempt: null };
      case 'ask':
        return { option: 'retry', note: '', by: 'anna', at: '' };
      case 'procedure':
        return { output: { end: 'holds' } };
      default:
        return { until: '' };
    }
  }

  function check(): void {
    const { file, at } = s;
    const busy = atWork(file);
    expect(busy.length).toBeLessThanOrEqual(lanes);
    if (at.stage !== 'choose' && at.stage !== 'work') expect(busy).toEqual([]);
    const places = file.running.map(({ lane }) => lane);
    expect(new Set(places).size, 'one item in a lane').toBe(places.length);
    const items = [...file.running, ...file.parked].map(({ item }) => item);
    expect(new Set(items).size, 'an item is in one place').toBe(items.length);
    const sessions = [...file.running, ...file.parked].map(({ session }) => session);
    expect(new Set(sessions).size, 'a session has its own number').toBe(sessions.length);
    // One that was overtaken or waited for an answer continues in any case.
    const fresh = busy.filter(({ item, resumes }) => resumes === undefined && !file.overtaken?.includes(item));
    const groupsAtWork = fresh.map(({ item }) => groupOf(item));
    expect(new Set(groupsAtWork).size, 'no two begin that change the same file').toBe(groupsAtWork.length);
    const losers = busy.filter(({ item, resumes }) => resumes === undefined && file.overtaken?.includes(item));
    expect(losers.length, 'one of the overtaken begins at a time').toBeLessThanOrEqual(1);
    // Work that is taken out of a work tree or put into it is never left in the middle.
    expect(dropped.filter((kind) => kind === 'park' || kind === 'unpark')).toEqual([]);
  }
}

const KINDS = ['landed', 'landed', 'landed', 'rejected', 'overtaken', 'gate'] as const;
const steps = (kinds: readonly Kind[]) =>
  fc.array(fc.record({ pick: fc.nat(8), kind: fc.constantFrom(...kinds), event: fc.nat(5) }), {
    minLength: 1,
    maxLength: 40,
  });
const runs = { numRuns: 300, seed: 20261125 };

test('no more items are at work than there are lanes, also where an earlier run had more', () => {
  expect([mostActions(4, 0), mostActions(4, 4), mostActions(2, 4), mostActions(1, 3)]).toEqual([5, 5, 2, 1]);
});

describe('a run with several lanes', () => {
  test('has an item in one lane only, and one item in a lane; every item lands, whatever waits, fails or is overtaken', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 9 }), steps(KINDS), (lanes, count, how) => {
        const { landed, verdict, s } = play({ lanes, count, mode: MODE }, [
          ...how,
          { pick: 0, kind: 'landed', event: 0 },
        ]);
        const waiting = waitingItems(s.file).length;
        // A run ends with questions only where nothing else is left.
        if (verdict.verdict === 'gate') expect(landed.size + waiting).toBe(count);
        else expect([verdict.verdict, landed.size, waiting]).toEqual(['done', count, 0]);
      }),
      runs,
    );
  });

  test('begins no item beside one that is expected to change the same file; all land all the same, and no wait is left', () => {
    let waited = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        steps(['landed', 'landed', 'rejected', 'overtaken']),
        (lanes, groups, how) => {
          const { landed, verdict, s, most, apart } = play({ lanes, count: 7, mode: MODE, groups }, [
            ...how,
            { pick: 0, kind: 'landed', event: 0 },
          ]);
          expect([verdict.verdict, landed.size, s.file.apart ?? []]).toEqual(['done', 7, []]);
          if (!how.some(({ kind }) => kind === 'overtaken')) expect(most).toBeLessThanOrEqual(groups);
          waited += apart;
        },
      ),
      runs,
    );
    expect(waited).toBeGreaterThan(100);
  });

  test('ends after a pause, a failure of one item or an outage when the others have ended; what waits is still known', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }),
        steps([...KINDS, 'blocked', 'outage']),
        fc.nat(30),
        (lanes, how, pauseAt) => {
          const { s, verdict } = play({ lanes, count: 6, mode: MODE }, how, pauseAt);
          expect(atWork(s.file)).toEqual([]);
          expect(['paused', 'blocked', 'done', 'gate']).toContain(verdict.verdict);
        },
      ),
      runs,
    );
  });

  test('continues beside items with a trouble of their own, and works on all others', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), steps(['landed', 'aside', 'gate', 'rejected']), (lanes, how) => {
        const { s, verdict, landed } = play({ lanes, count: 6, mode: MODE }, how);
        const left = (s.file.aside ?? []).length + waitingItems(s.file).length;
        expect(landed.size + left).toBe(6);
        if (verdict.verdict === 'blocked') expect(verdict.reason).toBe('decided-manual');
      }),
      runs,
    );
  });

  test('begins no more sessions than asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 5 }), steps(KINDS), (lanes, most, how) => {
        const { s } = play({ lanes, count: 8, mode: { ...MODE, maxSessions: most } }, how);
        expect(s.file.counts.sessions).toBeLessThanOrEqual(most);
      }),
      runs,
    );
  });

  test('has all lanes at work where there are items enough', () => {
    const { most } = play({ lanes: 4, count: 9, mode: MODE }, [{ pick: -1, kind: 'landed', event: 5 }]);
    expect(most).toBe(4);
  });
});
