// How session_state.json changes when a session starts and when it ends.
import { z } from 'zod';
import { unreachable } from '../../model/bug.ts';
import { cutReasons, type CutReason } from './facts.ts';
import type { SessionStateFile, TerminationReason } from './session-state.ts';

export function started(file: SessionStateFile, s: { session: number; feature: string; at: string }): SessionStateFile {
  const feature = /^[1-9]\d{0,14}$/.test(s.feature) ? Number(s.feature) : s.feature;
  const isSame = file.current_feature === feature;
  return {
    ...file,
    last_session: s.session,
    current_feature: feature,
    stuck_count: isSame ? file.stuck_count : 0,
    timestamp: s.at,
  };
}

/** How a session ended, as session_state.json needs it. */
export const sessionEnd = z.discriminatedUnion('end', [
  z.object({ end: z.literal('landed'), isCleanupDue: z.boolean().optional() }),
  z.object({ end: z.literal('failed') }),
  /** For a cause that is not the item's, such as an agent that is not installed: it does not count as being stuck. */
  z.object({ end: z.literal('blocked') }),
  /** `isOutage`: the work was not the cause. */
  z.object({ end: z.literal('partial'), why: cutReasons, isOutage: z.boolean().optional() }),
]);
type SessionEnd = z.output<typeof sessionEnd>;

/** In the terms of the file. */
export function terminationOf(why: CutReason): TerminationReason {
  if (why === 'incomplete') return 'complete';
  return why === 'provider_limit' ? 'error' : why;
}

/** The work did not keep the session from ending. */
const NO_FAULT: readonly CutReason[] = ['budget', 'provider_limit'];

/** `at`: ISO 8601. */
export function finished(file: SessionStateFile, e: SessionEnd & { readonly at: string }): SessionStateFile {
  switch (e.end) {
    case 'landed':
      return {
        ...file,
        status: 'complete',
        termination_reason: null,
        next_prompt: e.isCleanupDue === true ? 'cleanup' : 'coding',
        stuck_count: 0,
        timeout_count: 0,
        timestamp: e.at,
      };
    case 'failed':
      return {
        ...file,
        status: 'failed',
        termination_reason: 'error',
        next_prompt: 'coding',
        stuck_count: file.stuck_count + 1,
        timeout_count: 0,
        timestamp: e.at,
      };
    case 'blocked':
      return { ...file, status: 'failed', termination_reason: 'error', next_prompt: 'coding', timestamp: e.at };
    case 'partial':
      return {
        ...file,
        status: 'partial',
        termination_reason: terminationOf(e.why),
        next_prompt: 'continuation',
        stuck_count: file.stuck_count + (e.isOutage === true || NO_FAULT.includes(e.why) ? 0 : 1),
        timeout_count: e.why === 'timeout' ? file.timeout_count + 1 : 0,
        timestamp: e.at,
      };
    default:
      return unreachable(e);
  }
}
