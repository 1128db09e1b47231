// What the transitions of the workflow depend on: the first line of what a session says, and the files that may be read. Not the rest of its
// answer, and no document that is meant for other sessions.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { memoryWorld } from '../../../test/support/memory-world.ts';
import { checkpoint, failing, turn, usage } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { autofix, contextOf, stateIn } from '../../../test/support/workflow.ts';
import type { ReadContext, Survey } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { proposedPatch, proposeFix, reportedFiles } from './layers/auto-fix.ts';
import { changedCode, ignoredReports } from './layers/finish.ts';
import { layer1 } from './layers/layer-1.ts';
import { changedScripts, untouched } from './layers/prove.ts';
import { docsPathRule } from './paths/paths.ts';
import { conventionSources } from './project/conventions.ts';
import { qaVerdict } from './project/reports.ts';
import { addedTodos } from './project/todos.ts';
import { languageOf } from './questions.ts';
import { branchState, next, startFacts } from './repository-facts.ts';
import { dispatch, evaluate } from './sessions/dispatch.ts';
import { outputProblems, strayChanges, taskProblems } from './sessions/session-outputs.ts';
import { nothing } from './table-stages.ts';
import type { WorkflowRole } from './table/roles.ts';
import { PATCH_FILE } from './table/rules.ts';

const file = stateIn('generate_ready', { test_cmd: 'npm test' });
const docs = 'docs/harness/fix-the-login/';
const config = configOf({ paths: { backlog: '.harness/state.json' } });

const ANSWERS: Answers = {
  budget: { facts: { failure: null, over: null } },
  checkpoint: () => checkpoint,
  agent: { agent: 0, wall: null },
  tidy: { removed: [] },
  close: { usage, tampering: [] },
  'workflow.output': { facts: { problems: [] } },
  'workflow.bounds': { facts: { problems: [] } },
  'workflow.strays': { facts: { paths: [], isMoved: false } },
  'test-command': { facts: { isReported: false, files: [], base: 'c' } },
  'workflow.todos': { facts: { todos: [], at: '2026-01-01T00:00:00.000Z' } },
  'workflow.failing-files': { facts: { files: [] } },
  'workflow.patch': { facts: { diff: 'x', targets: ['a'], refused: null, why: '', summary: '' } },
  'workflow.verdict': { facts: { on: 'verdict: pass' } },
  check: failing(),
  write: { written: [] },
  remember: { file: '' },
};
const group = (role: WorkflowRole, output: string) => ({
  item: 't',
  stage: 'x',
  session: 1,
  assignments: [{ role, persona: null, output }],
  attempt: 1,
  file,
  retry: null,
  note: '',
});
const report = `${docs}qa_report.md`;
type Perform = (run: Run<Actions>) => Promise<unknown>;

const PROCEDURES: readonly (readonly [what: string, line: string, perform: Perform])[] = [
  ['a planner', 'spec written — all of it', (run) => dispatch.perform(run, group('planner', `${docs}spec.md`), config)],
  [
    'a generator that gives up',
    'FAIL — no idea',
    (run) => dispatch.perform(run, group('generator', `${docs}changes.md`), config),
  ],
  [
    'an evaluator that is content',
    'PASS — it is as it should be',
    (run) => evaluate.perform(run, group('evaluator', report), config),
  ],
  ['an evaluator that is not', 'FAIL L2 — 3 of 5', (run) => evaluate.perform(run, group('evaluator', report), config)],
  ['a verifier', 'FAIL — one test', (run) => layer1.perform(run, group('verifier', ''), config)],
  [
    'a proposer',
    'auto_fix_patch written — confidence: High — one word',
    (run) => proposeFix.perform(run, group('auto-fix-proposer', PATCH_FILE), config),
  ],
];

describe('of what a session says, the first line decides', () => {
  test.each(PROCEDURES)('%s', async (_, line, perform) => {
    const resultOf = async (text: string): Promise<unknown> =>
      perform(scriptedRun({ ...ANSWERS, session: turn({ text }) }).run);
    const alone = await resultOf(line);
    expect(alone).toMatchObject({ on: expect.any(String) });
    const words = fc.constantFrom('PASS', 'FAIL', 'FAIL L3', '### Verdict: FAIL', 'confidence: Low', 'written —', '\n');
    const rest = fc.array(fc.oneof(words, fc.string()), { maxLength: 12 }).map((all) => all.join(' '));
    await fc.assert(
      fc.asyncProperty(rest, fc.constantFrom('\n', '\r\n'), async (more, end) => {
        expect(await resultOf(`${line}${end}${more}`)).toEqual(alone);
      }),
      { numRuns: 100 },
    );
  });

  test('another first line is another event', async () => {
    const on = async (text: string): Promise<unknown> =>
      evaluate.perform(scriptedRun({ ...ANSWERS, session: turn({ text }) }).run, group('evaluator', report), config);
    expect(await on('PASS — good\nFAIL')).not.toEqual(await on('FAIL L3 — bad\nPASS'));
  });
});

/** Proposals, critiques, plan and reviews are for the sessions that follow, never for a decision. */
const FOR_OTHERS = [
  '.harness/planner/proposal_architect.md',
  '.harness/planner/critique_architect.md',
  '.harness/generator/plan.md',
  '.harness/generator/review.md',
  `${docs}changes.md`,
];
type Reading = readonly [id: string, read: (context: ReadContext) => Promise<unknown>, files: readonly string[]];
const reading = <I, F>(survey: Survey<I, F>, input: I, files: readonly string[] = []): Reading => [
  survey.id,
  async (context) => survey.facts.parse(await survey.read(context, survey.input.parse(input))),
  files,
];
const limits = { scope: '(no limit)', maxFiles: 20, docs };
/** The files that each survey may read, and what for. */
const READINGS: readonly Reading[] = [
  reading(next, { only: null, taken: [] }, ['.harness/state.json']),
  // whether there is a verdict, or a diff, in it
  reading(startFacts, { file: { ...file, autofix: autofix('proposed') } }, [report, PATCH_FILE]),
  reading(conventionSources, { value: null, docs }, [`${docs}conventions.md`, 'CLAUDE.md']),
  // that it is not empty
  reading(outputProblems, { role: 'planner', output: `${docs}spec.md`, ...limits }, [`${docs}spec.md`]),
  reading(taskProblems, limits),
  reading(strayChanges, {
    roles: ['planner'],
    outputs: [`${docs}spec.md`],
    since: 'c',
    head: 'head',
    branch: 'main',
    docs,
  }),
  reading(addedTodos, { docs }),
  // the paths in it
  reading(reportedFiles, { docs, root: '/x' }, [`${docs}verify_report.md`]),
  // the paths of its headers, and the diff that is applied
  reading(proposedPatch, { docs, scope: '(no limit)' }, [PATCH_FILE]),
  reading(docsPathRule, { docs }),
  reading(changedCode, { since: 'c', docs }),
  reading(changedScripts, { commands: ['npm run build'] }, ['package.json']),
  reading(untouched, { docs, stateDir: '.harness' }),
  // whether they are in the checkpoint
  reading(ignoredReports, { paths: [`${docs}spec.md`, `${docs}changes.md`], at: 'c' }),
  reading(qaVerdict, { docs }, [report]),
  reading(branchState, { branch: null }),
  reading(nothing, {}),
  reading(languageOf, { current: 'en', text: 'hello there' }),
];

describe('of the files in the work tree, a survey reads what it may', () => {
  const files = Object.fromEntries(
    [...FOR_OTHERS, ...READINGS.flatMap(([, , read]) => read)].map((path) => [path, 'Some text of it.\n']),
  );
  test.each(READINGS)('%s', async (_id, read, expected) => {
    const view = memoryWorld({ files: { ...files, '.harness/state.json': JSON.stringify(file) } });
    await read(contextOf(view, config));
    expect([...new Set(view.reads)].sort()).toEqual([...expected].sort());
    expect(view.reads.filter((path) => FOR_OTHERS.includes(path))).toEqual([]);
  });

  test('and no survey of the folder is missing above', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(import.meta.dirname, path), 'utf8'));
    const ids = sources.flatMap((source) =>
      [...source.matchAll(/defineSurvey\(\{\s*id: '([^']+)'/g)].map(([, id = '']) => id),
    );
    expect(ids.toSorted()).toEqual(READINGS.map(([id]) => id).toSorted());
  });
});
