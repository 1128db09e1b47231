// Real shells, real commands.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, string } from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { folders } from '../../test/support/signals.ts';
import { runCommand, shellLine, type Exit, type ProcessCommand } from './process.ts';
import { isAlive } from './process-table.ts';
import { findOrphans, waitWhile } from './process-tree.ts';
import { canBeScript, type StartableCommand } from './starter-script.ts';
import { endShells } from './starter.ts';

const place = `starter-${randomUUID()}#`;
const run = (argv: readonly string[], more: Partial<ProcessCommand> = {}): Promise<Exit> =>
  runCommand({
    argv,
    cwd: tmpdir(),
    env: { PATH: '/usr/bin:/bin' },
    token: `${place}${randomUUID()}`,
    wallMs: 30_000,
    idleMs: null,
    keepBytes: 100_000,
    floodBytes: null,
    startedBy: 'shell',
    ...more,
  });
const folder = folders('starter-');
const parentOf = async (): Promise<number> => Number((await run(shellLine('echo $PPID'))).stdout);

afterEach(() => {
  vi.unstubAllEnvs();
  return endShells(place);
});

describe('a command that a shell starts', () => {
  test('gets its words and variables byte by byte, and nothing else', async () => {
    const text = string({
      unit: constantFrom(...Array.from(`ab'"\\$\`%!*?~ \n\t;&|<>(){}[]#=-'äß€\u{1F600}`)),
      maxLength: 12,
    });
    const show = `for word; do printf '%s\\0' "$word"; done; printf '%s\\0' "$VALUE"; cat`;
    await assert(
      asyncProperty(array(text, { maxLength: 4 }), text, async (words, value) => {
        const env = { PATH: '/usr/bin:/bin', VALUE: value };
        const exit = await run(['/bin/sh', '-c', show, 'show', ...words], { env });
        expect(exit).toMatchObject({ code: 0, stderr: '' });
        expect(exit.stdout).toBe([...words, value].map((word) => `${word}\0`).join(''));
      }),
      { numRuns: 100, seed: 7 },
    );
    const names = (await run(['env'])).stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('=')[0]);
    // A shell of another kind than dash sets `_` for every command.
    expect(new Set(names.filter((name) => name !== '_'))).toEqual(new Set(['HARNESS_CALL', 'HARNESS_TOKEN', 'PATH']));
  });

  test('has the signals, the open files and the group of one that is started by itself', async () => {
    const look = shellLine(`grep -E '^Sig(Ign|Blk)' /proc/self/status; ls /proc/self/fd | wc -l; pwd; exit 130`);
    const [here, there] = [await run(look), await run(look, { strays: 'leave' })];
    expect(here).toMatchObject({ code: there.code, stdout: there.stdout, stderr: '' });
    const group = shellLine(
      'read -r pid comm state parent group rest </proc/$$/stat; echo $((pid - group)) $((parent - group))',
    );
    expect((await run(group)).stdout).toMatch(/^0 /);
    expect((await run(group, { staysInGroup: true })).stdout).toMatch(/ 0$/m);
  });

  test('is read to the end while another begins', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => run(shellLine(`i=0; while [ $i -lt 500 ]; do echo ${n}; i=$((i+1)); done`))),
    );
    for (const [n, exit] of all.entries()) expect(exit.stdout).toBe(`${n}\n`.repeat(500));
  });

  test('that has input gets it byte by byte', async () => {
    const input = string({ unit: 'binary', maxLength: 40 });
    await assert(
      asyncProperty(constantFrom('', '---\n', '%s', '\\000', '\0'), input, async (start, more) => {
        const stdin = Buffer.from(start + more).toString('utf8');
        expect(await run(['cat'], { stdin })).toMatchObject({ code: 0, stdout: stdin, stderr: '' });
      }),
      { numRuns: 50, seed: 7 },
    );
  });
});

describe('a shell', () => {
  test('starts one command after the other, and is left out of the tree that a command is ended with', async () => {
    const first = await parentOf();
    expect(first).not.toBe(process.pid);
    expect(await parentOf()).toBe(first);
    expect(findOrphans(place)).toEqual([]);
  });

  test('is replaced where it was killed while it waited', async () => {
    const shell = await parentOf();
    process.kill(shell, 'SIGKILL');
    await waitWhile(() => isAlive(shell));
    expect(await run(['echo', 'again'])).toMatchObject({ code: 0, stdout: 'again\n' });
  });

  test('is replaced where it was killed while a command of it ran, and the command is ended', async () => {
    const exit = await run(shellLine('kill -KILL $PPID; exec sleep 60'));
    expect(exit).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(findOrphans(place)).toEqual([]);
    expect(await run(['echo', 'again'])).toMatchObject({ code: 0, stdout: 'again\n' });
  });

  test('gives the next command nothing of what something left by the last one prints', async () => {
    for (let round = 0; round < 3; round += 1) {
      const left = await run(shellLine("setsid sh -c 'while :; do echo left; done' & exit 3"), { keepBytes: 1_000 });
      expect(left.code).toBe(3);
      expect(await run(['echo', 'next'])).toMatchObject({ code: 0, stdout: 'next\n', stderr: '' });
    }
  });

  test('ends with the others of its place, and leaves nothing in the temporary folder', async () => {
    const temporary = folder();
    vi.stubEnv('TMPDIR', temporary);
    const shell = await parentOf();
    await endShells(place);
    expect(isAlive(shell)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('ends with its process, at once, whatever kills that', async () => {
    const file = join(folder(), 'shell');
    const script = `
      import { runCommand } from ${JSON.stringify(new URL('process.ts', import.meta.url).href)};
      const common = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, wallMs: 60000, idleMs: null, keepBytes: 1000, floodBytes: null };
      await runCommand({ ...common, argv: ['/bin/sh', '-c', 'echo $PPID > ${file}; kill -KILL ' + process.pid], token: '${place}x', startedBy: 'shell' });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    await new Promise((resolve) => child.once('exit', resolve));
    const shell = Number(readFileSync(file, 'utf8'));
    expect(shell).toBeGreaterThan(0);
    await waitWhile(() => isAlive(shell));
    expect(isAlive(shell)).toBe(false);
  });
});

test('what a shell could not pass on as it is, it is not given', () => {
  const plain = { argv: ['true'], cwd: '/', env: {} };
  expect(canBeScript(plain)).toBe(true);
  const unfit: readonly Partial<StartableCommand>[] = [
    { env: { 'npm_config_//host/:key': 'x' } },
    { env: { IFS: ',' } },
    { env: { UID: '0' } },
    { argv: ['true', 'a\0b'] },
    { argv: ['true', 'x'.repeat(100_000)] },
    { argv: ['-x'] },
    { argv: [] },
    { cwd: 'relative' },
  ];
  for (const more of unfit) expect(canBeScript({ ...plain, ...more }), JSON.stringify(more).slice(0, 60)).toBe(false);
});

test('without room for a shell the program starts its commands itself', async () => {
  vi.stubEnv('TMPDIR', join(folder(), 'missing'));
  const more = { cwd: '/' };
  expect(Number((await run(shellLine('echo $PPID'), more)).stdout)).toBe(process.pid);
  expect(await run(['nowhere-at-all'], more)).toMatchObject({ ended: 'missing' });
});
