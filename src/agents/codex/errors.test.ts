// The vectors are what the program really said, field by field, when a model server was made to fail.
import { describe, expect, test } from 'vitest';
import type { Reason } from '../../model/reasons.ts';
import { classify, crashed, isFinal, symptomOf, type TurnError } from './errors.ts';

const HIGH_DEMAND = 'We’re currently experiencing high demand, which may cause temporary errors.';
const http = (httpStatusCode: number | null): object => ({ httpConnectionFailed: { httpStatusCode } });
const retrying = (additionalDetails: string, httpStatusCode: number | null = null): TurnError => ({
  message: 'Reconnecting... 1/5',
  codexErrorInfo: { responseStreamDisconnected: { httpStatusCode } },
  additionalDetails,
});

const vectors: readonly (readonly [string, TurnError, Reason])[] = [
  [
    'a wrong key',
    { message: 'unexpected status 401 Unauthorized: bad key, url: http://x/v1/responses', codexErrorInfo: http(401) },
    'agent-auth',
  ],
  ['a wrong key that is tried again', retrying('unexpected status 401 Unauthorized: bad key', 401), 'agent-auth'],
  ['a wrong key without a code', { message: 'unexpected status 401 Unauthorized: bad key' }, 'agent-auth'],
  ['a forbidden account', { message: 'unexpected status 403 Forbidden: no', codexErrorInfo: http(403) }, 'agent-auth'],
  ['a login that ran out', { message: 'Please sign in again.', codexErrorInfo: 'unauthorized' }, 'agent-auth'],
  ['no key', { message: 'Missing environment variable: `FAKE_KEY`.', codexErrorInfo: 'other' }, 'agent-auth'],
  [
    'no such model',
    { message: 'unexpected status 404 Not Found: model gone', codexErrorInfo: http(404) },
    'agent-not-configured',
  ],
  ['no such model, by name', { message: 'no such model', codexErrorInfo: 'modelNotFound' }, 'agent-not-configured'],
  [
    'settings that cannot be read',
    { message: 'failed to load configuration: config.toml:1:8: unclosed array' },
    'agent-not-configured',
  ],
  [
    'a bill to pay',
    { message: 'unexpected status 402 Payment Required: pay', codexErrorInfo: http(402) },
    'agent-billing',
  ],
  [
    'a quota that is used up',
    { message: 'Quota exceeded. Check your plan and billing details.', codexErrorInfo: 'usageLimitExceeded' },
    'agent-billing',
  ],
  [
    'too many requests',
    {
      message: 'exceeded retry limit, last status: 429 Too Many Requests',
      codexErrorInfo: { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
    },
    'agent-rate-limited',
  ],
  [
    'too many tokens',
    { message: 'rate limit exceeded: Rate limit reached for gpt-5.5', codexErrorInfo: 'rateLimitExceeded' },
    'agent-rate-limited',
  ],
  [
    'a usage limit',
    {
      message: 'You’ve hit your usage limit. Upgrade to Pro or try again at 7:20 PM.',
      codexErrorInfo: 'usageLimitExceeded',
    },
    'agent-rate-limited',
  ],
  ['high demand', { message: HIGH_DEMAND, codexErrorInfo: 'internalServerError' }, 'agent-overloaded'],
  ['high demand that is tried again', retrying(HIGH_DEMAND), 'agent-overloaded'],
  [
    'a model at capacity',
    {
      message: 'Selected model is at capacity. Please try a different model.',
      codexErrorInfo: 'serverOverloaded',
    },
    'agent-overloaded',
  ],
  [
    '529',
    { message: 'unexpected status 529 <unknown status code>: overloaded', codexErrorInfo: http(529) },
    'agent-overloaded',
  ],
  [
    'a full context',
    {
      message: "Codex ran out of room in the model's context window. Start a new thread or clear earlier history.",
      codexErrorInfo: 'contextWindowExceeded',
    },
    'agent-context-full',
  ],
  [
    'a full context as it came',
    { message: '{"error":{"code":"context_length_exceeded","type":"invalid_request_error"}}', codexErrorInfo: 'other' },
    'agent-context-full',
  ],
  [
    'an answer that was too long',
    { message: 'Incomplete response returned, reason: max_output_tokens', codexErrorInfo: 'other' },
    'agent-context-full',
  ],
  ['a request that a workspace refuses', { message: 'no', codexErrorInfo: 'inferenceHookDenied' }, 'agent-refused'],
  ['a model without room', { message: 'no', codexErrorInfo: 'policyCapacityUnavailable' }, 'agent-overloaded'],
  ['a task that is refused', { message: 'blocked', codexErrorInfo: 'cyberPolicy' }, 'agent-refused'],
  [
    'a prompt that is refused',
    { message: 'Invalid prompt: flagged as potentially violating our usage policy', codexErrorInfo: 'other' },
    'agent-refused',
  ],
  [
    'an answer that is refused',
    {
      message: 'stream disconnected before completion: Incomplete response returned, reason: content_filter',
      codexErrorInfo: 'other',
    },
    'agent-refused',
  ],
  [
    'a stream that fell silent',
    { message: 'stream disconnected before completion: idle timeout waiting for SSE', codexErrorInfo: 'other' },
    'agent-timeout',
  ],
  [
    'a cut stream',
    { message: 'stream disconnected before completion: error sending request', codexErrorInfo: 'other' },
    'agent-network',
  ],
  [
    'a web page',
    {
      message: 'stream disconnected before completion: stream closed before response.completed',
      codexErrorInfo: 'other',
    },
    'agent-network',
  ],
  ['a refused port', retrying('Connection failed: error sending request'), 'agent-network'],
  [
    'a thread that is not there',
    { message: 'no rollout found for thread id 01a1fffa-c178-7773-baa0-b478fa8ed4c4' },
    'agent-session-lost',
  ],
  [
    'an id that is none',
    { message: 'invalid session id: invalid character: expected an optional prefix of `urn:uuid:`' },
    'agent-session-lost',
  ],
  [
    'an unknown error',
    { message: '{"error":{"code":"what","message":"what"}}', codexErrorInfo: 'other' },
    'agent-unknown',
  ],
  ['a code of a later version', { message: 'hm', codexErrorInfo: { brandNew: 7 } }, 'agent-unknown'],
];

test.each(vectors)('%s', (_, error, reason) => {
  const failed = classify(symptomOf(error), 0);
  expect(failed).toMatchObject({ reason, params: { provider: 'codex' } });
  expect(failed.params['detail']).toBe((error.additionalDetails ?? error.message).slice(0, 300));
});

describe('a failure', () => {
  test('has the status and the wait where they are reported', () => {
    const status = classify(symptomOf({ message: 'no', codexErrorInfo: http(403) }), 0);
    expect(status.params).toMatchObject({ status: 403 });
    const waits = { message: 'rate limit exceeded: try again in 2s', codexErrorInfo: 'rateLimitExceeded' };
    expect(classify(symptomOf(waits), 0).params).toMatchObject({ retryAfterMs: 2_000 });
    expect(classify(symptomOf({ message: HIGH_DEMAND }), 0).params).not.toHaveProperty('retryAfterMs');
  });

  test('is not retried where a retry cannot help', () => {
    expect(isFinal('agent-auth')).toBe(true);
    expect(isFinal('agent-network')).toBe(false);
  });

  test('of a program that exited has the end of its stderr, without colours', () => {
    expect(crashed({ message: 'SIGKILL', stderr: '\u001B[31mERROR\u001B[0m no more\n' })).toMatchObject({
      reason: 'agent-crashed',
      params: { provider: 'codex', detail: 'SIGKILL\nERROR no more' },
    });
    const hidden = 'bwrap: execvp /opt/codex: No such file or directory\n';
    expect(crashed({ message: 'exit code 1', stderr: hidden })).toMatchObject({ reason: 'agent-not-installed' });
  });
});
