// Owns a scripted Messages API on 127.0.0.1: one step per request, streamed or not as asked. What nobody scripted is
// answered with an error, kept in `unscripted`, and thrown by `close()`.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id?: string; readonly name: string; readonly input: object };
export type Counts = {
  readonly input: number;
  readonly output: number;
  readonly written: number;
  readonly read: number;
};

export type Step =
  | { readonly does: 'say'; readonly parts: readonly Part[]; readonly stop?: string; readonly counts?: Partial<Counts> }
  | {
      readonly does: 'fail';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: { readonly [name: string]: string };
    }
  | { readonly does: 'html' }
  | { readonly does: 'cut' }
  /** Silent at once, or after some words. */
  | { readonly does: 'hang'; readonly after?: string };

/** A request as the model would see it, by the fields tests look at. */
export type Asked = {
  /** The API key it came with. */
  readonly key: string;
  readonly stream: boolean;
  readonly model: string;
  readonly tools: readonly string[];
  readonly system: string;
  /** Everything the user side said and every tool answered, in order; one entry per content block. */
  readonly heard: readonly {
    readonly kind: 'text' | 'tool-result';
    readonly text: string;
    readonly isError: boolean;
  }[];
};
export type Script = readonly Step[] | ((asked: Asked, number: number) => Step | null);

export type FakeAnthropic = {
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
export const call = (name: string, input: object, counts: Partial<Counts> = {}): Step => ({
  does: 'say',
  parts: [{ type: 'tool_use', name, input }],
  counts,
});
export const fail = (
  status: number,
  type: string,
  message: string,
  headers: { [name: string]: string } = {},
): Step => ({
  does: 'fail',
  status,
  type,
  message,
  headers,
});
/** The same answer to everybody. */
export const always =
  (step: Step): Script =>
  () =>
    step;

const COUNTS: Counts = { input: 100, output: 50, written: 30, read: 2000 };

export async function fakeAnthropic(script: Script): Promise<FakeAnthropic> {
  const asked: Asked[] = [];
  const unscripted: string[] = [];
  const sockets = new Set<Socket>();
  const waiters: { count: number; resolve: () => void }[] = [];
  const stepFor = (request: Asked, number: number): Step | null =>
    typeof script === 'function' ? script(request, number) : (script[number] ?? null);

  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      if (request.method !== 'POST' || path !== '/v1/messages') {
        unscripted.push(`${request.method} ${path}`);
        return refuse(response, 404, 'not_found_error', 'not scripted');
      }
      const seen = askedOf(body, String(request.headers['x-api-key'] ?? ''));
      const step = stepFor(seen, asked.length);
      asked.push(seen);
      for (const waiter of waiters) if (asked.length >= waiter.count) waiter.resolve();
      if (step === null) {
        unscripted.push(`request ${asked.length}: ${JSON.stringify(seen.heard.at(-1))}`);
        return refuse(response, 400, 'invalid_request_error', 'not scripted');
      }
      return answer(response, step, seen, asked.length);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
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
      if (unscripted.length > 0) throw new Error(`unscripted requests: ${unscripted.join('; ')}`);
    },
  };
}

function answer(response: ServerResponse, step: Step, asked: Asked, number: number): void {
  if (step.does === 'hang' && step.after === undefined) return;
  if (step.does === 'fail') return refuse(response, step.status, step.type, step.message, step.headers);
  if (step.does === 'html') {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<html><body>Welcome to the hotel network</body></html>');
    return;
  }
  const words = step.does === 'hang' ? (step.after ?? '') : 'half a sen';
  const said = step.does === 'say' ? step : { parts: [{ type: 'text' as const, text: words }] };
  const parts = said.parts.map((part, i) =>
    part.type === 'tool_use' ? { ...part, id: part.id ?? `toolu_${number}_${i}` } : part,
  );
  const counts = { ...COUNTS, ...(step.does === 'say' ? step.counts : {}) };
  const usual = parts.some((p) => p.type === 'tool_use') ? 'tool_use' : 'end_turn';
  const stop = step.does === 'say' ? (step.stop ?? usual) : usual;
  const usage = {
    input_tokens: counts.input,
    cache_creation_input_tokens: counts.written,
    cache_read_input_tokens: counts.read,
    output_tokens: counts.output,
  };
  const message = {
    id: `msg_${number}_${Math.random().toString(36).slice(2)}`,
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: Math.min(1, counts.output) },
  };
  if (!asked.stream && step.does === 'say') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...message, content: parts, stop_reason: stop, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  send('message_start', { message });
  for (const [index, part] of parts.entries()) {
    const isText = part.type === 'text';
    const empty = isText ? { type: 'text', text: '' } : { type: 'tool_use', id: part.id, name: part.name, input: {} };
    send('content_block_start', { index, content_block: empty });
    const delta = isText
      ? { type: 'text_delta', text: part.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(part.input) };
    send('content_block_delta', { index, delta });
    if (step.does === 'cut') {
      setTimeout(() => response.destroy(), 20); // what was written gets out first
      return;
    }
    send('content_block_stop', { index });
  }
  if (step.does === 'hang') return;
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: counts.output } });
  send('message_stop', {});
  response.end();
}

function refuse(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ type: 'error', error: { type, message } }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

type Wire = {
  readonly stream?: boolean;
  readonly model?: string;
  readonly tools?: readonly { readonly name: string }[];
  readonly system?: string | readonly { readonly text?: string }[];
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly WireBlock[] }[];
};
type WireBlock = {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
};

function askedOf(body: string, key: string): Asked {
  const wire = JSON.parse(body) as Wire;
  const heard = (wire.messages ?? [])
    .filter((m) => m.role === 'user')
    .flatMap((m) => (typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content))
    .map((block: WireBlock) =>
      block.type === 'tool_result'
        ? { kind: 'tool-result' as const, text: flat(block.content), isError: block.is_error === true }
        : { kind: 'text' as const, text: block.text ?? '', isError: false },
    );
  return {
    key,
    stream: wire.stream === true,
    model: wire.model ?? '',
    tools: (wire.tools ?? []).map((t) => t.name),
    system: typeof wire.system === 'string' ? wire.system : (wire.system ?? []).map((s) => s.text ?? '').join('\n'),
    heard,
  };
}

const flat = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? '').join('')
      : '';
