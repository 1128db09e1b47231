// What a person is shown of a session (reference 004, Standard Status Format; Step 1.12), as lines of data: the words are made where they
// are shown, in the person's language, and these are the English ones.
import { isVerifierDear } from './models.ts';
import type { RunStyle, Phase, WorkflowState } from './state.ts';

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

/** `label` is a word for people; `value` comes from the file, but for the phase. */
export type StatusLine = { readonly label: string; readonly value: string };
const line = (label: string, value: string): StatusLine => ({ label, value });
const orNone = (command: string | null): string => command ?? 'none';

/** `style`: of this session, where it differs from the file's. */
export function statusLines(state: WorkflowState, style: RunStyle = state.run_style): readonly StatusLine[] {
  return [
    line('Task', state.task),
    line('Mode', state.mode),
    line('Model', state.model_config.preset),
    line('Style', style),
    line('Phase', state.phase === null ? 'Setup' : PHASE_LABELS[state.phase]),
    line('Round', `${state.round} / ${state.max_rounds}`),
    ...(state.has_git === false ? [] : [line('Branch', state.branch)]),
    line('Scope', state.scope),
  ];
}

/** "Task started!" `warning`: the verifier's model costs more than its work needs. */
export function setupLines(
  state: WorkflowState,
  directory: string,
): { readonly lines: readonly StatusLine[]; readonly warning: 'verifier-dear' | null } {
  const { verifier, preset } = state.model_config;
  const lines = [
    line('Directory', directory),
    ...(state.has_git === false ? [] : [line('Branch', state.branch)]),
    line('Mode', state.mode),
    line('Model', preset),
    line('Verifier', verifier),
    line('Style', state.run_style),
    line('Language', state.lang),
    line('Test', orNone(state.test_cmd)),
    line('Build', orNone(state.build_cmd)),
    line('Lint', orNone(state.lint_cmd)),
    line('TypeCheck', orNone(state.type_check_cmd)),
    line('Scope', state.scope),
    line('Output', state.docs_path),
  ];
  return { lines, warning: isVerifierDear(verifier) ? 'verifier-dear' : null };
}

/** As the reference prints it: the mark, then a line each. A value is one line, whatever the file says. */
export const statusText = (lines: readonly StatusLine[], mark = '[harness]'): string =>
  [mark, ...lines.map(({ label, value }) => `${label} : ${value.replace(/\s*[\r\n]+\s*/g, ' ')}`)].join('\n');
