// The tasks machine: its stages `prepare`, `work` and `decide`, and what each stage makes of the position and of session_state.json.
import { describe, expect, test } from 'vitest';
import {
  checkpoint,
  failing,
  itemOutcome,
  problem,
  strength,
  turn,
  usage,
  verdict,
} from '../../../test/support/outcomes.ts';
import { tasksConfig } from '../../../test/support/read-context.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { stateAfter, wantedBy } from '../../../test/support/stage.ts';
import { taskFacts, unprovable } from '../../../test/support/task-outcomes.ts';
import { procedureOf } from '../../engine/definitions.ts';
import type { Config } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import { NO_PROBLEM, type WorkResult } from '../session/facts.ts';
import { emptySessionState, type SessionStateFile } from '../session/session-state.ts';
import type { TaskFacts } from './facts.ts';
import { tasksMachine } from './machine.ts';

const AT = '2026-01-01T01:00:00.000Z';
const answer = (option: string, note = '') => ({ option, note, by: 'Ada', at: AT });
const found = (facts: TaskFacts) => ({ facts: { facts, failure: null } });
const config = tasksConfig();
const perform = async (procedure: string, answers: Answers, input: object, given = config) => {
  const script = scriptedRun(answers);
  const out = (await procedureOf(procedure, given)(script.run, input)) as { readonly [field: string]: unknown };
  return { ...script, out };
};
const partial = { session: 2, reason: 'timeout', base: 'below' };

describe('prepare', () => {
  const GOOD: Answers = {
    directory: { facts: { failure: null } },
    'tasks.files': { facts: { missing: [], notExecutable: [] } },
    'git-state': { facts: { failure: null } },
    'tasks.item': found(taskFacts()),
    'tasks.landed-before': { facts: { commit: null, at: '' } },
    'tasks.now': { facts: { at: AT } },
    'tasks.interrupted': {
      facts: { isBaseThere: true, uncommitted: false, commits: false, isMixed: false, reported: [], run: 5 },
    },
    'own-tests': { facts: { files: [] } },
    program: { facts: { failure: null } },
    check: verdict(),
    strength: strength(),
    remember: { file: '' },
    budget: { facts: { failure: null, over: null } },
    close: { usage, tampering: [] },
    checkpoint,
    write: { written: [] },
  };
  const input = { item: 'task-001', session: 4, isInterrupted: false, stuckCount: 0 };
  const prepare = (answers: Answers = {}, more: Partial<typeof input> = {}, given = config) =>
    perform('tasks.prepare', { ...GOOD, ...answers }, { ...input, ...more }, given);
  const claimed = (base = checkpoint.head) => ({ status: 'in_progress', base });

  test('looks at the task, runs preflight, takes the checkpoint, and claims the task in the list and the log', async () => {
    const { out, steps, asked } = await prepare();
    expect([steps[0], ...steps.slice(-3)]).toEqual([
      'look/tasks.item',
      'checkpoint',
      'write-claim/tasks.now',
      'write-claim/claim',
    ]);
    expect(asked('checkpoint')).toMatchObject({ session: 4, item: 'task-001', why: 'pre_task' });
    expect(asked('write-claim/claim')).toEqual({
      kind: 'write',
      edit: {
        edit: 'tasks.task',
        input: { item: 'task-001', patch: { status: 'in_progress', started_at_commit: 'head-before' } },
      },
      lines: ['[2026-01-01T01:00:00Z] [SESSION-4] Starting [task-001] User can log in (base=head-be)'],
    });
    expect(out).toEqual({ is: 'ready', facts: taskFacts(claimed() as object), firstTask: [], checkpoint });
  });

  test('the first claim of a run logs that the environment started, where a script starts it', async () => {
    const first = taskFacts({ isHealthLogged: false });
    const scripted = { ...config, environment: { ...config.environment, init: './harness-init.sh' } };
    const lines = async (facts: object, given: Config) =>
      (await prepare({ 'tasks.item': found(facts as never) }, {}, given)).asked('write-claim/claim')['lines'];
    expect(await lines(first, scripted)).toEqual([
      '[2026-01-01T01:00:00Z] [SESSION-4] INIT Environment health check: PASS',
      expect.stringContaining('[SESSION-4] Starting [task-001]'),
    ]);
    expect(await lines(first, { ...scripted, environment: { ...config.environment, init: null } })).toHaveLength(1);
    expect(await lines(taskFacts({ isHealthLogged: true }), scripted)).toHaveLength(1);
  });

  test('of a task that landed before its list was put back marks it as completed, and no agent starts', async () => {
    const before = { facts: { commit: 'c0ffee0', at: AT } };
    const { out, steps, asked } = await prepare({ 'tasks.landed-before': before });
    expect(out).toMatchObject({
      is: 'ended',
      outcome: { result: 'landed', reason: 'landed-before', commit: 'c0ffee0' },
    });
    expect(asked('write-landed-before/landed-before')).toMatchObject({
      edit: { input: { patch: { status: 'completed', completed_at: AT } } },
      lines: [expect.stringContaining('RECOVERY [task-001] landed in c0ffee0')],
    });
    expect(steps.at(-1)).toBe('write-landed-before/landed-before');
    // One that was tried and failed is done again, though an earlier landing has its name.
    const failed = { 'tasks.item': found(taskFacts({ status: 'failed', attempts: 1 })), 'tasks.landed-before': before };
    expect((await prepare(failed)).out).toMatchObject({ is: 'ready' });
  });

  test('of a task that is continued keeps the commit that it started from', async () => {
    const facts = taskFacts({ status: 'in_progress', base: 'c0ffee0' }, { partial });
    const { out, asked } = await prepare({ 'tasks.item': found(facts) });
    expect(asked('write-claim/claim')).toMatchObject({ edit: { input: { patch: { started_at_commit: 'c0ffee0' } } } });
    expect(out).toMatchObject({ is: 'ready', facts: { task: claimed('c0ffee0') } });
  });

  test('of a failed task starts from the checkpoint, whatever it started from before', async () => {
    const facts = taskFacts({ status: 'failed', attempts: 1, base: 'c0ffee0' });
    expect((await prepare({ 'tasks.item': found(facts) })).out).toMatchObject({ facts: { task: claimed() } });
  });

  test('ends blocked where the task is unknown or preflight says no', async () => {
    const unknown = { facts: { facts: null, failure: failure('item-unknown') } };
    const { out, steps } = await prepare({ 'tasks.item': unknown });
    expect(out).toMatchObject({ is: 'ended', outcome: { result: 'blocked', reason: 'item-unknown' } });
    expect(steps).toEqual(['look/tasks.item']);
    const dirty = await prepare({ 'git-state': { facts: { failure: failure('dirty-tree') } } });
    expect(dirty.out).toMatchObject({ is: 'ended', outcome: { result: 'blocked', reason: 'dirty-tree' } });
  });

  describe('with an environment that does not start', () => {
    const down = failing([problem('check-failed')], {
      checks: [{ name: 'x', command: './x.sh', passed: false, exit: 7, ms: 5, tests: null, tail: '' }],
    });

    test('tries once more', async () => {
      const { out, steps } = await prepare({ health: down, 'again-0-0/health': verdict() });
      expect(steps).toContain('again-0-0/directory');
      expect(out).toMatchObject({ is: 'ready' });
    });

    test('then stops the run, with a line in the log', async () => {
      const { out, steps, asked } = await prepare({ health: down });
      expect(asked('again-0-1/stop')).toEqual({
        kind: 'write',
        edit: null,
        lines: ['[2026-01-01T01:00:00Z] [SESSION-4] ERROR [ENV_SETUP] unhealthy: ./x.sh'],
      });
      expect(steps.at(-1)).toBe('again-0-1/stop');
      expect(out).toMatchObject({ is: 'ended', outcome: { result: 'blocked', reason: 'unhealthy' } });
    });
  });

  test('stops the run before an agent starts where the program of the task is not installed, with a line in the log', async () => {
    const why = failure('validation-missing', { item: 'task-001', command: 'pytest -q' });
    const { out, steps, asked } = await prepare({ program: { facts: { failure: why } } });
    expect(asked('again-0-0/stop')).toMatchObject({
      lines: ['[2026-01-01T01:00:00Z] [SESSION-4] ERROR [ENV_SETUP] validation-missing: pytest -q'],
    });
    expect(steps).not.toContain('checkpoint');
    expect(out).toMatchObject({ is: 'ended', outcome: { result: 'blocked', failure: why } });
  });

  test('asks about a budget that is used up, and runs preflight again after a raise', async () => {
    const over = { scope: 'feature', unit: 'usd', spent: 26, limit: 25, base: 25 };
    const spent = { facts: { failure: failure('budget-exhausted'), over } };
    const fine = { facts: { failure: null, over: null } };
    const { out, steps } = await prepare({ budget: spent, 'again-0-0/budget': fine, ask: answer('increase') });
    expect(out).toMatchObject({ is: 'ready' });
    expect(steps).toContain('again-0-0/raise-feature-0');
    expect((await prepare({ budget: spent, ask: answer('abort') })).out).toMatchObject({
      is: 'ended',
      outcome: { result: 'aborted', reason: 'budget-exhausted' },
    });
  });

  test('fails the attempt of a task that as many sessions as allowed left unfinished, instead of claiming it', async () => {
    const facts = taskFacts({ status: 'in_progress', base: 'c0ffee0' }, { partial });
    const { out, steps } = await prepare({ 'tasks.item': found(facts) }, { stuckCount: 3 });
    expect(steps.at(-1)).toBe('checkpoint');
    expect(out).toEqual({
      is: 'decided',
      facts,
      checkpoint,
      decision: {
        do: 'fail',
        error: { category: 'SESSION_TIMEOUT', message: '3 sessions ended before the task was done' },
        why: { ...NO_PROBLEM, reason: 'session-lost' },
        isLast: false,
      },
    });
    expect((await prepare({}, { stuckCount: 3 })).out).toMatchObject({ is: 'ready' });
  });

  describe('of a task that was interrupted', () => {
    const underWay = taskFacts({ status: 'in_progress', base: 'c0ffee0' });
    const literal = { ...config, recovery: 'checked' } as const;

    test.each([
      ['the list has it under way, and no session saved it', underWay, false],
      ['its session was under way when the process ended', underWay, true],
      ['its session was under way, with work saved before', { ...underWay, partial }, true],
    ])('recovers it where %s', async (_, facts, isInterrupted) => {
      const { steps } = await prepare({ 'tasks.item': found(facts) }, { isInterrupted }, literal);
      expect(steps.slice(0, 3)).toEqual(['look/tasks.item', 'recover/close', 'recover/tasks.interrupted']);
      expect(steps).not.toContain('directory');
    });

    test('writes what was found into the list and the log, under the number of this run', async () => {
      const reported = [{ step: 1, total: 2, description: 'routes', timestamp: AT, tree: null }];
      const interrupted = { isBaseThere: true, uncommitted: true, commits: false, isMixed: false, reported, run: 5 };
      const answers = { 'tasks.item': found(underWay), 'tasks.interrupted': { facts: interrupted } };
      const { out, asked, steps } = await prepare(answers, {}, literal);
      const [{ tree: _tree, ...step }] = reported as [(typeof reported)[0]];
      expect(asked('recover/write-recovered/recovered')).toEqual({
        kind: 'write',
        edit: { edit: 'tasks.task', input: { item: 'task-001', patch: { checkpoints: [step] } } },
        lines: [
          '[2026-01-01T01:00:00Z] [SESSION-5] CHECKPOINT [task-001] step=1/2 "routes"',
          '[2026-01-01T01:00:00Z] [SESSION-5] RECOVERY [task-001] action="mark completed, uncommitted changes committed" reason="uncommitted=yes commits=no checkpoints=1, validation passes"',
        ],
      });
      expect(steps.at(-1)).toBe('recover/write-recovered/recovered');
      expect(out).toEqual({
        is: 'judged',
        facts: { ...underWay, task: { ...underWay.task, run: 5, checkpoints: [step] } },
        checkpoint,
        work: { end: 'holds', verdict: verdict(), strength: strength(), text: '' },
      });
    });

    test('has to hold its sanity checks where they failed before its session', async () => {
      const uncommitted = {
        isBaseThere: true,
        uncommitted: true,
        commits: false,
        isMixed: false,
        reported: [],
        run: 5,
      };
      const answers = { 'tasks.item': found(underWay), 'tasks.interrupted': { facts: uncommitted } };
      const lintOf = async (more: object) => {
        const { asked } = await prepare(answers, { isInterrupted: true, ...more }, literal);
        return (asked('recover/check')['checks'] as { name: string; weight: string }[]).find(
          ({ name }) => name === 'lint',
        );
      };
      expect(await lintOf({})).toMatchObject({ weight: 'warn' });
      expect(await lintOf({ isUnsound: true })).toMatchObject({ weight: 'must' });
    });

    test('without any progress fails the attempt', async () => {
      const { out } = await prepare({ 'tasks.item': found(underWay) }, {}, literal);
      const error = { category: 'SESSION_TIMEOUT', message: 'No progress detected' };
      expect(out).toMatchObject({ is: 'decided', decision: { do: 'fail', error, isLast: false } });
    });

    test('whose files are as at its last step is saved for a session that continues it', async () => {
      const reported = [{ step: 1, total: 2, description: 'routes', timestamp: AT, tree: 'tree-verified' }];
      const interrupted = { isBaseThere: true, uncommitted: false, commits: false, isMixed: false, reported, run: 5 };
      const answers = { 'tasks.item': found(underWay), 'tasks.interrupted': { facts: interrupted } };
      const { out } = await prepare(answers, {}, literal);
      expect(out).toMatchObject({ is: 'decided', decision: { do: 'save', why: 'timeout', failure: null } });
    });

    test('whose environment does not start stops the run, with a line in the log', async () => {
      const interrupted = {
        isBaseThere: true,
        uncommitted: true,
        commits: false,
        isMixed: false,
        reported: [],
        run: 5,
      };
      const answers = { 'tasks.item': found(underWay), 'tasks.interrupted': { facts: interrupted }, health: failing() };
      const { out, asked } = await prepare(answers, {}, literal);
      expect(asked('recover/stop')['lines']).toMatchObject([expect.stringContaining('ERROR [ENV_SETUP] unhealthy')]);
      expect(out).toMatchObject({ is: 'ended', outcome: { result: 'blocked', reason: 'unhealthy' } });
    });
  });
});

describe('work', () => {
  const GOOD: Answers = {
    agent: { agent: 0, wall: null },
    session: turn(),
    'own-tests': { facts: { files: [] } },
    check: verdict(),
    strength: strength(),
    close: { usage, tampering: [] },
  };
  const work = (answers: Answers = {}, facts = taskFacts(), given = config) =>
    perform('tasks.work', { ...GOOD, ...answers }, { facts, firstTask: [], checkpoint, session: 4 }, given);

  test('is a turn, the validation and its strength: the end of the turn is the claim', async () => {
    const { out, steps, asked } = await work();
    expect(out).toEqual({ end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' });
    expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/own-tests', 'turn-1/check', 'turn-1/strength']);
    expect(asked('turn-1/session')).toMatchObject({
      role: 'executor',
      say: { kind: 'open', brief: 'tasks.executor', input: { item: 'task-001', validation: { command: 'npm test' } } },
    });
    expect(asked('turn-1/check')['checks']).toMatchObject([{ name: 'feature', command: 'npm test' }, {}, {}]);
  });

  test('is unfinished where the agent says so, and nothing is validated', async () => {
    const { out, steps } = await work({ session: turn({ text: 'NOT DONE: no queue' }) });
    expect(out).toEqual({ end: 'unfinished', why: 'incomplete', text: 'NOT DONE: no queue' });
    expect(steps).toEqual(['agent', 'turn-1/session']);
    const wrapped = turn({ text: 'NOT DONE', wrapUp: 'context-limit' });
    expect((await work({ session: wrapped })).out).toMatchObject({ end: 'unfinished', why: 'context_limit' });
  });

  test('that fails its validation goes back into the session, with nothing reverted', async () => {
    const { out, steps, asked } = await work({ 'turn-1/check': failing() });
    expect(steps.slice(1, 5)).toEqual(['turn-1/session', 'turn-1/own-tests', 'turn-1/check', 'turn-2/session']);
    expect(asked('turn-2/session')['say']).toEqual({ kind: 'problems', problems: failing().problems, note: '' });
    expect(out).toMatchObject({ end: 'holds' });
  });

  test.each(['check-timed-out', 'command-missing', 'nested-repository', 'regression'] as const)(
    'that another turn could not fix is rejected at once: %s',
    async (code) => {
      const { out, steps } = await work({ check: failing([problem(code)]) });
      expect(out).toMatchObject({ end: 'rejected', reason: code, problems: [problem(code)] });
      expect(steps).toHaveLength(4);
    },
  );

  test('that changed files of the harness is rejected at once', async () => {
    const tampering = [problem('config-edited')];
    const { out, steps } = await work({ check: failing([], { tampering }) });
    expect(out).toMatchObject({ end: 'rejected', reason: 'config-edited', problems: tampering });
    expect(steps).toHaveLength(4);
  });

  test('that still fails after the last turn is rejected', async () => {
    const { out, steps } = await work({ check: failing() });
    expect(out).toMatchObject({ end: 'rejected', reason: 'tests-failed' });
    expect(steps.filter((step) => step.endsWith('/session'))).toHaveLength(3);
    const wrapped = await work({ check: failing(), session: turn({ wrapUp: 'stuck' }) });
    expect(wrapped.steps.filter((step) => step.endsWith('/session'))).toHaveLength(1);
  });

  const doubts = [problem('test-not-red')];
  test.each([
    ['a proof in doubt', { strength: strength({ doubts }) }, taskFacts(), 'doubtful'],
    ['no command that proves it', {}, unprovable(), 'holds'],
  ])('with %s closes the session before a person is asked', async (_, answers, facts, end) => {
    const { out, steps } = await work(answers, facts);
    expect([out['end'], steps.at(-1)]).toEqual([end, 'turn-1/close']);
    const tampering = [problem('config-edited')];
    const tampered = await work({ ...answers, close: { usage, tampering } }, facts);
    expect(tampered.out).toMatchObject({ end: 'rejected', reason: 'tampered', problems: tampering });
  });

  test('that needs no evidence by the configuration asks nothing', async () => {
    const { steps } = await work({}, unprovable(), {
      ...config,
      verification: { ...config.verification, requireEvidence: false },
    });
    expect(steps.at(-1)).toBe('turn-1/strength');
  });
});

const session = { facts: taskFacts(), checkpoint, startedAt: AT, endedAt: AT, text: 'Done.' };

describe('decide', () => {
  const decide = (work: WorkResult, answers: Answers = {}, facts = taskFacts(), given = config) =>
    perform('tasks.decide', { ...ALONE, ...answers }, { ...session, facts, work, session: 4 }, given);
  const ALONE: Answers = { 'crashed-before': { facts: { item: null } } };
  const holds: WorkResult = { end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' };
  const proof = { verdict: verdict(), strength: strength() };
  const fail = (message: string, why: object, category = 'TEST_FAIL') => ({
    do: 'fail',
    error: { category, message },
    why: { ...NO_PROBLEM, ...why },
    isLast: false,
  });

  test('lands work that holds, without a question', async () => {
    expect(await decide(holds)).toMatchObject({
      out: { do: 'accept', ...proof, decided: null, person: null },
      steps: [],
    });
  });

  describe('about work that no command proves', () => {
    const asked = (option: string, note = '') =>
      decide(holds, { 'unproved-task-001': answer(option, note) }, unprovable());

    test('lands on the word of a person, who is named', async () => {
      const { out, asked: ask } = await asked('land', 'looks right');
      expect(ask('unproved-task-001')).toMatchObject({ subject: 'unproved', params: { item: 'task-001' } });
      expect(out).toEqual({
        do: 'accept',
        ...proof,
        decided: null,
        person: { by: 'Ada', at: AT, note: 'looks right' },
      });
    });

    test('fails the attempt where they reject it', async () => {
      expect((await asked('reject')).out).toEqual(fail('a person did not accept it', { reason: 'decided-reject' }));
    });

    test.each([
      ['later', 'later'],
      ['', 'decided at a gate'],
    ])('skips the task on request, without an attempt (note: %j)', async (note, skip) => {
      const error = { category: 'TEST_FAIL', message: 'a person did not accept it' };
      expect((await asked('skip', note)).out).toEqual({ do: 'release', error, failure: null, skip });
    });

    test('lands without a question where the configuration needs no evidence', async () => {
      const given = { ...config, verification: { ...config.verification, requireEvidence: false } };
      expect((await decide(holds, {}, unprovable(), given)).out).toMatchObject({ do: 'accept', person: null });
    });
  });

  describe('about a proof in doubt', () => {
    const doubtful: WorkResult = {
      end: 'doubtful',
      verdict: verdict(),
      strength: strength({ doubts: [problem('test-not-red')] }),
      text: '',
    };

    test('lands on the word of a person, and asks nothing else', async () => {
      const { out, steps } = await decide(doubtful, { 'doubtful-task-001': answer('land') }, unprovable());
      expect(steps).toEqual(['doubtful-task-001']);
      expect(out).toMatchObject({ do: 'accept', decided: answer('land'), person: null });
    });

    test('fails the attempt otherwise', async () => {
      const { out } = await decide(doubtful, { 'doubtful-task-001': answer('reject') });
      expect(out).toEqual(fail('test-not-red', { reason: 'decided-reject' }));
    });
  });

  test('saves work that is unfinished', async () => {
    const why = failure('agent-rate-limited');
    expect((await decide({ end: 'unfinished', why: 'error', failure: why, text: '' })).out).toEqual({
      do: 'save',
      why: 'error',
      failure: why,
    });
  });

  test('counts no attempt where the agent needs a person, and one where it failed by itself', async () => {
    const auth = failure('agent-auth');
    expect((await decide({ end: 'agent-failed', failure: auth, text: '' })).out).toEqual({
      do: 'release',
      error: { category: 'TASK_EXEC', message: 'the agent failed: agent-auth' },
      failure: auth,
      skip: null,
    });
    const crashed = failure('agent-crashed');
    expect((await decide({ end: 'agent-failed', failure: crashed, text: '' })).out).toEqual(
      fail('the agent failed: agent-crashed', { reason: 'agent-crashed', failure: crashed }, 'TASK_EXEC'),
    );
    const again = { 'crashed-before': { facts: { item: 'task-000' } } };
    expect((await decide({ end: 'agent-failed', failure: crashed, text: '' }, again)).out).toMatchObject({
      do: 'release',
      failure: { reason: 'agent-crashed', policy: 'needs-human' },
      blamed: 'task-000',
    });
  });

  test('fails rejected work with its problems, and counts no attempt where the validation command is missing', async () => {
    const rejected = { end: 'rejected', regressions: [], evidence: 'e', text: '' } as const;
    const problems = [problem('tests-failed', { count: 2 })];
    expect((await decide({ ...rejected, reason: 'tests-failed', problems })).out).toEqual(
      fail('tests-failed count=2', { reason: 'tests-failed', problems, evidence: 'e' }),
    );
    const missing = [problem('command-missing', { check: 'feature' })];
    expect((await decide({ ...rejected, reason: 'command-missing', problems: missing })).out).toMatchObject({
      do: 'release',
      error: { category: 'ENV_SETUP' },
      failure: { reason: 'validation-missing', params: { item: 'task-001', command: 'npm test' } },
      skip: null,
    });
    // A program that belongs to the project is work that was not done.
    const own = taskFacts({}, { proof: { command: './check.sh', timeoutMs: 9 } });
    expect((await decide({ ...rejected, reason: 'command-missing', problems: missing }, {}, own)).out).toMatchObject({
      do: 'fail',
      error: { category: 'TEST_FAIL' },
    });
  });
});

describe('the machine', () => {
  const machine = tasksMachine({ item: 'task-001', session: 4, lane: 0, run: 'r', config });
  const file = (more: Partial<SessionStateFile> = {}): SessionStateFile => ({ ...emptySessionState('then'), ...more });
  const mem = { paused: false };
  const started = { facts: taskFacts(), checkpoint, startedAt: 'began' };
  const ended = { ...started, text: 'Done.', endedAt: 'ended' };
  const POSITIONS = {
    prepare: { stage: 'prepare', isInterrupted: false },
    work: { stage: 'work', ...started, firstTask: [] },
    decide: { stage: 'decide', ...ended, work: { end: 'unfinished', why: 'timeout', text: 'Done.' } },
    close: { stage: 'close', ...ended, decision: { do: 'save', why: 'timeout', failure: null }, wasPaused: false },
  } as const;
  type Position = ReturnType<typeof machine.place>['at'];
  const after = (at: Position, output: object, given: Partial<SessionStateFile> = {}, paused = false) => {
    const s = { file: file(given), at, mem: { paused } };
    return { asked: wantedBy(machine, s), next: stateAfter(machine, s, output, AT) };
  };

  test.each(Object.entries(POSITIONS))('in %s has a position that survives being stored', (_, at) => {
    expect(machine.position.parse(JSON.parse(JSON.stringify({ at, mem })))).toEqual({ at, mem });
  });

  test('starts a session with the count of sessions that did not finish this task', () => {
    const ready = { is: 'ready', facts: taskFacts(), firstTask: [], checkpoint };
    const same = { current_feature: 'task-001', stuck_count: 2, last_session: 3 };
    const { asked, next } = after(POSITIONS.prepare, ready, same);
    expect(asked).toMatchObject({
      procedure: 'tasks.prepare',
      input: { session: 4, stuckCount: 2, isInterrupted: false },
    });
    expect(next.at).toEqual({ stage: 'work', ...started, startedAt: AT, firstTask: [] });
    expect(next.file).toMatchObject({ last_session: 4, current_feature: 'task-001', stuck_count: 2 });
    const other = after(POSITIONS.prepare, ready, { ...same, current_feature: 'task-002' });
    expect([other.asked, other.next.file.stuck_count]).toMatchObject([{ input: { stuckCount: 0 } }, 0]);
  });

  test('takes recovered work to its decision, or to the end of the session', () => {
    const work = { end: 'holds', verdict: verdict(), strength: null, text: '' };
    const judged = { is: 'judged', facts: taskFacts(), checkpoint, work };
    const over = { ...started, startedAt: AT, endedAt: AT, text: '' };
    expect(after(POSITIONS.prepare, judged).next.at).toEqual({ stage: 'decide', ...over, work });
    const decision = { do: 'save', why: 'timeout', failure: null };
    const decided = { is: 'decided', facts: taskFacts(), checkpoint, decision };
    const { at, file: written } = after(POSITIONS.prepare, decided).next;
    expect(at).toEqual({ stage: 'close', ...over, decision, wasPaused: false });
    expect(written).toMatchObject({ last_session: 4, current_feature: 'task-001' });
  });

  test.each([
    ['a failed attempt', { end: 'failed' }, true, 0],
    ['work that could not be saved', { end: 'failed' }, false, 3],
    ['unfinished work', { end: 'partial', why: 'timeout', isOutage: false }, false, 3],
    ['unfinished work of an outage', { end: 'partial', why: 'error', isOutage: true }, false, 2],
    ['a landing', { end: 'landed' }, false, 0],
    ['a release', { end: 'blocked' }, false, 2],
  ])('after %s counts the sessions that did not finish the task', (_, end, hasFailedAttempt, count) => {
    const { next } = after(
      POSITIONS.close,
      { outcome: itemOutcome('failed'), end, hasFailedAttempt },
      { stuck_count: 2 },
    );
    expect(next.file).toMatchObject({ stuck_count: count, timestamp: AT });
  });

  test.each([
    ['failed', { end: 'failed' }, 'paused'],
    ['skipped', { end: 'blocked' }, 'paused'],
    ['partial', { end: 'partial', why: 'timeout' }, 'paused'],
    ['landed', { end: 'landed' }, 'landed'],
    ['unproved', { end: 'landed' }, 'unproved'],
    ['aborted', { end: 'partial', why: 'budget' }, 'aborted'],
  ] as const)('a session that ended %s after a pause', (result, end, expected) => {
    const closed = { outcome: itemOutcome(result), end, hasFailedAttempt: false };
    const { next } = after(POSITIONS.close, closed, {}, true);
    expect(next.at).toMatchObject({ stage: 'ended', outcome: { result: expected } });
  });

  describe('in a new process', () => {
    const woken = (at: Position) =>
      machine.on?.({ file: file(), at, mem }, { type: 'life-started', life: 'x#r-2' }, AT);

    test('recovers a session that was under way', () => {
      expect(woken(POSITIONS.work)?.at).toEqual({ stage: 'prepare', isInterrupted: true });
    });

    test('knows that the sanity checks failed before that session', () => {
      const unsound = { ...POSITIONS.work, facts: taskFacts({}, { isUnsound: true }) };
      const at = { stage: 'prepare', isInterrupted: true, isUnsound: true } as const;
      expect(woken(unsound)?.at).toEqual(at);
      expect(machine.position.parse({ at, mem })).toEqual({ at, mem });
      expect(wantedBy(machine, { file: file(), at, mem }).input).toMatchObject({
        isInterrupted: true,
        isUnsound: true,
      });
    });

    test.each(['prepare', 'decide', 'close'] as const)('continues the stage %s', (stage) => {
      expect(woken(POSITIONS[stage])).toEqual({ file: file(), at: POSITIONS[stage], mem });
    });
  });

  describe('at a pause', () => {
    const paused = (at: Position) => machine.on?.({ file: file(), at, mem }, { type: 'pause' }, AT);

    test('starts no session', () => {
      expect(paused(POSITIONS.prepare)).toMatchObject({
        at: { stage: 'ended', outcome: { result: 'paused', reason: 'user_pause' } },
        file: file(),
      });
    });

    test('saves the work of a session', () => {
      const decision = { do: 'save', why: 'user_pause', failure: null };
      expect(paused(POSITIONS.work)?.at).toEqual({
        stage: 'close',
        ...started,
        text: '',
        endedAt: AT,
        decision,
        wasPaused: true,
      });
    });

    test.each([
      ['the recovery of an interrupted session', { stage: 'prepare', isInterrupted: true } as const],
      ['the decision', POSITIONS.decide],
      ['the end of the session', POSITIONS.close],
    ])('waits for %s', (_, at) => {
      expect(paused(at)).toEqual({ file: file(), at, mem: { paused: true } });
    });
  });
});
