// session_state.json when a session starts and when it ends, rule by rule.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CutReason } from './facts.ts';
import {
  emptySessionState,
  SESSION_STATUSES,
  sessionStateSchema,
  type SessionStateFile,
  finished,
  started,
} from './session-state.ts';

const at = '2025-01-16T14:30:00.000Z';
const file = (more: Partial<SessionStateFile> = {}): SessionStateFile => ({
  ...emptySessionState('before'),
  last_session: 7,
  current_feature: 15,
  stuck_count: 1,
  timeout_count: 1,
  ...more,
});
const WHYS: readonly CutReason[] = ['timeout', 'context_limit', 'stuck', 'user_pause', 'error', 'incomplete', 'review'];

describe('a session that starts', () => {
  test('is the last session, on its feature, at its time', () => {
    expect(started(file(), { session: 8, feature: '15', at })).toEqual(file({ last_session: 8, timestamp: at }));
  });
  test('keeps the count of the same feature ("consecutive sessions stuck on same feature")', () => {
    expect(started(file({ stuck_count: 2 }), { session: 8, feature: '15', at }).stuck_count).toBe(2);
  });
  test('counts from zero on another feature', () => {
    expect(started(file({ stuck_count: 2 }), { session: 8, feature: '16', at })).toMatchObject({
      current_feature: 16,
      stuck_count: 0,
    });
  });
});

describe('a session that ends', () => {
  /** What the reference says of each end: status, termination_reason, next_prompt, stuck_count (from 1), timeout_count (from 1). */
  test.each([
    ['landed', null, 'complete', null, 'coding', 0, 0], // "If feature completed: reset stuck_count to 0"
    ['failed', null, 'failed', 'error', 'coding', 2, 0], // rolled back: nothing to continue from
    ['blocked', null, 'failed', 'error', 'coding', 1, 1], // no login, no agent: not the feature's doing
    ['partial', 'timeout', 'partial', 'timeout', 'continuation', 2, 2], // "If still partial: increment stuck_count"
    ['partial', 'context_limit', 'partial', 'context_limit', 'continuation', 2, 0], // "Next session uses CONTINUATION PROMPT"
    ['partial', 'stuck', 'partial', 'stuck', 'continuation', 2, 0],
    ['partial', 'user_pause', 'partial', 'user_pause', 'continuation', 1, 0], // the reference counts it; but a person paused it
    ['partial', 'error', 'partial', 'error', 'continuation', 2, 0],
    ['partial', 'incomplete', 'partial', 'complete', 'continuation', 2, 0], // ended by itself without a claim
    ['partial', 'review', 'partial', 'error', 'continuation', 2, 0], // others judge that it does not hold: it gets no further
  ] as const)('%s (%s) is %s, %s, then %s', (end, why, status, reason, prompt, stuck, timeouts) => {
    const e = end === 'partial' ? { end, why, at } : { end, at };
    expect(finished(file(), e)).toEqual(
      file({
        status,
        termination_reason: reason,
        next_prompt: prompt,
        stuck_count: stuck,
        timeout_count: timeouts,
        timestamp: at,
      }),
    );
  });

  test('because no agent could work, is no failure of the feature', () => {
    expect(finished(file(), { end: 'blocked', at }).stuck_count).toBe(1);
  });

  test('counts timeouts that follow one another, and only those', () => {
    const timeout = (f: SessionStateFile): SessionStateFile => finished(f, { end: 'partial', why: 'timeout', at });
    const two = timeout(timeout(emptySessionState('')));
    expect(two.timeout_count).toBe(2);
    expect(timeout(finished(two, { end: 'failed', at })).timeout_count).toBe(1);
  });
});

test('whatever happens, the file stays one that the reference allows, and unknown fields survive', () => {
  const end = fc.oneof(
    fc.constantFrom({ end: 'landed', at } as const, { end: 'failed', at } as const, { end: 'blocked', at } as const),
    fc.constantFrom(...WHYS).map((why) => ({ end: 'partial', why, at }) as const),
  );
  const life = fc.array(fc.record({ feature: fc.constantFrom('1', '2'), end }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.constantFrom(...SESSION_STATUSES), life, (status, sessions) => {
      let now: SessionStateFile = { ...file({ status }), mine: ['kept'] };
      let stuck = 0;
      let previous = '';
      for (const [n, s] of sessions.entries()) {
        now = finished(started(now, { session: n + 8, feature: s.feature, at }), s.end);
        const before = s.feature === previous ? stuck : 0;
        const isPaused = s.end.end === 'partial' && s.end.why === 'user_pause';
        stuck = s.end.end === 'landed' ? 0 : s.end.end === 'blocked' || isPaused ? before : before + 1;
        previous = s.feature;
        expect(sessionStateSchema.parse(now)).toEqual(now);
        expect(now).toMatchObject({ last_session: n + 8, current_feature: Number(s.feature), mine: ['kept'] });
        expect(now.next_prompt).toBe(s.end.end === 'partial' ? 'continuation' : 'coding');
      }
      // an oracle that shares no code: how many sessions in a row were on this feature, could work and did not land
      if (sessions.length > 0) expect(now.stuck_count).toBe(stuck);
    }),
  );
});
