// The features machine: its stage `prepare`, and what each stage makes of the position and of session_state.json.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint, facts, failing, itemOutcome, problem, verdict } from '../../../test/support/outcomes.ts';
import type { Answers } from '../../../test/support/run.ts';
import { performStage, stateAfter, wantedBy } from '../../../test/support/stage.ts';
import { MOST_RAISES } from '../../model/budget.ts';
import { failure } from '../../model/failure.ts';
import { NO_PROBLEM, type ItemFacts } from '../session/facts.ts';
import { emptySessionState, type SessionStateFile } from '../session/session-state.ts';
import { featuresMachine } from './machine.ts';

const AT = '2026-01-01T01:00:00.000Z';
const none = { facts: { failure: null } };
const found = (more: Partial<ItemFacts> = {}) => ({ facts: { facts: facts(more), failure: null } });
const answer = (option: string, note = '') => ({ option, note, by: 'Ada', at: AT });
const committed = { commit: 'new-commit', tree: 'new-tree', refused: null };
const refused = problem('tree-changed-since-check');
describe('prepare', () => {
  const GOOD: Answers = {
    abandon: { isAbandoned: false, attempt: null },
    directory: none,
    'features.files': { facts: { missing: [], notExecutable: [] } },
    'git-state': none,
    'features.item': found(),
    check: verdict(),
    remember: { file: '' },
    budget: { facts: { failure: null, over: null } },
    commit: committed,
    checkpoint,
  };
  const prepare = (answers: Answers = {}, last: Partial<SessionStateFile> = {}, config = configOf()) =>
    performStage(
      featuresMachine({ item: '1', session: 4, lane: 0, run: 'r', config }),
      { file: { ...emptySessionState('then'), ...last }, at: { stage: 'prepare' }, mem: { paused: false } },
      { ...GOOD, ...answers },
      config,
    );
  const preflightOf = (steps: readonly string[]) => steps.filter((step) => step.endsWith('directory'));

  test('deals with an abandoned session, runs preflight, and takes the checkpoint last', async () => {
    const { out, steps, asked } = await prepare();
    expect([steps[0], steps.at(-1), preflightOf(steps)]).toEqual(['abandon', 'checkpoint', ['directory']]);
    expect(asked('abandon')).toMatchObject({ session: 4, item: '1' });
    expect(asked('checkpoint')).toMatchObject({ session: 4, item: '1', why: 'pre_feature' });
    expect(out).toEqual({ is: 'ready', wasAskedAboutStuck: false, facts: facts(), firstTask: [], checkpoint });
  });

  test('ends the item where a session was abandoned: the run chooses again', async () => {
    const { out, steps } = await prepare({ abandon: { isAbandoned: true, attempt: 'refs/a' } });
    expect(steps).toEqual(['abandon']);
    expect(out).toMatchObject({ is: 'ended', outcome: { result: 'partial', reason: 'session-abandoned' } });
  });

  test('ends blocked at the first "no" of preflight', async () => {
    const why = failure('dirty-tree');
    const { out, steps } = await prepare({ 'git-state': { facts: { failure: why } } });
    expect(out).toMatchObject({ is: 'ended', outcome: { result: 'blocked', reason: 'dirty-tree', failure: why } });
    expect(steps).not.toContain('checkpoint');
  });

  describe('of an item that several sessions did not complete', () => {
    const stuck = { current_feature: 1, stuck_count: 3 };

    test('after as many sessions as its list allows, where that is fewer', async () => {
      const once = { current_feature: 1, stuck_count: 1 };
      const limited = { 'features.item': found({ maxAttempts: 1 }), 'stuck-1': answer('retry') };
      expect((await prepare(limited, once)).asked('stuck-1')).toMatchObject({ params: { sessions: 1 } });
      expect((await prepare({ 'features.item': found({ maxAttempts: 2 }) }, once)).steps).not.toContain('stuck-1');
    });

    test.each([
      ['another item was the last', { current_feature: 2, stuck_count: 3 }],
      ['there was no last item', { current_feature: null, stuck_count: 3 }],
      ['too few sessions failed', { current_feature: 1, stuck_count: 2 }],
    ])('asks nothing where %s', async (_, more) => {
      expect((await prepare({}, more)).out).toMatchObject({ is: 'ready', wasAskedAboutStuck: false });
    });

    test.each([
      ['split', 'blocked'],
      ['manual', 'blocked'],
      ['abort', 'aborted'],
    ])('with the answer %s ends: %s', async (option, result) => {
      const { out, steps } = await prepare({ 'stuck-1': answer(option) }, stuck);
      const outcome = { result, reason: `decided-${option}` };
      expect(out).toMatchObject({ is: 'ended', wasAskedAboutStuck: true, outcome });
      expect(steps.at(-1)).toBe('stuck-1');
    });

    test('tries again on request, with the note of the person as the first task', async () => {
      const { out, asked } = await prepare({ 'stuck-1': answer('retry', 'Use the other port.') }, stuck);
      const first = { code: 'said-by-person', params: { note: 'Use the other port.' } };
      expect(out).toMatchObject({ is: 'ready', wasAskedAboutStuck: true, firstTask: [first] });
      expect(asked('stuck-1')).toMatchObject({ subject: 'feature-stuck', params: { item: '1', sessions: 3 } });
      expect((await prepare({ 'stuck-1': answer('retry', '  ') }, stuck)).out).toMatchObject({ firstTask: [] });
    });

    test('asks about repeated failures where the last session named its problems', async () => {
      const failed = [problem('tests-failed')];
      const { asked } = await prepare({ 'features.item': found({ failed }), 'stuck-1': answer('retry') }, stuck);
      expect(asked('stuck-1')).toMatchObject({ subject: 'repeated-failures', problems: failed });
    });

    test('skips it on request: that is written on the item, and no session starts', async () => {
      const { out, asked, steps } = await prepare({ 'stuck-1': answer('skip', 'later') }, stuck);
      expect(asked('flag-skipped')).toMatchObject({
        kind: 'commit',
        style: 'plain',
        item: '1',
        session: 4,
        subject: 'chore(harness): #1 is skipped',
        body: 'later',
        only: ['features.json'],
        checkpoint: null,
        edit: {
          edit: 'flag',
          input: { item: '1', base: null, change: { type: 'skipped', reason: 'later', unblock: false, at: AT } },
        },
      });
      expect(out).toMatchObject({
        is: 'ended',
        wasAskedAboutStuck: true,
        outcome: { result: 'skipped', reason: 'decided-skip', commit: 'new-commit' },
      });
      expect(steps.at(-1)).toBe('flag-skipped');
    });

    test('ends blocked where the decision cannot be committed', async () => {
      const commit = { commit: null, tree: '', refused };
      const { out } = await prepare({ 'stuck-1': answer('skip'), commit }, stuck);
      const outcome = { result: 'blocked', reason: refused.code, problems: [refused] };
      expect(out).toMatchObject({ is: 'ended', wasAskedAboutStuck: true, outcome });
    });

    test('does not ask about its size on top of that', async () => {
      const oversized = [{ flag: 'too-many-steps', params: { steps: 9, max: 7 } }];
      const { steps } = await prepare({ 'features.item': found({ oversized }), 'stuck-1': answer('retry') }, stuck);
      expect(steps).not.toContain('oversized-1');
    });
  });

  describe('of an item that is too large', () => {
    const oversized: ItemFacts['oversized'] = [
      { flag: 'too-many-steps', params: { steps: 9, max: 7 } },
      { flag: 'too-many-files', params: { files: 12 } },
    ];
    const large = { 'features.item': found({ oversized }) };

    test('asks with the figures of every flag', async () => {
      const { asked } = await prepare({ ...large, 'oversized-1': answer('split') });
      expect(asked('oversized-1')).toMatchObject({
        subject: 'large-feature',
        params: { item: '1', steps: 9, max: 7, files: 12 },
      });
    });

    test('ends blocked where a person splits it', async () => {
      const { out, steps } = await prepare({ ...large, 'oversized-1': answer('split') });
      const outcome = { result: 'blocked', reason: 'decided-split' };
      expect(out).toMatchObject({ is: 'ended', wasAskedAboutStuck: false, outcome });
      expect(steps.at(-1)).toBe('oversized-1');
    });

    test('skips it on request', async () => {
      const { out, asked } = await prepare({ ...large, 'oversized-1': answer('skip') });
      expect(asked('flag-skipped')['edit']).toMatchObject({ input: { change: { reason: 'decided at a gate' } } });
      expect(out).toMatchObject({ is: 'ended', outcome: { result: 'skipped', commit: 'new-commit' } });
    });

    test('writes on the item that its size was accepted, and takes the checkpoint', async () => {
      const { out, asked, steps } = await prepare({ ...large, 'oversized-1': answer('proceed', 'it is one thing') });
      expect(asked('flag-size-accepted')).toMatchObject({
        subject: 'chore(harness): #1 may be large',
        body: 'it is one thing',
        edit: { edit: 'flag', input: { item: '1', change: { type: 'size-accepted' } } },
      });
      // Everything is checked again: other items were worked on meanwhile.
      const since = steps.slice(steps.indexOf('flag-size-accepted') + 1);
      expect([since.every((step) => step.startsWith('answered/') || step === 'checkpoint'), since.at(-1)]).toEqual([
        true,
        'checkpoint',
      ]);
      expect(since).toContain('answered/baseline');
      expect(out).toMatchObject({ is: 'ready', facts: { oversized: [] } });
    });

    test('ends blocked where that cannot be committed', async () => {
      const commit = { commit: null, tree: '', refused };
      const { out, steps } = await prepare({ ...large, 'oversized-1': answer('proceed'), commit });
      expect(out).toMatchObject({ is: 'ended', outcome: { result: 'blocked', reason: refused.code } });
      expect(steps).not.toContain('checkpoint');
    });
  });

  describe('with a budget that is used up', () => {
    const over = { scope: 'feature', unit: 'usd', spent: 26, limit: 25, base: 25 };
    const spent = { facts: { failure: failure('budget-exhausted'), over } };

    test('asks, and runs preflight again after a raise', async () => {
      const fine = { facts: { failure: null, over: null } };
      const { out, steps } = await prepare({ budget: spent, 'again-0-0/budget': fine, ask: answer('increase') });
      expect(out).toMatchObject({ is: 'ready' });
      expect(preflightOf(steps)).toEqual(['directory', 'again-0-0/directory']);
      expect(steps.filter((step) => /budget-|raise-/.test(step))).toEqual([
        'again-0-0/budget-feature-0',
        'again-0-0/raise-feature-0',
      ]);
    });

    test.each([
      ['pause', 'paused'],
      ['abort', 'aborted'],
    ])('ends with the answer %s: %s', async (option, result) => {
      const { out } = await prepare({ budget: spent, ask: answer(option) });
      expect(out).toMatchObject({ is: 'ended', outcome: { result, reason: 'budget-exhausted' } });
    });

    test('asks for each raise under a key of its own, and pauses after the last', async () => {
      const { out, steps } = await prepare({ budget: spent, ask: answer('increase') });
      const keys = steps.filter((step) => step.includes('/raise-')).map((step) => step.slice(step.indexOf('/') + 1));
      expect(keys).toEqual(Array.from({ length: MOST_RAISES + 1 }, (_, n) => `raise-feature-${n}`));
      expect(out).toMatchObject({ is: 'ended', outcome: { result: 'paused', reason: 'budget-exhausted' } });
    });
  });

  describe('with an environment that cannot be reset', () => {
    const broken = failing([problem('check-failed')]);
    const always = { init: broken, reset: broken };

    test('asks, and runs preflight again', async () => {
      const { out, steps } = await prepare({
        init: broken,
        'reset-1/reset': broken,
        'reset-1/init': broken,
        'reset-2/reset': broken,
        'again-0-0/init': verdict(),
        ask: answer('retry'),
      });
      expect(steps).toContain('again-0-0/reset-0');
      expect(out).toMatchObject({ is: 'ready' });
    });

    test('ends the run on request', async () => {
      const { out } = await prepare({ ...always, ask: answer('abort') });
      expect(out).toMatchObject({
        is: 'ended',
        outcome: { result: 'aborted', reason: 'decided-abort', failure: { reason: 'reset-failed' } },
      });
    });

    test('is asked about three times at most', async () => {
      const { out, steps } = await prepare({ ...always, ask: answer('retry') });
      expect(steps.filter((step) => /\/reset-\d$/.test(step))).toEqual([
        'again-0-0/reset-0',
        'again-0-1/reset-1',
        'again-0-2/reset-2',
      ]);
      expect(out).toMatchObject({ is: 'ended', outcome: { result: 'blocked', reason: 'reset-failed' } });
    });
  });
});

describe('the machine', () => {
  const machine = featuresMachine({ item: '1', session: 4, lane: 0, run: 'r', config: configOf() });
  const file = (more: Partial<SessionStateFile> = {}): SessionStateFile => ({ ...emptySessionState('then'), ...more });
  const mem = { paused: false };
  type Position = ReturnType<typeof machine.place>['at'];
  const started = { facts: facts(), checkpoint, startedAt: 'began' };
  const POSITIONS = {
    prepare: { stage: 'prepare' },
    work: { stage: 'work', ...started, firstTask: [] },
    decide: {
      stage: 'decide',
      ...started,
      text: 'Done.',
      endedAt: 'ended',
      work: { end: 'unfinished', why: 'timeout', text: 'Done.' },
    },
    close: {
      stage: 'close',
      ...started,
      text: 'Done.',
      endedAt: 'ended',
      decision: { do: 'save', why: 'timeout', failure: null },
    },
  } as const satisfies { readonly [stage: string]: Position };
  /** The position after the procedure of a stage ended with this output. */
  const after = (stage: keyof typeof POSITIONS, output: object, given: Partial<SessionStateFile> = {}) => {
    const s = { file: file(given), at: POSITIONS[stage], mem };
    return { asked: wantedBy(machine, s), next: stateAfter(machine, s, output, AT) };
  };

  test.each(Object.entries(POSITIONS))('in %s wants one procedure, and its position survives being stored', (_, at) => {
    const stored = JSON.parse(JSON.stringify({ at, mem })) as object;
    expect(machine.position.parse(stored)).toEqual({ at, mem });
  });

  test('starts with the item of the last session and its count, and counts from zero after the question', () => {
    const ready = { is: 'ready', wasAskedAboutStuck: true, facts: facts(), firstTask: [], checkpoint };
    const { asked, next } = after('prepare', ready, { current_feature: 1, stuck_count: 3, last_session: 3 });
    expect(asked).toMatchObject({ procedure: 'prepare', input: { item: '1', session: 4, lastItem: 1, stuckCount: 3 } });
    expect(next.at).toEqual({ stage: 'work', facts: facts(), firstTask: [], checkpoint, startedAt: AT });
    expect(next.file).toMatchObject({ last_session: 4, current_feature: 1, stuck_count: 0, timestamp: AT });
    const unasked = after('prepare', { ...ready, wasAskedAboutStuck: false }, { current_feature: 1, stuck_count: 2 });
    expect(unasked.next.file.stuck_count).toBe(2);
  });

  test('leaves the record of sessions as it is where no session starts, except for the count', () => {
    const outcome = itemOutcome('blocked');
    const given = { current_feature: 1, stuck_count: 3, last_session: 3 };
    const ended = after('prepare', { is: 'ended', wasAskedAboutStuck: true, outcome }, given);
    expect(ended.next).toMatchObject({ at: { stage: 'ended', outcome }, file: file({ ...given, stuck_count: 0 }) });
    const unasked = after('prepare', { is: 'ended', wasAskedAboutStuck: false, outcome }, given);
    expect(unasked.next.file).toEqual(file(given));
  });

  test('takes the end of the agent’s turns as the end of the session', () => {
    const { next } = after('work', { end: 'unfinished', why: 'timeout', text: 'Half.' });
    expect(next.at).toMatchObject({ stage: 'decide', startedAt: 'began', endedAt: AT, text: 'Half.' });
  });

  test('writes the end of the session with the outcome', () => {
    const outcome = itemOutcome('landed', { reason: 'verified', commit: 'c' });
    const { next, asked } = after('close', { outcome, end: { end: 'landed', isCleanupDue: true } }, { stuck_count: 2 });
    expect(asked).toMatchObject({ procedure: 'close', input: { session: 4, paused: false } });
    expect(next).toMatchObject({
      at: { stage: 'ended', outcome },
      file: { status: 'complete', next_prompt: 'cleanup', stuck_count: 0, timestamp: AT },
    });
  });

  test('rolls back a session that cannot be resumed', () => {
    const lost = machine.stages.work.recover?.(
      { file: file(), at: POSITIONS.work, mem },
      { kind: 'procedure', key: 'work', procedure: 'work', input: {} },
    );
    expect(lost?.at).toEqual({
      stage: 'close',
      ...started,
      text: '',
      endedAt: 'began',
      decision: { do: 'reject', why: { ...NO_PROBLEM, reason: 'session-lost' } },
    });
  });

  describe('at a pause', () => {
    const paused = (stage: keyof typeof POSITIONS) =>
      machine.on?.({ file: file(), at: POSITIONS[stage], mem }, { type: 'pause' }, AT);

    test('starts no session', () => {
      expect(paused('prepare')).toMatchObject({
        at: { stage: 'ended', outcome: { result: 'paused', reason: 'user_pause' } },
        mem: { paused: true },
        file: file(),
      });
    });

    test('saves the work of a session', () => {
      expect(paused('work')).toMatchObject({
        at: { stage: 'close', endedAt: AT, text: '', decision: { do: 'save', why: 'user_pause', failure: null } },
        mem: { paused: true },
      });
    });

    test.each(['decide', 'close'] as const)('waits for the end of the stage %s', (stage) => {
      expect(paused(stage)).toEqual({ file: file(), at: POSITIONS[stage], mem });
    });
  });
});
