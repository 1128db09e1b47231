// A repository with its server in this process, and requests to it as bytes: what a browser, a script or an attacker may send.
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { openFullCatalogue } from '../../src/app/open/language.ts';
import { createHarnessServer, type ServerOptions } from '../../src/app/serve/server.ts';
import { serve } from '../../src/app/serve/serve.ts';
import { makeRepo, type Repo } from './repo.ts';

export type Answered = { readonly status: number | null; readonly head: string; readonly body: string };
export type Streamed = { readonly id: string; readonly seq: number; readonly run: string; readonly type: string };
export type Served = {
  readonly repo: Repo;
  readonly port: number;
  readonly token: string;
  /** Sends these bytes and no more; the whole answer, however the connection ends. */
  raw(text: string): Promise<Answered>;
  get(path: string): Promise<unknown>;
  post(path: string, body?: object): Promise<{ readonly status: number; readonly json: unknown }>;
  close(): Promise<void>;
  /** Reads the event stream after the id (null: from now on) until `until` holds; that event is the last. */
  events(after: string | null, until: (event: Streamed) => boolean): Promise<readonly Streamed[]>;
};

export async function served(repo: Repo = makeRepo(), address: string | null = null): Promise<Served> {
  const catalogue = await openFullCatalogue('en');
  const serving = await serve({ repo: repo.root, configFile: null, catalogue }, { port: 0, address });
  if (!serving.ok) throw new Error(JSON.stringify(serving.failure));
  const { port, page, url } = serving.value;
  const host = address ?? '127.0.0.1';
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await serving.value.close();
    isOpen = false;
  };
  onTestFinished(close);
  const token = page.split('token=')[1] ?? '';
  const authorization = `Bearer ${token}`;
  return {
    repo,
    port,
    token,
    raw: (text) => exchange(port, text, host),
    close,
    async get(path) {
      const response = await fetch(url + path, { headers: { authorization } });
      return response.json();
    },
    async post(path, body = {}) {
      const headers = { authorization, 'content-type': 'application/json' };
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, json: await response.json() };
    },
    async events(after, until) {
      const last = after === null ? {} : { 'last-event-id': after };
      const response = await fetch(`${url}/api/v1/events`, {
        headers: { authorization, ...last },
      });
      const found: Streamed[] = [];
      let rest = '';
      for await (const part of response.body ?? []) {
        const blocks = (rest + Buffer.from(part).toString()).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, id] = /^id: (.*)$/m.exec(block) ?? [];
          const [, data] = /^data: (.*)$/m.exec(block) ?? [];
          if (!block.includes('event: run') || id === undefined || data === undefined) continue;
          const event = { ...(JSON.parse(data) as Omit<Streamed, 'id'>), id };
          found.push(event);
          if (until(event)) return found; // which closes the stream
        }
      }
      return found;
    },
  };
}

/** This side never closes: an HTTP server answers no request of one that has. */
export function exchange(port: number, text: string, host = '127.0.0.1'): Promise<Answered> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect({ port, host }, () => void socket.write(text));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(parts).toString('latin1').split('\r\n\r\n');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
      const body = rest.join('\r\n\r\n');
      const isEmpty = /^transfer-encoding: chunked$/im.test(head) && body.startsWith('0\r\n');
      resolve({ status: status === undefined ? null : Number(status), head, body: isEmpty ? '' : body });
    });
  });
}

/** A server with limits of its own, for those who send slowly. */
export async function bareServer(options: ServerOptions): Promise<number> {
  const server = createHarnessServer(options);
  await new Promise<void>((done) => server.listen({ host: '127.0.0.1', port: 0 }, done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
