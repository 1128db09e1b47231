// The vectors are what the program really said, field by field, when a model server was made to fail.
import { describe, expect, test } from 'vitest';
import type { Reason } from '../../model/reasons.ts';
import { classify, crashed, EMPTY_SYMPTOM, type ClaudeSymptom } from './errors.ts';

const vectors: readonly (readonly [string, Partial<ClaudeSymptom>, Reason])[] = [
  [
    'a wrong key',
    { error: 'authentication_failed', status: 401, text: 'Invalid API key · Fix external API key' },
    'agent-auth',
  ],
  ['not logged in', { error: 'authentication_failed', text: 'Not logged in · Please run /login' }, 'agent-auth'],
  [
    'a forbidden account',
    { error: 'authentication_failed', status: 403, text: 'Failed to authenticate. API Error: 403 no' },
    'agent-auth',
  ],
  ['an expired cloud credential', { error: 'cloud_credential_error' }, 'agent-auth'],
  ['a gateway that wants a login at start', { startup: 'gateway_signin_required', text: 'sign in' }, 'agent-auth'],
  ['no credit', { error: 'billing_error', status: 400, text: 'Credit balance is too low' }, 'agent-billing'],
  ['an account on hold', { error: 'account_on_hold', status: 403 }, 'agent-billing'],
  [
    'too many requests',
    { error: 'rate_limit', status: 429, text: 'API Error: Request rejected (429) · slow down' },
    'agent-rate-limited',
  ],
  [
    'an overloaded model',
    { error: 'server_error', status: 529, apiType: 'overloaded_error', text: 'API Error: 529 Overloaded.' },
    'agent-overloaded',
  ],
  [
    'a server error',
    { error: 'server_error', status: 500, text: 'API Error: 500 oops. This is a server-side issue' },
    'agent-overloaded',
  ],
  [
    'no answer in time',
    { error: 'server_error', text: 'Request timed out. If the API is slow to answer, or a proxy' },
    'agent-timeout',
  ],
  [
    'a stream that fell silent',
    { error: 'server_error', cause: 'stream_idle_timeout', text: 'API Error' },
    'agent-timeout',
  ],
  [
    'a stream cut in the middle',
    { error: 'server_error', cause: 'connection_failed', text: 'Connection to the API was lost (ECONNRESET).' },
    'agent-network',
  ],
  [
    'a refused port',
    {
      error: 'server_error',
      text: 'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
    },
    'agent-network',
  ],
  [
    'a web page for an answer',
    { error: 'unknown', text: 'API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy' },
    'agent-malformed',
  ],
  [
    'a full context',
    {
      error: 'invalid_request',
      status: 400,
      terminal: 'prompt_too_long',
      text: 'Prompt is too long · the request is ~210000 tokens',
    },
    'agent-context-full',
  ],
  [
    'a full context known by words alone',
    { error: 'invalid_request', status: 400, text: 'prompt is too long: 210000 tokens > 200000 maximum' },
    'agent-context-full',
  ],
  ['a refusal', { stop: 'refusal', text: "API Error: Sonnet 4.5 can't help with this." }, 'agent-refused'],
  [
    'a model that is not there',
    { error: 'model_not_found', status: 404, text: "There's an issue with the selected model" },
    'agent-not-configured',
  ],
  ['a session that is not there', { text: 'No conversation found with session ID: 1111' }, 'agent-session-lost'],
  [
    'a session id that is none',
    { text: 'Error: --resume requires a valid session ID or session title when used with --print.' },
    'agent-session-lost',
  ],
  ['any other bad request', { error: 'invalid_request', status: 400, text: 'API Error: 400 what' }, 'agent-unknown'],
  ['nothing at all', {}, 'agent-unknown'],
];

describe('what the program reports about a failed turn', () => {
  test.each(vectors)('%s has a reason', (_name, symptom, reason) => {
    expect(classify({ ...EMPTY_SYMPTOM, ...symptom }).reason).toBe(reason);
  });

  test('only a rate limit has a waiting time', () => {
    const limited = classify({ ...EMPTY_SYMPTOM, error: 'rate_limit', status: 429, retryAfterMs: 2017 });
    const broken = classify({ ...EMPTY_SYMPTOM, error: 'server_error', status: 500, retryAfterMs: 2017 });
    expect(limited.params).toMatchObject({ status: 429, retryAfterMs: 2017 });
    expect(broken.params).not.toHaveProperty('retryAfterMs');
  });

  test('the message of the provider is shortened', () => {
    expect(String(classify({ ...EMPTY_SYMPTOM, text: 'x'.repeat(5000) }).params['detail'])).toHaveLength(300);
  });
});

describe('a program that has exited', () => {
  test.each([
    ['Claude Code process exited with code 1', '', 'agent-crashed'],
    ['Claude Code process terminated by signal SIGKILL', '', 'agent-crashed'],
    ['Claude Code native binary not found at /nope/claude', '', 'agent-not-installed'],
    [
      'Claude Code process exited with code 1',
      'Claude Code could not start: bubblewrap is required for',
      'agent-not-installed',
    ],
    ['Claude Code process exited with code 1', 'No conversation found with session ID: 1', 'agent-session-lost'],
  ] as const)('%s %s', (message, stderr, reason) => {
    expect(crashed({ message, stderr }).reason).toBe(reason);
  });
});
