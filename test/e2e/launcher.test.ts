// The process that was started is the run, also where an older Node starts the program again with the package's own: what is sent to it alone
// arrives, and without it nothing continues. The process around a session loads what an earlier one compiled.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../support/repo.ts';
import { session, work, workshop, type Workshop } from './workshop.ts';

const waiting = session(
  1,
  { write: { path: 'src/bench', text: 'half a bench\n' } },
  { write: { path: '../at-work', text: '' } },
  { wait_for_file: '../go' },
  ...work(1),
);

/** Makes this Node say that it is an old one; the one that it starts is itself again. */
const OLD = `Object.defineProperty(process.versions, 'node', { value: '20.0.0' });`;

async function startedByOld(): Promise<{
  readonly shop: Workshop;
  readonly pid: number;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}> {
  const shop = workshop({ sessions: [waiting] });
  const args = ['--import', `data:text/javascript,${encodeURIComponent(OLD)}`, PROGRAM, 'run', '--json'];
  const child = spawn(process.execPath, args, { cwd: shop.root, env: shop.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
  const hasEnded = { is: false };
  void ended.then(() => (hasEnded.is = true));
  await expect
    .poll(() => existsSync(join(shop.around, 'at-work')) || hasEnded.is, { timeout: 120_000, interval: 20 })
    .toBe(true);
  return { shop, pid: child.pid ?? 0, signal: (name) => void child.kill(name), ended };
}
const isOver = (shop: Workshop): Promise<void> =>
  expect.poll(() => shop.processes(), { timeout: 60_000, interval: 50 }).toEqual([]);

test('SIGINT to the process that was started alone ends the session and saves it', async () => {
  const { shop, signal, ended } = await startedByOld();
  signal('SIGINT');
  expect(await ended).toBe(10);
  expect(shop.workInProgress('1')).toContain('WIP: Paused');
  await isOver(shop);
});

test('SIGTERM to it alone stops the run at once', async () => {
  const { shop, signal, ended } = await startedByOld();
  signal('SIGTERM');
  expect(await ended).toBe(143);
  await isOver(shop);
});

test('killed, it takes the run with it: no orphan continues', async () => {
  const { shop, signal, ended } = await startedByOld();
  signal('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  await isOver(shop);
  expect(shop.subjects()).toEqual([]);
});

test('the process around a session keeps what it compiled for the next one', () => {
  const shop = workshop({ sessions: [session(1, ...work(1))] });
  const temporary = join(shop.around, 'temporary');
  mkdirSync(temporary);
  const env = { ...shop.env, TMPDIR: temporary };
  const ran = spawnSync(process.execPath, [PROGRAM, 'run'], { cwd: shop.root, env, encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 0 });
  const { stderr, stdout } = spawnSync(process.execPath, [resolve(PROGRAM, '../../dist/session.mjs'), 'scripted'], {
    env: { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    input: '',
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toMatch(/session-serving-.* was accepted/);
});
