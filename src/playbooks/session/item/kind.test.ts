// What a kind of item can have that a feature has not: sessions before its own, no claim in the list, others who judge the work.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../../test/support/config.ts';
import { checkpoint, facts, problem, strength, turn, usage, verdict } from '../../../../test/support/outcomes.ts';
import type { Answers } from '../../../../test/support/run.ts';
import { performStage, wantedBy } from '../../../../test/support/stage.ts';
import { z } from 'zod';
import { defineSurvey } from '../../../engine/definitions.ts';
import { failureSchema } from '../../../model/failure.ts';
import { itemFacts, NO_PROBLEM, workDecisionSchema, type WorkDecision, type WorkResult } from '../facts.ts';
import { emptySessionState } from '../session-state.ts';
import { filesFacts } from '../surveys.ts';
import type { EarlyEnd, ItemKind, Acceptance, Reproved } from './kind.ts';
import { defineItemMachine } from './machine.ts';

const AT = '2026-01-01T01:00:00.000Z';
const item = defineSurvey({
  id: 'kind.item',
  input: z.object({ item: z.string() }),
  facts: z.object({ facts: itemFacts.nullable(), failure: failureSchema.nullable() }),
  read: () => Promise.resolve({ facts: null, failure: null }),
});
const files = defineSurvey({
  id: 'kind.files',
  input: z.object({}),
  facts: filesFacts,
  read: () => Promise.resolve({ missing: [], notExecutable: [] }),
});
const plain = {
  name: 'plain',
  version: 1,
  surveys: { item, files },
  opening: ({ facts: { id } }) => ({ kind: 'open', brief: 'kind.brief', input: { id } }),
  hooks: () => ({
    role: () => 'worker',
    claim: 'command',
    claimedIn: () => [],
    accepting: () => null,
    logging: () => null,
    blame: () => Promise.resolve([]),
  }),
} as const satisfies Omit<ItemKind, 'prefix'>;

const again = { verdict: verdict({ tree: 'after-review' }), strength: strength({ evidence: 'after-review' }) };
let early: EarlyEnd | null = null;
let judged: Acceptance<Reproved> = { is: 'accepted', ...again };
const plainMachine = defineItemMachine({ ...plain, prefix: 'plain.' });
const judgedMachine = defineItemMachine({
  ...plain,
  prefix: 'judged.',
  async before(run, { facts: { id }, session }) {
    await run.do('abandon', { kind: 'abandon', session, item: id });
    return early;
  },
  async review(run, { facts: { id }, session }) {
    await run.do('abandon', { kind: 'abandon', session, item: id });
    return judged;
  },
});

let worked: 'no' | 'yes' | 'only' = 'yes';
const continuedMachine = defineItemMachine({
  ...plain,
  prefix: 'continued.',
  isWorked: () => worked,
  undecided: (text) => (text.startsWith('UNCLEAR') ? [problem('review-unclear')] : []),
  needIn: (text) => (text.startsWith('NEEDS') ? text : null),
  answered: async (run, { facts: { id }, session }) => {
    await run.do('abandon', { kind: 'abandon', session, item: id });
  },
});

const given = { item: '1', session: 4, lane: 0, run: 'r', config: configOf() };
const session = { facts: facts(), checkpoint, startedAt: AT };
const over = { ...session, endedAt: AT, text: 'Done.' };
type Position = ReturnType<ReturnType<typeof plainMachine>['place']>['at'];
const stateAt = (at: Position) => ({ file: emptySessionState(''), at, mem: { paused: false } });
const GOOD: Answers = {
  abandon: { isAbandoned: false, attempt: null },
  directory: { facts: { failure: null } },
  'kind.files': { facts: { missing: [], notExecutable: [] } },
  'git-state': { facts: { failure: null } },
  'kind.item': { facts: { facts: facts(), failure: null } },
  budget: { facts: { failure: null, over: null } },
  remember: { file: '' },
  agent: { agent: 0, wall: null },
  session: turn(),
  check: verdict(),
  strength: strength(),
  close: { usage, tampering: [] },
  'keep-wip': { commit: 'wip', refused: null },
  checkpoint,
};
const perform = (machine: typeof plainMachine, at: Position, answers: Answers = {}) =>
  performStage(machine(given), stateAt(at), { ...GOOD, ...answers }, configOf());

test('the procedures of a kind have its prefix', () => {
  const idAt = (machine: typeof plainMachine): string =>
    wantedBy(machine(given), stateAt({ stage: 'prepare' })).procedure;
  expect([idAt(plainMachine), idAt(judgedMachine)]).toEqual(['plain.prepare', 'judged.prepare']);
});

test('without claims in the list the end of the turn is the claim', async () => {
  const { out, steps } = await perform(plainMachine, { stage: 'work', ...session, firstTask: [] });
  expect(out).toMatchObject({ end: 'holds' });
  expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/check', 'turn-1/strength']);
});

describe('sessions before the item’s own', () => {
  test('come after preflight and before the checkpoint', async () => {
    early = null;
    const { out, steps } = await perform(judgedMachine, { stage: 'prepare' });
    expect(steps.slice(-2)).toEqual(['before/abandon', 'checkpoint']);
    expect(out).toMatchObject({ is: 'ready' });
  });

  test('can end the item: its own session does not begin', async () => {
    early = { result: 'partial', reason: 'incomplete' };
    const { out, steps } = await perform(judgedMachine, { stage: 'prepare' });
    expect(steps.at(-1)).toBe('before/abandon');
    expect(out).toMatchObject({ is: 'ended', outcome: early });
  });
});

describe('a review', () => {
  const holds: WorkResult = { end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' };
  const decide = async (answers: Answers = {}, work: WorkResult = holds) => {
    const { out, steps } = await perform(judgedMachine, { stage: 'decide', ...over, work }, answers);
    return { decision: workDecisionSchema.parse(out), steps };
  };

  test('begins when the agent’s session is closed; what it proved again is what lands', async () => {
    judged = { is: 'accepted', ...again };
    const { decision, steps } = await decide();
    expect(steps).toEqual(['close', 'used', 'review/abandon']);
    expect(decision).toEqual({ do: 'accept', ...again, decided: null, person: null });
  });

  test('comes after a person let doubtful work land, and keeps their decision', async () => {
    judged = { is: 'accepted', ...again };
    const decided = { option: 'land', note: 'as before', by: 'Ada', at: AT };
    const doubts = [problem('test-not-red')];
    const doubtful: WorkResult = { end: 'doubtful', verdict: verdict(), strength: strength({ doubts }), text: '' };
    const landed = await decide({ 'doubtful-1': decided }, doubtful);
    expect(landed.steps).toEqual(['doubtful-1', 'close', 'used', 'review/abandon']);
    expect(landed.decision).toEqual({ do: 'accept', ...again, decided, person: null });
    expect((await decide({ 'doubtful-1': { ...decided, option: 'reject' } }, doubtful)).steps).toEqual(['doubtful-1']);
  });

  test('does not begin where the session changed files of the harness: the work is rolled back', async () => {
    const tampering = [problem('config-edited')];
    const { decision, steps } = await decide({ close: { usage, tampering } });
    expect(steps).toEqual(['close']);
    const why = { ...NO_PROBLEM, reason: 'config-edited', problems: tampering, evidence: verdict().evidence };
    expect(decision).toEqual({ do: 'reject', why });
  });

  test('can keep the work for another session, which gets its problems: that counts as stuck', async () => {
    const problems = [problem('tests-failed')];
    const save: WorkDecision = { do: 'save', why: 'review', failure: null, problems };
    judged = { is: 'decided', decision: save };
    const { decision } = await decide();
    expect(decision).toEqual(save);
    const { out, asked } = await perform(judgedMachine, { stage: 'close', ...over, decision });
    expect(asked('record')).toMatchObject({ summary: { result: 'partial', reason: 'review', problems } });
    expect(out).toEqual({
      outcome: expect.objectContaining({ result: 'partial', reason: 'review', problems }),
      end: { end: 'partial', why: 'review', isOutage: false },
    });
  });
});

describe('work that an earlier session did', () => {
  const at = { stage: 'work', ...session, firstTask: [] } as const;
  const work = (answers: Answers = {}) =>
    perform(continuedMachine, at, { 'as-it-is/take': { isThere: true }, ...answers });
  const AS_IT_IS = ['as-it-is/take', 'as-it-is/check', 'as-it-is/strength'];
  const broken = { 'as-it-is/check': verdict({ holds: false, problems: [problem('tests-failed')] }) };

  test('is proved again, and no agent is asked', async () => {
    worked = 'yes';
    const { out, steps } = await work();
    expect(steps).toEqual(AS_IT_IS);
    expect(out).toMatchObject({ end: 'holds', asBefore: true, text: '' });
  });

  test('goes to an agent where it does not hold any more, with what is wrong first', async () => {
    worked = 'yes';
    const { out, steps } = await work(broken);
    expect(steps).toEqual([
      'as-it-is/take',
      'as-it-is/check',
      'agent',
      'turn-1/session',
      'turn-1/check',
      'turn-1/strength',
    ]);
    expect(out).toMatchObject({ end: 'holds' });
    expect(out).not.toHaveProperty('asBefore');
  });

  test('goes to an agent where it is gone', async () => {
    worked = 'yes';
    expect((await work({ 'as-it-is/take': { isThere: false } })).steps.slice(0, 2)).toEqual(['as-it-is/take', 'agent']);
  });

  test('is only kept where no agent was asked for', async () => {
    worked = 'only';
    const { out, steps } = await work(broken);
    expect(steps).toEqual(['as-it-is/take', 'as-it-is/check']);
    expect(out).toMatchObject({ end: 'unfinished', why: 'review', problems: [{ code: 'tests-failed' }] });
    const decided = await perform(continuedMachine, {
      stage: 'decide',
      ...over,
      work: { end: 'unfinished', why: 'review', text: '', problems: [problem('tests-failed')] },
    });
    expect(decided.out).toEqual({ do: 'save', why: 'review', failure: null, problems: [problem('tests-failed')] });
  });
});

test('what an agent could not decide ends its session without a proof, and its work is kept with the question', async () => {
  worked = 'no';
  const { out, steps } = await perform(
    continuedMachine,
    { stage: 'work', ...session, firstTask: [] },
    { session: turn({ text: 'UNCLEAR: which?' }) },
  );
  const problems = [problem('review-unclear')];
  expect([out, steps]).toEqual([
    { end: 'unfinished', why: 'unclear', text: 'UNCLEAR: which?', problems },
    ['agent', 'turn-1/session'],
  ]);
  const work = { end: 'unfinished', why: 'unclear', text: '', problems } as const;
  const decided = await perform(continuedMachine, { stage: 'decide', ...over, work });
  expect(decided.out).toEqual({ do: 'save', why: 'unclear', failure: null, problems });
});

test('what an agent needs of a person is asked when its session is closed, and its work is kept', async () => {
  worked = 'no';
  const { out } = await perform(
    continuedMachine,
    { stage: 'work', ...session, firstTask: [] },
    { session: turn({ text: 'NEEDS: a key' }) },
  );
  expect(out).toEqual({ end: 'unfinished', why: 'incomplete', text: 'NEEDS: a key', need: 'NEEDS: a key' });
  const work = { end: 'unfinished', why: 'incomplete', text: '', need: 'a key' } as const;
  const decided = await perform(continuedMachine, { stage: 'decide', ...over, work });
  expect(decided.steps).toEqual(['close', 'abandon']);
  expect(decided.out).toEqual({ do: 'save', why: 'answered', failure: null });
  const closed = await perform(continuedMachine, {
    stage: 'close',
    ...over,
    decision: { do: 'save', why: 'phase', failure: null, reached: 'review' },
  });
  expect(closed.asked('keep')).toMatchObject({ reached: 'review', subject: expect.stringContaining('WIP: Phase') });
  expect(closed.out).toMatchObject({ outcome: { result: 'partial', reason: 'phase' } });
});
