// A run on an existing state.json: a case for each row of the resume table, and for each named step.
import { describe, expect, test } from 'vitest';
import { autofix, NOW, stateIn, THERE, v1In } from '../../../../test/support/workflow.ts';
import { next } from './next.ts';
import { NAMED, RESUME, resumed, styleOf, type StartFacts, type ResumeRow } from './resume.ts';
import { FIX_STATES, PHASES, RESULTS, resolved, type StateFile, type WorkflowFile } from '../file/state.ts';
import { STEPS, type NamedStep } from '../file/run-options.ts';

const failing = (more: Partial<StateFile> = {}): StateFile =>
  stateIn('verify_done', { ...more, verify: { layer1_result: 'FAIL', layer1_retries: 3, ...more.verify } });
const decided = (applied: 'applied' | 'rejected' | 'stopped', verify: StateFile['verify'] = {}): StateFile =>
  failing({ autofix: autofix(applied), verify: { autofix_attempted: true, ...verify } });
const inStyle = (style: 'auto' | 'phase' | 'step', file: StateFile): StateFile => ({ ...file, run_style: style });

type Case = readonly [
  what: string,
  file: WorkflowFile,
  facts: Partial<StartFacts>,
  step: NamedStep | null,
  to: string,
  /** Fields of the file afterwards. */
  fields?: { readonly [name: string]: unknown },
];
const reset = { layer1_result: null, layer1_retries: 0 };

const CASES: readonly Case[] = [
  // ---- by phase, row by row
  ['plan_ready, conventions not looked for', stateIn('plan_ready', { conventions: null }), {}, null, 'conventions'],
  ['plan_ready, conventions skipped by a person', stateIn('plan_ready'), { conventions: false }, null, 'plan-ready'],
  [
    'plan_ready, conventions in a file',
    stateIn('plan_ready', { conventions: 'file:.harness/conventions.md' }),
    {},
    null,
    'plan-ready',
  ],
  [
    'plan_ready, conventions in a file that is gone',
    stateIn('plan_ready', { conventions: 'file:.harness/conventions.md' }),
    { conventions: false },
    null,
    'conventions',
  ],
  ['planning with a spec', stateIn('planning'), {}, null, 'spec-gate', { phase: 'plan_done' }],
  ['planning without a spec', stateIn('planning'), { spec: false }, null, 'plan-ready', { phase: 'plan_ready' }],
  ['plan_done with a spec', stateIn('plan_done'), {}, null, 'spec-gate'],
  ['plan_done without a spec', stateIn('plan_done'), { spec: false }, null, 'plan-ready'],
  ['generate_ready', stateIn('generate_ready'), {}, null, 'generate-ready'],
  [
    'generating',
    stateIn('generating', { verify: { layer1_result: 'FAIL', layer1_retries: 2 } }),
    {},
    null,
    'verify-ready',
    { phase: 'verify_ready', ...reset },
  ],
  ['generate_done', stateIn('generate_done'), {}, null, 'verify-ready', { phase: 'verify_ready', ...reset }],
  ['verify_ready', stateIn('verify_ready', { verify: { layer1_retries: 2 } }), {}, null, 'verify-ready', reset],
  ['verifying', stateIn('verifying', { verify: { layer1_retries: 3 } }), {}, null, 'verify-ready', reset],
  ['verify_done, no auto-fix', failing({ verify: { layer1_retries: 1 } }), {}, null, 'verify-ready', reset],
  [
    'verify_done, passed, no auto-fix, style auto',
    failing({ verify: { layer1_result: 'PASS', layer1_retries: 2 } }),
    {},
    null,
    'verify-ready',
    reset,
  ],
  [
    'verify_done, a patch is proposed (I3)',
    failing({ autofix: autofix('proposed') }),
    {},
    null,
    'auto-fix-gate',
    { layer1_retries: 3, layer1_result: 'FAIL', autofix_attempted: false },
  ],
  [
    'verify_done, a patch is in and was not verified',
    decided('applied', { layer1_result: 'FAIL', layer1_retries: 2 }),
    {},
    null,
    'reverify-ready',
    { phase: 'verify_ready', layer1_retries: 2, layer1_result: null },
  ],
  ['verify_done, the patch did not help', decided('stopped'), {}, null, 'verify-gate', { layer1_retries: 3 }],
  [
    'verify_done, the patch did not help, and the file has more retries than allowed (I4)',
    decided('stopped', { layer1_retries: 9 }),
    {},
    null,
    'verify-gate',
    { layer1_retries: 3 },
  ],
  ['verify_done, the patch was rejected', decided('rejected'), {}, null, 'verify-gate', { layer1_retries: 3 }],
  ['evaluate_ready', stateIn('evaluate_ready'), {}, null, 'evaluate-ready'],
  ['evaluating with a report', stateIn('evaluating'), {}, null, 'verdict', { phase: 'evaluate_done' }],
  ['evaluate_done with a report', stateIn('evaluate_done'), {}, null, 'verdict'],
  ['completed', stateIn('completed'), {}, null, 'set-up'],

  // ---- special cases
  ['set-up that has not ended', { version: '2.0', task: 'x' }, {}, null, 'set-up'],
  [
    'verifying after a patch: no reset',
    stateIn('verifying', { autofix: autofix('applied'), verify: { layer1_retries: 3, autofix_attempted: true } }),
    {},
    null,
    'reverify-ready',
    { phase: 'verify_ready', layer1_retries: 3, autofix_attempted: true },
  ],
  [
    'verify_ready after a patch: no reset',
    stateIn('verify_ready', { autofix: autofix('applied'), verify: { layer1_retries: 2, layer1_result: 'FAIL' } }),
    {},
    null,
    'reverify-ready',
    { layer1_retries: 2, layer1_result: null },
  ],
  [
    'verify_done, passed, style phase: it would verify for ever',
    inStyle('phase', failing({ verify: { layer1_result: 'PASS' } })),
    {},
    null,
    'evaluate-ready',
    { phase: 'evaluate_ready' },
  ],
  [
    'verify_done, nothing to run, style phase',
    inStyle('phase', stateIn('verify_done', { build_cmd: null, test_cmd: null })),
    {},
    null,
    'evaluate-ready',
  ],
  ['verify_done, not verified, style phase', inStyle('phase', stateIn('verify_done')), {}, null, 'verify-ready'],
  ['verify_done, failed, style phase', inStyle('phase', failing()), {}, null, 'verify-ready'],
  [
    'verify_done, passed with the patch',
    decided('applied', { layer1_result: 'PASS' }),
    {},
    null,
    'evaluate-ready',
    { layer1_result: 'PASS' },
  ],
  [
    'verify_done, passed in a round after the patch was rejected',
    decided('rejected', { layer1_result: 'PASS' }),
    {},
    null,
    'evaluate-ready',
  ],
  [
    'verify_done, a patch is proposed and was never written',
    failing({ autofix: autofix('proposed') }),
    { patch: false },
    null,
    'propose-fix',
    { autofix_attempted: false },
  ],
  ['evaluating without a report', stateIn('evaluating'), { report: false }, null, 'evaluate-ready'],
  ['evaluate_done without a report', stateIn('evaluate_done'), { report: false }, null, 'evaluate-ready'],

  // ---- version 1: phases of its own, always auto, no conventions, no auto-fix
  ['v1 plan_ready', v1In('plan_ready'), {}, null, 'plan-ready', { phase: 'plan_ready' }],
  ['v1 gen_ready', v1In('gen_ready'), {}, null, 'generate-ready'],
  ['v1 verify_ready', v1In('verify_ready'), {}, null, 'verify-ready'],
  [
    'v1 verifying',
    v1In('verifying', { verify: { layer1_result: null, layer1_retries: 2 } }),
    {},
    null,
    'verify-ready',
    reset,
  ],
  ['v1 verify_done', v1In('verify_done'), {}, null, 'verify-ready'],
  ['v1 verify_done of before 7.1', v1In('verify_done', { verify: null }), {}, null, 'evaluate-ready'],
  ['v1 eval_ready', v1In('eval_ready'), {}, null, 'evaluate-ready'],
  ['v1 completed', v1In('completed'), {}, null, 'set-up'],
  ['v1 with a named step', v1In('gen_ready'), {}, 'verify', 'generate-ready'],

  // ---- named steps
  ['plan, before anything', stateIn('plan_ready', { conventions: null }), {}, 'plan', 'conventions'],
  ['plan, with a spec there', stateIn('plan_done'), {}, 'plan', 'plan-ready', { phase: 'plan_ready' }],
  ['plan, after Layer 1', failing(), {}, 'plan', 'plan-ready'],
  ['plan, in the middle of it', stateIn('evaluating'), {}, 'plan', 'plan-ready'],
  ['plan, with a patch proposed', failing({ autofix: autofix('proposed') }), {}, 'plan', 'auto-fix-gate'],
  ['generate, the spec not confirmed', stateIn('plan_done'), {}, 'generate', 'spec-gate'],
  ['generate, the spec confirmed', stateIn('generate_ready'), {}, 'generate', 'generate-ready'],
  ['generate, again', stateIn('generate_done'), {}, 'generate', 'generate-ready', { phase: 'generate_ready' }],
  ['generate, after Layer 1', failing(), {}, 'generate', 'generate-ready'],
  ['generate, with a patch proposed', failing({ autofix: autofix('proposed') }), {}, 'generate', 'auto-fix-gate'],
  ['generate, with a verdict there', stateIn('evaluate_done'), {}, 'generate', 'verdict'],
  ['generate, without a verdict', stateIn('evaluating'), { report: false }, 'generate', 'generate-ready'],
  ['verify, the code there', stateIn('generate_done'), {}, 'verify', 'verify-ready'],
  ['verify, passed before', failing({ verify: { layer1_result: 'PASS' } }), {}, 'verify', 'verify-ready', reset],
  [
    'verify, a patch in',
    decided('applied', { layer1_retries: 3 }),
    {},
    'verify',
    'reverify-ready',
    { layer1_retries: 3, layer1_result: null },
  ],
  ['verify, a patch rejected', decided('rejected'), {}, 'verify', 'verify-ready', reset],
  ['verify, with a patch proposed', failing({ autofix: autofix('proposed') }), {}, 'verify', 'auto-fix-gate'],
  [
    'verify, after the evaluation',
    stateIn('evaluate_done', { verify: { layer1_result: 'PASS', layer1_retries: 2 } }),
    {},
    'verify',
    'verify-ready',
    { phase: 'verify_ready', ...reset },
  ],
  ['evaluate, passed', failing({ verify: { layer1_result: 'PASS' } }), {}, 'evaluate', 'evaluate-ready'],
  ['evaluate, failed: the 1st gate first', failing(), {}, 'evaluate', 'verify-gate'],
  ['evaluate, a patch in and not verified', decided('applied', { layer1_result: null }), {}, 'evaluate', 'refused'],
  ['evaluate, with a patch proposed', failing({ autofix: autofix('proposed') }), {}, 'evaluate', 'auto-fix-gate'],
  ['evaluate, continued before', stateIn('evaluate_ready'), {}, 'evaluate', 'evaluate-ready'],
  ['evaluate, again', stateIn('evaluate_done'), {}, 'evaluate', 'evaluate-ready', { phase: 'evaluate_ready' }],
];

const where = (
  file: WorkflowFile,
  facts: Partial<StartFacts>,
  step: NamedStep | null,
  tables?: Parameters<typeof resumed>[3],
) => {
  const found = resumed(file, { ...THERE, ...facts }, step, tables);
  return typeof found === 'string' ? found : found.s;
};
const wrongIn = (
  [what, file, facts, step, to, fields = {}]: Case,
  tables?: Parameters<typeof resumed>[3],
): string | null => {
  const s = where(file, facts, step, tables);
  if (typeof s === 'string') return s === to ? null : `${what}: ${s}`;
  const { verify, phase } = resolved(s.file);
  const now: { readonly [name: string]: unknown } = { ...verify, phase };
  const differ = Object.entries(fields).filter(([name, value]) => now[name] !== value);
  return s.at.stage === to && differ.length === 0 ? null : `${what}: ${s.at.stage} ${JSON.stringify(now)}`;
};

describe('a run on an existing state.json', () => {
  test.each(CASES.map((one) => [one[0], one] as const))('%s', (_what, one) => {
    expect(wrongIn(one)).toBeNull();
    const [, file, facts, step, to] = one;
    const s = where(file, facts, step);
    if (typeof s === 'string') return;
    // Only the phase, the counters and the fields above change, and no default is written.
    const { phase: _, verify: __, ...rest } = s.file;
    const { phase: ___, verify: ____, ...before } = file;
    expect([to, rest]).toEqual([to, before]);
  });

  test('needs every row of both tables: with any of them dropped or redirected, a case above fails', () => {
    const fails = (tables: { RESUME: readonly ResumeRow[]; NAMED: typeof NAMED }): boolean =>
      CASES.some((one) => {
        try {
          return wrongIn(one, tables) !== null;
        } catch {
          return true; // no row fits
        }
      });
    expect(fails({ RESUME, NAMED })).toBe(false);
    const elsewhere = (row: ResumeRow): ResumeRow => ({ ...row, to: row.to === 'plan-ready' ? 'done' : 'plan-ready' });
    const broken = <T>(rows: readonly T[], change: (row: T) => readonly T[]): readonly (readonly T[])[] =>
      rows.map((_, n) => rows.flatMap((row, m) => (m === n ? change(row) : [row])));
    const mutants = (change: (row: ResumeRow) => readonly ResumeRow[]) => [
      ...broken(RESUME, change).map((rows) => ({ RESUME: rows, NAMED })),
      ...STEPS.flatMap((step) =>
        broken(NAMED[step], change).map((rows) => ({ RESUME, NAMED: { ...NAMED, [step]: rows } })),
      ),
    ];
    const changes: readonly ((row: ResumeRow) => readonly ResumeRow[])[] = [
      () => [],
      (row) => [elsewhere(row)],
      (row) => (row.set === undefined ? [] : [{ ...row, set: [] }]),
      (row) => (row.when === undefined ? [] : [{ ...row, when: [] }]),
    ];
    const alive = changes.flatMap((change, n) =>
      mutants(change).flatMap((tables, at) => (fails(tables) ? [] : [`change ${n} of row ${at}`])),
    );
    expect(alive).toEqual([]);
  });

  test('continues somewhere for every file and every combination of documents', () => {
    let count = 0;
    for (const phase of [...PHASES, null])
      for (const applied of [null, ...FIX_STATES])
        for (const layer1_result of [null, ...RESULTS])
          for (const run_style of ['auto', 'phase', 'step'] as const)
            for (const bits of Array.from({ length: 16 }, (_, n) => n))
              for (const step of [null, ...STEPS]) {
                const file: StateFile = {
                  ...stateIn('planning', {
                    run_style,
                    autofix: applied && autofix(applied),
                    verify: { layer1_result, layer1_retries: 2 },
                  }),
                  phase,
                };
                const [spec, report, patch, conventions] = [1, 2, 4, 8].map((bit) => (bits & bit) !== 0) as [
                  boolean,
                  boolean,
                  boolean,
                  boolean,
                ];
                const s = where(file, { spec, report, patch, conventions }, step);
                if (typeof s === 'string') continue;
                count += 1;
                // I3 for every step, and no gate is passed without an answer.
                if (phase === 'verify_done' && applied === 'proposed')
                  expect(s.at.stage).toBe(patch ? 'auto-fix-gate' : 'propose-fix');
                if (phase === 'planning' || phase === 'plan_done')
                  expect(['spec-gate', 'plan-ready']).toContain(s.at.stage);
                if (applied === 'applied' && step === null && phase?.startsWith('verify') === true)
                  expect(resolved(s.file).verify.layer1_retries).toBe(2);
              }
    expect(count).toBeGreaterThan(20_000);
  });

  test('stores whether there is git where the file does not say', () => {
    const file = stateIn('generate_ready', { has_git: null });
    for (const hasGit of [true, false])
      expect(where(file, { hasGit }, null)).toMatchObject({ file: { has_git: hasGit } });
    expect(where(stateIn('generate_ready', { has_git: false }), { hasGit: true }, null)).toMatchObject({
      file: { has_git: false },
    });
  });

  test('has the style of its step, or that of the file, where "step" means "phase"', () => {
    const file = (run_style: 'auto' | 'phase' | 'step') => stateIn('plan_ready', { run_style });
    expect((['auto', 'phase', 'step'] as const).map((style) => styleOf(file(style), null))).toEqual([
      'auto',
      'phase',
      'phase',
    ]);
    expect(STEPS.map((step) => styleOf(file('auto'), step))).toEqual(['phase', 'phase', 'step', 'step']);
    expect(STEPS.map((step) => styleOf(v1In('plan_ready'), step))).toEqual(['auto', 'auto', 'auto', 'auto']);
  });
});

describe('run styles', () => {
  /** Runs of this style without any trouble, and where each of them ends. */
  const runsOf = (style: 'auto' | 'phase', steps: readonly (NamedStep | null)[]): readonly string[] => {
    let file: WorkflowFile = stateIn('plan_ready', { run_style: style, mode: 'single' });
    const ends: string[] = [];
    const good = ['begin', 'proceed', 'written', 'spec: proceed', 'layer 1: pass', 'evaluation: pass', 'verdict: pass'];
    for (const step of steps) {
      const found = resumed(file, THERE, step);
      if (typeof found === 'string') return [...ends, found];
      let { s } = found;
      for (let going = true; going;) {
        going = false;
        for (const on of [...good, 'commit: all', 'finished']) {
          const after = next(s, { on, at: NOW } as Parameters<typeof next>[1]);
          if (!('state' in after)) continue;
          s = after.state;
          going = true;
          break;
        }
      }
      file = s.file;
      ends.push(`${s.at.stage} ${String(s.file.phase)}`);
    }
    return ends;
  };

  test('auto goes to the end in one run', () => {
    expect(runsOf('auto', [null])).toEqual(['done completed']);
  });
  test('phase ends after each phase, and the next run continues', () => {
    expect(runsOf('phase', [null, null, null, null, null])).toEqual([
      'session-end plan_done',
      'session-end generate_done',
      'session-end verify_done',
      'session-end evaluate_done',
      'done completed',
    ]);
  });
  test('a named step runs only that step, also if the file says auto', () => {
    expect(runsOf('auto', ['plan', 'generate', 'verify', 'verify', 'evaluate', null])).toEqual([
      'session-end plan_done',
      'session-end generate_done',
      'session-end verify_done',
      'session-end verify_done',
      'session-end evaluate_done',
      'done completed',
    ]);
  });
});
