// The status of a task as lines of data. Their text is English; it is translated where they are shown.
import type { PlaybookStatus, StatusLine } from '../../model/playbook-status.ts';
import { isV1, resolved, type Phase, type WorkflowFile, type WorkflowState } from './file/state.ts';
import { isVerifierDear } from './sessions/models.ts';
import type { RunStyle } from './file/run-options.ts';

export const PHASE_LABELS: { readonly [P in Phase]: string } = {
  plan_ready: 'Plan — ready',
  planning: 'Plan — in progress',
  plan_done: 'Plan — complete',
  generate_ready: 'Generate — ready',
  generating: 'Generate — in progress',
  generate_done: 'Generate — complete',
  verify_ready: 'Verify — ready',
  verifying: 'Verify — running checks',
  verify_done: 'Verify — complete',
  evaluate_ready: 'Evaluate — ready',
  evaluating: 'Evaluate — in progress',
  evaluate_done: 'Evaluate — complete',
  completed: 'Completed',
};

const line = (label: string, value: string): StatusLine => ({ label, value });
const orNone = (label: string, command: string | null): StatusLine =>
  command === null ? { label, value: 'none', code: 'none' } : line(label, command);
const phaseLine = (phase: Phase | null): StatusLine => ({
  label: 'Phase',
  value: phase === null ? 'Setup' : PHASE_LABELS[phase],
  code: phase ?? 'setup',
});

/** Empty: without git, or each run has a branch of its own. */
const branchLine = ({ has_git, branch }: WorkflowState): readonly StatusLine[] =>
  has_git === false || branch === '' ? [] : [line('Branch', branch)];

/** `style`: of this run, where it differs from the file's. */
export function statusLines(state: WorkflowState, style: RunStyle = state.run_style): readonly StatusLine[] {
  return [
    line('Task', state.task),
    line('Mode', state.mode),
    line('Model', state.model_config.preset),
    line('Style', style),
    phaseLine(state.phase),
    line('Round', `${state.round} / ${state.max_rounds}`),
    ...branchLine(state),
    line('Scope', state.scope),
  ];
}

/** For screens and for JSON. `style`: as above. */
export function statusOf(file: WorkflowFile, style?: RunStyle): PlaybookStatus {
  const state = resolved(file);
  const { task, mode, phase, round, max_rounds, scope } = state;
  const branch = state.has_git === false || state.branch === '' ? null : state.branch;
  const shown = style ?? state.run_style;
  const version = isV1(file) ? 1 : 2;
  const json = { task, mode, model: state.model_config.preset, style: shown, phase, round, max_rounds, branch, scope };
  return { name: 'workflow', lines: statusLines(state, shown), json: { ...json, version } };
}

/** The summary of a set-up. `warning`: the verifier's model costs more than its work needs. */
export function setupLines(
  state: WorkflowState,
  directory: string,
): { readonly lines: readonly StatusLine[]; readonly warning: 'verifier-dear' | null } {
  const { verifier, preset } = state.model_config;
  const lines = [
    line('Directory', directory),
    ...branchLine(state),
    line('Mode', state.mode),
    line('Model', preset),
    line('Verifier', verifier),
    line('Style', state.run_style),
    line('Language', state.lang),
    orNone('Test', state.test_cmd),
    orNone('Build', state.build_cmd),
    orNone('Lint', state.lint_cmd),
    orNone('TypeCheck', state.type_check_cmd),
    line('Scope', state.scope),
    line('Output', state.docs_path),
  ];
  return { lines, warning: isVerifierDear(verifier) ? 'verifier-dear' : null };
}
