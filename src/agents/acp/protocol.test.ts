// The pure parts of the adapter: updates, usage, errors, permissions.
import { describe, expect, test } from 'vitest';
import { failureInWords, failureOfError } from './errors.ts';
import { answerPermission } from './serve.ts';
import { translator } from './translate.ts';
import { turnUsage, NO_REPORT } from './usage.ts';

const events = (updates: readonly object[]) => {
  const translate = translator('/lane');
  return updates.flatMap((update) => translate.update({ sessionId: 's', update }).events);
};

describe('updates', () => {
  test('a tool call starts once and ends once, however often it is reported', () => {
    const call = { toolCallId: 't', title: 'Edit', kind: 'edit', rawInput: { path: 'a' } };
    const diff = { type: 'diff', path: '/lane/src/a', oldText: 'x', newText: 'y' };
    expect(
      events([
        { sessionUpdate: 'tool_call', ...call, status: 'pending' },
        { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'in_progress' },
        { sessionUpdate: 'tool_call_update', toolCallId: 't', content: [diff] },
        { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' },
        { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' },
      ]),
    ).toEqual([
      { t: 'tool-start', id: 't', name: 'edit', input: { path: 'a' } },
      { t: 'file-change', path: 'src/a', change: 'update' },
      {
        t: 'tool-end',
        id: 't',
        ok: true,
        output: '',
        call: { tool: 'edit', paths: ['/lane/src/a', 'a'], command: null },
      },
    ]);
  });
  test('an update of an unknown call starts it', () => {
    expect(
      events([{ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed', rawOutput: { e: 1 } }]),
    ).toEqual([
      { t: 'tool-start', id: 't', name: 'other', input: { title: '', paths: [] } },
      { t: 'tool-end', id: 't', ok: false, output: '{"e":1}' },
    ]);
  });
  test('unknown kinds are ignored, malformed updates are reported', () => {
    expect(events([{ sessionUpdate: 'plan', entries: [] }, { sessionUpdate: 'brand_new' }])).toEqual([]);
    expect(events([{ sessionUpdate: 'agent_message_chunk' }, { sessionUpdate: 'tool_call' }, {}])).toEqual(
      Array.from({ length: 3 }, () => ({ t: 'notice', text: 'unreadable-update' })),
    );
  });
});

describe('usage', () => {
  test('tokens are those of the response, cost is the difference', () => {
    const response = { usage: { inputTokens: 5, outputTokens: 2, cachedReadTokens: 9, totalTokens: 16 } };
    expect(turnUsage(response, 0.25, { costUsd: 0.75, used: 100 })).toEqual({
      inputTokens: 5,
      outputTokens: 2,
      cachedTokens: 9,
      costUsd: 0.5,
      source: 'partial',
    });
  });
  test('a resumed session has no cost for its first turn', () => {
    expect(turnUsage({}, null, { costUsd: 3, used: 10 })).toMatchObject({ costUsd: null, inputTokens: 10 });
  });
  test('without a report there is no usage, which is not a usage of zero', () => {
    expect(turnUsage({ stopReason: 'end_turn' }, 0, NO_REPORT)).toMatchObject({ source: 'none', costUsd: null });
  });
});

describe('errors', () => {
  test.each([
    [{ code: -32000, message: 'x' }, 'agent-auth'],
    [{ code: -32603, message: 'Internal error: slow', data: { status: 429 } }, 'agent-rate-limited'],
    [{ code: -32603, message: "You've hit your usage limit" }, 'agent-rate-limited'],
    [{ code: -32603, message: 'insufficient_quota: rate limit' }, 'agent-billing'],
    [{ code: -32603, message: 'unexpected status 401 Unauthorized' }, 'agent-auth'],
    [{ code: -32603, message: 'Selected model is at capacity' }, 'agent-overloaded'],
    [{ code: -32603, message: 'prompt is too long' }, 'agent-context-full'],
    [{ code: -32603, message: 'Request timed out' }, 'agent-timeout'],
    [{ code: -32603, message: 'connect ECONNREFUSED 127.0.0.1:1' }, 'agent-network'],
    [{ code: -32002, message: 'Resource not found' }, 'agent-session-lost'],
    [{ code: -32600, message: 'Invalid request' }, 'agent-malformed'],
    [{ code: 7, message: 'who knows' }, 'agent-unknown'],
  ])('%o is %s', (error, reason) => {
    expect(failureOfError(error).reason).toBe(reason);
  });
  test.each([
    [
      { message: 'Internal error', data: { details: 'API key not valid' } },
      'agent-auth',
      'Internal error: API key not valid',
    ],
    [
      { message: 'Internal error', data: { error: { message: 'quota exceeded', status: 'x' } } },
      'agent-billing',
      'Internal error: quota exceeded',
    ],
    [{ message: 'Internal error', data: 'socket hang up' }, 'agent-network', 'Internal error: socket hang up'],
    [
      { message: 'got {"error":{"code":401,"message":"bad key, unauthorized"}}' },
      'agent-auth',
      'got bad key, unauthorized',
    ],
    [{ message: 'odd {not json', data: { service: 'session' } }, 'agent-unknown', 'odd {not json'],
  ])('what an agent says in data is read and shown: %o', (error, reason, message) => {
    expect(failureOfError({ code: -32603, ...error })).toMatchObject({ reason, params: { message } });
  });
  test.each([
    ['Error: Authentication failed with provider (HTTP 401)', 'agent-auth'],
    ['I could not continue: rate limit exceeded, try again later.', 'agent-rate-limited'],
    ['Request failed: connect ECONNREFUSED 127.0.0.1:9', 'agent-network'],
    ['Done.', null],
    ['The login page is finished.', null],
    ['', null],
  ])('the words %o are %s', (words, reason) => {
    expect(failureInWords(words, 'exec')?.reason ?? null).toBe(reason);
  });
  test('a review that writes about errors is an answer, and one that reports an error is none', () => {
    const opinion = 'The login fails: an invalid key gives 401, which is unauthorized.';
    expect(failureInWords(opinion, 'review')).toBeNull();
    expect(failureInWords(`Info: retrying\nError: Authentication failed (HTTP 401)`, 'review')?.reason).toBe(
      'agent-auth',
    );
    expect(failureInWords(`Error: Authentication failed (HTTP 401)`, 'complete')).toBeNull();
    expect(failureInWords('It failed: the network of the tests is closed.', 'exec')?.reason).toBe('agent-network');
    expect(failureInWords('It failed: the network of the tests is closed.', 'exec', true)).toBeNull();
  });
  test('a waiting time becomes milliseconds', () => {
    expect(failureOfError({ code: 1, message: 'x', data: { retryAfter: 2 } }).params).toMatchObject({
      retryAfterMs: 2000,
    });
  });
});

describe('permission', () => {
  const options = [
    { optionId: 'a', kind: 'allow_always' },
    { optionId: 'r', kind: 'reject_always' },
  ];
  test('a permanent permission is never given, a permanent refusal is', () => {
    expect(answerPermission(options, true)).toEqual({
      allowed: false,
      outcome: { outcome: 'selected', optionId: 'r' },
    });
  });
  test('without any fitting option the request is cancelled', () => {
    expect(answerPermission([], false)).toEqual({ allowed: false, outcome: { outcome: 'cancelled' } });
  });
});
