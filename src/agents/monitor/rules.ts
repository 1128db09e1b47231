// The thresholds at which a session gets advice, has to wrap up, or is ended for what it does; limits for silence are turn-limits.ts.
import { z } from 'zod';
import { leftSchema } from '../../model/budget.ts';

const price = z.object({ input: z.number(), output: z.number(), cached: z.number() });

export const monitorRules = z.object({
  /** Size of the context window, in tokens. One that the agent reports counts where it is smaller. */
  windowTokens: z.number().positive(),
  /** Shares of the window, 0 to 1. */
  warnShare: z.number(),
  forceShare: z.number(),
  /** After this many new tokens in the context progress is checked. */
  checkTokens: z.number().positive(),
  /** This many checks in a row without progress end the session. */
  stuckChecks: z.number().int().positive(),
  /** The agent is notified of an error that has occurred this often. */
  sameErrors: z.number().int().positive(),
  /** The advice for a stuck agent, from the configuration. */
  stuckWords: z.string(),
  /** Time of the agent in all turns, in milliseconds. */
  warnMs: z.number().positive(),
  wallMs: z.number().positive(),
  /** The session hands over when this share of a quota window is used, 0 to 1. */
  quotaShare: z.number(),
  /** What this session may still use; null: no budget in that unit. */
  left: leftSchema,
  /** US dollars per million tokens; null: unknown. */
  price: price.nullable(),
  /** Commands that run the tests of this repository. */
  tests: z.array(z.string()).readonly(),
  /** Where the agent leaves its notes, repository-relative. */
  notes: z.string(),
});
export type MonitorRules = z.output<typeof monitorRules>;

/** Advice for an agent, by the name of its sentence (`limit.<name>` in the catalogue). */
export type Advice =
  | 'context-warning'
  | 'context-wrap-up'
  | 'stuck'
  | 'stuck-wrap-up'
  | 'same-error'
  | 'time-warning'
  | 'budget-wrap-up'
  | 'quota-wrap-up';

/** Why a session ends by these rules. */
export const STOPS = ['context-limit', 'stuck', 'budget-limit', 'quota-limit'] as const;
export type Stop = (typeof STOPS)[number];
