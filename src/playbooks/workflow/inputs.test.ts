// What a transition of the workflow is decided by (reference 004, Sub-agent Return Value Rules; Architecture Principles 1): the first
// line of what a session said, and the files that may be looked at. Not the rest of what it said, and no paper that is meant for others.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { memoryWorld } from '../../../test/support/memory-world.ts';
import { checkpoint, failing, turn, usage } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { stateIn } from '../../../test/support/workflow.ts';
import type { Json } from '../../model/json.ts';
import { proposeFix } from './layers/auto-fix.ts';
import { dispatch } from './sessions/dispatch.ts';
import { evaluate } from './layers/evaluate.ts';
import type { Dispatch } from './sessions/one-session.ts';
import { PATCH_FILE } from './table/rules.ts';
import { resolved } from './file/state.ts';
import { surveys } from './surveys.ts';
import { layer1 } from './layers/verify-layer.ts';

const state = resolved(stateIn('generate_ready', { test_cmd: 'npm test' }));
const docs = state.docs_path;
const config = configOf();

const ANSWERS: Answers = {
  budget: { facts: { failure: null, over: null } },
  checkpoint: () => checkpoint,
  agent: { agent: 0, wall: null },
  tidy: { removed: [] },
  close: { usage, tampering: [] },
  left: { facts: { problems: [] } },
  bounds: { facts: { problems: [] } },
  strayed: { facts: { paths: [], isMoved: false } },
  todos: { facts: { todos: [], at: '2026-01-01T00:00:00.000Z' } },
  'failing-files': { facts: { files: [], dropped: [] } },
  patch: { facts: { diff: 'x', targets: ['a'], refused: null, why: '' } },
  verdict: { facts: { on: 'verdict: pass' } },
  check: failing(),
  write: { written: [] },
  remember: { file: '' },
};
const given = (role: string, output: string): Dispatch =>
  ({
    item: 't',
    stage: 'x',
    session: 1,
    specs: [{ role, persona: null, output }],
    attempt: 1,
    state,
    retry: null,
    note: '',
  }) as unknown as Dispatch;

const PROCEDURES = [
  ['a planner', 'spec written — all of it', dispatch, given('planner', `${docs}spec.md`)],
  ['a generator that gives up', 'FAIL — no idea', dispatch, given('generator', `${docs}changes.md`)],
  ['an evaluator that is content', 'PASS — it is as it should be', evaluate, given('evaluator', `${docs}qa_report.md`)],
  ['an evaluator that is not', 'FAIL L2 — 3 of 5', evaluate, given('evaluator', `${docs}qa_report.md`)],
  ['a verifier', 'FAIL — one test', layer1, given('verifier', '')],
  [
    'a proposer',
    'auto_fix_patch written — confidence: High — one word',
    proposeFix,
    given('auto-fix-proposer', PATCH_FILE),
  ],
] as const;

describe('of what a session says, the first line decides', () => {
  test.each(PROCEDURES)('%s', async (_, line, procedure, input) => {
    const came = async (text: string): Promise<unknown> => {
      const { run } = scriptedRun({ ...ANSWERS, session: turn({ text }) });
      return procedure(run, input, config);
    };
    const alone = await came(line);
    expect(alone).toMatchObject({ on: expect.any(String) });
    const words = fc.constantFrom('PASS', 'FAIL', 'FAIL L3', '### Verdict: FAIL', 'confidence: Low', 'written —', '\n');
    const rest = fc.array(fc.oneof(words, fc.string()), { maxLength: 12 }).map((all) => all.join(' '));
    await fc.assert(
      fc.asyncProperty(rest, fc.constantFrom('\n', '\r\n'), async (more, end) => {
        expect(await came(`${line}${end}${more}`)).toEqual(alone);
      }),
      { numRuns: 100 },
    );
  });

  test('another first line is another event', async () => {
    const on = async (text: string): Promise<unknown> =>
      evaluate(
        scriptedRun({ ...ANSWERS, session: turn({ text }) }).run,
        given('evaluator', `${docs}qa_report.md`),
        config,
      );
    expect(await on('PASS — good\nFAIL')).not.toEqual(await on('FAIL L3 — bad\nPASS'));
  });
});

/** Proposals, critiques, plan and reviews: for those who come after, never for whoever decides (principle 1). */
const FOR_OTHERS = [
  '.harness/planner/proposal_architect.md',
  '.harness/planner/critique_architect.md',
  '.harness/generator/plan.md',
  '.harness/generator/review.md',
  `${docs}changes.md`,
];
/** What each survey may read, and what for. */
const READS: { readonly [name in keyof typeof surveys]?: readonly string[] } = {
  next: ['.harness/state.json'],
  lies: [`${docs}qa_report.md`, PATCH_FILE], // whether there is a verdict, or a diff, in it
  conventions: [`${docs}conventions.md`, 'CLAUDE.md'],
  left: [`${docs}spec.md`], // that it is not empty
  'failing-files': [`${docs}verify_report.md`], // the paths in it
  patch: [PATCH_FILE], // the paths of its headers, and the diff that is applied
  verdict: [`${docs}qa_report.md`],
};
const INPUTS: { readonly [name in keyof typeof surveys]: Json } = {
  next: { backlog: '.harness/state.json', stateDir: '.harness', only: null },
  lies: {
    stateDir: '.harness',
    state: {
      ...state,
      autofix: { last_patch_path: PATCH_FILE, applied: 'proposed', triggered_at: '' },
    } as unknown as Json,
  },
  conventions: { value: null, docs },
  left: { role: 'planner', output: `${docs}spec.md`, scope: '(no limit)', maxFiles: 20, docs },
  bounds: { scope: '(no limit)', maxFiles: 20, docs },
  strayed: { roles: ['planner'], outputs: [`${docs}spec.md`], since: 'c', head: 'head', branch: 'main', docs },
  todos: { docs },
  'failing-files': { report: `${docs}verify_report.md`, docs, root: '/x' },
  patch: { file: PATCH_FILE, docs, scope: '(no limit)' },
  'docs-path': { docs },
  ignored: { paths: [`${docs}spec.md`, `${docs}changes.md`], at: 'c' }, // whether they are in the checkpoint
  verdict: { report: `${docs}qa_report.md` },
  place: { branch: null },
  language: { current: 'en', text: 'hello there' },
  nothing: {},
};

describe('of what lies in the work tree, a survey reads what it may', () => {
  const files = Object.fromEntries(
    [...FOR_OTHERS, ...Object.values(READS).flat()].map((path) => [path, 'Some text of it.\n']),
  );
  test.each(Object.keys(surveys) as (keyof typeof surveys)[])('%s', async (name) => {
    const world = memoryWorld({ files: { ...files, '.harness/state.json': JSON.stringify(state) } });
    await surveys[name](world, INPUTS[name]);
    expect([...new Set(world.reads)].sort()).toEqual([...(READS[name] ?? [])].sort());
    expect(world.reads.filter((path) => FOR_OTHERS.includes(path))).toEqual([]);
  });
});
