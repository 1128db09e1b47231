// What an answer of GitHub that is no success means: one reason for each, with when to continue where GitHub says so. Pure.
import { failure, type Failure } from '../../model/failure.ts';

/** `status` null: no answer came. */
export type ForgeRefusal = {
  /** What was asked, in words: `POST /repos/o/r/pulls`. */
  readonly what: string;
  readonly host: string;
  readonly status: number | null;
  readonly headers: { readonly [name: string]: string | number | undefined };
  readonly words: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** GitHub asks to wait at least a minute where it gives no time. */
const SECONDARY_MS = 60_000;
/** Clocks differ; a request a moment too early counts as another one over the limit. */
const MARGIN_MS = 1_000;

export function failureOf(refusal: ForgeRefusal): Failure {
  const { what, host, status, words } = refusal;
  if (status === null) return failure('forge-unreachable', { host, words });
  const limit = status === 403 || status === 429 ? limitOf(refusal) : null;
  if (limit !== null) {
    const until = new Date(refusal.now + limit.retryAfterMs).toISOString();
    return failure('forge-rate-limited', { host, until, kind: limit.kind, retryAfterMs: limit.retryAfterMs, words });
  }
  switch (status) {
    case 401:
      return failure('forge-not-logged-in', { host, words });
    case 403:
      return failure('forge-forbidden', { what, words });
    case 404:
    case 410:
      return failure('forge-not-found', { what });
    case 409:
      return failure('forge-conflict', { what, words });
    default:
      return status >= 500
        ? failure('forge-failing', { host, status, words })
        : failure('forge-refused', { what, status, words });
  }
}

function limitOf({ headers, status, words, now }: ForgeRefusal) {
  const after = Number(headers['retry-after'] ?? Number.NaN);
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1_000;
  const isPrimary = String(headers['x-ratelimit-remaining']) === '0' && !Number.isNaN(reset);
  const isSecondary = status === 429 || !Number.isNaN(after) || /secondary rate limit|abuse/i.test(words);
  if (!isPrimary && !isSecondary) return null;
  const kind = isPrimary && Number.isNaN(after) ? 'primary' : 'secondary';
  const own = kind === 'primary' ? Math.max(0, reset - now) + MARGIN_MS : SECONDARY_MS;
  return { kind, retryAfterMs: Number.isNaN(after) ? own : after * 1_000 + MARGIN_MS };
}

const MOST_WORDS = 500;

/** GitHub's own words: the message, and what is wrong with which field. */
export function wordsOf(data: unknown, otherwise: string): string {
  if (typeof data !== 'object' || data === null) return otherwise.slice(0, MOST_WORDS);
  const message = 'message' in data && typeof data.message === 'string' ? data.message : '';
  const errors: readonly unknown[] = 'errors' in data && Array.isArray(data.errors) ? data.errors : [];
  const details = errors.map((one) => (typeof one === 'string' ? one : detailOf(one)));
  const all = [message, ...details].filter((part) => part !== '');
  return (all.join('; ') || otherwise).slice(0, MOST_WORDS);
}

function detailOf(one: unknown): string {
  if (typeof one !== 'object' || one === null) return '';
  if ('message' in one && typeof one.message === 'string') return one.message;
  const of = (name: 'field' | 'code'): string => {
    const value: unknown = Object.hasOwn(one, name) ? Reflect.get(one, name) : '';
    return typeof value === 'string' ? value : '';
  };
  return [of('field'), of('code')].filter((part) => part !== '').join(' ');
}
