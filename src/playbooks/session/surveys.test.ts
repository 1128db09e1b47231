// What every machine asks before a session, on a world in memory.
import { describe, expect, test } from 'vitest';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { sessionSurveys } from './surveys.ts';

describe('before anything starts', () => {
  test('the folder must hold the configuration that was read', async () => {
    const ask = (config: string | null, files: Files) => sessionSurveys.directory(memoryWorld({ files }), { config });
    expect(await ask('.harness.yaml', { '.harness.yaml': '' })).toEqual({ failure: null });
    expect(await ask(null, {})).toEqual({ failure: null });
    expect(await ask('.harness.yaml', {})).toMatchObject({ failure: { reason: 'wrong-directory' } });
  });

  test('git must be on a branch with nothing uncommitted', async () => {
    const git = (more: object) => sessionSurveys['git-state'](memoryWorld({ files: {}, ...more }), {});
    expect(await git({})).toEqual({ failure: null });
    expect(await git({ branch: null })).toMatchObject({ failure: { reason: 'detached-head' } });
    expect(await git({ dirty: ['a', 'b'] })).toMatchObject({
      failure: { reason: 'dirty-tree', params: { count: 2, files: 'a, b' } },
    });
  });

  test('git must not be in the middle of something else, whatever lies uncommitted because of it', async () => {
    const git = (more: object) => sessionSurveys['git-state'](memoryWorld({ files: {}, ...more }), {});
    expect(await git({ operation: 'rebase', branch: null, dirty: ['a'] })).toMatchObject({
      failure: { reason: 'git-operation-open', params: { operation: 'rebase' } },
    });
  });

  describe('money', () => {
    const yaml = (total: number, ofItem: number): string =>
      `cumulative:\n  total_cost_usd: ${total}\n  by_feature:\n    - { feature_id: 1, cost_usd: ${ofItem} }\n`;
    const ask = (text: string | null, costs: object) =>
      sessionSurveys.budget(memoryWorld({ files: text === null ? {} : { '.harness/costs.yaml': text } }), {
        file: '.harness/costs.yaml',
        item: '1',
        costs: { perSessionUsd: null, perFeatureUsd: null, totalProjectUsd: null, ...costs },
      });

    test.each([
      [yaml(5, 3), {}, null],
      [yaml(5, 3), { totalProjectUsd: 5.01, perFeatureUsd: 3.01, perSessionUsd: 1 }, null],
      [yaml(5, 3), { totalProjectUsd: 5 }, 'project'],
      [yaml(5, 3), { perFeatureUsd: 3 }, 'feature'],
      [yaml(5, 3), { perSessionUsd: 0 }, 'session'],
      [null, { totalProjectUsd: 5, perFeatureUsd: 3 }, null],
      [null, { totalProjectUsd: 0 }, 'project'],
      [null, { perFeatureUsd: 0 }, 'feature'],
    ])('%j with the limits %j runs out of: %s', async (text, costs, which) => {
      const failure = which === null ? null : { reason: 'budget-exhausted', params: { scope: `budget-${which}` } };
      expect(await ask(text, costs)).toMatchObject({ failure });
    });

    test('that cannot be read stops the run instead of being taken for none', async () => {
      expect(await ask('cumulative: many', {})).toMatchObject({ failure: { reason: 'state-unreadable' } });
      expect(await ask('a: [', {})).toMatchObject({ failure: { reason: 'state-unreadable' } });
    });
  });
});
