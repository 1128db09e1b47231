import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openBox, type Box } from '../../host/box.ts';
import { untilThere } from '../../../test/support/signals.ts';
import { findOrphans } from '../../host/process-tree.ts';
import { shellWord } from '../../model/shell-quote.ts';
import { isTaken, startServer, urlInLane } from './dev-server.ts';

let root = '';
let box: Box;
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'server-')));
  box = await openBox({ root, level: 'none' });
});
afterEach(async () => {
  await box.close();
  rmSync(root, { recursive: true });
});

const NODE = shellWord(process.execPath);
const ANSWERS = `require('http').createServer((q, r) => r.end(q.url)).listen(process.env.PORT, '127.0.0.1')`;

async function freeUrl(): Promise<URL> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return new URL(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
}
async function start(line: string, startMs: number, signal = new AbortController().signal) {
  const token = `test-${randomUUID()}`;
  const url = await freeUrl();
  return { token, url, made: await startServer({ start: line, url, box, env: {}, token, signal, startMs }) };
}

test('each lane has a port of its own', () => {
  expect(urlInLane('http://localhost:4000', 0).href).toBe('http://localhost:4000/');
  expect(urlInLane('http://localhost:4000', 3).host).toBe('localhost:4003');
  expect(urlInLane('https://[::1]:4000', 1).host).toBe('[::1]:4001');
});

test('a port is taken while some process listens on it', async () => {
  const url = await freeUrl();
  expect(await isTaken(url)).toBe(false);
  const server = createServer();
  await new Promise<void>((done) => server.listen(Number(url.port), '127.0.0.1', done));
  onTestFinished(() => void server.close());
  expect(await isTaken(url)).toBe(true);
  expect(await isTaken(new URL(`http://localhost:${url.port}`))).toBe(true);
});

test('a server is awaited, and stopping it ends what it started in the background too', async () => {
  const { token, url, made } = await start(`sleep 600 & echo begins; exec ${NODE} -e ${shellWord(ANSWERS)}`, 30_000);
  if (!('server' in made)) throw new Error(made.output);
  expect(await (await fetch(new URL('/here', url))).text()).toBe('/here');
  expect(findOrphans(token).length).toBeGreaterThan(1);
  expect(await made.server.stop()).toEqual({ output: 'begins', problem: null });
  expect(findOrphans(token)).toEqual([]);
  expect(await isTaken(url)).toBe(false);
});

test('a server that ends at a request ends as a problem of the work', async () => {
  const dies = ANSWERS.replace('r.end(q.url)', "q.url === '/die' ? process.exit(7) : r.end()");
  const { token, url, made } = await start(`${NODE} -e ${shellWord(dies)}`, 30_000);
  if (!('server' in made)) throw new Error(made.output);
  await fetch(new URL('/die', url)).catch(() => undefined);
  await untilThere(() => findOrphans(token).length === 0);
  expect(await made.server.stop()).toMatchObject({ problem: { code: 'pages-server-ended', params: { exit: 7 } } });
});

test('a server that ends is noticed at once, with its exit code and its last lines', async () => {
  const { url, made } = await start('echo no such module >&2; exit 3', 60_000);
  expect(made).toMatchObject({
    problem: {
      code: 'pages-server-ended',
      params: { exit: 3, tail: 'no such module', url: url.origin },
    },
  });
});

test('one that leaves a process behind and exits has ended: nothing of it is left', async () => {
  const { token, made } = await start('sleep 600 &', 60_000);
  expect(made).toMatchObject({ problem: { code: 'pages-server-ended', params: { exit: 0 } } });
  expect(findOrphans(token)).toEqual([]);
});

test('a server that listens and never answers is ended when its time is over', async () => {
  const deaf = `require('net').createServer(() => {}).listen(process.env.PORT, '127.0.0.1')`;
  const { token, made } = await start(`${NODE} -e ${shellWord(deaf)}`, 1_500);
  expect(made).toMatchObject({ problem: { code: 'pages-server-silent', params: { afterMs: 1_500 } } });
  expect(findOrphans(token)).toEqual([]);
});
