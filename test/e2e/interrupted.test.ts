// Interruptions of a live run: from the keyboard, by a command, by the kernel. What was done is kept, nothing is done twice.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encode } from '../../src/engine/journal.ts';
import { expectExit, picture, session, work, workshop, type Live, type Workshop } from './workshop.ts';
import { IS_EXHAUSTIVE } from '../support/effort.ts';

/** Writes half of the work, says so, and waits to be let go. */
const waiting = session(
  1,
  { write: { path: 'src/bench', text: 'half a bench\n' } },
  { write: { path: '../at-work', text: '' } },
  { wait_for_file: '../go' },
  ...work(1),
);

async function atWork(...args: string[]): Promise<{ readonly shop: Workshop; readonly run: Live }> {
  const shop = workshop({ sessions: [waiting] });
  const run = shop.start('run', '--json', ...args);
  await run.until(join(shop.around, 'at-work'));
  return { shop, run };
}
const WIP = 'refs/harness/wip/1';
const letGo = (shop: Workshop): void => writeFileSync(join(shop.around, 'go'), '');
const landings = (shop: Workshop): string[] => shop.subjects().filter((subject) => subject.startsWith('feat'));
const attempts = async (shop: Workshop): Promise<readonly unknown[]> =>
  ((await shop.harness('attempts', '1', '--json')).json() as { attempts: readonly unknown[] }).attempts;

test('Ctrl-C ends the session and saves it; the next run continues from it', async () => {
  const { shop, run } = await atWork();
  run.signal('SIGINT');
  const ended = await run.ended;
  expectExit(ended, 10);
  expect(ended.json()).toMatchObject({ result: 'paused', items: [{ id: '1', reason: 'user_pause' }] });
  expect([shop.subjects(), shop.trailers(WIP)]).toEqual([[], expect.objectContaining({ 'Harness-Item': '1' })]);
  expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
  shop.play([{ when: { role: 'continuation' }, turns: [work(1)] }]);
  expectExit(await shop.harness('run', '--json'), 0);
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
});

test('Ctrl-C twice stops at once; the next run does the session again', async () => {
  const { shop, run } = await atWork();
  run.signal('SIGINT');
  run.signal('SIGINT');
  const ended = await run.ended;
  expect([10, 130]).toContain(ended.code);
  expect(shop.processes()).toEqual([]);
  letGo(shop);
  expectExit(await shop.harness('run', '--json'), 0);
  expect(landings(shop)).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(shop.git('status', '--porcelain')).toBe('');
});

test.runIf(IS_EXHAUSTIVE)('TERM is a request to stop, as from a system that shuts down', async () => {
  const { shop, run } = await atWork();
  run.signal('SIGTERM');
  const ended = await run.ended;
  expect(ended.code).toBe(143);
  expect(shop.processes()).toEqual([]);
  letGo(shop);
  expectExit(await shop.harness('run', '--json'), 0);
  expect(landings(shop)).toHaveLength(1);
});

test('a second run reports which process is at work, and touches nothing', async () => {
  const { shop, run } = await atWork();
  const second = await shop.harness('run');
  expectExit(second, 5);
  expect(second.stderr).toContain(String(run.pid));
  letGo(shop);
  expectExit(await run.ended, 0);
});

test('kill -9 in the middle of a turn: the cut work is an attempt, the tree is restored, the feature lands once', async () => {
  const { shop, run } = await atWork();
  const before = picture(shop);
  run.signal('SIGKILL');
  await run.ended;
  letGo(shop);
  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect(next.json()).toMatchObject({ result: 'landed', landed: ['1'] });
  expect(landings(shop)).toEqual(['feat(bench): #1 A bench can be set up']);
  expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
  expect(await attempts(shop)).toHaveLength(1);
  const events = readFileSync(join(shop.root, '.harness', 'logs', 'events.jsonl'), 'utf8');
  expect(events.match(/"type":"landed"/g)).toHaveLength(1);
  expect(before['features.json']).toContain('"passes": false');
  expect(JSON.parse(shop.read('.harness/session_state.json'))).toMatchObject({ last_session: 1, status: 'complete' });
});

test.runIf(IS_EXHAUSTIVE)('a turn that is killed twice leaves the work of each time as an attempt', async () => {
  const { shop, run } = await atWork();
  run.signal('SIGKILL');
  await run.ended;
  rmSync(join(shop.around, 'at-work'));
  const second = shop.start('run', '--json');
  await second.until(join(shop.around, 'at-work'));
  second.signal('SIGKILL');
  await second.ended;
  letGo(shop);
  expectExit(await shop.harness('run', '--json'), 0);
  expect([landings(shop), (await attempts(shop)).length]).toEqual([['feat(bench): #1 A bench can be set up'], 2]);
  expect(shop.git('status', '--porcelain')).toBe('');
});

test.runIf(IS_EXHAUSTIVE)('kill -9 of everything at once, agent and wrapper included', async () => {
  const { shop, run } = await atWork();
  const all = shop.processes().map((one) => one.split(' ')[0] ?? '');
  // One that ended since it was listed is reported on stderr; the others are killed all the same.
  spawnSync('kill', ['-9', String(run.pid), ...all]);
  await run.ended;
  letGo(shop);
  expectExit(await shop.harness('run', '--json'), 0);
  expect([landings(shop), (await attempts(shop)).length]).toEqual([['feat(bench): #1 A bench can be set up'], 1]);
  expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
});

test('a commit that a person made between kill -9 and the next run is named, and taken from the attempt', async () => {
  const { shop, run } = await atWork();
  run.signal('SIGKILL');
  await run.ended;
  shop.write('notes.txt', 'mine\n');
  shop.git('add', 'notes.txt');
  shop.git('commit', '-q', '-m', 'my own notes');
  letGo(shop);
  const again = await shop.harness('run');
  expectExit(again, 0);
  expect(again.stderr).toContain('commits it made are in the attempt: "my own notes"');
  expect(again.stderr).toContain('harness attempts take 1 1');
  expect(shop.git('log', '--format=%s', 'refs/harness/attempts/1/1')).toContain('my own notes');
});

test('kill -9 after an agent touched what is not its own: nothing of that is believed by the next run', async () => {
  const mine =
    'agents: { default: { provider: acp, command: [no-such-agent] } }\ntesting: { runner: command, feature: "true" }\n';
  const adversarial = session(
    1,
    { write: { path: '.harness.yaml', text: mine } },
    { write: { path: 'harness.config.json', text: '{}' } },
    { write: { path: '.harness/session_state.json', text: '{' } },
    { write: { path: '.harness/test_baseline.json', text: '{}' } },
    { run: 'git checkout -q -b mine && git add -A && git commit -qm mine' },
    { write: { path: 'src/bench', text: 'half a bench\n' } },
    { write: { path: '../at-work', text: '' } },
    { wait_for_file: '../go' },
  );
  const shop = workshop({ sessions: [adversarial] });
  const config = shop.read('.harness.yaml');
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'at-work'));
  run.signal('SIGKILL');
  await run.ended;
  shop.play([session(1, ...work(1))]);
  // The session is found out, though it died; what it touched is back before anything is read.
  const found = await shop.harness('run', '--json');
  expectExit(found, 9);
  expect(found.json()).toMatchObject({ result: 'rejected', reason: 'config-edited', landed: [] });
  expect([shop.git('branch', '--show-current'), shop.read('.harness.yaml'), landings(shop)]).toEqual([
    'main',
    config,
    [],
  ]);
  expect(existsSync(join(shop.root, 'harness.config.json'))).toBe(false);
  expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect([next.json(), landings(shop)]).toMatchObject([{ landed: ['1'] }, ['feat(bench): #1 A bench can be set up']]);
});

const PLACE = { t: 'place', format: 2, machine: 'loop', version: 99, epoch: 1, base: 'x', seq: 0, at: {}, mem: {} };

test.each([
  ['position', '.git/harness/loop.json', JSON.stringify({ schema: 99, run: 'r-1' })],
  ['journal', '.git/harness/loop.jsonl', encode({ ...PLACE, file: '', time: '' })],
])('the %s of a newer version is refused as such, and doctor says so too', async (_, file, text) => {
  const shop = workshop();
  shop.write(file, text);
  for (const words of [['run'], ['doctor']]) {
    const { code, stdout, stderr } = await shop.harness(...words);
    expect([words, code]).toEqual([words, words[0] === 'run' ? 11 : 5]);
    expect(stdout + stderr).toContain('was written by a newer harness (schema 99');
  }
  expect(shop.read(file)).toBe(text);
});

test('doctor names a list of passing tests that cannot be read', async () => {
  const shop = workshop();
  shop.write('.git/harness/test_baseline.json', '{');
  const { code, stdout, stderr } = await shop.harness('doctor');
  expect(code).toBe(5);
  expect(stdout + stderr).toContain('test_baseline.json cannot be read');
});
