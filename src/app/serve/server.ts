// The HTTP server: judges each request by its head (guard.ts), reads a small body, performs an operation, answers in JSON. It decides nothing
// and keeps no state of its own; it may end at any moment.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Buffer } from 'node:buffer';
import type { Asker } from '../operations/operation.ts';
import { plainObject } from '../open/loose-json.ts';
import { MOST_BODY_BYTES, refusalOf, type RefusalStatus } from './guard.ts';
import { PAGE_PATHS, readPage } from './page-files.ts';
import { perform } from './perform.ts';
import { API, inputFor, routeOf, type Route } from './routes.ts';
import { allSchemas } from '../operations/schemas.ts';
import { openMcpHttp } from './mcp-http.ts';
import { MOST_READERS, type Streams } from './stream.ts';

export type ServerOptions = {
  readonly asker: Asker;
  readonly token: string;
  /** The value of HARNESS_TOKEN of commands that it starts. */
  readonly marker: string;
  readonly streams: Streams;
  /** An address besides loopback that it listens on; null: none. */
  readonly listens?: string | null;
  /** How long a request's head, and all of it, may take. */
  readonly headMs?: number;
  readonly wholeMs?: number;
};

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const MOST_CONNECTIONS = 256;
const MOST_HEADERS = 64;
const MOST_HEAD_BYTES = 8 * 1024;
const MOST_TARGET = 2_048;

export function createHarnessServer(options: ServerOptions): Server {
  const { headMs = 5_000, wholeMs = 10_000 } = options;
  const files = readPage();
  const mcp = openMcpHttp(options);
  let readers = 0;
  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: wholeMs,
      connectionsCheckingInterval: Math.max(50, Math.min(headMs, wholeMs) / 4),
      maxHeaderSize: MOST_HEAD_BYTES,
      keepAliveTimeout: 5_000,
    },
    (request, response) => {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
      answer(request, response).catch(() => {
        if (response.headersSent) response.destroy();
        else refuse(response, 500);
      });
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.maxHeadersCount = MOST_HEADERS;
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connect', (_request, socket) => socket.destroy());
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('checkExpectation', (_request, response: ServerResponse) => refuse(response, 400));
  server.on('checkContinue', (_request, response: ServerResponse) => refuse(response, 400));
  return server;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '' } = request;
    const isFile = PAGE_PATHS.includes(target);
    const head = { method, target, headers: request.headers, counts: countsOf(request.rawHeaders) };
    const refusal =
      target.length > MOST_TARGET ? 400 : refusalOf(head, isFile ? 'file' : 'data', options.token, options.listens);
    if (refusal !== null) return refuse(response, refusal);
    if (isFile) {
      const file = files.get(target);
      if (file === undefined) return refuse(response, 404);
      response.setHeader('content-type', file.type);
      return void response.end(file.bytes);
    }
    const route = routeOf(method, target);
    if (route.to === 'none') return refuse(response, route.status);
    if (route.to === 'schema') return send(response, 200, allSchemas());
    if (route.to === 'events') {
      if (readers >= MOST_READERS) return refuse(response, 429);
      readers += 1;
      response.on('close', () => (readers -= 1));
      const after = request.headers['last-event-id'];
      return options.streams.add(response, typeof after === 'string' ? after : null);
    }
    if (route.to === 'mcp') {
      const body = await bodyOf(request);
      if (body === 'too-large') return refuse(response, 413);
      const refused = await mcp.answer(request, response, body);
      return refused === null ? undefined : refuse(response, refused);
    }
    return operate(request, response, route);
  }

  async function operate(
    request: IncomingMessage,
    response: ServerResponse,
    { name, input: named }: Extract<Route, { to: 'operation' }>,
  ): Promise<void> {
    const body = request.method === 'POST' ? await bodyOf(request) : {};
    if (body === 'too-large') return refuse(response, 413);
    const given = body === null ? null : inputFor(name, { ...body, ...named });
    if (given === null) {
      const error = { code: 'usage', message: `the input of '${name}' does not fit`, hint: `GET ${API}schema` };
      return send(response, 400, { schema: 'harness.error/1', error });
    }
    const done = await perform(options.asker, name, given, options.marker);
    if (done.ok) return send(response, 200, { schema: `harness.${name}/1`, ...done.answer });
    send(response, done.status, { schema: 'harness.error/1', error: done.error });
  }
}

function send(response: ServerResponse, status: number, answer: object): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
}

/** Nothing but the status, and the connection ends: what else was on its way is not read. */
function refuse(response: ServerResponse, status: RefusalStatus | 429 | 500): void {
  response.writeHead(status, { connection: 'close', 'content-length': '0' });
  response.end();
}

/** An object; an empty body is one without members. Null: it is none. */
async function bodyOf(request: IncomingMessage): Promise<{ readonly [key: string]: unknown } | null | 'too-large'> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) return null;
    size += part.length;
    if (size > MOST_BODY_BYTES) return 'too-large';
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  return text.trim() === '' ? {} : plainObject(text);
}

function countsOf(raw: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
