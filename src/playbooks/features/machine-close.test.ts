// The stages `decide` and `close` of the features machine: what becomes of the work, and how its session ends.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint, facts, problem, strength, usage, verdict } from '../../../test/support/outcomes.ts';
import type { Answers } from '../../../test/support/run.ts';
import { performStage } from '../../../test/support/stage.ts';
import { failure } from '../../model/failure.ts';
import {
  NO_PROBLEM,
  type CutReason,
  type WorkDecision,
  type ItemFacts,
  type Rejection,
  type WorkResult,
} from '../session/facts.ts';
import { emptySessionState } from '../session/session-state.ts';
import { featuresMachine } from './machine.ts';

const AT = '2026-01-01T01:00:00.000Z';
const answer = (option: string, note = '') => ({ option, note, by: 'Ada', at: AT });
const committed = { commit: 'new-commit', tree: 'new-tree', refused: null };
const refused = problem('tree-changed-since-check');
const machine = featuresMachine({ item: '1', session: 4, lane: 0, run: 'r', config: configOf() });
type Position = ReturnType<typeof machine.place>['at'];
const perform = (at: Position, answers: Answers, paused = false) =>
  performStage(machine, { file: emptySessionState(''), at, mem: { paused } }, answers, configOf());

const session = { facts: facts(), checkpoint, startedAt: AT, endedAt: AT, text: 'Done.' };

describe('decide', () => {
  const decide = (work: WorkResult, answers: Answers = {}, more: Partial<ItemFacts> = {}) =>
    perform({ stage: 'decide', ...session, facts: facts(more), work }, answers);
  const holds: WorkResult = { end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' };
  const proof = { verdict: verdict(), strength: strength() };

  test('lands work that holds, without a question', async () => {
    const { out, steps } = await decide(holds);
    expect(out).toEqual({ do: 'accept', ...proof, decided: null, person: null });
    expect(steps).toEqual([]);
  });

  test('saves work that is unfinished, with the outage that ended it', async () => {
    const why = failure('agent-rate-limited');
    expect((await decide({ end: 'unfinished', why: 'timeout', text: '' })).out).toEqual({
      do: 'save',
      why: 'timeout',
      failure: null,
    });
    expect((await decide({ end: 'unfinished', why: 'error', failure: why, text: '' })).out).toEqual({
      do: 'save',
      why: 'error',
      failure: why,
    });
  });

  test('rolls back where the agent failed, for that reason', async () => {
    const why = failure('agent-auth');
    const { out } = await decide({ end: 'agent-failed', failure: why, text: '' });
    expect(out).toEqual({ do: 'reject', why: { ...NO_PROBLEM, reason: 'agent-auth', failure: why } });
    const crashed = failure('agent-crashed', { code: 1 });
    const decided = async (item: string | null) =>
      (await decide({ end: 'agent-failed', failure: crashed, text: '' }, { 'crashed-before': { facts: { item } } }))
        .out;
    expect(await decided(null)).toMatchObject({ do: 'reject', why: { failure: { policy: 'retry' } } });
    // The same crash on the item before it is an outage.
    expect(await decided('8')).toMatchObject({ do: 'reject', why: { failure: { policy: 'needs-human' } } });
  });

  describe('about a proof in doubt', () => {
    const doubts = [problem('test-not-red')];
    const doubtful: WorkResult = { end: 'doubtful', verdict: verdict(), strength: strength({ doubts }), text: '' };

    test('asks, and lands with the name of the person', async () => {
      const { out, asked } = await decide(doubtful, { 'doubtful-1': answer('land', 'it was there before') });
      expect(asked('doubtful-1')).toMatchObject({ subject: 'doubtful-proof', problems: doubts });
      const decided = answer('land', 'it was there before');
      expect(out).toEqual({
        do: 'accept',
        verdict: verdict(),
        strength: strength({ doubts }),
        decided,
        person: null,
      });
    });

    test('rolls back otherwise, with the doubts as its problems', async () => {
      const { out } = await decide(doubtful, { 'doubtful-1': answer('reject') });
      const why = { ...NO_PROBLEM, reason: 'test-not-red', problems: doubts, evidence: '.harness/evidence/2' };
      expect(out).toEqual({ do: 'reject', why });
    });
  });

  describe('about work that a person has to look at', () => {
    const byHand = { kind: 'hybrid', checks: ['looks right'], steps: [], commands: [] } as const;
    const SHOWN: Answers = {
      close: { usage, tampering: [] },
      keep: { file: '.harness/sessions/4/manual.json', files: ['a.png'] },
    };

    test('closes the session, keeps what there is to see, and asks with it', async () => {
      const { out, steps, asked } = await decide(holds, { ...SHOWN, 'manual-1': answer('verified', 'ok') }, { byHand });
      expect(steps).toEqual(['show/close', 'show/keep', 'manual-1']);
      expect(asked('manual-1')).toMatchObject({
        subject: 'manual-verification',
        evidence: ['.harness/evidence/1', '.harness/sessions/4/manual.json', 'a.png'],
      });
      expect(out).toEqual({ do: 'accept', ...proof, decided: null, person: { by: 'Ada', at: AT, note: 'ok' } });
    });

    test('rolls back where they say that it does not hold', async () => {
      const { out } = await decide(holds, { ...SHOWN, 'manual-1': answer('failed', 'no') }, { byHand });
      expect(out).toMatchObject({ do: 'reject', why: { reason: 'manual-failed', evidence: '.harness/evidence/1' } });
      expect(out).not.toHaveProperty('then');
    });

    test('rolls back and skips the item on request', async () => {
      const { out } = await decide(holds, { ...SHOWN, 'manual-1': answer('skip', 'later') }, { byHand });
      const why = { ...NO_PROBLEM, reason: 'decided-skip' };
      expect(out).toEqual({ do: 'reject', why, next: { do: 'skip', note: 'later', at: AT } });
    });

    test('rolls back without a question where files of the harness were changed', async () => {
      const tampering = [problem('config-edited')];
      const { out, steps } = await decide(holds, { close: { usage, tampering } }, { byHand });
      expect(steps).toEqual(['show/close']);
      const why = { ...NO_PROBLEM, reason: 'config-edited', problems: tampering, evidence: '.harness/evidence/1' };
      expect(out).toEqual({ do: 'reject', why });
    });

    test('shows it after a doubt was decided, too', async () => {
      const doubtful: WorkResult = { end: 'doubtful', ...proof, text: '' };
      const answers = { ...SHOWN, 'doubtful-1': answer('land'), 'manual-1': answer('verified') };
      const { out, steps } = await decide(doubtful, answers, { byHand });
      expect(steps).toEqual(['doubtful-1', 'show/close', 'show/keep', 'manual-1']);
      expect(out).toMatchObject({ do: 'accept', decided: { option: 'land' }, person: { by: 'Ada' } });
    });
  });

  describe('about work that was rejected', () => {
    const regressions = ['pytest|tests/test_2.py||t'];
    const rejected = {
      end: 'rejected',
      reason: 'regression',
      problems: [problem('regression')],
      regressions,
      evidence: 'e',
      text: '',
    } as const;
    const why = { reason: 'regression', problems: [problem('regression')], regressions, evidence: 'e', failure: null };
    const asked = (subject: 'regression' | 'sanity-failed' | 'verification-failed', option: string, note = '') =>
      decide({ ...rejected, ask: subject }, { 'refused-1': answer(option, note) });
    const saved = { do: 'save', why: 'incomplete', failure: null };

    test('rolls back without a question where the configuration asks for none', async () => {
      expect(await decide(rejected)).toMatchObject({ out: { do: 'reject', why }, steps: [] });
    });

    test.each([
      ['verification-failed', 'retry', { do: 'reject', why }],
      ['verification-failed', 'manual-verify', { ...saved, byHand: true }],
      ['verification-failed', 'abort', { do: 'reject', why, next: { do: 'abort' } }],
      ['regression', 'rollback', { do: 'reject', why }],
      ['regression', 'manual', { ...saved, byHand: true }],
      ['sanity-failed', 'retry', saved],
      ['sanity-failed', 'rollback', { do: 'reject', why }],
      ['sanity-failed', 'manual', { ...saved, byHand: true }],
    ] as const)('asked about %s and answered %s does as the person says', async (subject, option, expected) => {
      const { out, asked: ask } = await asked(subject, option);
      expect(out).toEqual(expected);
      expect(ask('refused-1')).toMatchObject({ subject, params: { count: 1 }, evidence: ['e'] });
    });

    test('skips the item on request, after its work is rolled back', async () => {
      const { out } = await asked('verification-failed', 'skip', 'later');
      const skipped = { ...NO_PROBLEM, reason: 'decided-skip' };
      expect(out).toEqual({ do: 'reject', why: skipped, next: { do: 'skip', note: 'later', at: AT } });
    });
  });
});

describe('close', () => {
  const GOOD: Answers = {
    close: { usage, tampering: [] },
    commit: { ...committed, evidence: 'sha-of-bundle' },
    'keep-wip': { commit: 'wip', refused: null },
    push: { pushed: true, remote: 'origin', failure: null },
    'features.cleanup-due': { facts: { isDue: false } },
    publish: { told: 0 },
    remember: { file: '' },
    restore: { restored: [] },
    rollback: { attempt: 'refs/harness/attempts/1', head: 'head-before' },
    owners: { facts: { owners: [] } },
    check: verdict(),
    budget: { facts: { failure: null, over: null } },
  };
  const close = (decision: WorkDecision, answers: Answers = {}, paused = false) =>
    perform({ stage: 'close', ...session, decision }, { ...GOOD, ...answers }, paused);
  const accept = { do: 'accept', verdict: verdict(), strength: null, decided: null, person: null } as const;
  const saved = (why: CutReason, more: object = {}) => ({ do: 'save', why, failure: null, ...more }) as const;
  const rejected = (more: Partial<Rejection> = {}) =>
    ({ do: 'reject', why: { ...NO_PROBLEM, reason: 'tests-failed', ...more } }) as const;

  describe('of work that holds', () => {
    test('lands it, then asks whether a cleanup is due', async () => {
      const due = { 'features.cleanup-due': { facts: { isDue: true } } };
      const { out, steps } = await close(accept, due);
      expect(steps.slice(0, 3)).toEqual(['close', 'commit', 'push']);
      expect(steps.at(-1)).toBe('features.cleanup-due');
      expect(out).toEqual({
        outcome: {
          result: 'landed',
          reason: 'verified',
          failure: null,
          problems: [],
          commit: 'new-commit',
          evidence: '.harness/evidence/1',
          usage,
          gate: null,
          proof: { strength: 'tests', held: ['feature'], notPossible: [] },
        },
        end: { end: 'landed', isCleanupDue: true },
      });
    });

    test('stays landed where the push failed, and says so', async () => {
      const why = failure('push-rejected');
      const { out } = await close(accept, { push: { pushed: false, remote: 'origin', failure: why } });
      expect(out).toMatchObject({ outcome: { result: 'landed', failure: why }, end: { end: 'landed' } });
    });

    test('names a person’s decision in spite of doubts in the commit', async () => {
      const doubts = [problem('test-not-red')];
      const decided = answer('land', 'it was there before');
      const { asked } = await close({ ...accept, strength: strength({ doubts }), decided });
      expect(asked('commit')['body']).toBe(
        [
          'Evidence: .harness/evidence/1',
          'Proofs: .harness/evidence/2',
          `Decided: land, by Ada at ${AT}, in spite of test-not-red`,
          'Because: it was there before',
        ].join('\n'),
      );
    });

    test.each([
      ['the tree changed since the check', { commit: { commit: null, tree: 't', refused } }, refused],
      [
        'files of the harness were changed',
        { close: { usage, tampering: [problem('config-edited')] } },
        problem('config-edited'),
      ],
    ])('rolls it back where %s', async (_, answers, first) => {
      const { out, steps } = await close(accept, answers);
      expect(steps).toContain('refused/rollback');
      expect(steps).not.toContain('push');
      expect(out).toMatchObject({
        outcome: { result: 'rejected', reason: first.code, problems: [first], evidence: '.harness/evidence/1' },
        end: { end: 'failed' },
      });
    });
  });

  test('keeps work that newer commits overtook: it is partial, and not the item’s fault', async () => {
    const conflict = problem('landing-conflict', { commit: 'theirs' });
    const { out, asked } = await close(accept, { commit: { commit: null, tree: 't', refused: conflict } });
    expect(asked('overtaken/keep')).toMatchObject({ kind: 'keep-wip', item: '1', tree: 'tree-verified' });
    expect(out).toMatchObject({
      outcome: { result: 'partial', reason: 'overtaken' },
      end: { end: 'partial', why: 'overtaken' },
    });
  });

  describe('of work that is saved', () => {
    test('is partial, for the reason that ended the session', async () => {
      const { out } = await close(saved('timeout'));
      expect(out).toMatchObject({
        outcome: { result: 'partial', reason: 'timeout', failure: null, usage },
        end: { end: 'partial', why: 'timeout', isOutage: false },
      });
    });

    test('names the outage that ended the session, which is not the item’s fault', async () => {
      const why = failure('agent-rate-limited');
      const { out } = await close(saved('error', { failure: why }));
      expect(out).toMatchObject({
        outcome: { result: 'partial', reason: 'agent-rate-limited', failure: why },
        end: { end: 'partial', why: 'error', isOutage: true },
      });
    });

    test('is paused where a user paused', async () => {
      expect((await close(saved('user_pause'), {}, true)).out).toMatchObject({ outcome: { result: 'paused' } });
    });

    test('is blocked where a person continues it', async () => {
      const { out } = await close(saved('incomplete', { byHand: true }));
      expect(out).toMatchObject({
        outcome: { result: 'blocked', reason: 'decided-manual' },
        end: { end: 'partial', why: 'incomplete' },
      });
    });

    test.each([
      [false, 'rejected'],
      [true, 'paused'],
    ])('is rolled back where it cannot be committed (paused: %s): %s', async (paused, result) => {
      const nested = problem('nested-repository', { path: 'vendor' });
      const answers = { 'keep-wip': { commit: null, refused: nested } };
      const { out } = await close(saved('timeout'), answers, paused);
      expect(out).toMatchObject({
        outcome: { result, reason: 'nested-repository', problems: [nested] },
        end: { end: 'failed' },
      });
    });

    describe('because of a budget that is used up', () => {
      const over = { scope: 'session', unit: 'usd', spent: 26, limit: 25, base: 25 };
      const spent = { budget: { facts: { failure: failure('budget-exhausted'), over } } };
      const end = { end: 'partial', why: 'budget' };

      test.each([
        ['increase', { result: 'partial', reason: 'budget' }],
        ['pause', { result: 'paused', reason: 'budget-exhausted' }],
        ['abort', { result: 'aborted', reason: 'budget-exhausted' }],
      ])('asks, and with the answer %s the outcome is %j', async (option, outcome) => {
        const { out, steps } = await close(saved('budget'), { ...spent, ask: answer(option) });
        expect(out).toMatchObject({ outcome: { ...outcome, usage }, end });
        expect(steps).toContain('budget-session-0');
        expect(steps.includes('raise-session-0')).toBe(option === 'increase');
      });

      test('asks nothing of a user who paused', async () => {
        const { out, steps } = await close(saved('budget'), spent, true);
        expect([out['outcome'], steps.at(-1)]).toMatchObject([{ result: 'paused', reason: 'budget' }, 'budget']);
      });

      test('asks nothing where money is left by now', async () => {
        expect((await close(saved('budget'))).out).toMatchObject({ outcome: { result: 'partial' }, end });
      });
    });
  });

  describe('of work that is rolled back', () => {
    const problems = [problem('tests-failed')];

    test.each([
      ['rejected', 'failed', rejected({ problems })],
      ['failed', 'failed', rejected()],
      ['failed', 'failed', rejected({ failure: failure('agent-crashed') })],
      ['blocked', 'blocked', rejected({ failure: failure('agent-auth') })],
    ])('is %s, and the session %s', async (result, end, decision) => {
      const { out } = await close(decision);
      const { failure: why, problems: named } = decision.why;
      const outcome = { result, reason: 'tests-failed', problems: named, failure: why, usage };
      expect(out).toMatchObject({ outcome, end: { end } });
    });

    test('ends the run where a person says so, without a failure', async () => {
      const { out } = await close({
        ...rejected({ problems, failure: failure('agent-crashed') }),
        next: { do: 'abort' },
      });
      expect(out).toMatchObject({
        outcome: { result: 'aborted', reason: 'decided-abort', problems, failure: null, usage },
        end: { end: 'failed' },
      });
    });

    test('is kept as an attempt first where the item is skipped, which is then written on it', async () => {
      const next = { do: 'skip', note: '', at: AT } as const;
      const { out, steps, asked } = await close({ ...rejected({ reason: 'decided-skip' }), next });
      expect(steps).toEqual(['close', 'rollback', 'log', 'costs', 'record', 'flag-skipped']);
      expect(asked('flag-skipped')['edit']).toMatchObject({
        input: { change: { type: 'skipped', reason: 'decided at a gate', unblock: false, at: AT } },
      });
      expect(out).toMatchObject({
        outcome: { result: 'skipped', reason: 'decided-skip', commit: 'new-commit' },
        end: { end: 'blocked' },
      });
    });
  });
});
