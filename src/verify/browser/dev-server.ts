// The development server of a project: started in a box, awaited until it answers, ended with everything that it started.
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Box } from '../../host/box.ts';
import { shellLine, type Exit } from '../../host/process.ts';
import type { Params } from '../../model/failure.ts';
import type { Problem } from '../../model/verdict.ts';

/** In lane N the port is N higher: lanes share the ports of the machine. */
export function urlInLane(url: string, lane: number): URL {
  const own = new URL(url);
  own.port = String(portOf(own) + lane);
  return own;
}

/** The port that it names, or the one of its protocol. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** `[::1]` without its brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether some process already accepts connections there. */
export function isTaken(url: URL): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: hostOf(url), port: portOf(url), autoSelectFamily: true });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

export type ServerStart = {
  /** Shell line. */
  readonly start: string;
  readonly url: URL;
  readonly box: Box;
  readonly env: { readonly [name: string]: string };
  readonly token: string;
  readonly signal: AbortSignal;
  readonly startMs: number;
};
export type DevServer = {
  /** Resolves when nothing of it runs any more. `output`: the end of what it printed. `problem` null: it ran until now. */
  stop(): Promise<{ readonly output: string; readonly problem: Problem | null }>;
};

/** Between two questions, milliseconds. The end of the server is noticed at once. */
const POLL_MS = 50;
/** Of the event loop, until the end of a process and of its pipes is reported. */
const MOST_TURNS = 50;
const DAY_MS = 24 * 60 * 60_000;

/** A server that ends or does not answer is a problem of the work; `output` is the end of what it printed. */
export async function startServer(
  ask: ServerStart,
): Promise<{ readonly server: DevServer } | { readonly problem: Problem; readonly output: string }> {
  const { start, url, box, env, token, signal, startMs } = ask;
  const stop = new AbortController();
  const exited = box.run({
    argv: shellLine(start),
    env: { ...env, PORT: String(portOf(url)) },
    token,
    signal: AbortSignal.any([signal, stop.signal]),
    wallMs: DAY_MS,
    idleMs: null,
    keepBytes: 64 * 1024,
    floodBytes: 64 * 1024 * 1024,
    network: true,
  });
  const end = new AbortController();
  void exited.then(() => end.abort());
  const late = AbortSignal.timeout(startMs);
  const over = AbortSignal.any([signal, end.signal, late]);
  const stopped = async (): Promise<{
    readonly output: string;
    readonly hasEnded: boolean;
    readonly params: Params;
  }> => {
    // Its end may have happened, and not be reported yet.
    for (let n = 0; n < MOST_TURNS && !end.signal.aborted; n += 1) await nextTurn();
    stop.abort();
    const exit = await exited;
    const hasEnded = exit.ended !== 'aborted';
    const output = outputOf(exit);
    const tail = output.split('\n').slice(-TAIL_LINES).join('\n');
    return {
      output,
      hasEnded,
      params: { command: start, url: url.origin, tail, exit: exit.code ?? exit.signal ?? '' },
    };
  };
  while (!over.aborted) {
    if (await answers(url, over))
      return {
        server: {
          async stop() {
            const { output, hasEnded, params } = await stopped();
            return { output, problem: hasEnded ? { code: 'pages-server-ended', params } : null };
          },
        },
      };
    await pause(POLL_MS, undefined, { signal: over }).catch(() => undefined);
  }
  const { output, hasEnded, params } = await stopped();
  if (hasEnded) return { output, problem: { code: 'pages-server-ended', params } };
  return { output, problem: { code: 'pages-server-silent', params: { ...params, afterMs: startMs } } };
}

const TAIL_LINES = 20;

const outputOf = ({ stdout, stderr }: Exit): string =>
  [stdout, stderr]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');

/** Any answer counts: what a page says is judged by its looker. */
async function answers(url: URL, over: AbortSignal): Promise<boolean> {
  // Loaded on first use: every run loads this file, and node:http loads a whole web client with it.
  const { get } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = { agent: false, signal: over, rejectUnauthorized: false, headers: { accept: 'text/html,*/*' } };
  const request = get(url, options, (response) => {
    resolve(true);
    response.destroy();
  });
  request.on('error', () => resolve(false));
  return promise;
}
