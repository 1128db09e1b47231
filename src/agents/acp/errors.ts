// What an error response of an agent means, and why its program did not start. Structured fields decide first, the message last.
import { existsSync } from 'node:fs';
import { failure, type Failure } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import type { SessionSpec } from '../port.ts';

export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

const BY_CODE: { readonly [code: number]: Reason } = {
  [-32000]: 'agent-auth',
  [-32002]: 'agent-session-lost',
  [-32022]: 'agent-malformed',
  [-32700]: 'agent-malformed',
  [-32600]: 'agent-malformed',
  [-32601]: 'agent-malformed',
};
const BY_STATUS: { readonly [status: number]: Reason } = {
  401: 'agent-auth',
  402: 'agent-billing',
  403: 'agent-auth',
  408: 'agent-timeout',
  429: 'agent-rate-limited',
  503: 'agent-overloaded',
  529: 'agent-overloaded',
};
/** The first match decides: messages about quota often mention limits too. */
const BY_MESSAGE: readonly (readonly [RegExp, Reason])[] = [
  [/credit balance|insufficient_quota|quota exceeded|billing|payment required/i, 'agent-billing'],
  [/context (window|length)|prompt is too long|maximum context/i, 'agent-context-full'],
  [/rate.?limit|too many requests|usage limit|\b429\b/i, 'agent-rate-limited'],
  [/overloaded|at capacity|high demand|\b529\b|\b503\b/i, 'agent-overloaded'],
  [/unauthori[sz]ed|authenticat|api key|not logged in|log ?in|\b401\b|\b403\b/i, 'agent-auth'],
  [/timed? ?out/i, 'agent-timeout'],
  [/ECONN\w+|ENOTFOUND|EAI_AGAIN|socket hang up|fetch failed|network/i, 'agent-network'],
  [/no conversation found|session not found|unknown session/i, 'agent-session-lost'],
];

/**
 * A JSON-RPC error of the agent as a failure, with the parameter `retryAfterMs` where the agent gave it. The message has what the agent says
 * in `data`, which is often all that it says.
 */
export function failureOfError(error: RpcError): Failure {
  const params: { [name: string]: string | number } = { code: error.code, message: wordsOf(error).slice(0, 500) };
  const retryMs = retryAfterMs(error.data);
  if (retryMs !== null) params['retryAfterMs'] = retryMs;
  return failure(reasonOf(error), params);
}

/**
 * A failure that an agent put into words and ended its turn with, without having done anything; null: these are no words of a failure. A
 * review, and an agent that has worked before, may answer in words about errors: there only a line that reports one counts. Of a completion
 * words are all there is.
 */
export function failureInWords(text: string, mode: SessionSpec['mode'], hasWorked = false): Failure | null {
  const words = text.trim();
  const isFailed = mode === 'exec' && !hasWorked ? FAILED : REPORTED;
  if (mode === 'complete' || words === '' || words.length > MOST_SPOKEN || !isFailed.test(words)) return null;
  const reason = BY_MESSAGE.find(([pattern]) => pattern.test(words))?.[1];
  return reason === undefined ? null : failure(reason, { message: plain(words).slice(0, 500) });
}

/** A longer text is an answer, not an error. */
const MOST_SPOKEN = 2_000;
const REPORTED = /^\s*(?:API )?Error\b/im;
const FAILED =
  /\b(?:errors?|failed|failure|unauthori[sz]ed|forbidden|denied|exceeded|invalid|incorrect|overloaded|unavailable|not logged in)\b/i;

/** The keys under which agents say what happened. */
const SAYING = ['message', 'details', 'detail', 'error', 'reason', 'cause', 'description'];
const DEEPEST = 4;

/** The message and what `data` adds to it. */
function wordsOf({ message, data }: RpcError): string {
  const all: string[] = [];
  for (const words of [message, ...textsIn(data, 0)].map(plain))
    if (words !== '' && !all.some((one) => one.includes(words))) all.push(words);
  return all.join(': ');
}

function textsIn(data: unknown, depth: number): readonly string[] {
  if (typeof data === 'string') return depth === 0 || data.trim() !== '' ? [data] : [];
  if (typeof data !== 'object' || data === null || depth > DEEPEST) return [];
  const entries = Object.entries(data) as readonly (readonly [string, unknown])[];
  return entries.flatMap(([key, value]) =>
    Array.isArray(data) || SAYING.includes(key) ? textsIn(value, depth + 1) : [],
  );
}

/** A message that is, or ends with, the JSON of a provider: what that says. */
function plain(message: string): string {
  const start = message.search(/[{[]/);
  if (start === -1) return message.trim();
  try {
    const inside = textsIn(JSON.parse(message.slice(start)), 0).map(plain);
    if (inside.length > 0) return `${message.slice(0, start)}${[...new Set(inside)].join(': ')}`.trim();
  } catch {
    // no JSON after all
  }
  return message.trim();
}

function reasonOf(error: RpcError): Reason {
  const known = BY_CODE[error.code];
  if (known !== undefined) return known;
  const status = numberIn(error.data, ['status', 'statusCode', 'httpStatus', 'httpStatusCode']);
  const byStatus = status === null ? undefined : BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  const text = `${error.message} ${error.data === undefined ? '' : JSON.stringify(error.data)}`;
  return BY_MESSAGE.find(([pattern]) => pattern.test(text))?.[1] ?? 'agent-unknown';
}

/** Why the program could not be started: by the system's error, or inside a box by what bubblewrap printed; null: it was started. */
export function startProblem(
  error: NodeJS.ErrnoException | null,
  stderr: string,
  { cwd, box }: Pick<SessionSpec, 'cwd' | 'box'>,
): string | null {
  if (error !== null) {
    // Node reports ENOENT for a missing folder too.
    if (!existsSync(cwd)) return 'no-such-folder';
    return error.code === 'ENOENT'
      ? 'not-found'
      : error.code === 'EACCES'
        ? 'not-executable'
        : (error.code ?? 'spawn-failed');
  }
  const problem = box === undefined ? undefined : /^bwrap: execvp .*: (.*)$/m.exec(stderr)?.[1];
  if (problem === undefined) return null;
  return problem === 'Permission denied' ? 'not-executable' : 'not-found';
}

/** Agents give seconds as `retryAfter`, and milliseconds under a name with `Ms`. */
function retryAfterMs(data: unknown): number | null {
  const ms = numberIn(data, ['retryAfterMs', 'retry_after_ms', 'retryDelayMs']);
  if (ms !== null) return ms;
  const seconds = numberIn(data, ['retryAfter', 'retry_after']);
  return seconds === null ? null : seconds * 1000;
}

function numberIn(data: unknown, names: readonly string[]): number | null {
  if (typeof data !== 'object' || data === null) return null;
  for (const [name, value] of Object.entries(data))
    if (names.includes(name) && typeof value === 'number' && Number.isFinite(value)) return value;
  return null;
}
