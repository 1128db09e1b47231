// Sessions before a worker's: who comes when, and what an architect may not do.
import { describe, expect, test } from 'vitest';
import { checkpoint, facts, problem, turn, usage } from '../../../test/support/outcomes.ts';
import { missionConfig } from '../../../test/support/mission.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { failure } from '../../model/failure.ts';
import { before } from './before.ts';

const CLAIM = 'VAL-THING-001';
const unclear = problem('review-unclear', { role: 'validator', claim: CLAIM, why: 'it can be read in two ways' });
const GOOD: Answers = {
  'mission.freshness': { facts: { fresh: 0, upTo: 0 } },
  'mission.debugged': { facts: { isThere: false } },
  'mission.decided': { facts: { decisions: [] } },
  ask: { option: 'decide', note: 'lower case', by: 'ada', at: '2026-01-01T00:00:00.000Z' },
  'mission.drafted-contract': { facts: { isWritten: true, lost: [], added: [] } },
  'changed-since': { facts: { paths: [] } },
  number: { session: 5 },
  agent: { agent: 0, wall: null },
  session: turn({ text: 'The cause is found.' }),
  close: { usage, tampering: [] },
  'mission.claims': { facts: { claims: [{ id: 'VAL-THING-001', text: 'it is there' }], unresolved: [] } },
  remember: { file: '' },
  tidy: { removed: 0 },
  checkpoint,
  restore: { restored: [] },
  commit: { commit: 'c', tree: 't', refused: null },
  write: { written: [] },
  wait: { until: '' },
};
const config = missionConfig({ mission: { curateEvery: 10, debugAfter: 2 } });
async function prepared(more: Parameters<typeof facts>[0], answers: Answers = {}) {
  const script = scriptedRun({ ...GOOD, ...answers });
  const ready = { facts: facts({ id: 'F-001', ...more }), firstTask: [], session: 4 };
  return { end: await before(script.run, ready, config), ...script };
}
const roles = (steps: readonly string[]): readonly string[] => [
  ...new Set(steps.filter((step) => step.endsWith('/session')).map((step) => step.split('/')[0] ?? '')),
];

describe('before a worker', () => {
  test.each<[string, Parameters<typeof facts>[0], Answers, readonly string[]]>([
    ['of a new feature there is no other role', {}, {}, []],
    ['comes an architect where an assertion is unclear', { failed: [unclear], attempt: 2 }, {}, ['architect']],
    ['comes a debugger after several failures', { attempt: 3, failed: [problem('tests-failed')] }, {}, ['debugger']],
    ['comes no second debugger', { attempt: 4 }, { 'mission.debugged': { facts: { isThere: true } } }, []],
    ['come both, the architect first', { attempt: 3, failed: [unclear] }, {}, ['architect', 'debugger']],
  ])('%s', async (_, more, answers, wanted) => {
    const { end, steps } = await prepared(more, answers);
    expect([end, roles(steps)]).toEqual([null, wanted]);
  });

  test('comes a curator where the memory has grown', async () => {
    const { steps, end } = await prepared(
      {},
      {
        'mission.freshness': { facts: { fresh: 12, upTo: 12 } },
        curate: { file: '', curated: { isWritten: true, problems: [], repairs: [], promoted: [], refused: [] } },
      },
    );
    expect([end, roles(steps)]).toEqual([null, ['curator']]);
  });
});

test('nothing begins where a claim has no assertion', async () => {
  const unresolved = { facts: { claims: [], unresolved: ['VAL-THING-009'] } };
  const { end, steps } = await prepared({}, { 'mission.claims': unresolved });
  expect(end).toMatchObject({ result: 'blocked', reason: 'claims-unresolved' });
  expect(roles(steps)).toEqual([]);
});

describe('an architect', () => {
  const ask = { failed: [unclear], attempt: 2 };
  test('clarifies the contract, which is committed', async () => {
    const { asked } = await prepared(ask);
    expect(asked('architect/contract')).toMatchObject({
      kind: 'commit',
      style: 'plain',
      only: ['.harness/validation-contract.md'],
    });
  });

  test.each([
    ['removes', { lost: [CLAIM], added: [] }, 'assertion-removed'],
    ['adds', { lost: [], added: ['VAL-THING-009'] }, 'assertion-added'],
  ])('who %s an assertion is asked again, and nothing is committed', async (_, ids, why) => {
    const { steps, asked, end } = await prepared(ask, {
      'mission.drafted-contract': { facts: { isWritten: true, ...ids } },
    });
    expect(asked('architect/turn-2/session')).toMatchObject({
      say: { kind: 'problems', problems: [{ code: 'plan-contract-invalid', params: { why } }] },
    });
    expect([end, steps.filter((step) => step.endsWith('/session')).length]).toEqual([null, 3]);
    expect(steps).not.toContain('architect/contract');
    expect(steps).toContain('architect/user/ask');
  });

  test('leaves what was decided for the sessions that follow', async () => {
    const { asked } = await prepared({ ...ask, partial: { session: 3, reason: 'review', base: null } });
    expect(asked('architect/decided')).toMatchObject({
      kind: 'write',
      edit: {
        input: {
          item: 'F-001',
          decision: {
            by: 'architect',
            session: 3,
            answer: 'The cause is found.',
            asked: `${CLAIM}: it can be read in two ways`,
          },
        },
      },
    });
  });

  const decision = (session: number, by = 'architect') => ({ by, asked: 'a', answer: 'b', session });
  test('is not asked again about what was found in a session that is decided', async () => {
    const partial = { session: 3, reason: 'review', base: null };
    const { steps, end } = await prepared(
      { ...ask, partial },
      { 'mission.decided': { facts: { decisions: [decision(3)] } } },
    );
    expect([end, roles(steps)]).toEqual([null, []]);
  });
});

describe('a user decides', () => {
  const ask = { failed: [unclear], attempt: 2, partial: { session: 7, reason: 'review', base: null } };
  const twice = {
    'mission.decided': {
      facts: { decisions: [1, 2].map((session) => ({ by: 'architect', asked: 'a', answer: 'b', session })) },
    },
  };

  test('where architects have decided twice about the feature, and the worker gets the answer', async () => {
    const { asked, steps, end } = await prepared(ask, twice);
    expect([end, roles(steps)]).toEqual([null, []]);
    expect(asked('architect/user/ask')).toMatchObject({
      subject: 'mission-unclear',
      item: 'F-001',
      params: { what: `${CLAIM}: it can be read in two ways`, answered: 2 },
    });
    expect(asked('architect/user/decided')).toMatchObject({
      edit: { input: { decision: { by: 'user', answer: 'lower case', session: 7 } } },
    });
  });

  test('where an architect says that only a person can, and the contract stays', async () => {
    const { steps, end } = await prepared(ask, {
      'mission.drafted-contract': { facts: { isWritten: false, lost: [], added: [] } },
      session: turn({ text: 'ESCALATE: both are possible' }),
    });
    expect([end, steps.includes('architect/contract'), steps.includes('architect/user/ask')]).toEqual([
      null,
      false,
      true,
    ]);
  });

  test('who leaves the feature out ends it', async () => {
    const skips = { option: 'skip', note: 'not now', by: 'ada', at: '2026-01-01T00:00:00.000Z' };
    const { end, asked } = await prepared(ask, { ...twice, ask: skips });
    expect(end).toMatchObject({ result: 'skipped', reason: 'decided-skip' });
    expect(asked('architect/user/flag-skipped')).toMatchObject({ kind: 'commit' });
  });
});

describe('an architect', () => {
  const ask = { failed: [unclear], attempt: 2 };

  test('whose agent is not available ends the item before its session, and no work is to blame', async () => {
    const limited = failure('agent-auth');
    const { end } = await prepared(ask, { session: turn({ end: 'agent-failed', failure: limited }) });
    expect(end).toMatchObject({ result: 'blocked', reason: 'agent-auth' });
  });
});

describe('a debugger', () => {
  test('leaves what it found for the worker, and takes back what it tried', async () => {
    const { asked, steps } = await prepared(
      { attempt: 3, failed: [problem('tests-failed')] },
      { 'changed-since': { facts: { paths: ['src/a.ts'] } } },
    );
    expect(asked('debugger/debugged')).toMatchObject({
      kind: 'write',
      edit: { input: { item: 'F-001', text: 'The cause is found.' } },
    });
    expect(asked('debugger/restore')).toMatchObject({ kind: 'restore', paths: ['src/a.ts'] });
    expect(steps.indexOf('debugger/restore')).toBeLessThan(steps.indexOf('debugger/debugged'));
  });

  test('whose cause is an assertion that is unclear brings an architect', async () => {
    const { asked, end } = await prepared(
      { attempt: 3, failed: [problem('tests-failed')] },
      { 'debugger/turn-1/session': turn({ text: `The cause is found.\nUNCLEAR: ${CLAIM} which of the two?` }) },
    );
    expect(end).toBeNull();
    expect(asked('debugger/architect/turn-1/session')).toMatchObject({
      role: 'architect',
      say: { input: { unclear: [{ params: { role: 'debugger', claim: CLAIM, why: 'which of the two?' } }] } },
    });
  });

  test('who says nothing leaves nothing', async () => {
    const { steps, end } = await prepared({ attempt: 3 }, { session: turn({ text: ' ' }) });
    expect([end, steps.includes('debugger/debugged')]).toEqual([null, false]);
  });
});
