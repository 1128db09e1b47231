// Owns what every scripted model server on 127.0.0.1 is: one step per request to its one path, and an unscripted request is refused,
// kept in `unscripted`, and thrown by `close()`. What is said over the wire belongs to the API that it plays.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Headers = { readonly [name: string]: string };
/** What any provider may do beside answering; `hang`: silent at once, or after some words. */
export type Trouble =
  | { readonly does: 'html' }
  | { readonly does: 'cut' }
  | { readonly does: 'hang'; readonly after?: string };
/** A function may delay the answer: its promise is the answer. */
export type Script<Step, Asked> =
  | readonly Step[]
  | ((asked: Asked, number: number) => Step | null | Promise<Step | null>);

export type ModelServer<Asked> = {
  readonly url: string;
  readonly asked: readonly Asked[];
  readonly unscripted: readonly string[];
  /** Resolves when so many requests have come. */
  requests(count: number): Promise<void>;
  close(): Promise<void>;
};

type Api<Step, Asked> = {
  readonly path: string;
  /** A request as the model would see it. */
  readonly read: (body: string, headers: IncomingMessage['headers']) => Asked;
  /** `number`: 1-based. */
  readonly answer: (response: ServerResponse, step: Step, asked: Asked, number: number) => void;
  readonly refusal: object;
};

/** The same answer to every request. */
export const always =
  <Step>(step: Step): (() => Step) =>
  () =>
    step;

export async function modelServer<Step, Asked extends { readonly heard: readonly unknown[] }>(
  script: Script<Step, Asked>,
  api: Api<Step, Asked>,
): Promise<ModelServer<Asked>> {
  const asked: Asked[] = [];
  const unscripted: string[] = [];
  const sockets = new Set<Socket>();
  const waiters: { count: number; resolve: () => void }[] = [];
  const stepFor = async (request: Asked, number: number): Promise<Step | null> =>
    typeof script === 'function' ? script(request, number) : (script[number] ?? null);

  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      if (request.method !== 'POST' || path !== api.path) {
        unscripted.push(`${request.method} ${path}`);
        return reply(response, 404, api.refusal);
      }
      const seen = api.read(body, request.headers);
      const number = asked.push(seen);
      for (const waiter of waiters) if (number >= waiter.count) waiter.resolve();
      const step = await stepFor(seen, number - 1);
      if (step !== null) return api.answer(response, step, seen, number);
      unscripted.push(`request ${number}: ${JSON.stringify(seen.heard.at(-1))}`);
      return reply(response, 400, api.refusal);
    });
  });
  // Over a plain request it says the same, and is asked so next.
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n'));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    unscripted,
    requests: (count) =>
      new Promise((resolve) => {
        if (asked.length >= count) resolve();
        else waiters.push({ count, resolve });
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      if (unscripted.length > 0) throw new Error(`the model was asked what nobody scripted: ${unscripted.join(' · ')}`);
    },
  };
}

export function reply(response: ServerResponse, status: number, body: object, headers: Headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A page where an answer should be. */
export function showPage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<html><body>Sign in to the hotel network</body></html>');
}

/** Begins an answer in pieces; each is sent as an event of its type. */
export function stream(response: ServerResponse, headers: Headers = {}): (type: string, data: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  return (type, data) => void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

/** What was written gets out first. */
export const cutOff = (response: ServerResponse): void => void setTimeout(() => response.destroy(), 20);

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** The words of a content that is text or a list of parts. */
export const flat = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? '').join('')
      : '';
