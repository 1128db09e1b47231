// How session_state.json changes at the two ends of a session (reference 000, Session State Tracking).
import { unreachable } from '../../model/bug.ts';
import type { CutReason } from './facts.ts';
import type { SessionState, TerminationReason } from './session-state.ts';

export function started(file: SessionState, s: { session: number; feature: string; at: string }): SessionState {
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

type End =
  | { end: 'landed'; isCleanupDue?: boolean; at: string }
  | { end: 'failed'; at: string }
  /** For what no feature can help, such as an agent that is not there: it says nothing about being stuck. */
  | { end: 'blocked'; at: string }
  /** `isOutage`: what cut it off was no fault of the work. */
  | { end: 'partial'; why: CutReason; isOutage?: boolean; at: string };

/** What the reference's file has a word for. */
export function terminationOf(why: CutReason): TerminationReason {
  if (why === 'incomplete') return 'complete';
  return why === 'provider_limit' ? 'error' : why;
}

/** Not the work kept the session from its end. */
const NO_FAULT: readonly CutReason[] = ['budget', 'provider_limit'];

export function finished(file: SessionState, e: End): SessionState {
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
