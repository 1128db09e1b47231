// The loop where the agent is unavailable: it backs off, longer each time, and asks a user in the end.
import { expect, test } from 'vitest';
import { usage } from '../../test/support/outcomes.ts';
import { flagEdit } from '../engine/list-edits.ts';
import type { ActionOf } from '../engine/types.ts';
import type { Actions, ItemOutcome } from '../model/action.ts';
import { failure } from '../model/failure.ts';
import type { RunMode } from '../model/run.ts';
import { featuresPlaybook } from '../../test/support/features.ts';
import { loopMachine } from './machine.ts';
import { emptyLoop } from './run-file.ts';

const MODE: RunMode = { work: true, only: null, untilDone: true, maxSessions: null, maxItems: null };
const CONTEXT = { path: { backlog: 'features.json', isOwn: false }, machine: featuresPlaybook.machine } as const;
const MEM = { paused: false, applied: [], backoffs: 0, flags: 0, reverted: [] };
const outage: ItemOutcome = {
  result: 'partial',
  reason: 'agent-overloaded',
  failure: failure('agent-overloaded', { provider: 'claude' }),
  problems: [],
  commit: 'wip',
  evidence: null,
  usage,
  gate: null,
};
const landed: ItemOutcome = { ...outage, result: 'landed', failure: null };

/** Plays a run whose sessions end as given, the last one again and again; every wait passes. Ends at a verdict or a question. */
function play(mode: Partial<RunMode>, sessions: readonly ItemOutcome[], answer = '') {
  const machine = loopMachine({ ...MODE, ...mode }, CONTEXT);
  const file = emptyLoop('run-1');
  let s = { file, ...machine.place(file) };
  const waits: number[] = [];
  let n = 0;
  for (let steps = 0; steps < 400; steps += 1) {
    const stage = machine.stages[s.at.stage] as (typeof machine.stages)['choose'];
    const wants = stage.wants(s as never);
    if ('verdict' in wants) return { waits, end: wants, s };
    const action = wants[0] as ActionOf<Actions>;
    if (action.kind === 'wait') waits.push(action.delayMs);
    if (action.kind === 'ask' && answer === '') return { waits, ask: action, s };
    const outcomes: { [kind: string]: object } = {
      survey: { facts: { next: '1', remaining: 1, session: n + 1, failure: null } },
      item: sessions[Math.min(n, sessions.length - 1)] ?? outage,
      wait: { until: '' },
      ask: { option: answer, note: '', by: 'anna', at: '' },
    };
    if (action.kind === 'item') n += 1;
    const done = { kind: action.kind, key: action.key, action, outcome: outcomes[action.kind], at: '' };
    s = stage.apply(s as never, done as never);
  }
  throw new Error('it does not end');
}

const MINUTE = 60_000;

test('a run backs off for five minutes, then longer, half an hour at most; after twelve backoffs it asks', () => {
  const { waits, ask } = play({}, [outage]);
  expect(waits).toEqual([5, 10, 20, ...Array.from({ length: 9 }, () => 30)].map((m) => m * MINUTE));
  expect(ask).toMatchObject({
    subject: 'agent-unavailable',
    params: { provider: 'claude', reason: 'agent-overloaded', rests: 12 },
  });
});

test('a session that gets anywhere starts the count from zero', () => {
  const { waits } = play({ maxItems: 2 }, [outage, outage, landed, outage, landed]);
  expect(waits).toEqual([5, 10, 5].map((m) => m * MINUTE));
});

test('a provider that says when its window resets is waited for, a day at most', () => {
  const told = (retryAfterMs: number): ItemOutcome => ({
    ...outage,
    failure: failure('agent-rate-limited', { retryAfterMs }),
  });
  expect(play({ maxItems: 1 }, [told(3 * 60 * MINUTE), landed]).waits).toEqual([3 * 60 * MINUTE]);
  expect(play({ maxItems: 1 }, [told(1e12), landed]).waits).toEqual([24 * 60 * MINUTE]);
});

test('a run for one session does not wait: it ends as paused, with the reason', () => {
  expect(play({ untilDone: false }, [outage])).toMatchObject({
    waits: [],
    end: { verdict: 'paused', reason: 'agent-overloaded' },
    s: { at: { failure: { reason: 'agent-overloaded' } } },
  });
});

test.each([
  ['pause', 'paused'],
  ['abort', 'blocked'],
])('the answer %s ends the run as %s', (answer, verdict) => {
  expect(play({}, [outage], answer)).toMatchObject({ end: { verdict } });
});

test('the answer "try again" starts another session, and the count of backoffs from zero', () => {
  const { waits } = play({ maxItems: 1 }, [...Array.from({ length: 14 }, () => outage), landed], 'retry');
  expect(waits.slice(-2)).toEqual([30 * MINUTE, 5 * MINUTE]);
});

test('a pause does not wait for the end of a backoff', () => {
  const machine = loopMachine(MODE, CONTEXT);
  const why = failure('agent-overloaded');
  const resting = {
    file: emptyLoop('r'),
    at: { stage: 'backoff', n: 3, why },
    mem: { ...MEM, backoffs: 1 },
  } as const;
  expect(machine.on?.(resting, { type: 'pause' }, '')).toMatchObject({ at: { stage: 'ended', result: 'paused' } });
});

test('a session that an earlier process was asked to pause, and did not save, is saved; then the run continues', () => {
  const stopped: ItemOutcome = { ...outage, result: 'paused', reason: 'user_pause', failure: null };
  expect(play({ untilDone: false }, [stopped, landed]).end).toMatchObject({ verdict: 'landed' });
  const budget: ItemOutcome = { ...stopped, reason: 'budget-exhausted' };
  expect(play({ untilDone: false }, [budget, landed]).end).toMatchObject({ verdict: 'paused' });
});

test('a pause in this process ends the run', () => {
  const machine = loopMachine(MODE, CONTEXT);
  const file = { ...emptyLoop('r'), running: [{ item: '1', lane: 0, session: 1 }] };
  const asked = machine.on?.({ file, at: { stage: 'work', n: 0 }, mem: MEM }, { type: 'pause' }, '');
  const action = { kind: 'item', item: '1', lane: 0, session: 1 };
  const outcome: ItemOutcome = { ...outage, result: 'paused', reason: 'user_pause', failure: null };
  const after = machine.stages.work.apply(asked as never, { kind: 'item', key: 'k', action, outcome, at: '' } as never);
  expect(after).toMatchObject({ at: { stage: 'ended', result: 'paused' } });
});

/** Plays it with the same answer for each kind of action, to a verdict. */
function toItsEnd(machine: ReturnType<typeof loopMachine>, answers: { readonly [kind: string]: object }) {
  let s = { file: emptyLoop('r'), ...machine.place(emptyLoop('r')) };
  const asked: string[] = [];
  for (let steps = 0; steps < 100; steps += 1) {
    const stage = machine.stages[s.at.stage] as (typeof machine.stages)['choose'];
    const wants = stage.wants(s as never);
    if ('verdict' in wants) return { s, asked, end: wants };
    const action = wants[0] as ActionOf<Actions>;
    asked.push(action.kind);
    const done = { kind: action.kind, key: action.key, action, outcome: answers[action.kind], at: '' };
    s = stage.apply(s as never, done as never);
  }
  throw new Error('it does not end');
}

test('a policy that resets forever, where the flags reach no item, ends the run', () => {
  const machine = loopMachine({ ...MODE, maintainMs: 60_000 }, CONTEXT);
  const { end } = toItsEnd(machine, {
    survey: { facts: { next: null, remaining: 0, session: 5, failure: null } },
    procedure: { output: { end: 'broken', tests: null, problems: [], broken: ['1', '2'] } },
    commit: { commit: null, tree: 't', refused: null },
  });
  expect(end).toEqual({ verdict: 'blocked', reason: 'reset-without-effect' });
});

test('the unfinished work of a skipped item is reverted before the next item starts; it is tried once', () => {
  const machine = loopMachine(MODE, CONTEXT);
  const { s, asked } = toItsEnd(machine, {
    survey: { facts: { next: '2', remaining: 1, session: 5, failure: null, leftover: '1' } },
    procedure: { output: { commit: null, failure: failure('unwind-failing', { item: '1' }) } },
    item: { ...landed, result: 'blocked' },
  });
  expect(asked).toEqual(['survey', 'procedure', 'survey', 'item']);
  const again = machine.on?.(s, { type: 'life-started', life: 'place#another' }, '');
  expect(again?.mem.reverted).toEqual([]);
});

test('a run that only applies changes does so in every position of the last run, and leaves the position as it is', () => {
  const machine = loopMachine({ ...MODE, work: false }, CONTEXT);
  const why = failure('agent-overloaded');
  const pending = [
    { id: 'asked', subject: 'chore', edit: flagEdit('features.json', '1', { type: 'size-accepted' }), item: '1' },
  ];
  const mem = { ...MEM, backoffs: 1 };
  for (const at of [
    { stage: 'backoff', n: 3, why },
    { stage: 'unavailable', n: 3, why },
    { stage: 'final', n: 3 },
    { stage: 'cycle', n: 3, cycle: { items: ['1'], paths: [] } },
  ] as const) {
    const stage = machine.stages[at.stage] as (typeof machine.stages)['backoff'];
    const s = { file: { ...emptyLoop('r'), pending }, at, mem };
    expect(stage.wants(s as never)).toMatchObject([{ kind: 'commit', key: 'asked' }]);
    const done = { kind: 'commit', key: 'asked', outcome: { commit: 'c', tree: 't', refused: null }, at: '' };
    const after = stage.apply(s as never, done as never);
    expect(after).toMatchObject({ at, file: { pending: [] } });
    expect(stage.wants(after as never)).toEqual({ verdict: 'done', reason: 'applied' });
  }
});
