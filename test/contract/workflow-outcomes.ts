// Every shape of an outcome of the workflow machine's actions, as performers and procedures return it.
import type { ActionOf } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import { failure } from '../../src/model/failure.ts';
import { NO_FILE } from '../../src/playbooks/workflow/position.ts';
import { applyFix, proposeFix } from '../../src/playbooks/workflow/layers/auto-fix.ts';
import { finish } from '../../src/playbooks/workflow/layers/finish.ts';
import { layer1 } from '../../src/playbooks/workflow/layers/layer-1.ts';
import { findConventions } from '../../src/playbooks/workflow/project/conventions.ts';
import { qaVerdict } from '../../src/playbooks/workflow/project/reports.ts';
import { languageOf } from '../../src/playbooks/workflow/questions.ts';
import { closeInterrupted, startChecks } from '../../src/playbooks/workflow/machine.ts';
import { dispatch, evaluate } from '../../src/playbooks/workflow/sessions/dispatch.ts';
import { nothing } from '../../src/playbooks/workflow/table-stages.ts';
import type { StageResult } from '../../src/playbooks/workflow/table/stages.ts';
import { budget } from '../../src/playbooks/session/surveys.ts';
import { NO_DOCUMENTS, type StartFacts } from '../../src/playbooks/workflow/table/resume.ts';
import {
  newState,
  PHASES,
  type Mode,
  type StateFile,
  type WorkflowFile,
} from '../../src/playbooks/workflow/file/state.ts';
import { problem, usage } from '../support/outcomes.ts';
import { THERE } from '../support/workflow.ts';

export type Action = ActionOf<Actions>;

const known = {
  task: 'Sort the list of users',
  cli_flags: { verifier_model: null, output_dir: null },
  user_lang: 'en',
  docs_path: 'docs/harness/sort-the-list-of-users/',
  created_at: 'then',
  has_git: true,
  slug: 'sort-the-list-of-users',
} as const;
export const fresh = (mode: Mode, more: Partial<StateFile> = {}): StateFile => ({
  ...newState(known, {
    mode,
    run_style: 'auto',
    model_config: { preset: 'balanced', executor: 'sonnet', advisor: 'opus', evaluator: 'opus', verifier: 'haiku' },
    repo_name: 'shop',
    repo_path: '.',
    scope: '(no limit)',
    lang: 'python',
    build_cmd: null,
    test_cmd: 'pytest',
    lint_cmd: null,
    type_check_cmd: null,
    updated_at: 'then',
  }),
  ...more,
});

const verify = (more: object) => ({ ...fresh('single').verify, ...more });
const fixed = (applied: 'proposed' | 'applied' | 'rejected' | 'stopped'): Partial<StateFile> => ({
  phase: 'verify_done',
  autofix: { last_patch_path: '.harness/generator/auto_fix_patch.md', applied, triggered_at: 'then' },
  verify: verify({ layer1_result: 'FAIL', layer1_retries: 3, autofix_attempted: applied !== 'proposed' }),
});
/** Files that a user may have written: each phase in each mode and style, after an auto-fix, in the last round, without git, of version 1. */
export const HAND_WRITTEN: readonly WorkflowFile[] = [
  NO_FILE,
  ...(['single', 'standard', 'multi'] as const).flatMap((mode) => PHASES.map((phase) => fresh(mode, { phase }))),
  ...(['phase', 'step'] as const).flatMap((run_style) => PHASES.map((phase) => fresh('single', { phase, run_style }))),
  ...(['proposed', 'applied', 'rejected', 'stopped'] as const).map((applied) => fresh('single', fixed(applied))),
  fresh('single', { phase: 'verify_done', verify: verify({ layer1_result: 'FAIL', layer1_retries: 3 }) }),
  fresh('multi', { phase: 'generating', round: 3, verify: verify({ layer1_retries: 3, layer2_retries: 2 }) }),
  fresh('single', { phase: 'evaluate_done', round: 3, verify: verify({ layer2_result: 'FAIL', layer2_retries: 2 }) }),
  fresh('standard', { has_git: false }),
  { task: 'An old one', phase: 'gen_ready' },
  { task: 'An old one', phase: 'verify_done', verify: { layer1_result: 'PASS', layer1_retries: 0 } },
];

export const NOTHING_THERE: StartFacts = { ...THERE, ...NO_DOCUMENTS };
const lost = failure('agent-rate-limited');
const STARTED: readonly object[] = [
  { failure: null, facts: THERE, session: 1 },
  { failure: null, facts: NOTHING_THERE, session: 4 },
  { failure: null, facts: { ...THERE, report: false, patch: false }, session: 1 },
  { failure: failure('workflow-branch', { branch: 'a', at: 'main' }), facts: THERE, session: 1 },
];
const done = { sessions: 1, usage };
const OUTAGE: StageResult = { outage: lost, sessions: 2, usage };
const failed: StageResult = { on: 'failed', line: 'I could not', problems: [problem('output-missing')], ...done };
const RESULTS: { readonly [procedure: string]: readonly object[] } = {
  [startChecks.id]: STARTED,
  [findConventions.id]: [{ on: 'conventions: found' }, { on: 'conventions: settled' }, { on: 'conventions: none' }],
  [dispatch.id]: [{ on: 'written', line: 'spec written — all of it', ...done }, failed, OUTAGE],
  [layer1.id]: [
    { on: 'layer 1: pass', line: 'PASS', evidence: 'e' },
    { on: 'layer 1: fail', line: 'FAIL — 2 tests', evidence: null, ...done },
    { on: 'layer 1: skipped', line: '', evidence: null },
  ],
  [proposeFix.id]: [
    { on: 'patch: written', line: 'written', confidence: 'Low', paths: ['a.py'], ...done },
    { on: 'patch: empty', line: 'no-hunk', paths: [], ...done },
    OUTAGE,
  ],
  [applyFix.id]: [{ on: 'patch: applied' }, { on: 'patch: refused', line: '.git/config: git-folder' }],
  [evaluate.id]: [
    { on: 'evaluation: pass', line: 'PASS — fine', ...done },
    { on: 'layer 2: fail', line: 'FAIL L2 — no tests', ...done },
    { on: 'layer 3: fail', line: 'FAIL L3 — wrong', ...done },
    { on: 'evaluation: unclear', line: 'Well', ...done },
    { on: 'evaluation: void', line: 'void', problems: [problem('verdict-void')], ...done },
    failed,
    OUTAGE,
  ],
  [finish.id]: [
    { on: 'finished', commit: 'landed', evidence: 'e' },
    { on: 'finished' },
    { on: 'refused', problems: [problem('docs-path-unsafe')] },
  ],
  [closeInterrupted.id]: [{ usage }],
};
const over = { scope: 'feature', unit: 'usd', spent: 26, limit: 25, base: 25 };
const SURVEYS: { readonly [survey: string]: readonly object[] } = {
  [budget.id]: [
    { failure: null, over: null },
    { failure: failure('budget-exhausted'), over },
    { failure: failure('state-unreadable'), over: null },
  ],
  [qaVerdict.id]: [{ on: 'verdict: pass' }, { on: 'verdict: fail' }, { on: 'verdict: none' }],
  [languageOf.id]: [{ language: 'en' }, { language: 'de' }],
  [nothing.id]: [{}],
};

const by = { by: 'anna', at: 'now' };

export function outcomes(action: Action): readonly object[] {
  switch (action.kind) {
    case 'procedure':
      return (RESULTS[action.procedure] ?? []).map((output) => ({ output }));
    case 'survey':
      return (SURVEYS[action.survey] ?? []).map((facts) => ({ facts }));
    case 'ask':
      return action.options.flatMap(({ id }) =>
        ['', 'Bitte auch die leere Liste'].map((note) => ({ option: id, note, ...by })),
      );
    case 'remember':
      return [{ file: '.harness/costs.yaml' }];
    default:
      throw new Error(`the workflow machine wants no ${action.kind}`);
  }
}
