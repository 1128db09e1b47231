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
  });

  test('who gives up leaves the contract, and the worker continues', async () => {
    const { steps, end } = await prepared(ask, {
      'mission.drafted-contract': { facts: { isWritten: false, lost: [], added: [] } },
      session: turn({ text: 'ESCALATE: both are possible' }),
    });
    expect([end, steps.includes('architect/contract')]).toEqual([null, false]);
  });

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

  test('who says nothing leaves nothing', async () => {
    const { steps, end } = await prepared({ attempt: 3 }, { session: turn({ text: ' ' }) });
    expect([end, steps.includes('debugger/debugged')]).toEqual([null, false]);
  });
});
