// state.json as users, this program and older versions write it: what is read, the value of a missing field, what is refused.
import { describe, expect, test } from 'vitest';
import { autofix, stateIn, THEN, v1In } from '../../../../test/support/workflow.ts';
import { readState } from './read.ts';
import {
  newState,
  partialState,
  inPhase,
  isV1,
  PHASES,
  resolved,
  stateFileSchema,
  V1_PHASES,
  workflowFileSchema,
  type WorkflowFile,
} from './state.ts';

const FILE = '.harness/state.json';
const read = (text: string) => readState(text, FILE);
const fileOf = (value: unknown): WorkflowFile => {
  const found = read(JSON.stringify(value));
  if (!found.ok || found.value.kind !== 'workflow') throw new Error(JSON.stringify(found));
  return found.value.file;
};
/** Key, line, column and detail of every mistake. */
const mistakes = (text: string) => {
  const found = read(text);
  if (found.ok) return [];
  const { causes = [found.failure] } = found.failure;
  return causes.map(({ at, params }) => [at?.key, at?.line, at?.column, params['why'], params['detail']]);
};

describe('a file of 2.0', () => {
  test.each(PHASES)('in phase %s is read unchanged', (phase) => {
    for (const file of [
      stateIn(phase),
      stateIn(phase, { autofix: autofix('proposed'), verify: { layer1_result: 'FAIL', layer1_retries: 3 } }),
      stateIn(phase, { autofix: autofix('stopped'), verify: { autofix_attempted: true, layer2_result: 'FAIL' } }),
      stateIn(phase, { mode: 'multi', run_style: 'phase', conventions: 'file:.harness/conventions.md', lang: 'go' }),
    ]) {
      expect(fileOf(file)).toEqual(file);
      expect(workflowFileSchema.parse(file)).toEqual(file);
      expect(resolved(file)).toMatchObject(file.verify === undefined ? {} : { phase, verify: file.verify });
    }
  });

  test('keeps unknown fields, at every depth', () => {
    const file = {
      ...stateIn('verifying'),
      mine: ['kept'],
      verify: { layer1_retries: 1, own: 2 },
      autofix: { ...autofix('applied'), by: 'anna' },
      model_config: { preset: 'default', note: 'x' },
    };
    expect(fileOf(file)).toEqual(file);
  });

  test('with only task and phase has defaults for all other fields, which are not written', () => {
    const file = { version: '2.0', task: 'Fix the login', phase: 'verify_done' };
    const found = fileOf(file);
    expect(found).toEqual(file);
    expect(resolved(found)).toEqual({
      task: 'Fix the login',
      mode: 'standard',
      run_style: 'auto',
      model_config: { preset: 'default', executor: null, advisor: null, evaluator: null, verifier: 'haiku' },
      cli_flags: { verifier_model: null, output_dir: null },
      user_lang: 'en',
      has_git: null,
      repo_name: '',
      repo_path: '',
      phase: 'verify_done',
      round: 1,
      max_rounds: 3,
      max_files: 20,
      scope: '(no limit)',
      branch: 'harness/fix-the-login',
      lang: 'unknown',
      build_cmd: null,
      test_cmd: null,
      lint_cmd: null,
      type_check_cmd: null,
      verify: {
        layer1_result: null,
        layer1_retries: 0,
        layer2_result: null,
        layer2_retries: 0,
        todo_blocking: false,
        autofix_attempted: false,
      },
      autofix: null,
      docs_path: 'docs/harness/fix-the-login/',
      conventions: null,
      created_at: '',
      updated_at: '',
    });
  });

  test('gets a new phase, and no default with it', () => {
    const file = { version: '2.0', task: 'x', phase: 'verify_done', verify: { layer1_retries: 2 } } as const;
    expect(inPhase(stateFileSchema.parse(file), 'evaluate_ready')).toEqual({ ...file, phase: 'evaluate_ready' });
  });

  test('is refused with every mistake at once, each with key and location', () => {
    const text = [
      '{ "version": "2.0", "task": 7,',
      '  "mode": "quick", "phase": "resting",',
      '  "verify": { "layer1_retries": -1,',
      '    "layer1_result": "pass" },',
      '  "autofix": { "last_patch_path": "p", "applied": "done" }, "round": 0, "conventions": "docs/x.md" }',
    ].join('\n');
    expect(mistakes(text)).toEqual([
      ['task', 1, 29, 'value-unfit', expect.stringContaining('expected string')],
      ['mode', 2, 11, 'value-unfit', expect.stringContaining('"single"|"standard"|"multi"')],
      ['round', 5, 70, 'value-unfit', expect.stringContaining('round')],
      ['phase', 2, 29, 'value-unfit', expect.stringContaining('"plan_ready"')],
      ['verify.layer1_result', 4, 22, 'value-unfit', expect.stringContaining('"PASS"|"FAIL"')],
      ['verify.layer1_retries', 3, 33, 'value-unfit', expect.stringContaining('>=0')],
      ['autofix.applied', 5, 51, 'value-unfit', expect.stringContaining('"proposed"')],
      ['autofix.triggered_at', 5, 14, 'value-missing', 'autofix.triggered_at'],
      ['conventions', 5, 88, 'value-unfit', expect.stringContaining('file:<path>')],
    ]);
    expect(read(text)).toMatchObject({
      failure: { reason: 'state-unreadable', params: { file: FILE, count: 9 }, at: { file: FILE, key: 'task' } },
    });
  });

  test.each([
    ['no JSON', '{ "version": "2.0", }', [[undefined, 1, 19, 'not-json', 'trailing-comma']]],
    ['no object', '[]', [[undefined, 1, 1, 'value-unfit', expect.stringContaining('expected object')]]],
    ['null', 'null', [[undefined, 1, 1, 'value-unfit', expect.stringContaining('expected object')]]],
    [
      'a number as its version',
      '{ "version": 2, "task": "x" }',
      [['version', 1, 14, 'value-unfit', expect.any(String)]],
    ],
    ['no task', '{ "version": "2.0", "phase": "planning" }', [['task', 1, 1, 'value-missing', 'task']]],
  ])('that is %s is refused', (_what, text, said) => {
    expect(mistakes(text)).toEqual(said);
  });

  test('of a version after 2.0 is refused: it needs a newer program', () => {
    for (const version of ['2.1', '3.0', '10'])
      expect(read(`{ "version": "${version}" }`)).toMatchObject({ failure: { reason: 'state-newer' } });
    for (const version of ['1.0', '2', 'two', '2.0.x'])
      expect(read(`{ "version": "${version}", "task": "x" }`)).toMatchObject({
        failure: { reason: 'state-unreadable', at: { key: 'version' } },
      });
  });
});

describe('set-up', () => {
  const known = {
    task: 'Fix the login',
    slug: 'fix-the-login',
    cli_flags: { verifier_model: null, output_dir: null },
    user_lang: 'en',
    has_git: true,
    docs_path: 'docs/harness/fix-the-login/',
    created_at: THEN,
  };
  test('leaves a readable file without a phase if it crashes before mode and models are chosen', () => {
    const file = partialState(known);
    expect(Object.keys(file)).toEqual([
      'version',
      'task',
      'cli_flags',
      'user_lang',
      'has_git',
      'created_at',
      'docs_path',
      'slug',
    ]);
    expect(resolved(fileOf(file))).toMatchObject({ phase: null, task: 'Fix the login', docs_path: known.docs_path });
    expect(resolved(fileOf({ ...file, phase: null, mode: null, model_config: null, verify: null })).phase).toBeNull();
  });

  test('ends with the whole file, in the documented order', () => {
    const { verify, phase, ...rest } = stateIn('plan_ready', { conventions: null });
    const file = newState(known, {
      mode: 'standard',
      run_style: 'auto',
      model_config: { preset: 'balanced', executor: 'sonnet', advisor: 'opus', evaluator: 'opus', verifier: 'haiku' },
      repo_name: 'shop',
      repo_path: '.',
      scope: '(no limit)',
      lang: 'typescript',
      build_cmd: 'npm run build',
      test_cmd: 'npm test',
      lint_cmd: null,
      type_check_cmd: null,
      updated_at: THEN,
    });
    expect(file).toEqual({ ...rest, phase, verify });
    expect(Object.keys(file).join(' ')).toBe(
      'version task mode run_style model_config cli_flags user_lang has_git repo_name repo_path phase round max_rounds ' +
        'max_files scope branch lang build_cmd test_cmd lint_cmd type_check_cmd verify autofix docs_path conventions ' +
        'created_at updated_at',
    );
    const { version: _, ...fields } = file;
    expect(resolved(file)).toEqual(fields);
  });
});

describe('a file without a version', () => {
  test.each(V1_PHASES)('in phase %s is of version 1, and keeps the phases of version 1', (phase) => {
    const file = fileOf(v1In(phase));
    expect(isV1(file)).toBe(true);
    expect(file).toEqual(v1In(phase));
    expect(V1_PHASES).toContain(inPhase(file, 'generating').phase);
    expect(resolved(file)).toMatchObject({ run_style: 'auto', autofix: null, verify: { layer2_result: null } });
  });

  test('names the phases of 2.0 as version 1 does', () => {
    const words = PHASES.map((phase) => inPhase(v1In('plan_ready'), phase).phase);
    expect(words.join(' ')).toBe(
      'plan_ready plan_ready plan_ready gen_ready gen_ready gen_ready verify_ready verifying verify_done eval_ready ' +
        'eval_ready eval_ready completed',
    );
    expect(V1_PHASES.map((phase) => resolved(v1In(phase)).phase).join(' ')).toBe(
      'plan_ready generate_ready verify_ready verifying verify_done evaluate_ready completed',
    );
  });

  test('with a phase of 2.0 is refused', () => {
    expect(mistakes('{ "phase": "planning" }')).toEqual([
      ['phase', 1, 12, 'value-unfit', expect.stringContaining('gen_ready')],
    ]);
    expect(mistakes('{ "task": "x" }')).toEqual([['phase', 1, 1, 'value-missing', 'phase']]);
  });
});

describe('a file of another skill', () => {
  test('is recognised by its name, whatever else it contains', () => {
    expect(read('{ "skill": "mission", "phase": 7 }')).toEqual({
      ok: true,
      value: { kind: 'foreign', skill: 'mission' },
    });
  });
  test('is not foreign if it names the workflow', () => {
    expect(fileOf({ ...stateIn('planning'), skill: 'workflow' })).toMatchObject({ skill: 'workflow' });
  });
});
