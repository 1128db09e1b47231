// The questions of a delivery. Without an answer of a user nothing is merged that a review blocks.
import type { GateSubject } from '../../model/gate.ts';

export const REVIEW_BUDGET: GateSubject = {
  options: ['continue', 'merge', 'stop'],
  recommended: 'continue',
  never: ['merge'],
};

/** A plan could not be worked on. */
export const BLOCKED: GateSubject = { options: ['retry', 'skip'], recommended: 'retry', never: [] };

/** The product differs from its specification by more than is allowed. */
export const DRIFTED: GateSubject = { options: ['continue', 'again'], recommended: 'again', never: ['continue'] };
