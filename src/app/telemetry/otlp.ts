// A trace as the messages of OTLP/HTTP in JSON: the JSON form of the protocol's own messages, with ids in hex and 64-bit numbers as text. Pure.
import type { Json } from '../../model/json.ts';
import type { Attributes, Measured, TraceSpan, Trace } from './spans.ts';

export type Resource = { readonly attributes: Attributes; readonly version: string };
export type Temporality = 'cumulative' | 'delta';

const INTERNAL = 1;
const ERROR = 2;
const TEMPORALITIES = { delta: 1, cumulative: 2 } as const;
/** Of the conventions, for tokens of one operation. */
const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, i) => 4 ** i);

/** `POST …/v1/traces`. */
export const tracesRequest = (trace: Trace, resource: Resource): Json => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues(resource.attributes) },
      scopeSpans: [{ scope: scopeOf(resource), spans: trace.spans.map((span) => spanOf(trace.id, span)) }],
    },
  ],
});

/** `POST …/v1/metrics`: one point in time, at the end of the run. */
export function metricsRequest(trace: Trace, resource: Resource, temporality: Temporality): Json {
  const times = { startTimeUnixNano: nanos(trace.from), timeUnixNano: nanos(trace.to) };
  const aggregationTemporality = TEMPORALITIES[temporality];
  const sum = (name: string, unit: string, description: string, all: readonly Measured[]): Json[] =>
    all.length === 0
      ? []
      : [
          {
            name,
            unit,
            description,
            sum: {
              aggregationTemporality,
              isMonotonic: true,
              dataPoints: grouped(all).map(({ attributes, values }) => ({
                attributes: keyValues(attributes),
                ...times,
                asDouble: total(values),
              })),
            },
          },
        ];
  const tokens: Json[] =
    trace.tokens.length === 0
      ? []
      : [
          {
            name: 'gen_ai.client.token.usage',
            unit: '{token}',
            description: 'Tokens of each turn.',
            histogram: {
              aggregationTemporality,
              dataPoints: grouped(trace.tokens).map(({ attributes, values }) => ({
                attributes: keyValues(attributes),
                ...times,
                count: String(values.length),
                sum: total(values),
                min: Math.min(...values),
                max: Math.max(...values),
                explicitBounds: TOKEN_BOUNDS,
                bucketCounts: bucketsOf(values),
              })),
            },
          },
        ];
  const metrics = [
    ...tokens,
    ...sum('harness.cost', 'USD', 'What sessions have cost, as far as their agents report it.', trace.cost),
    ...sum('harness.landed', '{session}', 'Sessions whose work landed.', trace.landed),
    ...sum('harness.caught', '{session}', 'Sessions whose work was refused.', trace.caught),
  ];
  return {
    resourceMetrics: [
      {
        resource: { attributes: keyValues(resource.attributes) },
        scopeMetrics: [{ scope: scopeOf(resource), metrics }],
      },
    ],
  };
}

const scopeOf = ({ version }: Resource): Json => ({ name: 'harness', version });

const spanOf = (traceId: string, span: TraceSpan): Json => ({
  traceId,
  spanId: span.id,
  ...(span.parent === null ? {} : { parentSpanId: span.parent }),
  name: span.name,
  kind: INTERNAL,
  startTimeUnixNano: nanos(span.from),
  endTimeUnixNano: nanos(Math.max(span.from, span.to)),
  attributes: keyValues(span.attributes),
  status: span.error === null ? {} : { code: ERROR, message: span.error },
});

const nanos = (ms: number): string => `${Math.round(ms)}000000`;
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const keyValues = (attributes: Attributes): Json[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: string | number | boolean): Json {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

type Group = { readonly attributes: Attributes; readonly values: number[] };

/** One point per set of attributes. */
function grouped(all: readonly Measured[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { attributes, value } of all) {
    const key = JSON.stringify(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const group = groups.get(key) ?? { attributes, values: [] };
    group.values.push(value);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** How many are at most each bound and above the one before; the last: above all. */
const bucketsOf = (values: readonly number[]): string[] =>
  [...TOKEN_BOUNDS, Number.POSITIVE_INFINITY].map((bound, i) => {
    const least = TOKEN_BOUNDS[i - 1] ?? Number.NEGATIVE_INFINITY;
    return String(values.filter((value) => value > least && value <= bound).length);
  });
