// The run lock between real processes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock, lockOwner, type LockOwner } from './lock.ts';

let dir = '';
const children: ChildProcess[] = [];
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'lock-'))));
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true });
});

const owner = (pid: number, run = 'run-1'): LockOwner => ({
  pid,
  startedAt: '2026-01-01T00:00:00.000Z',
  command: 'harness run',
  run,
});

/** A process that tries to take the lock on command, reports the result, and runs until its input ends. */
function starter(folder = dir) {
  const script = `
    const { acquireLock, lockOwner } = await import(${JSON.stringify(import.meta.resolve('./lock.ts'))});
    const { createInterface } = await import('node:readline');
    const { spawn } = await import('node:child_process');
    let mine;
    console.log('up');
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'go') {
        mine = acquireLock(${JSON.stringify(folder)}, { pid: process.pid, startedAt: 'then', command: 'go', run: null });
        console.log(JSON.stringify(mine.ok ? 'won' : mine.failure));
      } else if (line === 'who') console.log(JSON.stringify(lockOwner(${JSON.stringify(folder)})));
      else if (line === 'child') console.log(spawn('sleep', ['60'], { stdio: 'ignore' }).pid);
      else if (line === 'exit') process.exit(0);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const hear = async (): Promise<string> => String((await lines.next()).value);
  return {
    child,
    pid: child.pid ?? 0,
    hear,
    async ask(word: 'go' | 'who' | 'child'): Promise<unknown> {
      child.stdin.write(`${word}\n`);
      return JSON.parse(await hear());
    },
    async end(how: NodeJS.Signals | 'exit'): Promise<void> {
      const over = once(child, 'close');
      if (how === 'exit') child.stdin.write('exit\n');
      else child.kill(how);
      await over;
    },
  };
}
async function ready(folder?: string) {
  const one = starter(folder);
  await one.hear();
  return one;
}

describe('between processes', () => {
  test('of two that start at once exactly one wins, and the loser names the winner', async () => {
    for (let round = 0; round < 4; round += 1) {
      const folder = join(dir, String(round));
      const two = await Promise.all([ready(folder), ready(folder)]);
      const answers = await Promise.all(two.map((one) => one.ask('go')));
      const winner = two[answers.indexOf('won')];
      expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
      expect(answers.find((answer) => answer !== 'won')).toMatchObject({
        reason: 'locked',
        params: { pid: winner?.pid, since: 'then', command: 'go', run: '?' },
      });
      expect(lockOwner(folder)).toMatchObject({ pid: winner?.pid, command: 'go' });
    }
  });

  test.each(['SIGKILL', 'exit'] as const)(
    'an owner that ended by %s holds it no more, and the next one gets it',
    async (how) => {
      const first = await ready();
      expect(await first.ask('go')).toBe('won');
      expect(lockOwner(dir)?.pid).toBe(first.pid);
      await first.end(how);
      expect(existsSync(join(dir, 'lock.json'))).toBe(how === 'SIGKILL');
      expect(lockOwner(dir)).toBe(null);
      const mine = acquireLock(dir, owner(process.pid));
      expect(mine).toMatchObject({ ok: true, value: { isInherited: how === 'SIGKILL' } });
      expect(lockOwner(dir)?.run).toBe('run-1');
      if (mine.ok) mine.value.release();
    },
  );

  test('a suspended owner keeps it and is named', async () => {
    const first = await ready();
    await first.ask('go');
    first.child.kill('SIGSTOP');
    expect(acquireLock(dir, owner(process.pid))).toMatchObject({ ok: false, failure: { params: { pid: first.pid } } });
    expect(lockOwner(dir)?.pid).toBe(first.pid);
    await first.end('SIGKILL');
    expect(lockOwner(dir)).toBe(null);
  });

  test('asking for the owner again and again neither takes the lock away nor prevents taking it', async () => {
    const asker = await ready();
    for (let round = 0; round < 20; round += 1) {
      const asked = Array.from({ length: 5 }, () => asker.ask('who'));
      const mine = acquireLock(dir, owner(process.pid));
      expect(mine.ok).toBe(true);
      await Promise.all(asked);
      expect(await asker.ask('who')).toMatchObject({ pid: process.pid, run: 'run-1' });
      if (mine.ok) mine.value.release();
      expect(await asker.ask('who')).toBe(null);
    }
  });

  test('a child that outlives the owner does not inherit it', async () => {
    const first = await ready();
    expect(await first.ask('go')).toBe('won');
    const heir = Number(await first.ask('child'));
    await first.end('SIGKILL');
    expect(process.kill(heir, 0)).toBe(true);
    expect(lockOwner(dir)).toBe(null);
    process.kill(heir, 'SIGKILL');
  });
});

describe('within one process', () => {
  test('a second attempt is refused, and a release can be repeated', () => {
    const first = acquireLock(dir, owner(process.pid));
    expect(acquireLock(dir, owner(process.pid, 'run-2'))).toMatchObject({
      ok: false,
      failure: { params: { run: 'run-1' } },
    });
    expect(lockOwner(dir)?.run).toBe('run-1');
    if (first.ok) first.value.release();
    if (first.ok) first.value.release();
    expect(acquireLock(dir, owner(process.pid, 'run-3')).ok).toBe(true);
  });
});

describe('the record', () => {
  test('decides nothing: a live pid in it holds no lock', () => {
    writeFileSync(join(dir, 'lock.json'), JSON.stringify(owner(process.pid)));
    expect(lockOwner(dir)).toBe(null);
    expect(acquireLock(dir, owner(process.pid)).ok).toBe(true);
  });

  test.each(['', '{"pid":', 'null', '[]', '{"pid":"x"}'])(
    'when it reads %j the lock is held by an unknown owner',
    (text) => {
      acquireLock(dir, owner(process.pid));
      writeFileSync(join(dir, 'lock.json'), text);
      expect(lockOwner(dir)).toEqual({ pid: null, startedAt: null, command: null, run: null });
      expect(acquireLock(dir, owner(process.pid))).toMatchObject({
        ok: false,
        failure: { reason: 'locked', params: { pid: '?' } },
      });
    },
  );
});

describe('a folder that cannot hold a lock', () => {
  test('is unavailable, not free', () => {
    writeFileSync(join(dir, 'file'), '');
    expect(acquireLock(join(dir, 'file'), owner(1))).toMatchObject({
      ok: false,
      failure: { reason: 'lock-unavailable' },
    });
    writeFileSync(join(dir, 'lock.db'), 'no database'.repeat(1000));
    expect(acquireLock(dir, owner(1))).toMatchObject({ ok: false, failure: { reason: 'lock-unavailable' } });
    expect(lockOwner(dir)).not.toBe(null);
  });

  test('a lock that was never made has no owner', () => {
    expect(lockOwner(join(dir, 'nowhere'))).toBe(null);
  });
});
