// The questions of a delivery: a review without an end, what a role needs, a plan that is blocked, a product that departs from its specification.
// Without an answer of a user nothing is merged that a review blocks.
import type { GateSubject } from '../../model/gate.ts';

export const REVIEW_BUDGET: GateSubject = {
  options: ['continue', 'merge', 'stop'],
  recommended: 'continue',
  never: ['merge'],
};
/** No time-out gives it what it asks for. */
export const NEEDS: GateSubject = { options: ['continue', 'without'], recommended: 'continue', never: ['continue'] };
/** A plan could not be worked on. */
export const BLOCKED: GateSubject = { options: ['retry', 'skip'], recommended: 'retry', never: [] };

/** The product differs from its specification by more than is allowed. */
export const DRIFTED: GateSubject = { options: ['continue', 'again'], recommended: 'again', never: ['continue'] };
