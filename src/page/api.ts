// Asks the server: the operations of its table, with their own types, and its event stream. The token comes in the address behind the #, which
// no browser sends, and is kept for this tab alone.
import type { Answers, Inputs } from '../app/operations/all.ts';
import type { RunEvent } from '../app/look/run-events.ts';

export type { Answers, RunEvent };
export type Name = keyof Answers;

const KEY = 'harness-token';

/** Takes the token out of the address, so that it is in no history and no screenshot. */
export function takeToken(): string | null {
  const given = /^#token=([\w-]+)(?:&(.*))?$/.exec(location.hash);
  if (given !== null) {
    sessionStorage.setItem(KEY, given[1] ?? '');
    history.replaceState(null, '', `#${given[2] ?? '/'}`);
  }
  return sessionStorage.getItem(KEY);
}

const authorization = (): { readonly authorization: string } => ({
  authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ''}`,
});

/** What the server refused, in its own words. */
export class Refused extends Error {
  readonly code: string;
  readonly hint: string;
  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export async function read<N extends Name>(name: N, input: Inputs[N], signal?: AbortSignal): Promise<Answers[N]> {
  const query = new URLSearchParams(
    Object.entries(input).flatMap(([key, value]) =>
      value === null || value === undefined ? [] : [[key, String(value)]],
    ),
  );
  const response = await fetch(`/api/v1/${name}?${query.toString()}`, {
    headers: authorization(),
    signal: signal ?? null,
  });
  return answerOf<N>(response);
}

export async function write<N extends Name>(name: N, input: Inputs[N]): Promise<Answers[N]> {
  const headers = { ...authorization(), 'content-type': 'application/json' };
  return answerOf<N>(await fetch(`/api/v1/${name}`, { method: 'POST', headers, body: JSON.stringify(input) }));
}

async function answerOf<N extends Name>(response: Response): Promise<Answers[N]> {
  if (response.status === 401) throw new Refused('no-token', 'The key to this page is missing or old.', 'harness ui');
  const text = await response.text();
  const answer: unknown = text === '' ? {} : JSON.parse(text);
  if (!response.ok) throw refusedBy(answer, response.status);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are held to these schemas by a test
  return answer as Answers[N];
}

function refusedBy(answer: unknown, status: number): Refused {
  const error = fieldOf(answer, 'error');
  const word = (name: string): string => {
    const value = fieldOf(error, name);
    return typeof value === 'string' ? value : '';
  };
  return new Refused(word('code'), word('message') || `The server answered ${status}.`, word('hint'));
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

export type StreamState = 'connecting' | 'live' | 'lost';

/** Follows the event stream until the signal; connects again, from the last number, whenever it is cut. */
export async function follow(
  on: { event(event: RunEvent): void; changed(): void; state(state: StreamState): void },
  signal: AbortSignal,
): Promise<void> {
  let last: string | null = null;
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      const headers: Readonly<Record<string, string>> = {
        ...authorization(),
        ...(last === null ? {} : { 'last-event-id': last }),
      };
      const response: Response = await fetch('/api/v1/events', { headers, signal });
      if (!response.ok || response.body === null) throw new Error(String(response.status));
      on.state('live');
      on.changed();
      tries = 0;
      for await (const block of blocksOf(response.body)) {
        last = block.id ?? last;
        if (block.event === 'run') on.event(JSON.parse(block.data));
        else if (block.event === 'changed') on.changed();
      }
    } catch {
      // the server ended, or the machine slept
    }
    if (signal.aborted) return;
    on.state('lost');
    await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 500 * 2 ** Math.min(tries, 5))));
  }
}

type Block = { readonly id: string | null; readonly event: string; readonly data: string };

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Block> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const field = (name: string): string | null =>
        part
          .split('\n')
          .find((line) => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim() ?? null;
      yield { id: field('id'), event: field('event') ?? 'message', data: field('data') ?? '' };
    }
  }
}
