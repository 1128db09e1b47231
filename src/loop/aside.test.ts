// Items with a trouble of their own: which they are, and that the run continues beside them.
import { expect, test } from 'vitest';
import { usage } from '../../test/support/outcomes.ts';
import { featuresPlaybook } from '../../test/support/features.ts';
import { flagEdit } from '../engine/list-edits.ts';
import type { ActionOf } from '../engine/types.ts';
import type { Actions, ItemOutcome } from '../model/action.ts';
import { failure } from '../model/failure.ts';
import type { RunMode } from '../model/run.ts';
import { isOfItemAlone } from './aside.ts';
import { loopMachine } from './machine.ts';
import { emptyLoop, type LoopFile } from './run-file.ts';

const MODE: RunMode = { work: true, only: null, untilDone: true, maxSessions: null, maxItems: null };
const CONTEXT = { path: { backlog: 'features.json', isOwn: false }, machine: featuresPlaybook.machine } as const;
const MEM = { paused: false, hasBegun: true, applied: [], backoffs: 0, flags: 0, reverted: [] } as const;
const landed: ItemOutcome = {
  result: 'landed',
  reason: 'verified',
  failure: null,
  problems: [],
  commit: 'c',
  evidence: null,
  usage,
  gate: null,
};
const decided: ItemOutcome = { ...landed, result: 'blocked', reason: 'decided-manual', commit: null };
const missing: ItemOutcome = { ...decided, reason: 'validation-missing', failure: failure('validation-missing') };
const loggedOut: ItemOutcome = { ...decided, reason: 'agent-auth', failure: failure('agent-auth') };

/** Plays a run with one lane over these items to its end; each item ends as given, every time. */
function play(
  outcomes: { readonly [item: string]: ItemOutcome },
  mode: Partial<RunMode> = {},
  file?: LoopFile,
  more: { readonly asksAfterTrouble?: true } = {},
) {
  const machine = loopMachine({ ...MODE, ...mode }, { ...CONTEXT, machine: { ...CONTEXT.machine, ...more } });
  const began = file ?? emptyLoop('r');
  let s = { file: began, ...machine.place(began) };
  const worked: string[] = [];
  const done = new Set<string>();
  for (let steps = 0; steps < 200; steps += 1) {
    const stage = machine.stages[s.at.stage] as (typeof machine.stages)['choose'];
    const wants = stage.wants(s as never);
    if ('verdict' in wants) return { s, worked, end: wants };
    const action = wants[0] as ActionOf<Actions>;
    let outcome: object = { commit: 'c', tree: 't', refused: null, output: { end: 'holds' } };
    if (action.kind === 'survey') {
      const { taken } = action.input as { readonly taken: readonly string[] };
      const open = Object.keys(outcomes).filter((item) => !done.has(item));
      const next = open.find((item) => !taken.includes(item)) ?? null;
      outcome = { facts: { next, remaining: open.length, session: worked.length + 1, failure: null } };
    } else if (action.kind === 'item') {
      worked.push(action.item);
      outcome = outcomes[action.item] ?? landed;
      if (outcomes[action.item]?.result === 'landed') done.add(action.item);
    }
    s = stage.apply(s as never, { kind: action.kind, key: action.key, action, outcome, at: '' } as never);
  }
  throw new Error('it does not end');
}

test.each([
  ['validation-missing', 'blocked', true],
  ['decided-split', 'blocked', true],
  ['decided-manual', 'blocked', true],
  ['agent-refused', 'blocked', true],
  ['agent-auth', 'blocked', false],
  ['agent-crashed', 'blocked', false],
  ['init-failed', 'blocked', false],
  ['baseline-failing', 'blocked', false],
  ['budget-exhausted', 'aborted', false],
  ['decided-abort', 'aborted', false],
  ['validation-missing', 'rejected', false],
] as const)('%s, %s: of the item alone is %s', (reason, result, is) => {
  expect(isOfItemAlone({ reason, result })).toBe(is);
});

test('the run continues with the next item, tries the one aside no more, and ends for its reason', () => {
  const { worked, end, s } = play({ 1: decided, 2: landed, 3: missing, 4: landed });
  expect(worked).toEqual(['1', '2', '3', '4']);
  expect(end).toEqual({ verdict: 'blocked', reason: 'validation-missing' });
  expect(s.at).toMatchObject({ failure: { reason: 'validation-missing' } });
  expect(s.file.aside?.map(({ item }) => item)).toEqual(['1', '3']);
});

test('what is wrong with the environment ends the run at once', () => {
  const { worked, end } = play({ 1: loggedOut, 2: landed });
  expect([worked, end]).toEqual([['1'], { verdict: 'blocked', reason: 'agent-auth' }]);
});

test('a run for one session has the result of its item; one of three sessions stops at its limit', () => {
  expect(play({ 1: decided, 2: landed }, { untilDone: false }).end.reason).toBe('decided-manual');
  const { worked, end } = play({ 1: decided, 2: landed, 3: missing, 4: landed }, { maxSessions: 3 });
  expect([worked, end.reason]).toEqual([['1', '2', '3'], 'max-sessions']);
});

test.each<[string, Partial<RunMode>]>([
  ['sessions', { maxSessions: 2 }],
  ['items', { maxItems: 2 }],
])('a list that is done exactly at the limit of %s is done; with one item left it is the limit', (_, mode) => {
  const done = play({ 1: landed, 2: landed }, mode);
  expect([done.worked, done.end]).toEqual([['1', '2'], { verdict: 'done', reason: 'nothing-left' }]);
  const left = play({ 1: landed, 2: landed, 3: landed }, mode);
  expect([left.worked, left.end.verdict]).toEqual([['1', '2'], 'limit']);
});

test('at the limit no answered item is continued, and none is begun for what the final checks found', () => {
  const machine = loopMachine({ ...MODE, maxSessions: 1 }, CONTEXT);
  const counts = { sessions: 1, landed: 1, skipped: 0, waiting: 1 };
  const waits = { item: '2', lane: 0, session: 2, gate: 'g-1', resumes: 't' };
  const s = { file: { ...emptyLoop('r'), counts, running: [waits] }, at: { stage: 'choose', n: 4 }, mem: MEM } as const;
  expect(machine.stages.choose.wants(s)).toMatchObject([{ kind: 'survey' }]);
  const flagged = { ...s, file: { ...s.file, running: [] } };
  const facts = { next: '1', remaining: 1, session: 3, failure: null };
  const done = { kind: 'survey', key: 'next-4', action: {}, outcome: { facts }, at: '' };
  expect(machine.stages.choose.apply(flagged, done as never)).toMatchObject({ at: { result: 'limit' } });
});

test('the next run, and a change of the item by a person, try it again', () => {
  const { s } = play({ 1: decided, 2: landed });
  const machine = loopMachine(MODE, CONTEXT);
  expect(machine.on?.(s, { type: 'life-started', life: 'place#another' }, '')?.file.aside).toBeUndefined();
  const edit = flagEdit('features.json', '1', { type: 'size-accepted' });
  const asked = { ...s.file, pending: [{ id: 'asked', subject: 'chore', edit, item: '1' }] };
  expect(play({ 1: landed }, {}, asked).worked).toEqual(['1']);
});

test('where the machine asks about it, an item with a trouble is marked and chosen again, and left aside where that is in vain', () => {
  const asks = { asksAfterTrouble: true } as const;
  const marked = play({ 1: missing, 2: landed }, {}, undefined, asks);
  expect(marked.worked).toEqual(['1', '1', '1', '2']);
  expect(marked.end).toMatchObject({ verdict: 'blocked', reason: 'validation-missing' });
  // What a user decided about it is no trouble, and one of the environment is of all.
  expect(play({ 1: decided, 2: landed }, {}, undefined, asks).worked).toEqual(['1', '2']);
  expect(play({ 1: loggedOut, 2: landed }, {}, undefined, asks).worked).toEqual(['1']);
});
