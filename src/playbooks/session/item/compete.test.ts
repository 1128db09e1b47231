// Several attempts at one item: the order of their steps, which result the item ends with, and under whose name it lands.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../../test/support/config.ts';
import { checkpoint, facts, problem, strength, usage, verdict } from '../../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../../test/support/run.ts';
import { failure } from '../../../model/failure.ts';
import type { Scored } from '../../../model/competition.ts';
import type { WorkResult } from '../facts.ts';
import { compete } from './compete.ts';
import type { ItemKind } from './kind.ts';

const agent = { provider: 'claude', model: null, command: [], env: {}, scenario: null } as const;
const agents = { default: agent, roles: {}, fallback: [agent], competitors: [agent] };
const config = configOf({ agents });
const hold: WorkResult = { end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' };
const fail: WorkResult = {
  end: 'rejected',
  reason: 'tests-failed',
  problems: [problem('tests-failed')],
  regressions: [],
  evidence: null,
  text: '',
};
const doubt: WorkResult = { ...hold, strength: strength({ doubts: [problem('test-not-red')] }), end: 'doubtful' };
const GOOD: Answers = {
  remember: { file: '' },
  budget: { facts: { failure: null, over: null } },
  start: { ...checkpoint, commit: 'start' },
  keep: { ...checkpoint, tree: 'kept' },
  back: { attempt: 'refs/a', head: 'h' },
  close: { usage, tampering: [] },
  'take-tree': { tree: 'kept' },
  check: verdict(),
  strength: strength(),
};
const scored = (number: number, size: number): Scored => ({
  number,
  scores: { size, clarity: 0, tests: 0, scope: 0 },
  why: '',
});

async function contest(results: readonly WorkResult[], scores: readonly Scored[] = [], answers: Answers = {}) {
  const script = scriptedRun({ ...GOOD, ...answers });
  const given: (number | undefined)[] = [];
  const compared: number[][] = [];
  const kind = {
    hooks: () => ({ role: () => 'worker' }),
    compare: (_: unknown, { candidates }: { candidates: readonly { number: number }[] }) => {
      compared.push(candidates.map(({ number }) => number));
      return Promise.resolve({ scored: scores, judge: 9 });
    },
  } as unknown as ItemKind;
  const input = {
    facts: facts({ rivals: results.slice(1).map((_, n) => 11 + n) }),
    checkpoint,
    session: 4,
    firstTask: [],
  };
  const out = await compete(kind, script.run, input, config, (_k, _r, _i, _c, agent) => {
    const result = results[given.length];
    given.push(agent);
    return Promise.resolve(result ?? fail);
  });
  const became = (): unknown =>
    (script.asked('competition')['competition'] as { attempts: { became: string }[] }).attempts.map(
      (one) => one.became,
    );
  return { out, ...script, given, compared, became };
}

describe('several attempts', () => {
  test('each is kept and undone before the next; the first that held lands where no answer says more', async () => {
    const { out, steps, given, compared, became } = await contest([hold, hold, hold]);
    expect(steps.slice(0, 5)).toEqual([
      'attempt-1/end',
      'attempt-1/keep',
      'attempt-1/back',
      'attempt-2/budget',
      'attempt-2/start',
    ]);
    expect(compared).toEqual([[1, 2, 3]]);
    expect(became()).toEqual(['won', 'lost', 'lost']);
    expect(steps.at(-1)).toBe('take');
    expect(out).toEqual(hold);
    // Its own agent, then that of the configuration after the fallbacks, then its own again.
    expect(given).toEqual([undefined, 2, undefined]);
  });

  test('the one with the best scores is proved again under the item’s session, and lands as the work of its own', async () => {
    const { out, steps, asked, became } = await contest([hold, hold], [scored(1, 1), scored(2, 2)]);
    expect(became()).toEqual(['lost', 'won']);
    expect(steps.slice(-3)).toEqual(['take', 'again/check', 'again/strength']);
    expect(asked('again/check')).toMatchObject({ session: 4 });
    expect(out).toMatchObject({ end: 'holds', by: 11 });
    expect(asked('attempt-2/record')).toMatchObject({ session: 11, summary: { reason: 'won', attempt: 'refs/a' } });
  });

  test('one that does not hold any more is refused', async () => {
    const check = verdict({ holds: false, problems: [problem('tests-failed')] });
    expect((await contest([fail, hold], [], { check })).out).toMatchObject({ end: 'rejected', reason: 'tests-failed' });
  });

  test('where one holds no judge is asked', async () => {
    const { out, compared, became, asked } = await contest([fail, hold]);
    expect(compared).toEqual([]);
    expect(became()).toEqual(['failed', 'won']);
    expect(asked('competition')).toMatchObject({ competition: { how: 'only', judge: null } });
    expect(out).toMatchObject({ end: 'holds', by: 11 });
  });

  test('where none holds the item ends as the first attempt did; one that a person may let land goes before', async () => {
    expect((await contest([fail, { ...fail, reason: 'other' }])).out).toEqual(fail);
    const strengthAgain = strength({ doubts: [problem('test-not-red')] });
    expect((await contest([fail, doubt], [], { strength: strengthAgain })).out).toMatchObject({
      end: 'doubtful',
      by: 11,
    });
  });

  test('where none holds and one could not decide what is asked, that is settled before the next session', async () => {
    const unclear: WorkResult = { end: 'unfinished', why: 'unclear', text: '', problems: [problem('review-unclear')] };
    const { out, steps } = await contest([fail, unclear]);
    expect([out, steps.at(-1)]).toEqual([unclear, 'take']);
    expect((await contest([hold, unclear])).out).toEqual(hold);
  });

  test('without money no further attempt begins', async () => {
    const { given, out } = await contest([hold, hold], [], {
      budget: { facts: { failure: failure('budget-exhausted'), over: null } },
    });
    expect(given).toEqual([undefined]);
    expect(out).toEqual(hold);
  });

  test('an attempt that changed files of the harness does not count', async () => {
    const close = { usage, tampering: [problem('config-edited')] };
    const { out, became } = await contest([hold, hold], [], { 'attempt-1/end': close });
    expect(became()).toEqual(['failed', 'won']);
    expect(out).toMatchObject({ by: 11 });
  });

  test('a stop ends all of it: the work is kept like that of any session', async () => {
    const stopped: WorkResult = { end: 'unfinished', why: 'user_pause', text: '' };
    const { out, steps } = await contest([stopped, hold]);
    expect(steps).toEqual(['attempt-1/end']);
    expect(out).toEqual(stopped);
  });
});
