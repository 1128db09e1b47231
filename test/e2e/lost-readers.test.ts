// The readers of the output may leave in the middle: a closed pipe (`harness run 2>&1 | head`), a closed terminal, a cut connection.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../support/repo.ts';
import { session, work, workshop, type Workshop } from './workshop.ts';

const WAITING = [
  session(
    1,
    { write: { path: 'started.txt', text: 'x' } },
    { wait_for_file: { path: '../go', seconds: 60 } },
    ...work(1),
  ),
];
const AT_WORK = 'agent at work';

function expectLanded(shop: Workshop): void {
  expect(shop.subjects()).toEqual([expect.stringContaining('#1 ')]);
  expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
}

test('a run lands its item after the readers of its output have left, and exits as it would have', async () => {
  const shop = workshop({ sessions: WAITING });
  const child = spawn(process.execPath, [PROGRAM, 'run', '--verbose'], {
    cwd: shop.root,
    env: shop.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = new Promise<number | null>((done) => child.on('exit', done));
  await new Promise<void>((seen) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(AT_WORK)) seen();
    });
  });
  child.stdout.destroy();
  child.stderr.destroy();
  writeFileSync(join(shop.around, 'go'), '');
  expect(await exited).toBe(0);
  expectLanded(shop);
});

/** Runs the command on a terminal of its own, which is closed as soon as it shows `until`; then creates `go`, and exits as the command did. */
const CLOSED_TERMINAL = `
import json, os, pty, sys
asked = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(asked["command"][0], asked["command"])
seen = ""
while asked["until"] not in seen:
    seen += os.read(fd, 65536).decode("utf-8", "replace")
os.close(fd)
open(asked["go"], "w").close()
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status))
`;

test.each(['dumb', 'xterm'])('a run lands its item after its terminal, %s, was closed', async (term) => {
  const shop = workshop({ sessions: WAITING });
  const asked = { command: [process.execPath, PROGRAM, 'run'], until: AT_WORK, go: join(shop.around, 'go') };
  const child = spawn('python3', ['-c', CLOSED_TERMINAL, JSON.stringify(asked)], {
    cwd: shop.root,
    env: { ...shop.env, TERM: term },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let exit = '';
  child.stdout.on('data', (chunk: Buffer) => (exit += chunk.toString()));
  await new Promise((done) => child.on('close', done));
  expect(exit.trim()).toBe('0');
  expectLanded(shop);
});

test('a command that follows a log ends when its reader leaves', async () => {
  const shop = workshop({ sessions: WAITING });
  const run = shop.start('run');
  await run.until(join(shop.root, 'started.txt'));
  const follow = spawn(process.execPath, [PROGRAM, 'logs', '-f', '-n', '1'], {
    cwd: shop.root,
    env: shop.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void follow.kill('SIGKILL'));
  const exited = new Promise<number | null>((done) => follow.on('exit', done));
  await new Promise<void>((seen) => void follow.stdout.once('data', () => seen()));
  follow.stdout.destroy();
  writeFileSync(join(shop.around, 'go'), '');
  expect(await exited).toBe(0);
  expect((await run.ended).code).toBe(0);
});
