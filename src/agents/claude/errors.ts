// Owns the error taxonomy of Claude: what the program says about a failed turn → one of our reasons. Pure.
// Structured fields decide first, words last. `subtype: 'success'` says nothing: failed turns carry it too.
import { noBox } from './box.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';

/** What is known of a failed turn, from its last error message and its result. */
export type Symptom = {
  /** `error` of the message: authentication_failed, rate_limit, server_error … */
  readonly error: string | null;
  /** HTTP status of the model API; null where there was no answer. */
  readonly status: number | null;
  /** `type` of the API's own error object: overloaded_error, invalid_request_error … */
  readonly apiType: string | null;
  /** What broke below HTTP: connection_failed, stream_idle_timeout. */
  readonly cause: string | null;
  readonly terminal: string | null;
  readonly stop: string | null;
  readonly startup: string | null;
  readonly text: string;
  /** As the provider last said it; it does not say it when it is longer than a minute. */
  readonly retryAfterMs: number | null;
};

export const NO_SYMPTOM: Symptom = {
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

type Row = { readonly reason: Reason; readonly when: (s: Symptom) => boolean };
const one = (value: string | null, ...of: readonly string[]): boolean => value !== null && of.includes(value);

/** What the program says of a session that it does not have. */
const LOST = /No conversation found with session ID|--resume requires a valid session ID/;

/** First match wins. */
const TABLE: readonly Row[] = [
  {
    reason: 'agent-context-full',
    when: (s) => one(s.terminal, 'prompt_too_long', 'rapid_refill_breaker', 'blocking_limit'),
  },
  { reason: 'agent-refused', when: (s) => s.stop === 'refusal' },
  { reason: 'agent-session-lost', when: (s) => LOST.test(s.text) },
  {
    reason: 'agent-auth',
    when: (s) =>
      one(
        s.error,
        'authentication_failed',
        'oauth_org_not_allowed',
        'verification_required',
        'cloud_credential_error',
      ) || one(s.startup, 'gateway_signin_required', 'gateway_access_denied', 'org_verify_failed', 'org_pin_mismatch'),
  },
  { reason: 'agent-billing', when: (s) => one(s.error, 'billing_error', 'account_on_hold') || s.status === 402 },
  { reason: 'agent-rate-limited', when: (s) => s.error === 'rate_limit' || s.status === 429 },
  {
    reason: 'agent-overloaded',
    when: (s) => s.error === 'overloaded' || s.apiType === 'overloaded_error' || s.status === 529,
  },
  { reason: 'agent-auth', when: (s) => s.status === 401 || s.status === 403 },
  { reason: 'agent-not-configured', when: (s) => s.error === 'model_not_found' || s.startup !== null },
  { reason: 'agent-timeout', when: (s) => s.cause === 'stream_idle_timeout' || /request timed out/i.test(s.text) },
  { reason: 'agent-network', when: (s) => s.cause === 'connection_failed' },
  // 500 … 528: the provider cannot serve now; what helps is the same as with 529.
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

/** How much of the provider's own words a failure carries, in characters. */
const DETAIL_CHARS = 300;

export function classify(symptom: Symptom): Failure {
  const reason = TABLE.find((row) => row.when(symptom))?.reason ?? 'agent-unknown';
  return failure(reason, {
    provider: 'claude',
    detail: symptom.text.trim().slice(0, DETAIL_CHARS),
    ...(symptom.status === null ? {} : { status: symptom.status }),
    ...(symptom.retryAfterMs === null || reason !== 'agent-rate-limited' ? {} : { retryAfterMs: symptom.retryAfterMs }),
  });
}

/** The program went away in the middle, or never came up. */
export function crashed(what: { readonly words: string; readonly stderr: string }): Failure {
  const { words, stderr } = what;
  if (/bubblewrap is required/.test(stderr)) return noBox(['bubblewrap']);
  if (/native binary not found|executable not found|ENOENT/i.test(words))
    return failure('agent-not-installed', {
      provider: 'claude',
      why: 'program-missing',
      where: words.slice(0, DETAIL_CHARS),
    });
  const detail = `${words}\n${stderr}`.trim().slice(0, DETAIL_CHARS);
  return failure(LOST.test(stderr) ? 'agent-session-lost' : 'agent-crashed', { provider: 'claude', detail });
}
