// Real processes under real limits.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { folders } from '../../test/support/signals.ts';
import { runCommand, shellLine, type ProcessCommand } from './process.ts';
import { endOrphans, findOrphans } from './process-tree.ts';

/** How commands are started; the same is expected of both ways. */
let how: Pick<ProcessCommand, 'startedBy' | 'staysInGroup'> = {};
const place = `test-${randomUUID()}#`;
const newToken = (): string => `${place}${randomUUID()}`;

const run = (argv: readonly string[], more: Partial<ProcessCommand> = {}) =>
  runCommand({
    argv,
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '' },
    token: newToken(),
    ...how,
    wallMs: 30_000,
    idleMs: null,
    keepBytes: 100_000,
    floodBytes: null,
    ...more,
  });
const sh = (line: string, more: Partial<ProcessCommand> = {}) => run(shellLine(line), more);

/** A folder for the signals of a command, and a clock that the test moves on: no limit is reached before it does. */
const folder = folders('process-');
function ownClock(): { readonly at: string; until(file: string): Promise<void>; pass(ms: number): void } {
  const at = folder();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  return {
    at,
    async until(file) {
      await vi.waitUntil(() => existsSync(join(at, file)), { timeout: 20_000, interval: 5 });
      // What it printed before the file is in the pipe by now: two turns of the loop read it.
      await turn();
      await turn();
    },
    pass: (ms) => void vi.advanceTimersByTime(ms),
  };
}
afterEach(() => void vi.useRealTimers());

const BY_ITSELF = {};
const BY_A_SHELL = { startedBy: 'shell' } as const;
describe.each([
  ['by this process', BY_ITSELF],
  ['by a shell', BY_A_SHELL],
  ['by a shell, in its group', { ...BY_A_SHELL, staysInGroup: true }],
] as const)('started %s:', (_, by) => {
  beforeEach(() => void (how = by));

  describe('a command that ends by itself', () => {
    test('returns its streams and its exit code, and gets nothing of our environment', async () => {
      const exit = await sh('cat; echo "[$HOME]" >&2; exit 7', { stdin: 'täglich' });
      expect(exit).toMatchObject({ code: 7, signal: null, ended: null, stdout: 'täglich', stderr: '[]\n', bytes: 11 });
    });

    test('carries its token', async () => {
      const exit = await sh('echo $HARNESS_TOKEN', { token: 'repo#run-1/a' });
      expect(exit.stdout).toBe('repo#run-1/a\n');
    });

    test('that is ended by a signal reports which', async () => {
      const ended = by === BY_ITSELF ? { code: null, signal: 'SIGKILL' } : { code: 137, signal: null };
      expect(await sh('kill -KILL $$')).toMatchObject({ ...ended, ended: null });
    });

    test('may leave its input unread', async () => {
      expect(await sh('exit 0', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0, ended: null });
    });

    test('takes a limit longer than a timer can count', async () => {
      expect(await sh('echo ok', { wallMs: 10 ** 12, idleMs: 10 ** 12 })).toMatchObject({
        ended: null,
        stdout: 'ok\n',
      });
    });

    test('whose output is too long is kept head and tail', async () => {
      const exit = await sh('echo begin; head -c 300000 /dev/zero; echo end', { keepBytes: 1000 });
      expect(exit.bytes).toBe(300_010);
      expect(exit.stdout.startsWith('begin\n')).toBe(true);
      expect(exit.stdout.endsWith('end\n')).toBe(true);
      expect(exit.stdout.length).toBeLessThan(1100);
    });
  });

  describe('a command that cannot be started', () => {
    test.each([
      ['an unknown program', ['/nowhere/at-all'], {}],
      ['no program', [], {}],
      ['a folder that is not there', ['true'], { cwd: '/nowhere/at-all' }],
      ['an argument no system takes', ['true', 'a\0b'], {}],
      ['arguments that are too long', ['true', 'x'.repeat(3_000_000)], {}],
    ])('is missing, not an exception: %s', async (_, argv, more) => {
      const exit = await run(argv, more);
      expect(exit).toMatchObject({ code: null, signal: null, ended: 'missing', stdout: '' });
      expect(exit.stderr).not.toBe('');
    });

    test('is not started at all once aborted', async () => {
      expect(await sh('echo started', { signal: AbortSignal.abort() })).toMatchObject({ ended: 'aborted', stdout: '' });
    });
  });

  describe('a command over its limit', () => {
    test('is ended by the wall clock, and what it printed until then is kept', async () => {
      const { at, until, pass } = ownClock();
      const exit = sh('echo first; touch up; exec sleep 60', { cwd: at, wallMs: 30_000 });
      await until('up');
      pass(30_000);
      expect(await exit).toMatchObject({ ended: 'wall', signal: 'SIGTERM', stdout: 'first\n' });
    });

    test('is ended when it falls silent, however long it talked before', async () => {
      const { at, until, pass } = ownClock();
      const line = 'for i in 1 2 3; do echo $i; touch up-$i; read -r go; done < go; exec sleep 60';
      expect(await sh('mkfifo go', { cwd: at })).toMatchObject({ code: 0 });
      const exit = sh(line, { cwd: at, wallMs: 600_000, idleMs: 30_000 });
      const go = await open(join(at, 'go'), 'w');
      for (const word of ['1', '2', '3']) {
        await until(`up-${word}`);
        pass(20_000);
        await go.write('\n');
      }
      pass(10_000);
      expect(await exit).toMatchObject({ ended: 'idle', stdout: '1\n2\n3\n' });
      await go.close();
    });

    test('is ended when it floods', async () => {
      const exit = await run(['yes'], { floodBytes: 1_000_000, keepBytes: 100 });
      expect(exit.ended).toBe('flood');
      expect(exit.bytes).toBeGreaterThan(1_000_000);
    });

    test('is ended when it is aborted', async () => {
      const abort = new AbortController();
      const exit = sh('exec sleep 60', { signal: abort.signal });
      abort.abort();
      expect(await exit).toMatchObject({ ended: 'aborted', signal: 'SIGTERM' });
    });

    test('that ignores TERM is killed', async () => {
      const { at, until, pass } = ownClock();
      const exit = sh('trap "" TERM; echo deaf; touch up; while :; do sleep 1; done', { cwd: at, wallMs: 30_000 });
      await until('up');
      pass(30_000);
      // It has its time to listen, and is killed after that.
      pass(10_000);
      expect(await exit).toMatchObject({ ended: 'wall', signal: 'SIGKILL', stdout: 'deaf\n' });
    });

    test('leaves nothing behind, not even a daemon that left its group and ignores TERM', async () => {
      const token = newToken();
      const { at, until, pass } = ownClock();
      const daemon = `trap "" TERM; touch up; sleep 60 & wait; sleep 60`;
      const exit = sh(`setsid sh -c '${daemon}' >/dev/null 2>&1 & sleep 60`, { cwd: at, wallMs: 30_000, token });
      await until('up');
      pass(30_000);
      expect((await exit).ended).toBe('wall');
      expect(findOrphans(token)).toEqual([]);
    });

    test('does not take a sibling of the same token with it', async () => {
      const token = newToken();
      const at = folder();
      const sibling = sh('mkfifo go; touch up; read -r go < go; echo done', { cwd: at, token });
      await vi.waitUntil(() => existsSync(join(at, 'up')), { timeout: 20_000, interval: 5 });
      expect((await sh('exec sleep 60', { wallMs: 100, token })).ended).toBe('wall');
      await writeFile(join(at, 'go'), '\n');
      expect(await sibling).toMatchObject({ code: 0, ended: null, stdout: 'done\n' });
    });
  });

  describe('a command whose children outlive it', () => {
    test('is over soon after its own exit although a grandchild holds the pipe', async () => {
      const token = newToken();
      const exit = await sh('setsid sleep 60 & echo out; exit 3', { token });
      expect(exit).toMatchObject({ code: 3, ended: null, stdout: 'out\n' });
      expect(findOrphans(token)).toEqual([]);
    });

    test('takes its group with it', async () => {
      const token = newToken();
      await sh('sleep 60 >/dev/null 2>&1 & exit 0', { token });
      expect((await endOrphans(token)).left).toEqual([]);
    });

    test('takes those that left the group with it where that is asked for', async () => {
      const token = newToken();
      await sh('setsid sleep 60 >/dev/null 2>&1 & exit 0', { token, strays: 'all' });
      expect(findOrphans(token)).toEqual([]);
    });

    test('leaves them running where that is asked for, and drains their output', async () => {
      const token = newToken();
      const exit = await sh('(while :; do echo log; sleep 0.01; done) & echo started', { token, strays: 'leave' });
      expect(exit).toMatchObject({ code: 0, ended: null });
      expect(exit.stdout).toContain('started\n');
      expect(findOrphans(token).length).toBeGreaterThan(0);
      const { ended, left } = await endOrphans(token);
      expect(ended.length).toBeGreaterThan(0);
      expect(left).toEqual([]);
    });
  });
});
