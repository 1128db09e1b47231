// What holds in every state.json that the workflow writes (reference 004, Invariants I1 to I4, and the limits of Steps 5 and 7).
import { LAYER_1_RETRIES, LAYER_2_RETRIES } from './rules.ts';
import { resolved, type WorkflowFile } from '../file/state.ts';

type Invariant = (state: ReturnType<typeof resolved>) => boolean;

/** I2 and I3 are about what is offered and where a session goes on: the table of transitions, and that of resume. */
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
