// What is true of every state.json that the workflow writes.
import { resolved, type WorkflowFile, type WorkflowState } from '../../src/playbooks/workflow/file/state.ts';
import { LAYER_1_RETRIES, LAYER_2_RETRIES } from '../../src/playbooks/workflow/table/rules.ts';

type Invariant = (state: WorkflowState) => boolean;

/** That auto-fix is offered once, and that an open question about it is resumed, follows from the tables of transitions and of resume. */
export const INVARIANTS = {
  'I1: the one attempt is spent exactly when a proposal was decided about': ({ verify, autofix }) =>
    verify.autofix_attempted === (autofix !== null && autofix.applied !== 'proposed'),
  'I4: an auto-fix that did not help leaves at most three retries': ({ verify, autofix }) =>
    autofix?.applied !== 'stopped' || verify.layer1_retries <= LAYER_1_RETRIES,
  'Layer 1 is retried at most three times': ({ verify }) => verify.layer1_retries <= LAYER_1_RETRIES,
  'Layer 2 is retried at most twice': ({ verify }) => verify.layer2_retries <= LAYER_2_RETRIES,
  'there are at most max_rounds rounds': ({ round, max_rounds: most }) => round <= most,
} as const satisfies { readonly [claim: string]: Invariant };

/** The claims that do not hold. */
export function broken(file: WorkflowFile): readonly string[] {
  const state = resolved(file);
  return Object.entries<Invariant>(INVARIANTS).flatMap(([claim, holds]) => (holds(state) ? [] : [claim]));
}
