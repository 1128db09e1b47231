// When everything has landed: what is run, and when somebody has to be asked.
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
    tested: {
      facts: {
        items: [
          { id: '1', testFile: 'tests/test_1.py' },
          { id: '2', testFile: 'tests/test_2.py' },
        ],
      },
    },
    ...answers,
  });
  const out = await final(script.run, {}, config);
  return { out, steps: script.steps.filter((name) => !/init|health/.test(name)) };
};

describe('when everything has landed', () => {
  test('a green suite is enough', async () => {
    const { out, steps } = await at({ check: full(0) });
    expect([out.end, steps]).toEqual(['holds', ['check']]);
  });

  test('a suite that was red before is no reason to ask, as long as the test of every item passes', async () => {
    const { out, steps } = await at({ check: full(1), 'feature-1/check': verdict(), 'feature-2/check': verdict() });
    expect([out.end, steps]).toEqual(['holds', ['check', 'tested', 'feature-1/check', 'feature-2/check']]);
  });

  test('an item that is marked as done and fails twice is told; one that fails once is not', async () => {
    const { out } = await at({
      check: full(1),
      'feature-1/check': failing(),
      'feature-1-again/check': failing(),
      'feature-2/check': failing(),
      'feature-2-again/check': verdict(),
    });
    expect(out).toMatchObject({ end: 'broken', broken: ['1'] });
  });

  test('where something that passed fails, its owners are told without running them', async () => {
    const check = failing([problem('regression')], { regressions: ['pytest|tests/test_1.py||a'] });
    const { out, steps } = await at({ check, owners: { facts: { owners: [{ id: '1' }] } } });
    expect(out).toMatchObject({ end: 'broken', broken: ['1'], problems: [problem('regression')] });
    expect(steps).toEqual(['check', 'owners']);
  });
});
