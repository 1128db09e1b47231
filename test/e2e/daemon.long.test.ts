import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockOwner } from '../../src/host/lock.ts';
import { untilThere } from '../support/signals.ts';
import { honest, session, work, workshop, type Workshop } from './workshop.ts';

/** The first session is at work until `../go` exists. */
function shopAtWork(): Workshop {
  const wait = { run: 'touch ../at-work; while [ ! -e ../go ]; do sleep 0.05; done' };
  const shop = workshop({ sessions: [session(1, wait, ...work(1)), ...honest.slice(1)] });
  onTestFinished(async () => {
    writeFileSync(join(shop.around, 'go'), '');
    const { run } = (await shop.harness('status', '--json')).json() as { run: { pid: number } | null };
    if (run !== null) process.kill(run.pid, 'SIGKILL');
    await shop.harness('daemon', 'stop');
  });
  return shop;
}

type Found = { readonly url: string; readonly pid: number; readonly was_running: boolean; readonly page: string };
const start = async (shop: Workshop): Promise<Found> =>
  (await shop.harness('ui', '--no-open', '--port', '0', '--json')).json() as never;

async function ask(
  found: Found,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<{ readonly [key: string]: unknown }> {
  const headers = { authorization: `Bearer ${found.page.split('token=')[1]}`, 'content-type': 'application/json' };
  const response = await fetch(found.url + path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  return (await response.json()) as never;
}
const gone = (pid: number): Promise<void> =>
  untilThere(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });

test('the server starts once, says where it is, and stops', async () => {
  const shop = workshop();
  const first = await start(shop);
  expect(first.was_running).toBe(false);
  expect(await start(shop)).toMatchObject({ was_running: true, pid: first.pid, url: first.url });
  expect((await shop.harness('daemon', 'status', '--json')).json()).toMatchObject({ running: true, url: first.url });
  expect((await shop.harness('daemon', 'stop', '--json')).json()).toMatchObject({ stopped: first.pid });
  expect((await shop.harness('daemon', 'status', '--json')).json()).toMatchObject({ running: false });
});

test('a killed server takes nothing with it: the run that it started lands, and the next server finds it', async () => {
  const shop = shopAtWork();
  const first = await start(shop);
  expect(await ask(first, '/api/v1/start', 'POST')).toMatchObject({ started: true });
  await untilThere(() => existsSync(join(shop.around, 'at-work')));
  process.kill(first.pid, 'SIGKILL');
  await gone(first.pid);
  const second = await start(shop);
  expect(second.was_running).toBe(false);
  expect(await ask(second, '/api/v1/lanes')).toMatchObject({
    lanes: [{ item: '1', session: 1, role: 'coding', steps: [{ tool: 'execute', ok: null }] }],
  });
  writeFileSync(join(shop.around, 'go'), '');
  await untilThere(() => lockOwner(shop.privateDir) === null);
  expect(await ask(second, '/api/v1/status')).toMatchObject({ items: { landed: 3 }, run: null });
  expect(await ask(second, '/api/v1/runs')).toMatchObject({ runs: [{ result: 'done', landed: 3, sessions: 3 }] });
});

test('a killed run takes nothing with it: the server says so, and starts the next, which continues', async () => {
  const shop = shopAtWork();
  const server = await start(shop);
  const { pid } = (await ask(server, '/api/v1/start', 'POST')) as { pid: number };
  await untilThere(() => existsSync(join(shop.around, 'at-work')));
  process.kill(pid, 'SIGKILL');
  await gone(pid);
  expect(await ask(server, '/state')).toMatchObject({ run: null, lanes: [], interrupted: [{ item: '1', session: 1 }] });
  expect(await ask(server, '/api/v1/runs')).toMatchObject({ runs: [{ is_live: false, result: null }] });
  writeFileSync(join(shop.around, 'go'), '');
  expect(await ask(server, '/api/v1/start', 'POST')).toMatchObject({ started: true });
  await untilThere(() => lockOwner(shop.privateDir) === null);
  expect(await ask(server, '/api/v1/status')).toMatchObject({ items: { landed: 3 } });
});

test('pause and stop over HTTP reach the live run, which keeps its work', async () => {
  const shop = shopAtWork();
  const server = await start(shop);
  await ask(server, '/api/v1/start', 'POST');
  await untilThere(() => existsSync(join(shop.around, 'at-work')));
  expect(await ask(server, '/pause', 'POST')).toMatchObject({ paused: true, taken: true });
  await untilThere(() => lockOwner(shop.privateDir) === null);
  expect(await ask(server, '/state')).toMatchObject({ paused: true, run: null });
  expect(await ask(server, '/resume', 'POST')).toMatchObject({ paused: false, was_paused: true, next: { item: '1' } });
});

const HAS_BOX = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'bwrap')));
test.skipIf(!HAS_BOX)('an agent in the box cannot read the token (needs bwrap)', async () => {
  const look = 'if cat .git/harness/serve/token >/dev/null 2>&1; then echo readable; else echo hidden; fi >&2; exit 7';
  const shop = workshop({ agent: `{ provider: acp, command: [/bin/sh, -c, '${look}'] }` });
  await start(shop);
  onTestFinished(async () => void (await shop.harness('daemon', 'stop')));
  const outside = spawnSync('/bin/sh', ['-c', look], { cwd: shop.root, encoding: 'utf8' });
  expect(outside.stderr).toContain('readable');
  const ran = await shop.harness('run', '1');
  expect(ran.stderr).toContain('hidden');
  expect(ran.stderr).not.toContain('readable');
});
