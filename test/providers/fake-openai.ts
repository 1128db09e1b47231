// Owns a scripted Responses API on 127.0.0.1: one step per request, streamed. What nobody scripted is answered with an
// error, kept in `unscripted`, and thrown by `close()`.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { unreachable } from '../../src/model/bug.ts';

export type Part =
  | { readonly type: 'text'; readonly text: string }
  /** A function of the program, or of a server: `mcp__server` and the tool's own name. */
  | { readonly type: 'call'; readonly name: string; readonly args: object; readonly namespace?: string }
  | { readonly type: 'patch'; readonly patch: string };
/** `read` is the part of `input` that came from the cache, as the API counts. */
export type Counts = { readonly input: number; readonly output: number; readonly read: number };

export type Step =
  /** `until`: the words are out, the rest of the answer waits. */
  | {
      readonly does: 'say';
      readonly parts: readonly Part[];
      readonly counts?: Partial<Counts>;
      readonly until?: Promise<unknown>;
    }
  | { readonly does: 'fail'; readonly status: number; readonly body: object; readonly headers?: Headers }
  /** The answer begins well and then says that it failed. */
  | { readonly does: 'break'; readonly code: string; readonly message: string }
  | { readonly does: 'html' }
  | { readonly does: 'cut' }
  /** Silent at once, or after some words. */
  | { readonly does: 'hang'; readonly after?: string };
type Headers = { readonly [name: string]: string };

/** A request as the model would see it, by the fields tests look at. */
export type Asked = {
  /** The key it came with. */
  readonly key: string;
  readonly model: string;
  readonly tools: readonly string[];
  /** Everything said by the user's side and the program, and every tool's output, in order. */
  readonly heard: readonly { readonly kind: 'text' | 'program' | 'tool-result'; readonly text: string }[];
};
export type Script = readonly Step[] | ((asked: Asked, number: number) => Step | null);

export type FakeOpenAI = {
  readonly url: string;
  readonly asked: readonly Asked[];
  readonly unscripted: readonly string[];
  /** Resolves when so many requests have come. */
  requests(count: number): Promise<void>;
  close(): Promise<void>;
};

export const say = (text: string, counts: Partial<Counts> = {}): Step => ({
  does: 'say',
  parts: [{ type: 'text', text }],
  counts,
});
/** A shell command. */
export const run = (cmd: string, more: object = {}): Step => ({
  does: 'say',
  parts: [{ type: 'call', name: 'exec_command', args: { cmd, ...more } }],
});
export const patch = (...lines: readonly string[]): Step => ({
  does: 'say',
  parts: [{ type: 'patch', patch: patchOf(lines) }],
});
export const patchOf = (lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
/** A new file, as a patch says it. */
export const added = (path: string, text: string): string[] => [
  `*** Add File: ${path}`,
  ...text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `+${line}`),
];
export const fail = (status: number, message: string, code: string | null = null, headers: Headers = {}): Step => ({
  does: 'fail',
  status,
  body: { error: { message, type: code ?? 'error', code } },
  headers,
});
/** The same answer to everybody. */
export const always =
  (step: Step): Script =>
  () =>
    step;

const COUNTS: Counts = { input: 2130, output: 50, read: 2000 };

export async function fakeOpenAI(script: Script): Promise<FakeOpenAI> {
  const asked: Asked[] = [];
  const unscripted: string[] = [];
  const sockets = new Set<Socket>();
  const waiters: { count: number; resolve: () => void }[] = [];
  const stepFor = (request: Asked, number: number): Step | null =>
    typeof script === 'function' ? script(request, number) : (script[number] ?? null);

  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      if (request.method !== 'POST' || path !== '/v1/responses') {
        unscripted.push(`${request.method} ${path}`);
        return refuse(response, 404, { error: { message: 'not scripted' } });
      }
      const seen = askedOf(body, (request.headers.authorization ?? '').replace('Bearer ', ''));
      const step = stepFor(seen, asked.length);
      asked.push(seen);
      for (const waiter of waiters) if (asked.length >= waiter.count) waiter.resolve();
      if (step !== null) return void answer(response, step, asked.length);
      unscripted.push(`request ${asked.length}: ${JSON.stringify(seen.heard.at(-1))}`);
      return refuse(response, 400, { error: { message: 'not scripted', code: 'not_scripted' } });
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

let made = 0;

async function answer(response: ServerResponse, step: Step, number: number): Promise<void> {
  if (step.does === 'hang' && step.after === undefined) return;
  if (step.does === 'fail') return refuse(response, step.status, step.body, step.headers);
  if (step.does === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><body>Sign in to the hotel network</body></html>');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const id = `resp_${number}`;
  send('response.created', { response: { id } });
  if (step.does === 'cut') {
    setTimeout(() => response.destroy(), 20); // what was written gets out first
    return;
  }
  if (step.does === 'break') {
    send('response.failed', { response: { id, error: { code: step.code, message: step.message } } });
    response.end();
    return;
  }
  const parts: readonly Part[] = step.does === 'hang' ? [{ type: 'text', text: step.after ?? '' }] : step.parts;
  for (const [index, part] of parts.entries()) {
    const item = itemOf(part);
    if (part.type === 'text') {
      send('response.output_item.added', { output_index: index, item: { ...item, content: [] } });
      const place = { output_index: index, content_index: 0, item_id: item.id };
      send('response.output_text.delta', { ...place, delta: part.text });
    }
    if (step.does === 'hang') return;
    await step.until;
    send('response.output_item.done', { output_index: index, item });
  }
  const counts = { ...COUNTS, ...(step.does === 'say' ? step.counts : {}) };
  const usage = {
    input_tokens: counts.input,
    input_tokens_details: { cached_tokens: counts.read },
    output_tokens: counts.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: counts.input + counts.output,
  };
  send('response.completed', { response: { id, usage } });
  response.end();
}

function itemOf(part: Part): { readonly id: string; readonly [field: string]: unknown } {
  const number = ++made;
  const call_id = `call_${number}`;
  switch (part.type) {
    case 'text':
      return {
        type: 'message',
        role: 'assistant',
        id: `msg_${number}`,
        content: [{ type: 'output_text', text: part.text }],
      };
    case 'patch':
      return { type: 'custom_tool_call', id: `ct_${number}`, call_id, name: 'apply_patch', input: part.patch };
    case 'call':
      return {
        type: 'function_call',
        id: `fc_${number}`,
        call_id,
        name: part.name,
        arguments: JSON.stringify(part.args),
        ...(part.namespace === undefined ? {} : { namespace: part.namespace }),
      };
    default:
      return unreachable(part);
  }
}

function refuse(response: ServerResponse, status: number, body: object, headers: Headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

type WireItem = {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly output?: unknown;
};
type Wire = {
  readonly model?: string;
  readonly tools?: readonly { readonly type: string; readonly name?: string }[];
  readonly input?: readonly WireItem[];
};

function askedOf(body: string, key: string): Asked {
  const wire = JSON.parse(body) as Wire;
  const heard = (wire.input ?? []).flatMap((item): Asked['heard'] => {
    if (item.type.endsWith('_output')) return [{ kind: 'tool-result', text: flat(item.output) }];
    if (item.type !== 'message' || item.role === 'assistant') return [];
    const kind = item.role === 'user' ? 'text' : 'program';
    return (item.content ?? []).map((part) => ({ kind, text: part.text ?? '' }));
  });
  return { key, model: wire.model ?? '', tools: (wire.tools ?? []).map((t) => t.name ?? t.type), heard };
}

const flat = (output: unknown): string =>
  typeof output === 'string'
    ? output
    : Array.isArray(output)
      ? output.map((part: { text?: string }) => part.text ?? '').join('')
      : '';
