import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openFullCatalogue } from '../../src/app/open/language.ts';
import { serveMcp } from '../../src/app/serve/mcp-stdio.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: unknown;
};

/** A client that answers what it is asked with `says`; without it, one that cannot ask a person. */
async function client(repo: Repo, says?: object) {
  const input = new PassThrough();
  const waiting = new Map<unknown, (message: Message) => void>();
  const asked: unknown[] = [];
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ended = serveMcp({
    asker: { repo: repo.root, configFile: null, catalogue: await openFullCatalogue('en') },
    input,
    marker: '@test',
    write(line) {
      const message = JSON.parse(line) as Message;
      if (message.method === 'elicitation/create') {
        asked.push(message.params);
        send({ id: message.id, result: says });
      } else waiting.get(message.id)?.(message);
    },
  });
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  let last = 0;
  const request = (method: string, params: object = {}): Promise<Message> => {
    last += 1;
    const id = last;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return answer;
  };
  const hello = await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: says === undefined ? {} : { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  const call = async (name: string, input_: object = {}): Promise<unknown> =>
    (await request('tools/call', { name, arguments: input_ })).result;
  return { hello, request, call, asked };
}

test('an agent finds the operations as tools, and reads with them', async () => {
  const c = await client(makeRepo());
  expect(c.hello.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'harness' } });
  const { tools } = (await c.request('tools/list')).result as { tools: readonly { readonly name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['status', 'items', 'gates', 'evidence', 'answer']),
  );
  expect(await c.call('status')).toMatchObject({ structuredContent: { items: { total: 3, landed: 1 } } });
  expect(await c.call('item', { item: 'none' })).toMatchObject({ isError: true });
  expect(await c.call('items', { more: 1 })).toMatchObject({ isError: true });
  expect(await c.request('no/such/method')).toMatchObject({ error: { code: -32_601 } });
});

test('what passes a safeguard needs the word of a person; what only holds work back does not', async () => {
  const repo = makeRepo();
  const alone = await client(repo);
  expect(await alone.call('skip', { item: '2', reason: 'an agent wants it' })).toMatchObject({ isError: true });
  const refused = await client(repo, { action: 'accept', content: { confirm: false } });
  expect(await refused.call('skip', { item: '2', reason: 'an agent wants it' })).toMatchObject({ isError: true });
  expect(refused.asked).toHaveLength(1);
  expect(await alone.call('freeze')).toMatchObject({ structuredContent: { frozen: true } });
  expect(await alone.call('unfreeze')).toMatchObject({ isError: true });
  const confirmed = await client(repo, { action: 'accept', content: { confirm: true } });
  expect(await confirmed.call('unfreeze')).toMatchObject({ structuredContent: { frozen: false } });
  expect(await confirmed.call('skip', { item: '2', reason: 'ours' })).toMatchObject({
    structuredContent: { item: '2', result: 'applied' },
  });
  expect(JSON.stringify(confirmed.asked.at(-1))).toContain('ours');
});
