// The Model Context Protocol over HTTP, with messages as a client sends them.
import { expect, test } from 'vitest';
import { served, type Served } from '../support/served.ts';

type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: unknown;
};
type Sent = { readonly status: number; readonly session: string | null; readonly json: Message };

const headersOf = (s: Served, session: string | null): Record<string, string> => ({
  authorization: `Bearer ${s.token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
  ...(session === null ? {} : { 'mcp-session-id': session }),
});

const post = (
  s: Served,
  session: string | null,
  message: object,
  more: Record<string, string> = {},
): Promise<Response> =>
  fetch(`http://127.0.0.1:${s.port}/mcp`, {
    method: 'POST',
    headers: { ...headersOf(s, session), ...more },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });

async function exchange(s: Served, session: string | null, message: object): Promise<Sent> {
  const response = await post(s, session, message);
  const text = await response.text();
  const json = text === '' ? {} : (JSON.parse(text) as Message);
  return { status: response.status, session: response.headers.get('mcp-session-id'), json };
}

async function session(s: Served, capabilities: object): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'test', version: '1' } };
  const hello = await exchange(s, null, { id: 1, method: 'initialize', params });
  expect(hello.json.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'harness' } });
  const id = hello.session ?? '';
  expect((await exchange(s, id, { method: 'notifications/initialized' })).status).toBe(202);
  return id;
}

const callOf = (name: string, input: object): object => ({
  id: 7,
  method: 'tools/call',
  params: { name, arguments: input },
});

/** The messages of a stream; `on` may answer one. */
async function streamOf(response: Response, on: (message: Message) => void): Promise<readonly Message[]> {
  const messages: Message[] = [];
  let rest = '';
  for await (const part of response.body ?? []) {
    const blocks = (rest + Buffer.from(part).toString()).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (data === undefined) continue;
      const message = JSON.parse(data) as Message;
      messages.push(message);
      on(message);
    }
  }
  return messages;
}

test('an agent finds the tools over HTTP and reads with them', async () => {
  const s = await served();
  const id = await session(s, {});
  const { tools } = (await exchange(s, id, { id: 2, method: 'tools/list' })).json.result as {
    readonly tools: readonly { readonly name: string }[];
  };
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['status', 'items', 'gates', 'evidence', 'answer']),
  );
  const read = await exchange(s, id, callOf('status', {}));
  expect(read.json).toMatchObject({ id: 7, result: { structuredContent: { items: { total: 3, landed: 1 } } } });
  const refused = await exchange(s, id, callOf('skip', { item: '2', reason: 'an agent wants it' }));
  expect(refused.json.result).toMatchObject({ isError: true });
});

test('a write is done after the person has confirmed it on the stream of its request', async () => {
  const s = await served();
  const id = await session(s, { elicitation: {} });
  const asks = async (answer: object): Promise<Message | undefined> => {
    const response = await post(s, id, callOf('skip', { item: '2', reason: 'ours' }));
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const messages = await streamOf(response, (message) => {
      if (message.method !== 'elicitation/create') return;
      expect(JSON.stringify(message.params)).toContain('ours');
      void post(s, id, { id: message.id, result: answer });
    });
    return messages.at(-1);
  };
  expect(await asks({ action: 'decline' })).toMatchObject({ id: 7, result: { isError: true } });
  expect(await asks({ action: 'accept', content: { confirm: true } })).toMatchObject({
    id: 7,
    result: { structuredContent: { item: '2', result: 'applied' } },
  });
});

test('another session cannot confirm, and a client that has left has not', async () => {
  const s = await served();
  const [mine, other] = [await session(s, { elicitation: {} }), await session(s, { elicitation: {} })];
  const leaving = new AbortController();
  const response = await fetch(`http://127.0.0.1:${s.port}/mcp`, {
    method: 'POST',
    headers: headersOf(s, mine),
    body: JSON.stringify({ jsonrpc: '2.0', ...callOf('skip', { item: '2', reason: 'x' }) }),
    signal: leaving.signal,
  });
  const yes = { action: 'accept', content: { confirm: true } };
  await streamOf(response, (message) => {
    void post(s, other, { id: message.id, result: yes }).then(() => leaving.abort());
  }).catch(() => undefined);
  const items = (await exchange(s, mine, callOf('items', {}))).json;
  expect(JSON.stringify(items)).toMatch(/"id":"2"[^}]*"status":"ready"/);
});

test('messages that are none, other versions and unknown sessions are refused', async () => {
  const s = await served();
  const id = await session(s, {});
  const statusOf = async (session_: string | null, message: object, more: Record<string, string> = {}) =>
    (await post(s, session_, message, more)).status;
  const ping = { id: 1, method: 'ping' };
  expect(await statusOf(id, ping)).toBe(200);
  expect(await statusOf(null, ping)).toBe(400);
  expect(await statusOf('asks-of-mine', ping)).toBe(404);
  expect(await statusOf(id, ping, { 'mcp-protocol-version': '1999-01-01' })).toBe(400);
  expect(await statusOf(id, { id: {}, method: 'ping' })).toBe(400);
  expect(await statusOf(id, { id: 1, method: 'no/such' })).toBe(200);
});
