// A receiver of OpenTelemetry for tests: takes OTLP/HTTP in JSON, and refuses what is not of the protocol's shape, member by member.
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const uint64 = z.string().regex(/^\d+$/);
const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value: anyValue }));
const resource = z.strictObject({ attributes });
const scope = z.strictObject({ name: z.string(), version: z.string() });
const span = z
  .strictObject({
    traceId: z.string().regex(/^(?!0{32})[\da-f]{32}$/),
    spanId: z.string().regex(/^(?!0{16})[\da-f]{16}$/),
    parentSpanId: z
      .string()
      .regex(/^[\da-f]{16}$/)
      .optional(),
    name: z.string().min(1),
    kind: z.number().int().min(1).max(5),
    startTimeUnixNano: uint64,
    endTimeUnixNano: uint64,
    attributes,
    status: z.strictObject({ code: z.number().int().min(0).max(2).optional(), message: z.string().optional() }),
  })
  .refine((one) => BigInt(one.startTimeUnixNano) <= BigInt(one.endTimeUnixNano), 'it ends before it begins');
export const tracesShape = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({ resource, scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span) })) }),
  ),
});
const temporality = z.union([z.literal(1), z.literal(2)]);
const times = { attributes, startTimeUnixNano: uint64, timeUnixNano: uint64 };
const histogramPoint = z
  .strictObject({
    ...times,
    count: uint64,
    sum: z.number(),
    min: z.number(),
    max: z.number(),
    bucketCounts: z.array(uint64),
    explicitBounds: z.array(z.number()),
  })
  .refine((one) => one.bucketCounts.length === one.explicitBounds.length + 1, 'one bucket more than bounds')
  .refine(
    (one) => one.bucketCounts.reduce((sum, n) => sum + Number(n), 0) === Number(one.count),
    'buckets sum to the count',
  );
const metric = z.union([
  z.strictObject({
    name: z.string(),
    unit: z.string(),
    description: z.string(),
    sum: z.strictObject({
      aggregationTemporality: temporality,
      isMonotonic: z.boolean(),
      dataPoints: z.array(z.strictObject({ ...times, asDouble: z.number() })),
    }),
  }),
  z.strictObject({
    name: z.string(),
    unit: z.string(),
    description: z.string(),
    histogram: z.strictObject({ aggregationTemporality: temporality, dataPoints: z.array(histogramPoint) }),
  }),
]);
export const metricsShape = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({ resource, scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric) })) }),
  ),
});

export type Taken = { readonly path: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: unknown };
export type Receiver = {
  readonly url: string;
  readonly taken: readonly Taken[];
  /** Resolves when so many requests have been taken. */
  of(count: number): Promise<readonly Taken[]>;
};

/** `statuses`: of the first answers, instead of 200. */
export async function otlpReceiver(statuses: readonly number[] = []): Promise<Receiver> {
  const taken: Taken[] = [];
  const left = [...statuses];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const part of request) text += String(part);
      const status = left.shift();
      if (status !== undefined) return void response.writeHead(status).end();
      const shape = request.url?.endsWith('/v1/traces') ? tracesShape : metricsShape;
      const read = shape.safeParse(JSON.parse(text));
      if (!read.success) return void response.writeHead(400).end(JSON.stringify(read.error.issues));
      taken.push({ path: request.url ?? '', headers: request.headers, body: read.data });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      for (const { count, resolve } of waiting) if (taken.length >= count) resolve();
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    taken,
    async of(count) {
      if (taken.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return taken;
    },
  };
}
