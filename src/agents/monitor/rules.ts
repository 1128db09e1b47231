// What a session may do before it is told, told to wrap up, or ended: limits that are about its doing, not about silence.
// Thresholds are the reference's (000, Context Management, Progress Monitoring, Session Timeout, Cost Management).
import { z } from 'zod';

const price = z.object({ input: z.number(), output: z.number(), cached: z.number() });

export const monitorRules = z.object({
  /** Size of the context window, in tokens. One that the agent reports counts where it is smaller. */
  windowTokens: z.number().positive(),
  /** Shares of the window, 0 to 1. */
  warnShare: z.number(),
  forceShare: z.number(),
  /** After so many new tokens in the context there is a look for progress. */
  checkTokens: z.number().positive(),
  /** So many looks without progress, one after another, end the session. */
  stuckChecks: z.number().int().positive(),
  /** The same error so often is named to the agent. */
  sameErrors: z.number().int().positive(),
  /** What a stuck agent is told, in the words of the configuration. */
  stuckWords: z.string(),
  /** Time of the agent's own turns, in milliseconds. */
  warnMs: z.number().positive(),
  wallMs: z.number().positive(),
  /** From this share of a window of its provider's quota on it hands over, 0 to 1. */
  quotaShare: z.number(),
  /** US dollars that this session may still cost; null: no budget. */
  budgetUsd: z.number().nullable(),
  /** US dollars for a million tokens; null: unknown. */
  price: price.nullable(),
  /** Commands that run tests here. */
  tests: z.array(z.string()).readonly(),
  /** Where the agent leaves its notes, repository-relative. */
  notes: z.string(),
});
export type MonitorRules = z.output<typeof monitorRules>;

/** What an agent is told, by the name of its sentence (`limit.<name>` of the catalogue). */
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
