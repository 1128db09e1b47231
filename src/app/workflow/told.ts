// What faces show of a session, as data.
import { NEXT_STEP } from '../../playbooks/workflow/session-recovery.ts';
import { setupLines, statusOf } from '../../playbooks/workflow/status.ts';
import { isV1, resolved, type WorkflowFile } from '../../playbooks/workflow/file/state.ts';
import type { StatusLine } from '../../model/playbook-status.ts';

/** `phase`: its code; `next`: the step that is suggested, null: none has a name. */
export function sessionTold(file: WorkflowFile): {
  readonly isV1: boolean;
  readonly lines: readonly StatusLine[];
  readonly phase: string;
  readonly next: string | null;
} {
  const { phase } = resolved(file);
  // v1 knows no named steps.
  const next = phase === null || isV1(file) ? null : NEXT_STEP[phase];
  return { isV1: isV1(file), lines: statusOf(file).lines, phase: phase ?? 'setup', next };
}

/** `dear`: the verifier that costs more than its work needs; null: it does not. */
export function setUpTold(file: WorkflowFile): { readonly lines: readonly StatusLine[]; readonly dear: string | null } {
  const state = resolved(file);
  const { lines, warning } = setupLines(state, state.repo_path);
  return { lines, dear: warning === null ? null : state.model_config.verifier };
}
