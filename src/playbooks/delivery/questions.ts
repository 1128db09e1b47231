// The questions of a delivery: the passes of a review are used up, and a role needs something. Without a user's answer nothing is merged.
import type { GateSubject } from '../../model/gate.ts';

export const REVIEW_BUDGET: GateSubject = {
  options: ['continue', 'merge', 'stop'],
  recommended: 'continue',
  never: ['merge'],
};
/** No time-out gives it what it asks for. */
export const NEEDS: GateSubject = { options: ['continue', 'without'], recommended: 'continue', never: ['continue'] };
