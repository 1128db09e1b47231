import { spawnSync } from 'node:child_process';
import type { Buffer } from 'node:buffer';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answeringProcess, type AnsweringCommand, type Reading } from './answering-process.ts';
import { findOrphans } from './process-tree.ts';

const line = (printed: Buffer): Reading<string> => {
  const end = printed.indexOf(10);
  return end < 0 ? { needs: printed.length + 1 } : { answer: printed.toString('utf8', 0, end) };
};
/** Prints its process id and the line that it is given. */
const ECHO = 'while read -r line; do echo "$$ $line"; done';
const command = (script: string, more: Partial<AnsweringCommand> = {}): AnsweringCommand => ({
  argv: ['/bin/sh', '-c', script],
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  token: `answering-${process.pid}-${Math.random()}`,
  wallMs: 10_000,
  keepBytes: 1_000_000,
  restMs: 60_000,
  ...more,
});

test('one process answers all questions, each with its own answer, however many are asked at once', async () => {
  const echo = answeringProcess(command(ECHO));
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => echo.ask(`${text}\n`, line)));
  const [pid] = answers[0]!.split(' ');
  expect(answers).toEqual([`${pid} a`, `${pid} b`, `${pid} c`]);
});

test('one that ended gives no answer, and the next question starts another', async () => {
  const once = answeringProcess(command('read -r line; [ "$line" = end ] || echo "$line"'));
  expect(await once.ask('end\n', line)).toBeNull();
  expect(await once.ask('more\n', line)).toBe('more');
});

test('no answer of one that cannot be started, takes too long or prints too much', async () => {
  const missing = answeringProcess({ ...command(''), argv: ['/nonexistent/program'] });
  const slow = answeringProcess(command('sleep 60', { wallMs: 30 }));
  const loud = answeringProcess(command('yes | tr -d "\\n"', { keepBytes: 100 }));
  expect(await Promise.all([missing, slow, loud].map((one) => one.ask('a\n', line)))).toEqual([null, null, null]);
});

test('asked to end, it has ended after the questions so far; a later one starts another', async () => {
  const asked = command(ECHO);
  const echo = answeringProcess(asked);
  const [first] = await Promise.all([echo.ask('a\n', line), echo.end()]);
  expect(first).toMatch(/ a$/);
  expect(findOrphans(asked.token)).toEqual([]);
  expect(await echo.ask('b\n', line)).toMatch(/ b$/);
  await echo.end();
  await echo.end();
  expect(findOrphans(asked.token)).toEqual([]);
});

test('it ends where nothing was asked for a while', async () => {
  const asked = command(ECHO, { restMs: 20 });
  await answeringProcess(asked).ask('a\n', line);
  await vi.waitFor(() => expect(findOrphans(asked.token)).toEqual([]), { timeout: 10_000 });
});

test('it keeps no program from ending, and is gone with a killed one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'answering-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const asked = command(`echo $$ > ${join(folder, 'pid')}; ${ECHO}`);
  const program = (end: string): string => `
    const { answeringProcess } = await import(${JSON.stringify(join(import.meta.dirname, 'answering-process.ts'))});
    const asked = answeringProcess(${JSON.stringify(asked)});
    process.stdout.write(await asked.ask('a\\n', (printed) => ({ answer: String(printed) })));
    ${end}`;
  for (const end of ['', "process.kill(process.pid, 'SIGKILL');"]) {
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', program(end)], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(`${run.stdout}${run.stderr}`).toMatch(/^\d+ a\n$/);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 10_000 });
  }
});
