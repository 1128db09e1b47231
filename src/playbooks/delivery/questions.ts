// The question of a delivery: the passes of a review are used up. Without a user's answer nothing is merged.
import type { GateSubject } from '../../model/gate.ts';

export const REVIEW_BUDGET: GateSubject = {
  options: ['continue', 'merge', 'stop'],
  recommended: 'continue',
  never: ['merge'],
};
