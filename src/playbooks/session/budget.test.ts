// A budget that is used up: what a user allows, and what becomes of the session if they do not.
import { describe, expect, test } from 'vitest';
import { scriptedRun } from '../../../test/support/run.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { MOST_RAISES, overspentSchema, type Overspent } from '../../model/budget.ts';
import { askForMore } from './questions.ts';

const over: Overspent = { scope: 'feature', unit: 'usd', spent: 26, limit: 25, base: 20 };
const about = { item: '1', session: 4 };
const answer = (option: string) => ({ option, note: '', by: 'Ada', at: '2026-01-01T00:00:00.000Z' });
const asked = async (option: string, given: Overspent = over, raises = 0) => {
  const script = scriptedRun({ ask: answer(option), remember: { file: '.harness/costs.yaml' } });
  return { ...script, out: await askForMore(script.run, about, given, raises) };
};

describe('a budget that is used up', () => {
  test('is a question with its figures', async () => {
    const { asked: ask } = await asked('pause');
    expect(ask('budget-feature-0')).toMatchObject({
      subject: 'budget-exceeded',
      item: '1',
      params: { item: '1', scope: 'budget-feature', spentUsd: 26, limitUsd: 25, baseUsd: 20 },
    });
  });

  test('may be raised by its whole base, on top of what was spent beyond the limit; that is recorded', async () => {
    const { out, steps, asked: ask } = await asked('increase');
    expect(out).toBeNull();
    expect(steps).toEqual(['budget-feature-0', 'raise-feature-0']);
    expect(ask('raise-feature-0')).toEqual({
      kind: 'remember',
      what: 'budget',
      session: 4,
      raise: { scope: 'feature', item: '1', usd: 21, from: 25, by: 'Ada', at: '2026-01-01T00:00:00.000Z' },
    });
  });

  test('of the project is raised for all items', async () => {
    const { asked: ask } = await asked('increase', {
      scope: 'project',
      unit: 'usd',
      spent: 10,
      limit: 10,
      base: 10,
    });
    expect(ask('raise-project-0')['raise']).toMatchObject({ scope: 'project', item: null, usd: 10 });
  });

  test.each([
    ['tokens', { spentTokens: 26, limitTokens: 25, baseTokens: 20 }, { usd: 0, tokens: 21 }],
    ['minutes', { spentMs: 1_560_000, limitMs: 1_500_000, baseMs: 1_200_000 }, { usd: 0, minutes: 21 }],
  ] as const)('is asked about and raised in its own unit: %s', async (unit, params, raise) => {
    const { asked: ask, steps } = await asked('increase', { ...over, unit });
    expect(steps).toEqual([`budget-feature-${unit}-0`, `raise-feature-${unit}-0`]);
    expect(ask(`budget-feature-${unit}-0`)['params']).toEqual({ item: '1', scope: 'budget-feature', ...params });
    expect(ask(`raise-feature-${unit}-0`)['raise']).toMatchObject({ scope: 'feature', item: '1', from: 25, ...raise });
  });

  test('is read as versions stored it that knew money alone', () => {
    expect(overspentSchema.parse({ scope: 'feature', spentUsd: 26, limitUsd: 25, baseUsd: 20 })).toEqual(over);
  });

  test.each([
    ['pause', 'paused'],
    ['abort', 'aborted'],
    ['an option of a later version', 'paused'],
  ])('with the answer %s ends the session: %s', async (option, result) => {
    const { out, steps } = await asked(option);
    expect(out).toEqual({ result, reason: 'budget-exhausted' });
    expect(steps).toEqual(['budget-feature-0']);
  });

  test('is not raised for ever: after the last raise of a session the work pauses', async () => {
    for (let raises = 0; raises < MOST_RAISES; raises += 1)
      expect((await asked('increase', over, raises)).out).toBeNull();
    const { out, steps } = await asked('increase', over, MOST_RAISES);
    expect(out).toEqual({ result: 'paused', reason: 'budget-exhausted' });
    expect(steps).toEqual([`budget-feature-${MOST_RAISES}`, `raise-feature-${MOST_RAISES}`]);
  });

  test('is recorded even if a pause arrives after the answer', async () => {
    const { run } = scriptedRun({ ask: answer('increase'), remember: { file: '' } });
    const shielded: string[] = [];
    const watched: Run<Actions> = {
      ...run,
      uninterrupted: (steps) => {
        shielded.push('begin');
        return steps().finally(() => shielded.push('end'));
      },
      do: (name, action) => {
        shielded.push(name);
        return run.do(name, action);
      },
    };
    await askForMore(watched, about, over);
    expect(shielded).toEqual(['budget-feature-0', 'begin', 'raise-feature-0', 'end']);
  });
});
