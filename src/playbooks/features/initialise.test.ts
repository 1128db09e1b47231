// Session 0: mistakes go back to the agent once, word for word, a stub that passes is a mistake, and nothing stays half initialised.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint, failing, problem, turn, usage, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import type { Config } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import { initialise, prepareInit, settle, undo } from './initialise.ts';

const made = (problems: readonly object[] = []) => ({
  facts: {
    problems,
    features: [
      { id: '1', testFile: 'tests/test_1.py' },
      { id: '2', testFile: null },
      { id: '3', testFile: 'tests/it 3.py' },
    ],
  },
});
const red = failing([problem('tests-failed')]);
const GOOD: Answers = { agent: { agent: 0, wall: null }, session: turn(), 'features.initialised': made(), check: red };
const spec = { path: 'SPEC.md', text: '# App' };
const start = async (answers: Answers = {}, config: Config = configOf()) => {
  const script = scriptedRun({ ...GOOD, ...answers });
  return { ...script, out: await initialise.perform(script.run, { spec }, config) };
};

describe('an initializer session', () => {
  test('is valid when its files are and every stub fails', async () => {
    const { out, steps, asked } = await start();
    expect(out).toEqual({ end: 'valid' });
    expect(steps).toEqual([
      'agent',
      'turn-1/session',
      'turn-1/features.initialised',
      'turn-1/stub-1/check',
      'turn-1/stub-3/check',
    ]);
    expect(asked('turn-1/session')).toMatchObject({
      role: 'initializer',
      session: 0,
      output: 'features.json',
      say: { kind: 'open', brief: 'features.initializer', input: { spec } },
    });
    expect(asked('turn-1/stub-3/check')).toMatchObject({
      purpose: 'stubs',
      checks: [{ name: 'feature', command: "pytest 'tests/it 3.py' -v" }],
    });
  });

  test('whose files have mistakes gets them back once, word for word, and no stub is run before they are fixed', async () => {
    const mistakes = [problem('init-script-missing', { file: 'init.sh' })];
    const { out, steps, asked } = await start({ 'turn-1/features.initialised': made(mistakes) });
    expect(out.end).toBe('valid');
    expect(steps.slice(1, 5)).toEqual([
      'turn-1/session',
      'turn-1/features.initialised',
      'turn-2/session',
      'turn-2/features.initialised',
    ]);
    expect(asked('turn-2/session')).toMatchObject({
      turn: 2,
      resume: 'provider-7',
      say: { kind: 'problems', problems: mistakes },
    });
  });

  test('that makes mistakes twice is invalid', async () => {
    const mistakes = [problem('init-backlog-empty')];
    const { out, steps } = await start({ 'features.initialised': made(mistakes) });
    expect(out).toEqual({ end: 'invalid', problems: mistakes });
    expect(steps).toHaveLength(5);
  });

  test('that keeps a large feature, though asked to split it, is valid: the user is asked before its session', async () => {
    const large = problem('init-feature-too-large', { item: '2', flag: 'too-many-steps' });
    const { out, steps, asked } = await start({ 'features.initialised': made([large]) });
    expect(out).toEqual({ end: 'valid' });
    expect(asked('turn-2/session')).toMatchObject({ say: { kind: 'problems', problems: [large] } });
    expect(steps.slice(-2)).toEqual(['turn-2/stub-1/check', 'turn-2/stub-3/check']);
    const other = problem('init-backlog-empty');
    expect((await start({ 'features.initialised': made([large, other]) })).out).toEqual({
      end: 'invalid',
      problems: [other],
    });
  });

  test('with a stub that passes has made a mistake, named with its feature and file', async () => {
    const { out } = await start({ 'turn-1/stub-3/check': verdict(), 'turn-2/stub-3/check': verdict() });
    expect(out).toMatchObject({
      end: 'invalid',
      problems: [{ code: 'stub-passes', params: { item: '3', file: 'tests/it 3.py' } }],
    });
  });

  test('with a test command that is missing has made a mistake: a stub that could not run has not failed', async () => {
    const missing = failing([problem('command-missing', { command: 'pytest' })]);
    expect((await start({ check: missing })).out).toMatchObject({
      end: 'invalid',
      problems: [{ code: 'command-missing' }, { code: 'command-missing' }],
    });
  });

  test('runs no stubs where no command for single features is configured', async () => {
    const { steps } = await start({}, configOf({ testing: { ...configOf().testing, feature: null } }));
    expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/features.initialised']);
  });

  test.each(['wall-limit', 'stuck', 'output-limit', 'aborted'] as const)('cut by %s is cut', async (end) => {
    const { out, steps } = await start({ session: turn({ end }) });
    expect(out).toEqual({ end: 'cut', why: end });
    expect(steps).toEqual(['agent', 'turn-1/session']);
  });

  test('whose agent fails ends with its failure', async () => {
    const why = failure('agent-auth');
    expect((await start({ session: turn({ end: 'agent-failed', failure: why }) })).out).toEqual({
      end: 'agent-failed',
      failure: why,
    });
  });
});

describe('settling', () => {
  const SETTLE: Answers = {
    close: { usage, tampering: [] },
    commit: { commit: 'first', tree: 'first-tree', refused: null },
    check: verdict(),
    remember: { file: '' },
  };
  const at = { startedAt: '2025-01-16T14:00:00.000Z', endedAt: '2025-01-16T14:30:00.000Z' };
  const end = async (answers: Answers = {}) => {
    const script = scriptedRun({ ...SETTLE, ...answers });
    return { ...script, out: await settle.perform(script.run, at, configOf()) };
  };

  test('is: close, one commit of everything, the first baseline, sizes, costs, record', async () => {
    const { steps, out, asked } = await end();
    expect(steps).toEqual(['close', 'commit', 'check', 'baseline', 'sizes', 'costs', 'record']);
    expect(out).toEqual({ commit: 'first', refused: [] });
    expect(asked('commit')).toMatchObject({ style: 'plain', item: null, only: null });
    expect(asked('commit')['edit']).toEqual({ edit: 'features.init', input: { at: at.endedAt } });
    expect(asked('baseline')).toMatchObject({ session: 0, baseline: { tree: 'first-tree' } });
    expect(asked('costs')).toMatchObject({ what: 'costs', session: 0, item: '0' });
    expect(asked('record')).toMatchObject({ summary: { item: '0', ...at, result: 'landed', commit: 'first' } });
  });

  test('is refused by tampering before anything is committed, and by a refused commit before anything is recorded', async () => {
    const tampering = [problem('harness-file-edited')];
    const one = await end({ close: { usage, tampering } });
    expect([one.steps, one.out]).toEqual([['close'], { commit: null, refused: tampering }]);
    const refused = problem('tree-changed-since-check');
    const two = await end({ commit: { commit: null, tree: 't', refused } });
    expect([two.steps, two.out]).toEqual([['close', 'commit'], { commit: null, refused: [refused] }]);
  });
});

test('undoing closes the session first, then restores everything', async () => {
  const script = scriptedRun({ close: { usage, tampering: [] }, rollback: { attempt: 'refs/a', head: 'h' } });
  const given = { checkpoint, why: 'init-rejected' };
  expect(await undo.perform(script.run, given, configOf())).toEqual({ attempt: 'refs/a' });
  expect(script.steps).toEqual(['close', 'rollback']);
});

test('before session 0 the work of an earlier one that was lost is kept, then comes the checkpoint', async () => {
  const script = scriptedRun({ abandon: { isAbandoned: true, attempt: 'refs/a' }, checkpoint });
  expect(await prepareInit.perform(script.run, {}, configOf())).toEqual(checkpoint);
  expect(script.steps).toEqual(['abandon', 'checkpoint']);
  expect(script.asked('abandon')).toMatchObject({ session: 0, item: null });
});
