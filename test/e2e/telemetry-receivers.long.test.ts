// A real run is sent to receivers of OpenTelemetry that others wrote, installed from the registry: a server that decodes by the protocol's own
// definitions, and a collector with a store that is asked what it has. HARNESS_RECEIVERS_DIR names a folder that keeps them.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installedTools } from '../support/installed-tools.ts';
import { expectExit, honest, session, workshop, type Workshop } from './workshop.ts';
import { otlpReceiver } from '../support/otlp.ts';
import { asProtobuf, messageType } from '../support/otlp-judge.ts';

const PACKAGES = ['@elastic/mockotlpserver@0.10.0', 'autotel-mcp@0.8.0'];
const tools = installedTools('HARNESS_RECEIVERS_DIR', PACKAGES);

/** One item lands with a turn that reports its tokens, another is claimed without work and refused. */
async function ranWith(url: string): Promise<Workshop> {
  const shop = workshop();
  const used = { usage: { input: 1_200, output: 34, cost_usd: 0.25 } };
  const [first] = honest;
  shop.play([session(1, ...(first?.turns[0] ?? []), used), session(2, 'claim', used)]);
  await shop.harness('run', '--until-done', '--max-sessions', '2');
  shop.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
  const sent = await shop.harness('telemetry', '--json');
  expectExit(sent, 0);
  expect(sent.json()).toMatchObject({ failed: null, sent_to: [`${url}/v1/traces`, `${url}/v1/metrics`] });
  return shop;
}

type Span = { readonly name: string; readonly spanId: string; readonly parentSpanId?: string };
type Request = {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
};
const spansOf = (request: Request): readonly Span[] =>
  (request.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

test('each message is one of the protocol’s own definitions, and a server that decodes by them has every span in its place', async ({
  skip,
}) => {
  if (!tools.isInstalled) skip();
  const load = createRequire(join(tools.folder, 'package.json'));
  const { MockOtlpServer } = load('@elastic/mockotlpserver') as {
    MockOtlpServer: new (options: object) => { readonly httpUrl: URL; start(): Promise<void>; close(): Promise<void> };
  };
  const { normalizeTrace } = load('@elastic/mockotlpserver/lib/normalize.js') as {
    normalizeTrace(raw: object): Request;
  };
  const traces: Request[] = [];
  const metrics: object[] = [];
  const server = new MockOtlpServer({
    services: ['http'],
    httpHostname: '127.0.0.1',
    httpPort: 0,
    logLevel: 'fatal',
    onTrace: (raw: object) => void traces.push(normalizeTrace(raw)),
    onMetrics: (raw: object) => void metrics.push(raw),
  });
  await server.start();
  onTestFinished(() => server.close());
  const url = server.httpUrl.origin;
  const shop = await ranWith(url);

  const spans = spansOf(traces.at(-1) ?? {});
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual([
    'harness run',
  ]);
  expect(spans.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual([]);
  expect(spans.filter(({ name }) => name.startsWith('invoke_agent'))).toHaveLength(2);
  expect(JSON.stringify(traces.at(-1))).toContain('"gen_ai.usage.input_tokens":1200');
  expect(metrics.length).toBeGreaterThan(0);

  // The same run in protobuf, made from the JSON by the definitions alone, is the same for this server.
  const copy = await otlpReceiver();
  shop.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = copy.url;
  expectExit(await shop.harness('telemetry', '--json'), 0);
  for (const { path, body } of copy.taken) {
    const signal = path === '/v1/traces' ? path : '/v1/metrics';
    const bytes = asProtobuf(messageType(tools.folder, signal), body);
    const answer = await fetch(`${url}${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: Uint8Array.from(bytes),
    });
    expect(answer.status).toBe(200);
  }
  expect(spansOf(traces.at(-1) ?? {})).toHaveLength(spans.length);
  expect(spansOf(traces.at(-1) ?? {}).map(({ name }) => name)).toEqual(spans.map(({ name }) => name));
});

test('the judge refuses what is not of the protocol', ({ skip }) => {
  if (!tools.isInstalled) skip();
  const type = messageType(tools.folder, '/v1/traces');
  const span = (fields: object) => ({
    resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), ...fields }] }] }],
  });
  expect(asProtobuf(type, span({ name: 'x', startTimeUnixNano: '1' })).length).toBeGreaterThan(30);
  for (const wrong of [{ title: 'x' }, { kind: 9 }, { startTimeUnixNano: 1 }, { spanId: 'xyz' }, { attributes: {} }])
    expect(() => asProtobuf(type, span(wrong)), JSON.stringify(wrong)).toThrow(/resourceSpans/);
  const both = { attributes: [{ key: 'a', value: { stringValue: 'a', boolValue: true } }] };
  expect(() => asProtobuf(type, span(both))).toThrow('more than one');
});

test('a collector with a store has the run as one trace, knows its tokens by the conventions, and lists the metrics', async ({
  skip,
}) => {
  if (!tools.isInstalled) skip();
  const collector = await collectorWithStore();
  await ranWith(collector.url);
  const services = JSON.stringify(await collector.ask('list_services', {}));
  expect(services).toContain('harness');
  const found = JSON.stringify(await collector.ask('search_traces', { serviceName: 'harness' }));
  expect(found).toContain('harness run');
  const usage = JSON.stringify(await collector.ask('get_llm_usage', {}));
  expect(usage).toContain('2400'); // input of both sessions
  const listed = JSON.stringify(await collector.ask('list_metrics', {}));
  for (const name of ['gen_ai.client.token.usage', 'harness.cost', 'harness.landed', 'harness.caught'])
    expect(listed).toContain(name);
});

type Collector = { readonly url: string; ask(tool: string, input: object): Promise<unknown> };
type Reply = { readonly id?: number; readonly result?: unknown };

/** It takes OTLP on a port, and answers questions over the Model Context Protocol. */
async function collectorWithStore(): Promise<Collector> {
  const port = await freePort();
  const program = join(tools.folder, 'node_modules/autotel-mcp/bin/autotel-mcp');
  const child = spawn(process.execPath, [program, '--collector-port', String(port)], {
    cwd: tools.folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let last = 0;
  const call = (method: string, params: object): Promise<Reply> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    });
  await call('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    url: `http://127.0.0.1:${port}`,
    ask: async (name, input) => (await call('tools/call', { name, arguments: input })).result,
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
