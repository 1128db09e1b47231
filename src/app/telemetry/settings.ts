// Where telemetry goes: the standard variables of OpenTelemetry, else `telemetry.endpoint` of the configuration. Pure.
import type { Attributes } from './spans.ts';
import type { Temporality } from './otlp.ts';

type Environment = { readonly [name: string]: string | undefined };
export type TelemetryTarget = { readonly url: string; readonly headers: { readonly [name: string]: string } };
export type TelemetrySettings = {
  /** Null: nothing is sent. */
  readonly traces: TelemetryTarget | null;
  readonly metrics: TelemetryTarget | null;
  readonly timeoutMs: number;
  readonly service: string;
  /** Of OTEL_RESOURCE_ATTRIBUTES. */
  readonly attributes: Attributes;
  readonly temporality: Temporality;
};

const DEFAULT_TIMEOUT_MS = 10_000;

export function telemetrySettings(env: Environment, configured: string | null): TelemetrySettings {
  const of = (name: string): string => env[name]?.trim() ?? '';
  const attributes = pairsOf(of('OTEL_RESOURCE_ATTRIBUTES'));
  // gRPC is another protocol on another port; the two over HTTP share theirs, and every receiver of one takes JSON.
  const isOff = of('OTEL_SDK_DISABLED').toLowerCase() === 'true';
  const target = (signal: 'TRACES' | 'METRICS', path: string): TelemetryTarget | null => {
    const protocol = of(`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`) || of('OTEL_EXPORTER_OTLP_PROTOCOL');
    if (isOff || protocol === 'grpc' || of(`OTEL_${signal}_EXPORTER`) === 'none') return null;
    const [own, common] = [of(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`), of('OTEL_EXPORTER_OTLP_ENDPOINT')];
    const headers = pairsOf(of(`OTEL_EXPORTER_OTLP_${signal}_HEADERS`) || of('OTEL_EXPORTER_OTLP_HEADERS'));
    if (own !== '') return checked(own, headers);
    if (common !== '') return checked(below(common, path), headers);
    // The headers are keys of the user's: they do not go where a repository's file says.
    return configured === null ? null : checked(below(configured, path), {});
  };
  const timeout = Number(of('OTEL_EXPORTER_OTLP_TIMEOUT'));
  return {
    traces: target('TRACES', 'v1/traces'),
    metrics: target('METRICS', 'v1/metrics'),
    timeoutMs: Number.isFinite(timeout) && timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS,
    service: of('OTEL_SERVICE_NAME') || attributes['service.name'] || 'harness',
    attributes,
    temporality:
      of('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE').toLowerCase() === 'delta' ? 'delta' : 'cumulative',
  };
}

const below = (base: string, path: string): string => `${base.replace(/\/+$/, '')}/${path}`;

function checked(url: string, headers: { readonly [name: string]: string }): TelemetryTarget | null {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? { url, headers } : null;
}

/** `a=1,b=two%20words`, as the variables of OpenTelemetry are written; what is none is left out. */
function pairsOf(text: string): { readonly [name: string]: string } {
  return Object.fromEntries(
    text.split(',').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, at).trim();
      return at > 0 && name !== '' ? [[name, decoded(pair.slice(at + 1).trim())]] : [];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
