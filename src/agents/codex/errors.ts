// Classifies the errors of Codex: what the program reports about a failed turn or request → one of our reasons. Pure.
// Structured fields decide first, the message last.
import { stripVTControlCharacters } from 'node:util';
import { failure, type Failure } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { retryDelayIn } from './rate-limits.ts';

export type CodexSymptom = {
  /** The name of `codexErrorInfo`: usageLimitExceeded, httpConnectionFailed …; null: none was given. */
  readonly info: string | null;
  /** HTTP status of the model API; null: there was no response, or the program does not report it. */
  readonly status: number | null;
  readonly text: string;
};

/** An error as the program sends it. */
export type TurnError = {
  readonly message: string;
  readonly codexErrorInfo?: unknown;
  readonly additionalDetails?: string | null | undefined;
};

/** For a retry the reason is in `additionalDetails`; `message` only says that there is one. */
export function symptomOf({ message, codexErrorInfo, additionalDetails }: TurnError): CodexSymptom {
  const text = additionalDetails ?? message;
  const [info, status] = infoOf(codexErrorInfo);
  const inText = /\b(?:unexpected|last) status:? (\d{3})\b/.exec(text)?.[1];
  return { info, status: status ?? (inText === undefined ? null : Number(inText)), text };
}

/** A string, or an object with one field that contains the HTTP status. */
function infoOf(value: unknown): readonly [string | null, number | null] {
  if (typeof value === 'string') return [value, null];
  if (typeof value !== 'object' || value === null) return [null, null];
  const [name = null, inner] = Object.entries(value)[0] ?? [];
  const status: unknown =
    typeof inner === 'object' && inner !== null && 'httpStatusCode' in inner ? inner.httpStatusCode : null;
  return [name, typeof status === 'number' ? status : null];
}

type ErrorRule = { readonly reason: Reason; readonly when: (s: CodexSymptom) => boolean };
const isOneOf = (value: string | null, ...of: readonly string[]): boolean => value !== null && of.includes(value);

/** The first match decides: a used-up quota has the same code as a temporary limit, so its messages come first. */
const TABLE: readonly ErrorRule[] = [
  {
    reason: 'agent-session-lost',
    when: (s) => /no rollout found for thread id|invalid (session|thread) id|thread not found/i.test(s.text),
  },
  {
    reason: 'agent-context-full',
    when: (s) =>
      s.info === 'contextWindowExceeded' ||
      /context_length_exceeded|exceeds the context window|ran out of room in the model.s context window|max_output_tokens/i.test(
        s.text,
      ),
  },
  {
    reason: 'agent-billing',
    when: (s) =>
      s.status === 402 ||
      s.info === 'sessionBudgetExceeded' ||
      /quota exceeded|insufficient_quota|billing details|exceeded your current quota|out of credits/i.test(s.text),
  },
  {
    reason: 'agent-refused',
    when: (s) =>
      isOneOf(s.info, 'cyberPolicy', 'bioPolicy', 'misalignmentPolicyViolation', 'inferenceHookDenied') ||
      /usage policy|content_filter/i.test(s.text),
  },
  {
    reason: 'agent-rate-limited',
    when: (s) =>
      isOneOf(s.info, 'usageLimitExceeded', 'rateLimitExceeded') ||
      s.status === 429 ||
      /usage limit|rate limit|too many requests/i.test(s.text),
  },
  {
    reason: 'agent-overloaded',
    when: (s) =>
      isOneOf(s.info, 'serverOverloaded', 'flexUnavailable', 'policyCapacityUnavailable', 'internalServerError') ||
      (s.status !== null && s.status >= 500) ||
      /high demand|at capacity|overloaded/i.test(s.text),
  },
  {
    reason: 'agent-auth',
    when: (s) =>
      s.info === 'unauthorized' ||
      s.status === 401 ||
      s.status === 403 ||
      /missing environment variable|not logged in|(log|sign) in again|refresh token|invalid api key/i.test(s.text),
  },
  {
    reason: 'agent-not-configured',
    when: (s) => s.info === 'modelNotFound' || s.status === 404 || /failed to load configuration/i.test(s.text),
  },
  { reason: 'agent-timeout', when: (s) => /idle timeout|timed out|timeout waiting/i.test(s.text) },
  {
    reason: 'agent-network',
    when: (s) =>
      isOneOf(s.info, 'responseStreamDisconnected', 'responseStreamConnectionFailed', 'httpConnectionFailed') ||
      /stream disconnected|connection (failed|refused|reset|closed)|error sending request|ECONN\w+|ENOTFOUND/i.test(
        s.text,
      ),
  },
];

/** How much of the provider's message is part of a failure, in characters. */
const DETAIL_CHARS = 300;
const detailOf = (text: string): string => text.trim().slice(0, DETAIL_CHARS);

/** `now`: the reference for a time of day in the message, in milliseconds. */
export function classify(symptom: CodexSymptom, now: number): Failure {
  const reason = TABLE.find((row) => row.when(symptom))?.reason ?? 'agent-unknown';
  const retryAfterMs = reason === 'agent-rate-limited' ? retryDelayIn(symptom.text, now) : null;
  return failure(reason, {
    provider: 'codex',
    detail: detailOf(symptom.text),
    ...(symptom.status === null ? {} : { status: symptom.status }),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}

/** Reasons that a retry does not change: it would only cost time. */
export const isFinal = (reason: Reason): boolean =>
  ['agent-auth', 'agent-billing', 'agent-context-full', 'agent-refused', 'agent-not-configured'].includes(reason);

/** The program exited during a turn, or never started. */
export function crashed(exit: { readonly message: string; readonly stderr: string }): Failure {
  const stderr = plain(exit.stderr);
  if (/^bwrap: execvp .*: (No such file|Permission denied)/m.test(stderr))
    return failure('agent-not-installed', { provider: 'codex', why: 'program-missing', where: detailOf(stderr) });
  const detail = [exit.message, stderr.slice(-DETAIL_CHARS)].filter((text) => text !== '').join('\n');
  return failure('agent-crashed', { provider: 'codex', detail });
}

/** Without colours. */
const plain = (text: string): string => stripVTControlCharacters(text).trim();
