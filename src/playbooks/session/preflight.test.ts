// Preflight: seven questions in a fixed order. The first "no" ends it, and nothing after it is asked.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { facts, failing, problem, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { memoryWorld } from '../../../test/support/memory-world.ts';
import { contextOf, tasksConfig } from '../../../test/support/read-context.ts';
import { feature, fileOf } from '../../../test/support/features.ts';
import type { Config } from '../../model/config.ts';
import type { SurveyAsk } from '../../model/action.ts';
import { failure } from '../../model/failure.ts';
import { performSurvey, type ReadContext } from '../../engine/definitions.ts';
import { files, item } from '../features/surveys.ts';
import { files as taskFiles, item as taskItem } from '../tasks/surveys.ts';
import { itemFacts, type ItemFacts } from './facts.ts';
import { preflight, type PreflightSurveys } from './preflight.ts';

const none = { facts: { failure: null } };
const broken = failing([problem('check-failed')], {
  checks: [{ name: 'x', command: './x.sh', passed: false, exit: 7, ms: 5, tests: null, tail: 'no database' }],
});
const GOOD: Answers = {
  directory: none,
  'features.files': { facts: { missing: [], notExecutable: [] } },
  'git-state': none,
  'features.item': { facts: { facts: facts(), failure: null } },
  check: verdict(),
  remember: { file: '' },
  budget: { facts: { failure: null, over: null } },
  stash: { stash: 'stash-commit' },
};
const look = async (answers: Answers = {}, config: Config = configOf()) => {
  const script = scriptedRun({ ...GOOD, ...answers });
  return { ...script, out: await preflight(script.run, { item: '1', session: 4 }, config, { item, files }) };
};
const ALL = [
  'directory',
  'features.files',
  'git-state',
  'features.item',
  'init',
  'health',
  'baseline',
  'take-baseline',
  'budget',
  'sanity',
];

test('where all is well every question is asked once, in order', async () => {
  const { steps, out, asked } = await look();
  expect(steps).toEqual(ALL);
  expect(out).toEqual({ ready: true, facts: facts(), firstTask: [] });
  expect(asked('take-baseline')).toMatchObject({
    what: 'baseline',
    session: 3,
    baseline: { tree: 'tree-verified', total: 3 },
  });
});

describe('the first "no" ends it', () => {
  test.each([
    ['directory', { directory: { facts: { failure: failure('wrong-directory') } } }, 'wrong-directory'],
    [
      'features.files',
      { 'features.files': { facts: { missing: ['init.sh'], notExecutable: [] } } },
      'harness-file-missing',
    ],
    ['features.files', { 'features.files': { facts: { missing: [], notExecutable: ['init.sh'] } } }, 'not-executable'],
    ['git-state', { 'git-state': { facts: { failure: failure('dirty-tree') } } }, 'dirty-tree'],
    ['git-state', { 'git-state': { facts: { failure: failure('detached-head') } } }, 'detached-head'],
    [
      'features.item',
      { 'features.item': { facts: { facts: null, failure: failure('needs-manual-verification') } } },
      'needs-manual-verification',
    ],
    ['health', { health: broken }, 'unhealthy'],
    ['baseline', { baseline: broken }, 'baseline-failing'],
    ['budget', { budget: { facts: { failure: failure('budget-exhausted'), over: null } } }, 'budget-exhausted'],
  ] as const)('at %s', async (last, answers, reason) => {
    const { steps, out } = await look(answers);
    expect(out).toMatchObject({ ready: false, failure: { reason, policy: 'needs-human' } });
    const upTo = ALL.slice(0, ALL.indexOf(last) + 1);
    expect(steps).toEqual(upTo);
  });

  test('and a failing command is reported with what it printed', async () => {
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

  test('whose last reset fails is not started again', async () => {
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

  test('is the first task of a continuation whose work an older version left on the branch', async () => {
    const partial = { session: 3, reason: 'timeout', base: 'below' };
    const going = { facts: { facts: facts({ partial }), failure: null } };
    const { out, steps } = await look({ 'features.item': going, baseline: red });
    expect(out).toMatchObject({ ready: true, firstTask: red.problems });
    expect(steps).not.toContain('take-baseline');
    expect(steps).toContain('sanity');
  });

  test('stops a continuation whose work is kept beside the branch: it cannot be the cause', async () => {
    const partial = { session: 3, reason: 'timeout', base: null, wip: 'kept' };
    const going = { facts: { facts: facts({ partial }), failure: null } };
    const { out } = await look({ 'features.item': going, baseline: red });
    expect(out).toMatchObject({ ready: false, failure: { reason: 'baseline-failing' } });
  });
});

test('what sanity checks find comes after what the baseline found', async () => {
  const partial = { session: 3, reason: 'timeout', base: 'below' };
  const warnings = [problem('check-failed', { check: 'lint' })];
  const { out } = await look({
    'features.item': { facts: { facts: facts({ partial }), failure: null } },
    baseline: failing([problem('regression')]),
    sanity: verdict({ warnings }),
  });
  expect(out).toMatchObject({ firstTask: [problem('regression'), ...warnings], facts: { isUnsound: true } });
});

describe('switches', () => {
  test.each([
    ['workingDirectory', ['directory']],
    ['harnessFiles', ['features.files']],
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
    expect(out.ready).toBe(true);
    expect(steps[3]).toBe('stash');
    const detached = { 'git-state': { facts: { failure: failure('detached-head') } } };
    expect((await look(detached, configOf({ dirtyTree: 'stash' }))).out.ready).toBe(false);
  });
});

test('a budget that is used up is named, so that a user may raise it', async () => {
  const over = { scope: 'feature', unit: 'usd', spent: 26, limit: 25, base: 25 } as const;
  const { out } = await look({ budget: { facts: { failure: failure('budget-exhausted'), over } } });
  expect(out).toMatchObject({ ready: false, failure: { reason: 'budget-exhausted' }, over });
});

describe('on a real repository', () => {
  /** Surveys are performed by their id, on their stored input; every other step is scripted. */
  const onRepository = <F extends ItemFacts>(
    context: ReadContext,
    about: { readonly item: string; readonly session: number },
    surveys: PreflightSurveys<F>,
  ) => {
    const script = scriptedRun({ ...GOOD });
    const read = async ({ survey, input }: SurveyAsk) => ({ facts: await performSurvey(survey, context, input) });
    const reading: typeof script.run = {
      ...script.run,
      do: (name, action) => (action.kind === 'survey' ? read(action as never) : script.run.do(name, action)),
    };
    return preflight(reading, about, context.config, surveys);
  };

  test('every survey of the features machine understands what it is asked', async () => {
    const view = memoryWorld({
      files: {
        'features.json': fileOf([feature(1)]),
        'claude-progress.txt': '',
        '.harness.yaml': '',
        'init.sh': '#!/bin/sh\n',
        'reset.sh': '#!/bin/sh\n',
      },
      executable: ['init.sh', 'reset.sh'],
    });
    const out = await onRepository(contextOf(view), { item: '1', session: 1 }, { item, files });
    expect(out).toMatchObject({
      ready: true,
      facts: { id: '1', testFile: 'tests/test_1.py', attempt: 1, partial: null },
    });
    expect(itemFacts.parse(out.ready ? out.facts : null)).toEqual(out.ready ? out.facts : null);
  });

  test('every survey of the tasks machine understands what it is asked', async () => {
    const list = JSON.stringify({ tasks: [{ id: 'a', title: 'A', status: 'pending' }], session_count: 3 });
    const view = memoryWorld({ files: { 'harness-tasks.json': list, '.harness.yaml': '' } });
    const surveys = { item: taskItem, files: taskFiles };
    const out = await onRepository(contextOf(view, tasksConfig()), { item: 'a', session: 1 }, surveys);
    expect(out).toMatchObject({ ready: true, facts: { id: 'a', task: { status: 'pending', run: 3 } } });
  });

  test('an item that is not in the list is unknown to both machines', async () => {
    const frame = { '.harness.yaml': '', 'claude-progress.txt': '', 'init.sh': '', 'reset.sh': '' };
    const about = { item: '9', session: 1 };
    const viewOf = (list: object) =>
      memoryWorld({
        files: { ...frame, 'features.json': JSON.stringify(list), 'harness-tasks.json': JSON.stringify(list) },
        executable: ['init.sh', 'reset.sh'],
      });
    const unknown = { ready: false, failure: { reason: 'item-unknown', params: { item: '9' } } };
    expect(await onRepository(contextOf(viewOf({ features: [] })), about, { item, files })).toMatchObject(unknown);
    const tasks = contextOf(viewOf({ tasks: [] }), tasksConfig());
    expect(await onRepository(tasks, about, { item: taskItem, files: taskFiles })).toMatchObject(unknown);
  });
});

describe('the program of an item’s own command', () => {
  const command = 'no-such-tool --check';
  const own = { 'features.item': { facts: { facts: facts({ proof: { command, timeoutMs: 9 } }), failure: null } } };

  test('is looked for before an agent starts, after the scripts that may install it', async () => {
    const missing = failure('validation-missing', { item: '1', command, program: 'no-such-tool' });
    const { out, steps, asked } = await look({ ...own, program: { facts: { failure: missing } } });
    expect(out).toEqual({ ready: false, failure: missing });
    expect(steps.slice(-2)).toEqual(['health', 'program']);
    expect(asked('program')).toMatchObject({ input: { item: '1', command } });
  });

  test.each([
    [command, 'no-such-tool'],
    ['cd api && no-such-tool', 'no-such-tool'],
    ['there --check', null],
    ['./no-such-tool', null], // the work may make it
    ['test -f x', null],
  ])('%s: %s is missing', async (line, name) => {
    const view = memoryWorld({ files: {}, missingPrograms: ['no-such-tool'] });
    const found = await performSurvey('program', contextOf(view), { item: '1', command: line });
    expect(found).toEqual({
      failure: name === null ? null : failure('validation-missing', { item: '1', command: line, program: name }),
    });
  });
});
