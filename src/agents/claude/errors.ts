// Classifies the errors of Claude: what the program reports about a failed turn → one of our reasons. Pure.
// Structured fields decide first, the message last. `subtype: 'success'` means nothing: failed turns have it too.
import { noBox } from './box.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';

/** What is known about a failed turn, from its last error message and its result. */
export type ClaudeSymptom = {
  /** `error` of the message: authentication_failed, rate_limit, server_error … */
  readonly error: string | null;
  /** HTTP status of the model API; null: there was no response. */
  readonly status: number | null;
  /** `type` of the API's own error object: overloaded_error, invalid_request_error … */
  readonly apiType: string | null;
  /** What failed below HTTP: connection_failed, stream_idle_timeout. */
  readonly cause: string | null;
  readonly terminal: string | null;
  readonly stop: string | null;
  readonly startup: string | null;
  readonly text: string;
  /** As the provider last reported it, which it does for waits of up to a minute. */
  readonly retryAfterMs: number | null;
};

export const EMPTY_SYMPTOM: ClaudeSymptom = {
  error: null,
  status: null,
  apiType: null,
  cause: null,
  terminal: null,
  stop: null,
  startup: null,
  text: '',
  retryAfterMs: null,
};

type ErrorRule = { readonly reason: Reason; readonly when: (s: ClaudeSymptom) => boolean };
const isOneOf = (value: string | null, ...of: readonly string[]): boolean => value !== null && of.includes(value);

/** What the program prints for a session that it does not have. */
const LOST = /No conversation found with session ID|--resume requires a valid session ID/;

/** The first match decides. */
const TABLE: readonly ErrorRule[] = [
  {
    reason: 'agent-context-full',
    when: (s) => isOneOf(s.terminal, 'prompt_too_long', 'rapid_refill_breaker', 'blocking_limit'),
  },
  { reason: 'agent-refused', when: (s) => s.stop === 'refusal' },
  { reason: 'agent-session-lost', when: (s) => LOST.test(s.text) },
  {
    reason: 'agent-auth',
    when: (s) =>
      isOneOf(
        s.error,
        'authentication_failed',
        'oauth_org_not_allowed',
        'verification_required',
        'cloud_credential_error',
      ) ||
      isOneOf(s.startup, 'gateway_signin_required', 'gateway_access_denied', 'org_verify_failed', 'org_pin_mismatch'),
  },
  { reason: 'agent-billing', when: (s) => isOneOf(s.error, 'billing_error', 'account_on_hold') || s.status === 402 },
  { reason: 'agent-rate-limited', when: (s) => s.error === 'rate_limit' || s.status === 429 },
  {
    reason: 'agent-overloaded',
    when: (s) => s.error === 'overloaded' || s.apiType === 'overloaded_error' || s.status === 529,
  },
  { reason: 'agent-auth', when: (s) => s.status === 401 || s.status === 403 },
  { reason: 'agent-not-configured', when: (s) => s.error === 'model_not_found' || s.startup !== null },
  { reason: 'agent-timeout', when: (s) => s.cause === 'stream_idle_timeout' || /request timed out/i.test(s.text) },
  { reason: 'agent-network', when: (s) => s.cause === 'connection_failed' },
  // 500 … 528: the provider cannot respond now, and the remedy is the same as for 529.
  { reason: 'agent-overloaded', when: (s) => s.status !== null && s.status >= 500 },
  {
    reason: 'agent-malformed',
    when: (s) => s.terminal === 'malformed_tool_use_exhausted' || /empty or malformed response/i.test(s.text),
  },
  { reason: 'agent-context-full', when: (s) => /prompt is too long/i.test(s.text) },
  { reason: 'agent-billing', when: (s) => /credit balance is too low/i.test(s.text) },
  { reason: 'agent-auth', when: (s) => /not logged in|invalid api key/i.test(s.text) },
  {
    reason: 'agent-network',
    when: (s) => /ECONNREFUSED|ECONNRESET|ENOTFOUND|connection (error|refused|closed)|unable to connect/i.test(s.text),
  },
];

/** How much of the provider's message is part of a failure, in characters. */
const DETAIL_CHARS = 300;

export function classify(symptom: ClaudeSymptom): Failure {
  const reason = TABLE.find((row) => row.when(symptom))?.reason ?? 'agent-unknown';
  return failure(reason, {
    provider: 'claude',
    detail: symptom.text.trim().slice(0, DETAIL_CHARS),
    ...(symptom.status === null ? {} : { status: symptom.status }),
    ...(symptom.retryAfterMs === null || reason !== 'agent-rate-limited' ? {} : { retryAfterMs: symptom.retryAfterMs }),
  });
}

/** The program exited during a turn, or never started. */
export function crashed({ message, stderr }: { readonly message: string; readonly stderr: string }): Failure {
  if (/bubblewrap is required/.test(stderr)) return noBox(['bubblewrap']);
  if (/native binary not found|executable not found|ENOENT/i.test(message))
    return failure('agent-not-installed', {
      provider: 'claude',
      why: 'program-missing',
      where: message.slice(0, DETAIL_CHARS),
    });
  const detail = `${message}\n${stderr}`.trim().slice(0, DETAIL_CHARS);
  return failure(LOST.test(stderr) ? 'agent-session-lost' : 'agent-crashed', { provider: 'claude', detail });
}
