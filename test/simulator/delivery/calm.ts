// How deliveries are played: until everything is merged, without budgets.
import { configOf } from '../../support/config.ts';
import type { Played } from '../mission.ts';
import { DELIVERY } from './kind.ts';

const { costs, quota } = configOf();
export const CALM: Played = {
  kind: DELIVERY,
  mode: { untilDone: true, maxSessions: null, maxItems: null, maintainMs: null },
  // Each role has a session of its own, so that the budget of a plan is exceeded by a report of each: missions of other kinds try budgets.
  config: { costs, quota },
};
