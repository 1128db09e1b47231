// A run's events as OpenTelemetry: the tree of spans, the figures, where they go, and a receiver that is down.
import { expect, test } from 'vitest';
import { metricsShape, otlpReceiver, tracesShape } from '../../../test/support/otlp.ts';
import type { RunEvent } from '../look/run-events.ts';
import { metricsRequest, tracesRequest } from './otlp.ts';
import { sendTrace } from './send.ts';
import { telemetrySettings } from './settings.ts';
import { traceOf, type Trace } from './spans.ts';

const RUN = 'r-20260301080000-1f497d3';
const START = Date.parse('2026-03-01T08:00:00Z');
let seq = 0;
const at = (second: number, type: string, more: Partial<RunEvent> = {}): RunEvent => ({
  seq: (seq += 1),
  run: RUN,
  ts: new Date(START + 1_000 * second).toISOString(),
  type,
  level: 'important',
  ...more,
});
const of = (session: number, data: RunEvent['data'] = {}): Partial<RunEvent> => ({ session, data });
const EVENTS: readonly RunEvent[] = [
  at(0, 'run-started'),
  at(1, 'item-started', { session: 1, item: '2' }),
  at(3, 'session-started', of(1, { role: 'coding', provider: 'claude', model: 'claude-sonnet-4-5' })),
  at(9, 'usage', of(1, { input: 900, output: 100, cached: 50, usd: 0.25 })),
  at(10, 'checking', { data: { checks: ['feature', 'full'] } }),
  at(14, 'checked', of(1, { holds: false, problems: ['tests-failed'] })),
  at(20, 'usage', of(1, { input: 100, output: 10, cached: 0, usd: 0.05 })),
  at(21, 'checking', { data: { checks: ['feature', 'full'] } }),
  at(25, 'checked', of(1, { holds: true, problems: [] })),
  at(25, 'proving', of(1)),
  at(28, 'proved', of(1, { problems: [] })),
  at(29, 'landed', of(1, { commit: 'abc' })),
  at(30, 'item-ended', { session: 1, item: '2', data: { result: 'landed', reason: 'success' } }),
  at(31, 'waiting', { data: { why: 'provider-unavailable' } }),
  at(61, 'item-started', { session: 2, item: '3' }),
  at(62, 'session-started', of(2, { role: 'coding', provider: 'codex' })),
  at(70, 'usage', of(2, { input: 500, output: 20, cached: 0, usd: null })),
  at(71, 'item-ended', { session: 2, item: '3', data: { result: 'rejected', reason: 'tests-failed' } }),
  at(72, 'run-ended', { data: { result: 'partial', reason: 'max-sessions' } }),
];
const trace = (events = EVENTS): Trace => {
  const made = traceOf(events);
  if (made === null) throw new Error('no trace');
  return made;
};
const RESOURCE = { version: '1.0.0', attributes: { 'service.name': 'harness' } };

test('a run is a tree: run, session, turn, check, proof, wait', () => {
  const { spans } = trace();
  const depth = (id: string | null): number => {
    const parent = spans.find((span) => span.id === id)?.parent ?? null;
    return parent === null ? 0 : 1 + depth(parent);
  };
  const shown = spans.map(
    (s) => `${'  '.repeat(depth(s.id))}${s.name} ${(s.from - START) / 1_000}–${(s.to - START) / 1_000}`,
  );
  expect(shown).toEqual([
    'harness run 0–72',
    '  wait 31–61',
    '  invoke_agent coding 1–30',
    '    prepare 1–3',
    '    turn 3–10',
    '    check 10–14',
    '    turn 14–21',
    '    check 21–25',
    '    proof 25–28',
    '    turn 28–30',
    '  invoke_agent coding 61–71',
    '    prepare 61–62',
    '    turn 62–71',
  ]);
  expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length);
  const [session, turn] = [spans[2], spans[4]];
  expect(session?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': 'claude-sonnet-4-5',
    'harness.item': '2',
    'harness.result': 'landed',
    'harness.cost.usd': 0.3,
  });
  expect(turn?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 900, 'gen_ai.usage.output_tokens': 100 });
  // Who adds up all spans counts no token twice.
  const input = spans.flatMap(({ attributes }) => attributes['gen_ai.usage.input_tokens'] ?? []);
  expect(input).toEqual([900, 100, 500]);
  expect(spans.flatMap(({ name, error }) => (error === null ? [] : [[name, error]]))).toEqual([
    ['check', 'the check does not hold'],
    ['invoke_agent coding', 'tests-failed'],
  ]);
});

test('both messages have the shape of the protocol, and the metrics its figures', () => {
  const made = trace();
  expect(() => tracesShape.parse(tracesRequest(made, RESOURCE))).not.toThrow();
  const { resourceMetrics } = metricsShape.parse(metricsRequest(made, RESOURCE, 'cumulative'));
  const figures = resourceMetrics[0]?.scopeMetrics[0]?.metrics.map((metric) =>
    'sum' in metric
      ? [metric.name, ...metric.sum.dataPoints.map(({ asDouble }) => asDouble)]
      : [metric.name, ...metric.histogram.dataPoints.map(({ count, sum }) => `${count}: ${sum}`)],
  );
  expect(figures).toEqual([
    ['gen_ai.client.token.usage', '2: 1000', '2: 110', '1: 500', '1: 20'],
    ['harness.cost', 0.3],
    ['harness.landed', 1],
    ['harness.caught', 1],
  ]);
});

test('the same events give the same ids; a run that was killed says so', () => {
  expect(trace().spans.map(({ id }) => id)).toEqual(trace().spans.map(({ id }) => id));
  const [root] = trace(EVENTS.slice(0, 6)).spans;
  expect([root?.attributes['harness.result'], root?.error]).toEqual(['killed', 'ended without a result']);
  expect(traceOf([])).toBe(null);
});

test('the standard variables say where to; those of a signal come first, and keys stay with the address that they were set for', () => {
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/', OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x=1' };
  const headers = { 'api-key': 'a b', x: '1' };
  expect(telemetrySettings(base, 'http://other:1')).toMatchObject({
    traces: { url: 'http://c:4318/v1/traces', headers },
    metrics: { url: 'http://c:4318/v1/metrics', headers },
    service: 'harness',
    temporality: 'cumulative',
  });
  const own = { ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/x', OTEL_METRICS_EXPORTER: 'none' };
  expect(telemetrySettings(own, null)).toMatchObject({ traces: { url: 'https://t/x' }, metrics: null });
  const { OTEL_EXPORTER_OTLP_HEADERS } = base;
  expect(telemetrySettings({ OTEL_EXPORTER_OTLP_HEADERS }, 'http://of.a.file:1')).toMatchObject({
    traces: { url: 'http://of.a.file:1/v1/traces', headers: {} },
  });
  for (const off of [
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'file:///etc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  ])
    expect(telemetrySettings({ ...base, ...off }, null)).toMatchObject({ traces: null, metrics: null });
});

test('a receiver that is busy is asked again, one that refuses is not, and one that is down is said', async () => {
  const send = async (statuses: readonly number[], pauses: readonly number[]) => {
    const receiver = await otlpReceiver(statuses);
    const settings = telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }, null);
    const sent = await sendTrace(trace(), settings, 'shop', pauses);
    return { sent, paths: receiver.taken.map(({ path }) => path), url: receiver.url };
  };
  const busy = await send([503, 429], [0, 0]);
  expect(busy.sent).toEqual({ to: [`${busy.url}/v1/traces`, `${busy.url}/v1/metrics`], failed: null });
  expect(busy.paths).toEqual(['/v1/traces', '/v1/metrics']);
  expect((await send([401], [0, 0])).sent.failed).toMatch(/v1\/traces: HTTP 401$/);
  const down = telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, null);
  expect(await sendTrace(trace(), down, 'shop', [])).toMatchObject({
    to: [],
    failed: expect.stringContaining(':1/v1/traces'),
  });
});
