// Requests to GitHub: every answer is read with a schema, every refusal is a failure, and what passes by itself is tried again.
// Owns the connection. Does not own what is asked.
import { request } from '@octokit/request';
import type { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { patiently, type Waiting } from '../patience.ts';
import { failureOf, wordsOf } from './failures.ts';

export type Query = { readonly [name: string]: unknown };
export type GithubAnswer<T> = { readonly data: T; /** Page number of the next page. */ readonly next: string | null };

export type Client = {
  /** `GET /repos/{owner}/{repo}/pulls`: `{owner}` and `{repo}` are filled in. A POST is not repeated where it may have been carried out. */
  ask<T>(route: string, params: Query, shape: z.ZodType<T>): Promise<Result<GithubAnswer<T>>>;
  /** All pages of a list. */
  all<T>(route: string, params: Query, shape: z.ZodType<readonly T[]>): Promise<Result<readonly T[]>>;
  readonly waiting: Waiting;
};

export type ClientOptions = {
  readonly apiUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repo: string;
  readonly waiting: Waiting;
  /** Milliseconds for one request. */
  readonly wallMs?: number;
};

const WALL_MS = 30_000;
const PAGE = 100;
/** Ten thousand entries: a list without an end is a mistake of ours or theirs. */
const MOST_PAGES = 100;

export function createClient(options: ClientOptions): Client {
  const { apiUrl, token, owner, repo, waiting } = options;
  const host = new URL(apiUrl).host;
  const send = request.defaults({
    baseUrl: apiUrl.replace(/\/$/, ''),
    headers: { authorization: `token ${token}`, 'x-github-api-version': '2022-11-28', 'user-agent': 'harness' },
  });

  const once = async <T>(route: string, params: Query, shape: z.ZodType<T>): Promise<Result<GithubAnswer<T>>> => {
    const what = describe(route, { owner, repo, ...params });
    const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(options.wallMs ?? WALL_MS)]);
    let answer: { readonly data: unknown; readonly headers: { readonly link?: string | undefined } };
    try {
      answer = await send(route, { owner, repo, ...params, request: { signal } });
    } catch (error) {
      return err(failureOf({ what, host, now: waiting.clock.now(), ...refusalIn(error) }));
    }
    const read = shape.safeParse(answer.data);
    if (read.success) return ok({ data: read.data, next: nextPage(answer.headers.link) });
    const [issue] = read.error.issues;
    const words = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
    return err(failure('forge-answer-unknown', { what, words }));
  };

  const ask: Client['ask'] = (route, params, shape) =>
    patiently(waiting, !route.startsWith('POST '), () => once(route, params, shape));

  return {
    waiting,
    ask,
    async all<T>(route: string, params: Query, shape: z.ZodType<readonly T[]>) {
      const found: T[] = [];
      let page: string | null = '1';
      for (let n = 0; page !== null && n < MOST_PAGES; n += 1) {
        const answer: Result<GithubAnswer<readonly T[]>> = await ask(route, { ...params, per_page: PAGE, page }, shape);
        if (!answer.ok) return answer;
        found.push(...answer.value.data);
        page = answer.value.next;
      }
      return ok(found);
    },
  };
}

const describe = (route: string, params: Query): string =>
  route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : `{${name}}`;
  });

/** From the header `link`: `<https://…?page=2>; rel="next"`. */
function nextPage(link: string | undefined): string | null {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(link ?? '') ?? [];
  return address === undefined ? null : (URL.parse(address)?.searchParams.get('page') ?? null);
}

/** The error of @octokit/request, taken apart: with an answer of GitHub, or without one where none came. */
function refusalIn(error: unknown) {
  const none = { status: null, headers: {} };
  if (!(error instanceof Error)) return { ...none, words: String(error) };
  const answer = 'response' in error ? error.response : undefined;
  if (typeof answer !== 'object' || answer === null || !('status' in error) || typeof error.status !== 'number') {
    const { cause } = error;
    return { ...none, words: cause instanceof Error && cause.message !== '' ? cause.message : error.message };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- headers of an answer: the library makes them a plain object of texts
  const headers = ('headers' in answer ? answer.headers : {}) as { readonly [name: string]: string | undefined };
  return { status: error.status, headers, words: wordsOf('data' in answer ? answer.data : null, error.message) };
}
