// Preflight: seven questions in the reference's order. The first "no" ends it, nothing after it is even asked.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { facts, failing, problem, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { memoryWorld } from '../../../test/support/memory-world.ts';
import { feature, fileOf } from '../../../test/support/features.ts';
import type { Config } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { featuresPlaybook } from '../features/playbook.ts';
import { preflight } from './preflight.ts';

const none = { facts: { failure: null } };
const broken = failing([problem('check-failed')], {
  checks: [{ name: 'x', command: './x.sh', passed: false, exit: 7, ms: 5, tests: null, tail: 'no database' }],
});
const GOOD: Answers = {
  directory: none,
  'harness-files': { facts: { missing: [], notExecutable: [] } },
  'git-state': none,
  item: { facts: { facts: facts(), failure: null } },
  check: verdict(),
  remember: { file: '' },
  budget: none,
  stash: { stash: 'stash-commit' },
};
const look = async (answers: Answers = {}, config: Config = configOf()) => {
  const script = scriptedRun({ ...GOOD, ...answers });
  return { ...script, out: await preflight(script.run, { item: '1', session: 4 }, config) };
};
const ALL = [
  'directory',
  'harness-files',
  'git-state',
  'item',
  'init',
  'health',
  'baseline',
  'take-baseline',
  'budget',
  'sanity',
];

test('where all is well every question is asked once, in the order of the reference', async () => {
  const { steps, out, asked } = await look();
  expect(steps).toEqual(ALL);
  expect(out).toEqual({ ready: true, facts: facts(), firstTask: [], stash: null });
  expect(asked('take-baseline')).toMatchObject({
    what: 'baseline',
    session: 3,
    input: { tree: 'tree-verified', total: 3 },
  });
});

describe('the first "no" ends it', () => {
  test.each([
    ['directory', { directory: { facts: { failure: failure('wrong-directory') } } }, 'wrong-directory'],
    [
      'harness-files',
      { 'harness-files': { facts: { missing: ['init.sh'], notExecutable: [] } } },
      'harness-file-missing',
    ],
    ['harness-files', { 'harness-files': { facts: { missing: [], notExecutable: ['init.sh'] } } }, 'not-executable'],
    ['git-state', { 'git-state': { facts: { failure: failure('dirty-tree') } } }, 'dirty-tree'],
    ['git-state', { 'git-state': { facts: { failure: failure('detached-head') } } }, 'detached-head'],
    [
      'item',
      { item: { facts: { facts: null, failure: failure('needs-manual-verification') } } },
      'needs-manual-verification',
    ],
    ['health', { health: broken }, 'unhealthy'],
    ['baseline', { baseline: broken }, 'baseline-failing'],
    ['budget', { budget: { facts: { failure: failure('budget-exhausted') } } }, 'budget-exhausted'],
  ] as const)('at %s', async (last, answers, reason) => {
    const { steps, out } = await look(answers);
    expect(out).toMatchObject({ ready: false, failure: { reason, policy: 'needs-human' } });
    const upTo = ALL.slice(0, ALL.indexOf(last) + 1);
    expect(steps).toEqual(upTo);
  });

  test('and a failing command is told with what it printed', async () => {
    const { out } = await look({ health: broken });
    expect(out).toMatchObject({ failure: { params: { command: './x.sh', exit: 7, tail: 'no database' } } });
  });

  test('and failing baseline tests are named once each', async () => {
    const ids = ['pytest|a||1', 'pytest|a||2'];
    const { out } = await look({ baseline: failing([{ ...problem('regression'), ids }], { regressions: ids }) });
    expect(out).toMatchObject({ failure: { reason: 'baseline-failing', params: { count: 2, tests: ids.join('\n') } } });
  });
});

describe('the environment', () => {
  const bad = { init: broken, 'reset-1/init': broken, 'reset-2/init': broken, 'reset-3/init': broken };
  const withResets = (more: Partial<Config['preflight']>) =>
    configOf({ preflight: { ...configOf().preflight, ...more } });

  test('that starts after a reset is good, and the reset is tried no further', async () => {
    const { steps, out } = await look({ init: broken, 'reset-1/init': verdict() });
    expect(out.ready).toBe(true);
    expect(steps.slice(4, 8)).toEqual(['init', 'reset-1/reset', 'reset-1/init', 'health']);
  });

  test.each([
    [1, 1],
    [2, 2],
    [3, 3],
  ])('is reset at most %i times', async (maxResetAttempts, resets) => {
    const { steps, out } = await look(bad, withResets({ maxResetAttempts }));
    expect(out).toMatchObject({ ready: false, failure: { reason: 'init-failed' } });
    expect(steps.filter((s) => s.endsWith('/reset'))).toHaveLength(resets);
    expect(steps.at(-1)).toBe(`reset-${resets}/init`);
  });

  test('whose last reset fails is not started once more', async () => {
    const { steps, out } = await look({ ...bad, 'reset-2/reset': broken });
    expect(out).toMatchObject({ failure: { reason: 'reset-failed' } });
    expect(steps.at(-1)).toBe('reset-2/reset');
  });

  test.each([
    ['autoReset is off', withResets({ autoReset: false })],
    ['no attempts are allowed', withResets({ maxResetAttempts: 0 })],
    ['there is no reset command', configOf({ environment: { ...configOf().environment, reset: null } })],
  ])('is not reset where %s', async (_why, config) => {
    const { steps, out } = await look(bad, config);
    expect(out).toMatchObject({ failure: { reason: 'init-failed' } });
    expect(steps.at(-1)).toBe('init');
  });

  test('is asked for its health where there is nothing to start', async () => {
    const { steps } = await look({}, configOf({ environment: { ...configOf().environment, init: null } }));
    expect(steps).toEqual(ALL.filter((s) => s !== 'init'));
  });
});

describe('a baseline that fails', () => {
  const ids = ['pytest|a||1'];
  const red = failing([{ ...problem('regression'), ids }], { regressions: ids });

  test('is the first task of a continuation: its own work in progress may have broken it', async () => {
    const partial = { session: 3, reason: 'timeout', base: null };
    const going = { facts: { facts: facts({ partial }), failure: null } };
    const { out, steps } = await look({ item: going, baseline: red });
    expect(out).toMatchObject({ ready: true, firstTask: red.problems });
    expect(steps).not.toContain('take-baseline');
    expect(steps).toContain('sanity');
  });
});

test('what sanity checks find comes after what the baseline found (F31)', async () => {
  const partial = { session: 3, reason: 'timeout', base: null };
  const warnings = [problem('check-failed', { check: 'lint' })];
  const { out } = await look({
    item: { facts: { facts: facts({ partial }), failure: null } },
    baseline: failing([problem('regression')]),
    sanity: verdict({ warnings }),
  });
  expect(out).toMatchObject({ firstTask: [problem('regression'), ...warnings] });
});

describe('switches', () => {
  test.each([
    ['workingDirectory', ['directory']],
    ['harnessFiles', ['harness-files']],
    ['gitState', ['git-state']],
    ['environment', ['init', 'health']],
    ['baselineTests', ['baseline', 'take-baseline']],
    ['budget', ['budget']],
  ] as const)('%s off leaves out %j and nothing else', async (name, left) => {
    const { steps } = await look({}, configOf({ preflight: { ...configOf().preflight, [name]: false } }));
    expect(steps).toEqual(ALL.filter((s) => !(left as readonly string[]).includes(s)));
  });

  test('a dirty tree is stashed where the configuration says so, and only then', async () => {
    const dirty = { 'git-state': { facts: { failure: failure('dirty-tree') } } };
    const { out, steps } = await look(dirty, configOf({ dirtyTree: 'stash' }));
    expect(out).toMatchObject({ ready: true, stash: 'stash-commit' });
    expect(steps[3]).toBe('stash');
    const detached = { 'git-state': { facts: { failure: failure('detached-head') } } };
    expect((await look(detached, configOf({ dirtyTree: 'stash' }))).out.ready).toBe(false);
  });
});

test('every survey that preflight asks for understands what it is asked', async () => {
  const world = memoryWorld({
    files: {
      'features.json': fileOf([feature(1)]),
      'claude-progress.txt': '',
      '.harness.yaml': '',
      'init.sh': '#!/bin/sh\n',
      'reset.sh': '#!/bin/sh\n',
    },
    executable: ['init.sh', 'reset.sh'],
  });
  const script = scriptedRun({ ...GOOD });
  const asking: typeof script.run = {
    ...script.run,
    do: (async (name: string, action: { kind: string; survey?: string; input?: Json }) => {
      if (action.kind !== 'survey') return script.run.do(name, action as never);
      const survey = featuresPlaybook.surveys[action.survey ?? ''];
      return { facts: await survey?.(world, action.input ?? null) };
    }) as never,
  };
  expect(await preflight(asking, { item: '1', session: 1 }, configOf())).toMatchObject({
    ready: true,
    facts: { id: '1', testFile: 'tests/test_1.py', attempt: 1, partial: null },
  });
});
