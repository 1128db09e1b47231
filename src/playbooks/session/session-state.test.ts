// session_state.json and the session record: the reference's fields and reasons.
import { describe, expect, test } from 'vitest';
import {
  emptySessionState,
  readSessionState,
  sessionRecordSchema,
  sessionStateSchema,
  TERMINATION_REASONS,
} from './session-state.ts';

const REFERENCE = {
  harness_version: '1.2.1',
  schema_version: 3,
  last_session: 7,
  status: 'partial',
  current_feature: 15,
  termination_reason: 'context_limit',
  next_prompt: 'continuation',
  stuck_count: 0,
  timestamp: '2025-01-16T14:30:00Z',
};

test("the reference's own state is read, unknown fields stay", () => {
  expect(readSessionState(JSON.stringify({ ...REFERENCE, mine: [1] }), 's')).toEqual({
    ok: true,
    value: { ...REFERENCE, timeout_count: 0, mine: [1] },
  });
});

test('an empty state is complete, at session 0, and coding is next', () => {
  const state = emptySessionState('T');
  expect(sessionStateSchema.parse(state)).toEqual(state);
  expect(state).toMatchObject({ last_session: 0, status: 'complete', next_prompt: 'coding', schema_version: 3 });
});

describe('states that are refused', () => {
  const reason = (text: string) => {
    const read = readSessionState(text, '.harness/session_state.json');
    return read.ok ? null : [read.failure.reason, read.failure.params, read.failure.at];
  };
  test('older and newer ones say both versions', () => {
    expect(reason('{"last_session": 7}')).toMatchObject(['state-older', { found: 1, supported: 3 }, {}]);
    expect(reason('{"schema_version": 4}')).toMatchObject(['state-newer', { found: 4, supported: 3 }, {}]);
  });
  test('a newer one is read where a person said so, and stays what it is', () => {
    const newer = JSON.stringify({ ...REFERENCE, schema_version: 4, later: true });
    expect(readSessionState(newer, 's', 'warn')).toMatchObject({ ok: true, value: { schema_version: 4, later: true } });
    expect(readSessionState(newer, 's').ok).toBe(false);
    expect(readSessionState('{"schema_version": 2}', 's', 'warn').ok).toBe(false);
  });
  test('broken ones say where', () => {
    expect(reason('{"a": 1,}')).toMatchObject([
      'state-unreadable',
      { detail: 'trailing-comma' },
      { line: 1, column: 8 },
    ]);
    const read = readSessionState(JSON.stringify({ ...REFERENCE, status: 'great', stuck_count: -1 }), 's');
    expect(!read.ok && read.failure.at?.key).toBe('status');
    expect(reason('[]')).not.toBeNull();
    expect(reason('null')).not.toBeNull();
  });
});

test('every way a session ends is one of eight', () => {
  expect(TERMINATION_REASONS).toEqual([
    'success',
    'complete',
    'context_limit',
    'timeout',
    'stuck',
    'user_pause',
    'budget',
    'error',
  ]);
});

test("the reference's own session record is read", () => {
  const record = {
    session_id: 7,
    started_at: '2025-01-16T10:00:00Z',
    ended_at: '2025-01-16T10:45:00Z',
    duration_seconds: 2700,
    termination_reason: 'complete',
    feature_id: 15,
    feature_completed: true,
    tokens_used: { input: 145000, output: 32000 },
    cost_usd: 0.92,
  };
  expect(sessionRecordSchema.parse(record)).toMatchObject(record);
});
