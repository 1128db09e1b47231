// Sends a run's trace and metrics over OTLP/HTTP. A receiver that is down or busy is tried again for a minute, by a program of its own: the run
// has ended by then, and never waits for it.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { wholeEnvironment } from '../../host/environment.ts';
import { startProgram } from '../../host/detached.ts';
import { packageVersion } from '../../host/package-root.ts';
import type { Config } from '../../model/config.ts';
import { metricsRequest, tracesRequest } from './otlp.ts';
import { telemetrySettings, type TelemetryTarget, type TelemetrySettings } from './settings.ts';
import type { Trace } from './spans.ts';

/** `failed`: the last answer or error of the first that was not taken. */
export type Sent = { readonly to: readonly string[]; readonly failed: string | null };

/** Of OTLP: an answer that asks to try again. */
const AGAIN = new Set([429, 502, 503, 504]);
const PAUSES_MS = [1_000, 4_000, 15_000, 40_000];

export async function sendTrace(
  trace: Trace,
  settings: TelemetrySettings,
  project: string,
  pauses: readonly number[] = PAUSES_MS,
): Promise<Sent> {
  const resource = {
    version: packageVersion(),
    attributes: {
      ...settings.attributes,
      'service.name': settings.service,
      'service.version': packageVersion(),
      'service.instance.id': trace.run,
      'harness.project': project,
    },
  };
  const to: string[] = [];
  for (const [target, body] of [
    [settings.traces, tracesRequest(trace, resource)],
    [settings.metrics, metricsRequest(trace, resource, settings.temporality)],
  ] as const) {
    if (target === null) continue;
    const failed = await post(target, JSON.stringify(body), settings.timeoutMs, pauses);
    if (failed !== null) return { to, failed: `${withoutQuery(target.url)}: ${failed}` };
    to.push(withoutQuery(target.url));
  }
  return { to, failed: null };
}

/** A key may be in it. */
const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

/** Null: it was taken. */
async function post(
  { url, headers }: TelemetryTarget,
  body: string,
  timeoutMs: number,
  pauses: readonly number[],
): Promise<string | null> {
  let why = '';
  for (const wait of [0, ...pauses]) {
    await pause(wait);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        redirect: 'error', // a key must not go where it was not meant for
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.arrayBuffer();
      if (response.ok) return null;
      why = `HTTP ${response.status}`;
      if (!AGAIN.has(response.status)) return why;
    } catch (error) {
      why = error instanceof Error ? reasonOf(error) : String(error);
    }
  }
  return why;
}

const reasonOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);

/** Has the run sent by a program of its own, if telemetry is on. Never fails and never waits. */
export function telemetryOfRun(
  { root, workspaceDir, config }: { readonly root: string; readonly workspaceDir: string; readonly config: Config },
  run: string,
): void {
  const { traces, metrics } = telemetrySettings(wholeEnvironment(), config.telemetry.endpoint);
  if (traces === null && metrics === null) return;
  const file = config.source === null ? [] : ['--config', join(root, config.source)];
  try {
    startProgram(['-C', root, ...file, '--json', 'telemetry', run], {
      cwd: root,
      token: `${workspaceDir}@telemetry`,
      log: join(workspaceDir, 'telemetry.log'),
    });
  } catch {
    // a full disk: `harness telemetry` sends it later
  }
}
