// When every item has landed: what is run, and when the whole does not hold.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { failing, problem, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { final } from './final.ts';

const config = configOf();
const full = (exit: number) =>
  verdict({ checks: [{ ...verdict().checks[0]!, name: 'full', exit, passed: exit === 0 }] });
const at = async (answers: Answers) => {
  const script = scriptedRun({
    init: verdict(),
    health: verdict(),
    owners: { facts: { owners: [] } },
    'tested-items': {
      facts: {
        items: [
          { id: '1', testFile: 'tests/test_1.py' },
          { id: '2', testFile: 'tests/test_2.py' },
        ],
      },
    },
    ...answers,
  });
  const out = await final.perform(script.run, {}, config);
  return { ...script, out, steps: script.steps.filter((name) => !/init|health/.test(name)) };
};

describe('when every item has landed', () => {
  test('a green suite is enough', async () => {
    const { out, steps } = await at({ check: full(0) });
    expect([out.end, steps]).toEqual(['holds', ['check']]);
  });

  test('a suite that was red before does not break it, as long as the test of every item passes', async () => {
    const { out, steps } = await at({ check: full(1), 'feature-1/check': verdict(), 'feature-2/check': verdict() });
    expect([out.end, steps]).toEqual(['holds', ['check', 'tested-items', 'feature-1/check', 'feature-2/check']]);
  });

  test('an item that landed and fails twice is broken; one that fails once is not', async () => {
    const { out } = await at({
      check: full(1),
      'feature-1/check': failing(),
      'feature-1-again/check': failing(),
      'feature-2/check': failing(),
      'feature-2-again/check': verdict(),
    });
    expect(out).toMatchObject({ end: 'broken', broken: ['1'] });
  });

  test('where a test that passed fails, its owners are broken without running them', async () => {
    const check = failing([problem('regression')], { regressions: ['pytest|tests/test_1.py||a'] });
    const { out, steps } = await at({
      check,
      owners: { facts: { owners: [{ id: '1', testFile: 'tests/test_1.py', dependents: [] }] } },
    });
    expect(out).toMatchObject({ end: 'broken', broken: ['1'], problems: [problem('regression')] });
    expect(steps).toEqual(['check', 'owners']);
  });

  test('where ids of failing tests name no items, the items’ own tests say which are broken', async () => {
    const check = failing([problem('regression')], { regressions: ['tap||adds|1'] });
    const broken = { 'feature-2/check': failing(), 'feature-2-again/check': failing() };
    const { out } = await at({ check, 'feature-1/check': verdict(), ...broken });
    expect(out).toMatchObject({ end: 'broken', broken: ['2'] });
  });

  test('a command whose program is not there is no fault of an item', async () => {
    const { asked } = await at({ check: full(1), 'feature-1/check': verdict(), 'feature-2/check': verdict() });
    for (const step of ['check', 'feature-1/check']) expect(asked(step)).toMatchObject({ mustStart: true });
  });

  test('a project that does not start says why, and nothing else is run', async () => {
    const { out, steps } = await at({ health: failing() });
    expect([out, steps]).toMatchObject([{ end: 'unready', failure: { reason: 'unhealthy' } }, []]);
  });
});
