// The stage `work` of the features machine: the order of its steps, and the result for every answer of the agent and of the checks.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint, facts, failing, problem, strength, turn, usage, verdict } from '../../../test/support/outcomes.ts';
import type { Answers } from '../../../test/support/run.ts';
import { performStage } from '../../../test/support/stage.ts';
import { failure, type Params } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { Problem } from '../../model/verdict.ts';
import { workResult, type ItemFacts } from '../session/facts.ts';
import { emptySessionState } from '../session/session-state.ts';
import { featuresMachine } from './machine.ts';

type WorkInput = {
  readonly facts: ItemFacts;
  readonly firstTask: readonly Problem[];
  readonly checkpoint: Checkpoint;
  readonly session: number;
};

const input = (more: Partial<WorkInput> = {}): WorkInput => ({
  facts: facts(),
  firstTask: [],
  checkpoint,
  session: 4,
  ...more,
});
const claimed = { facts: { problems: [] } };
const unclaimed = { facts: { problems: [problem('nothing-claimed', { item: '1' })] } };
const GOOD: Answers = {
  agent: { agent: 0, wall: null },
  session: turn(),
  'features.claim': claimed,
  check: verdict(),
  strength: strength(),
  'revert-claim': { restored: ['features.json'] },
};
const at = async (answers: Answers, given = input(), config = configOf()) => {
  const { session, ...started } = given;
  const machine = featuresMachine({ item: '1', session, lane: 0, run: 'r', config });
  const s = {
    file: emptySessionState(''),
    at: { stage: 'work', ...started, startedAt: 'began' },
    mem: { paused: false },
  } as const;
  const script = await performStage(machine, s, { ...GOOD, ...answers }, config);
  return { ...script, out: workResult.parse(script.out) };
};

describe('a session', () => {
  test('that claims and proves its feature holds: a turn, the claim, the checks, the strength of its tests, and nothing more', async () => {
    const { out, steps, asked } = await at({});
    expect(out).toEqual({ end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' });
    expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/features.claim', 'turn-1/check', 'turn-1/strength']);
    expect(asked('turn-1/session')).toMatchObject({ role: 'coding', turn: 1, session: 4, resume: null });
    expect(asked('turn-1/features.claim')).toMatchObject({ input: { before: checkpoint.ref, item: '1' } });
    expect((asked('turn-1/check')['checks'] as { name: string }[]).map((c) => c.name)).toEqual([
      'feature',
      'full',
      'lint',
    ]);
  });

  test('that continues work in progress is a continuation', async () => {
    const partial = { session: 3, reason: 'timeout', base: 'abc' };
    const { asked } = await at({}, input({ facts: facts({ partial }) }));
    expect(asked('turn-1/session')).toMatchObject({
      role: 'continuation',
      say: { brief: 'features.coding', input: { partial } },
    });
  });

  test('that claims without a run of its test is asked for one, once; then the checks decide', async () => {
    const { out, steps, asked } = await at({ session: turn({ ownTests: 'none' }) });
    expect(out).toMatchObject({ end: 'holds' });
    expect(steps.slice(1)).toEqual([
      'turn-1/session',
      'turn-1/features.claim',
      'turn-2/session',
      'turn-2/features.claim',
      'turn-2/check',
      'turn-2/strength',
    ]);
    expect(asked('turn-2/session')).toMatchObject({
      say: { kind: 'problems', problems: [{ code: 'tests-not-run', params: { item: '1' } }] },
    });
  });

  test('is not asked for a run of its test where nothing is claimed, there is no room, or the configuration wants none', async () => {
    const session = turn({ ownTests: 'none' });
    expect((await at({ session, 'features.claim': unclaimed })).steps).not.toContain('turn-2/session');
    const wrapped = turn({ ownTests: 'none', wrapUp: 'context-limit' });
    expect((await at({ session: wrapped })).steps).not.toContain('turn-2/session');
    const { verification } = configOf();
    const without = configOf({ verification: { ...verification, requireEvidence: false } });
    expect((await at({ session }, input(), without)).steps).not.toContain('turn-2/session');
  });

  test('that claims nothing is unfinished, and nothing is checked', async () => {
    const { out, steps } = await at({ 'features.claim': unclaimed });
    expect(out).toEqual({ end: 'unfinished', why: 'incomplete', text: 'Done.' });
    expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/features.claim']);
  });

  test('that claims nothing but edited the list gets its edits back as problems', async () => {
    const both = { problems: [problem('nothing-claimed'), problem('item-removed')] };
    const { steps } = await at({ 'turn-1/features.claim': { facts: both } });
    expect(steps.slice(1, 5)).toEqual([
      'turn-1/session',
      'turn-1/features.claim',
      'turn-1/revert-claim',
      'turn-2/session',
    ]);
  });
});

describe('the choice of an agent', () => {
  const wall = failure('agent-quota-near', { provider: 'claude', window: '5h', percent: 96, retryAfterMs: 3_600_000 });

  test('is made once: every turn of the session is for the same agent', async () => {
    const { steps, asked } = await at({ agent: { agent: 1, wall: null }, 'turn-1/check': failing() });
    expect(steps.filter((step) => step.endsWith('agent'))).toEqual(['agent']);
    expect(asked('agent')).toMatchObject({ role: 'coding', item: '1', refused: null });
    expect([asked('turn-1/session'), asked('turn-2/session')]).toMatchObject([{ agent: 1 }, { agent: 1 }]);
  });

  test('with every quota nearly used up sends nothing: the run backs off until a quota resets', async () => {
    const { out, steps } = await at({ agent: { agent: 0, wall } });
    expect(out).toEqual({ end: 'unfinished', why: 'error', failure: wall, text: '' });
    expect(steps).toEqual(['agent']);
  });

  const refused = {
    session: turn({ end: 'agent-failed', failure: failure('agent-rate-limited', { retryAfterMs: 9e6 }) }),
  };
  test('after a lasting refusal hands over to a free agent: the work so far is kept, without a backoff', async () => {
    const { out, asked } = await at({ ...refused, 'turn-1/agent': { agent: 1, wall: null } });
    expect(out).toEqual({ end: 'unfinished', why: 'provider_limit', text: 'Done.' });
    expect(asked('turn-1/agent')).toMatchObject({ refused: { agent: 0, failure: { reason: 'agent-rate-limited' } } });
  });

  test('of a substitute that cannot log in does not end the run: it backs off, or another substitute takes over', async () => {
    const locked = { session: turn({ end: 'agent-failed', failure: failure('agent-auth') }) };
    const first = { agent: { agent: 1, wall: null } };
    expect((await at({ ...locked, ...first, 'turn-1/agent': { agent: 0, wall } })).out).toMatchObject({
      end: 'unfinished',
      why: 'error',
    });
    expect((await at({ ...locked, ...first, 'turn-1/agent': { agent: 2, wall: null } })).out).toMatchObject({
      why: 'provider_limit',
    });
    expect((await at(locked)).out).toMatchObject({ end: 'agent-failed' });
  });

  test.each([
    ['no other agent is free', { agent: 0, wall }],
    ['there is no other agent', { agent: 0, wall: null }],
  ])('after a lasting refusal ends in a backoff where %s', async (_, chosen) => {
    const { out } = await at({ ...refused, 'turn-1/agent': chosen });
    expect(out).toMatchObject({ end: 'unfinished', why: 'error', failure: { reason: 'agent-rate-limited' } });
  });
});

describe('work that does not hold', () => {
  test('goes back into the same session with the reasons, the claim reverted before each turn', async () => {
    const bad = failing();
    const { out, steps, asked } = await at({ 'turn-1/check': bad, 'turn-2/check': bad });
    expect(out.end).toBe('holds');
    const round = (n: number, ...rest: string[]) =>
      ['session', 'features.claim', 'check', ...rest].map((s) => `turn-${n}/${s}`);
    expect(steps).toEqual([
      'agent',
      ...round(1, 'revert-claim'),
      ...round(2, 'revert-claim'),
      ...round(3),
      'turn-3/strength',
    ]);
    const again = { code: 'claim-taken-back', params: { item: '1', file: 'features.json' } };
    expect(asked('turn-2/session')).toMatchObject({
      turn: 2,
      resume: 'provider-7',
      say: { kind: 'problems', problems: [...bad.problems, again] },
    });
    expect(asked('turn-1/revert-claim')).toMatchObject({ kind: 'restore', checkpoint, paths: ['features.json'] });
  });

  test.each([
    [0, 1],
    [1, 2],
    [3, 4],
  ])(
    'with %i fix turns is rejected after %i turns, and the claim of the last is not reverted: it is rolled back anyway',
    async (fixTurns, turns) => {
      const verification = { fixTurns };
      const { out, steps } = await at({ check: failing() }, input(), configOf({ verification }));
      expect(out).toMatchObject({
        end: 'rejected',
        reason: 'tests-failed',
        problems: failing().problems,
        regressions: [],
      });
      expect(steps.filter((s) => s.endsWith('session'))).toHaveLength(turns);
      expect(steps.at(-1)).toBe(`turn-${turns}/check`);
    },
  );

  test('by a wrong claim goes back without any check being run', async () => {
    const wrong = { facts: { problems: [problem('wrong-claim', { item: '1' })] } };
    const { out, steps } = await at({ 'features.claim': wrong }, input(), configOf({ verification: { fixTurns: 0 } }));
    expect(out).toMatchObject({ end: 'rejected', reason: 'wrong-claim', evidence: null });
    expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/features.claim']);
  });

  test.each([
    ['a regression', failing([problem('regression')], { regressions: ['pytest|tests/test_2.py||t'] })],
    ['tampering', failing([problem('harness-file-edited')], { tampering: [problem('harness-file-edited')] })],
    ['tampering that no check saw', failing([], { tampering: [problem('config-edited')] })],
  ])('because of %s is final at once', async (_what, found) => {
    const { out, steps } = await at({ check: found });
    expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/features.claim', 'turn-1/check']);
    expect(out).toMatchObject({
      end: 'rejected',
      reason: (found.problems[0] ?? found.tampering[0])?.code,
      regressions: found.regressions,
      evidence: found.evidence,
    });
    expect((out as { problems: readonly object[] }).problems).not.toEqual([]);
  });
});

describe('a proof', () => {
  const weak = problem('tests-disabled', { count: 1 });
  const doubt = problem('test-not-red', { tried: 4 });
  const closed = { usage: turn().usage, tampering: [] };

  test('that is too weak goes back into the session like every other problem', async () => {
    const { out, steps, asked } = await at({ 'turn-1/strength': strength({ problems: [weak], doubts: [doubt] }) });
    expect(out.end).toBe('holds');
    expect(steps.slice(4, 7)).toEqual(['turn-1/strength', 'turn-1/revert-claim', 'turn-2/session']);
    expect(asked('turn-2/session')).toMatchObject({ say: { problems: [weak, { code: 'claim-taken-back' }] } });
  });

  test('that is still too weak after the last turn rejects the work', async () => {
    const given = configOf({ verification: { fixTurns: 0 } });
    const { out } = await at({ strength: strength({ problems: [weak] }) }, input(), given);
    expect(out).toMatchObject({ end: 'rejected', reason: 'tests-disabled', problems: [weak] });
  });

  test('in doubt closes the session first: the work does not change while a person is asked', async () => {
    const proved = strength({ doubts: [doubt] });
    const { out, steps } = await at({ strength: proved, close: closed });
    expect(out).toEqual({ end: 'doubtful', verdict: verdict(), strength: proved, text: 'Done.' });
    expect(steps.at(-1)).toBe('turn-1/close');
  });

  test('in doubt of a session that changed files of the harness is rejected without a question', async () => {
    const tampering = [problem('config-edited')];
    const { out } = await at({ strength: strength({ doubts: [doubt] }), close: { ...closed, tampering } });
    expect(out).toMatchObject({ end: 'rejected', reason: 'config-edited', problems: tampering });
  });

  test('of an item that may change tests becomes a question, not a rejection, where older tests are gone', async () => {
    const gone = { ...problem('tests-missing', { count: 1 }), ids: ['node|a.test.mjs||old'] };
    const lost = { ...verdict(), holds: false, problems: [gone], regressions: ['node|a.test.mjs||old'] };
    const may = input({ facts: facts({ mayChangeTests: ['a.test.mjs'] }) });
    const { out } = await at({ check: lost, close: { usage: turn().usage, tampering: [] } }, may);
    expect(out).toMatchObject({
      end: 'doubtful',
      strength: { doubts: [gone] },
      verdict: { holds: true, problems: [], regressions: [] },
    });
    expect((await at({ check: lost })).out).toMatchObject({ end: 'rejected', reason: 'tests-missing' });
    const other = input({ facts: facts({ mayChangeTests: ['b.test.mjs'] }) });
    expect((await at({ check: lost }, other)).out).toMatchObject({ end: 'rejected', reason: 'tests-missing' });
    const broken = { ...lost, problems: [gone, problem('regression')] };
    expect((await at({ check: broken }, may)).out).toMatchObject({ end: 'rejected', reason: 'tests-missing' });
  });

  test('covers the tree that was checked, since the work on the item started', async () => {
    const partial = { session: 3, reason: 'timeout', base: 'begun' };
    const first = await at({});
    expect(first.asked('turn-1/strength')).toMatchObject({
      since: checkpoint.tree,
      tree: verdict().tree,
      itemKind: 'code',
      feature: { name: 'feature' },
      full: { against: 'baseline' },
      passedBy: ['features.json', 'claude-progress.txt'],
      scripts: ['init.sh', 'reset.sh'],
    });
    const later = await at({}, input({ facts: facts({ partial, category: 'Docs', mayChangeTests: ['a'] }) }));
    expect(later.asked('turn-1/strength')).toMatchObject({ since: 'begun', itemKind: 'exempt', opens: ['a'] });
  });
});

describe('an outage', () => {
  const waited = { until: '2030-01-01T00:00:00.000Z' };
  const fails = (reason: Reason, params: Params = {}) =>
    turn({ end: 'agent-failed', failure: failure(reason, params) });
  const waits = (script: { steps: readonly string[]; asked: (step: string) => { readonly [key: string]: unknown } }) =>
    script.steps.filter((step) => step.endsWith('/wait')).map((step) => script.asked(step)['delayMs']);

  test('is waited for, and the agent continues its own session', async () => {
    const script = await at({ 'turn-1/session': fails('agent-overloaded'), wait: waited });
    expect(script.out.end).toBe('holds');
    expect(script.steps.slice(1, 4)).toEqual(['turn-1/session', 'turn-1/wait', 'turn-2/session']);
    expect(script.asked('turn-2/session')).toMatchObject({
      say: { kind: 'again', why: 'agent-overloaded' },
      resume: 'provider-7',
    });
  });

  test.each([
    ['agent-overloaded', [30_000, 30_000, 30_000], { end: 'unfinished', why: 'error' }],
    [
      'agent-rate-limited',
      [30, 60, 120, 240, 300, 300, 300, 300].map((s) => s * 1_000),
      { end: 'unfinished', why: 'error' },
    ],
    ['agent-network', [10_000, 20_000, 40_000], { end: 'unfinished', why: 'error' }],
    ['agent-malformed', [5_000], { end: 'agent-failed' }],
    ['agent-crashed', [5_000], { end: 'agent-failed' }],
    ['agent-unknown', [10_000, 20_000], { end: 'agent-failed' }],
  ] as const)('that does not end, %s, is tried as often as its rule says', async (reason, delays, expected) => {
    const script = await at({ session: fails(reason), wait: waited });
    expect(waits(script)).toEqual(delays);
    expect(script.out).toMatchObject({ ...expected, failure: { reason } });
  });

  test('is waited for as long as the provider says, unless that is too long for a session', async () => {
    const short = await at({ 'turn-1/session': fails('agent-rate-limited', { retryAfterMs: 90_000 }), wait: waited });
    expect(waits(short)).toEqual([90_000]);
    const long = await at({ session: fails('agent-rate-limited', { retryAfterMs: 3_600_000 }) });
    expect(long.out).toMatchObject({ end: 'unfinished', why: 'error', failure: { reason: 'agent-rate-limited' } });
    expect(waits(long)).toEqual([]);
  });

  test.each([turn({ end: 'idle-limit' }), fails('agent-timeout')])(
    'in the form of an idle turn is tried once more, then the work is kept',
    async (silent) => {
      const script = await at({ session: silent, wait: waited });
      expect(script.out).toEqual({ end: 'unfinished', why: 'timeout', text: 'Done.' });
      expect(waits(script)).toEqual([5_000]);
    },
  );

  test('that lost the agent’s session starts a new one with the whole task', async () => {
    const script = await at({ 'turn-1/session': fails('agent-session-lost'), wait: waited });
    expect(script.asked('turn-2/session')).toMatchObject({ say: { kind: 'open' }, resume: null });
  });

  test('is counted from zero once the agent has answered: failing checks do not use up its tries', async () => {
    const script = await at({
      'turn-1/session': fails('agent-crashed'),
      'turn-2/check': failing(),
      'turn-3/session': fails('agent-crashed'),
      wait: waited,
    });
    expect(script.out.end).toBe('holds');
  });
});

describe('an agent that was asked to wrap up', () => {
  test('and claims nothing is unfinished for that reason', async () => {
    for (const [wrapUp, why] of [
      ['context-limit', 'context_limit'],
      ['stuck', 'stuck'],
      ['budget-limit', 'budget'],
      ['quota-limit', 'provider_limit'],
    ] as const)
      expect((await at({ session: turn({ wrapUp }), 'features.claim': unclaimed })).out).toMatchObject({
        end: 'unfinished',
        why,
      });
  });

  test('may still have finished: what it claims is proved', async () => {
    expect((await at({ session: turn({ wrapUp: 'context-limit' }) })).out.end).toBe('holds');
  });

  test('gets no findings back: there is no room left for them', async () => {
    const { out, steps } = await at({ session: turn({ wrapUp: 'context-limit' }), check: failing() });
    expect(out.end).toBe('rejected');
    expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/features.claim', 'turn-1/check']);
  });
});

describe('a session that was cut', () => {
  test.each([
    ['wall-limit', { end: 'unfinished', why: 'timeout' }],
    ['context-limit', { end: 'unfinished', why: 'context_limit' }],
    ['stuck', { end: 'unfinished', why: 'stuck' }],
    ['budget-limit', { end: 'unfinished', why: 'budget' }],
    ['quota-limit', { end: 'unfinished', why: 'provider_limit' }],
    ['aborted', { end: 'unfinished', why: 'user_pause' }],
    ['output-limit', { end: 'rejected', reason: 'output-limit' }],
  ] as const)('by %s asks nothing more and says why', async (end, expected) => {
    const { out, steps } = await at({ session: turn({ end }) });
    expect(out).toMatchObject(expected);
    expect(steps).toEqual(['agent', 'turn-1/session']);
  });

  test('by an agent that needs a person ends with its failure at once', async () => {
    const why = failure('agent-auth');
    const { out, steps } = await at({ session: turn({ end: 'agent-failed', failure: why }) });
    expect(out).toMatchObject({ end: 'agent-failed', failure: why });
    expect(steps).toEqual(['agent', 'turn-1/session']);
  });

  test('by a full context keeps its work: the next session continues', async () => {
    const full = turn({ end: 'agent-failed', failure: failure('agent-context-full') });
    expect((await at({ session: full })).out).toMatchObject({ end: 'unfinished', why: 'context_limit' });
  });

  test('may be cut in a fix turn, too', async () => {
    const { out } = await at({ check: failing(), 'turn-2/session': turn({ end: 'wall-limit' }) });
    expect(out).toMatchObject({ end: 'unfinished', why: 'timeout' });
  });
});

describe('where the sanity checks failed before the session', () => {
  const sanity = { health: null, lint: null, typeCheck: null, quick: 'make smoke' };
  const config = configOf({ testing: { sanity } });
  const unsound = input({ facts: facts({ isUnsound: true }) });
  const still = failing([problem('check-failed', { check: 'quick' })]);

  test('they are part of what has to hold, after everything else', async () => {
    const { out, asked } = await at({}, unsound, config);
    expect(out).toMatchObject({ end: 'holds' });
    const checks = asked('turn-1/check')['checks'] as { name: string; weight: string }[];
    expect(checks.at(-1)).toMatchObject({ name: 'quick', weight: 'must' });
    const sound = (await at({}, input(), config)).asked('turn-1/check')['checks'] as { name: string }[];
    expect(sound.map(({ name }) => name)).not.toContain('quick');
  });

  test('the agent gets another turn; then a person decides, with the session closed', async () => {
    const { out, steps } = await at({ check: still, close: { usage, tampering: [] } }, unsound, config);
    expect(out).toMatchObject({ end: 'rejected', ask: 'sanity-failed', problems: still.problems });
    expect(steps.filter((step) => step.endsWith('/session')).length).toBeGreaterThan(1);
    expect(steps.at(-1)).toMatch(/close$/);
  });

  test('other problems are the work’s own: it is rejected without a question', async () => {
    const both = failing([problem('tests-failed', { check: 'feature' }), ...still.problems]);
    const { out } = await at({ check: both }, unsound, config);
    expect(out).toMatchObject({ end: 'rejected', reason: 'tests-failed' });
    expect(out).not.toHaveProperty('ask');
  });
});

describe('a rejection that the configuration asks a person about', () => {
  const policy = { answer: 'rollback', afterMs: 1_000 };
  const broke = failing([problem('regression')], { regressions: ['pytest|tests/test_2.py||t'] });
  const asking = (subject: string) => configOf({ gates: { policies: { [subject]: policy } } });

  test.each([
    ['regression', broke],
    ['verification-failed', failing()],
  ] as const)('names its subject %s and closes the session first', async (subject, found) => {
    const { out, steps } = await at({ check: found, close: { usage, tampering: [] } }, input(), asking(subject));
    expect(out).toMatchObject({ end: 'rejected', ask: subject, regressions: found.regressions });
    expect(steps.at(-1)).toMatch(/close$/);
  });

  test('is rejected without a question where closing the session shows that files of the harness were changed', async () => {
    const tampering = [problem('config-edited')];
    const { out } = await at({ check: broke, close: { usage, tampering } }, input(), asking('regression'));
    expect(out).toEqual({
      end: 'rejected',
      reason: 'config-edited',
      problems: tampering,
      regressions: [],
      evidence: broke.evidence,
      text: 'Done.',
    });
  });

  test('is not asked about where the checks found that files of the harness were changed', async () => {
    const found = failing([problem('config-edited')], { tampering: [problem('config-edited')] });
    const { out, steps } = await at({ check: found }, input(), asking('verification-failed'));
    expect(out).not.toHaveProperty('ask');
    expect(steps.at(-1)).toBe('turn-1/check');
  });
});

test('a repository inside the work tree ends the session: its tree cannot be kept for another turn', async () => {
  const { out, steps } = await at({ check: failing([problem('nested-repository', { path: 'vendor' })]) });
  expect(out).toMatchObject({ end: 'rejected', reason: 'nested-repository' });
  expect(steps.at(-1)).toBe('turn-1/check');
});

test('on a list without claims no claim is restored before another turn', async () => {
  const config = configOf({ playbook: { backlog: 'tasks', machine: 'features' } });
  const { steps, asked } = await at({ 'turn-1/check': failing() }, input(), config);
  expect(steps.slice(1, 5)).toEqual(['turn-1/session', 'turn-1/features.claim', 'turn-1/check', 'turn-2/session']);
  expect(asked('turn-2/session')['say']).toEqual({ kind: 'problems', problems: failing().problems, note: '' });
});

describe('with several lanes', () => {
  const config = configOf({ lanes: 2 });
  const merged = { tree: 'both', base: 'newer', work: 'tree-of-work' };
  const stepsOf = (steps: readonly string[]) => steps.slice(3).map((step) => step.replace('turn-1/', ''));
  const take = (turn: object, answers: Answers = {}, given = input()) =>
    at({ 'take-turn': turn, 'give-turn': { has: false }, ...answers }, given, config);

  test('work that lands next is proved once, together with what landed since it began', async () => {
    const { out, steps, asked } = await take(
      { has: true, newest: merged },
      { 'turn-1/newest/check': verdict({ tree: 'both' }) },
    );
    expect(stepsOf(steps)).toEqual(['turn', 'newest/check', 'newest/strength']);
    expect(asked('turn-1/turn')).toMatchObject({ kind: 'take-turn', item: '1', session: 4, checkpoint });
    expect(asked('turn-1/newest/check')).toMatchObject({ tree: 'both' });
    expect(asked('turn-1/newest/strength')).toMatchObject({ tree: 'both', since: 'newer' });
    expect(out).toEqual({
      end: 'holds',
      verdict: verdict({ tree: 'both' }),
      strength: strength(),
      text: 'Done.',
      merged,
    });
  });

  test.each([
    ['fails', { 'turn-1/newest/check': failing() }, ['newest/check']],
    [
      'is in doubt',
      { 'turn-1/newest/strength': strength({ doubts: [problem('test-not-red')] }) },
      ['newest/check', 'newest/strength'],
    ],
  ])('it is proved by itself where it %s together, and others may land', async (_, answers, tried) => {
    const { out, steps, asked } = await take({ has: true, newest: merged }, answers);
    expect(stepsOf(steps)).toEqual(['turn', ...tried, 'others', 'check', 'strength']);
    expect(asked('turn-1/check')).not.toHaveProperty('tree');
    expect(asked('turn-1/others')).toMatchObject({ kind: 'give-turn', item: '1', checkpoint });
    expect(out).toEqual({ end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' });
  });

  test.each([
    [{ has: true, newest: null }, ['turn', 'check', 'strength']],
    [{ has: false, newest: null }, ['turn', 'check', 'strength']],
  ])('it is proved by itself where nothing is newer, or others land: %j', async (turn, expected) => {
    const { out, steps } = await take(turn);
    expect(stepsOf(steps)).toEqual(expected);
    expect(out).toEqual({ end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' });
  });

  test('others may land where it fails in its turn, before the agent has another one', async () => {
    const { steps } = await take({ has: true, newest: null }, { 'turn-1/check': failing() });
    expect(stepsOf(steps).slice(0, 4)).toEqual(['turn', 'check', 'others', 'revert-claim']);
  });

  test('it takes no turn where a user looks at it before it lands', async () => {
    const byHand = { kind: 'hybrid', checks: ['looks right'], steps: ['open it'], commands: [] } as const;
    const { steps } = await take({ has: true, newest: null }, {}, input({ facts: facts({ byHand }) }));
    expect(stepsOf(steps)).toEqual(['check', 'strength']);
  });
});
