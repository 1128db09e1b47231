// The directory lock with live, ended, suspended and half-made owners. Races: directory-lock-races.test.ts.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { amountOf, chanceOf, SEED } from '../../test/support/effort.ts';
import { SNIPPET_LOCK, SNIPPET_NAME } from '../../test/support/snippet.ts';
import { directoryLocksOf, takeDirectoryLocks, type DirectoryLocks } from './directory-lock.ts';
import { CAN_LIST_PROCESSES, liveStartOf } from './process-table.ts';

let tmp = '';
let root = '';
let names: readonly [string, string] = ['', ''];
const children: ChildProcess[] = [];
const mine: DirectoryLocks[] = [];
beforeEach(() => {
  tmp = realpathSync(mkdtempSync(join(tmpdir(), 'directory-lock-')));
  root = join(tmp, 'a work tree');
  mkdirSync(root);
  names = directoryLocksOf(root, tmp);
});
afterEach(() => {
  for (const one of mine.splice(0)) one.release();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(tmp, { recursive: true });
});

function take() {
  const taken = takeDirectoryLocks(root, { tmp });
  if (taken.ok) mine.push(taken.value);
  return taken;
}
const left = (): readonly string[] => readdirSync(tmp).filter((name) => name.startsWith('harness-'));
const taken = (reclaimed: readonly object[] = []) => ({ ok: true, value: { reclaimed } });
const refused = (pid: number | string) => ({ ok: false, failure: { reason: 'locked', params: { pid } } });
const KILLS = amountOf(5, 20);
const LONG_AGO = new Date(Date.now() - 3_600_000);
const aged = (path: string): void => utimesSync(path, LONG_AGO, LONG_AGO);
/** The pid of a process that has ended. */
const deadPid = (): number => spawnSync('true').pid;
const livingPid = (): number => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
};
/** As the snippet leaves it. */
function folder(name: string, pid: string | null): void {
  mkdirSync(name);
  if (pid !== null) writeFileSync(join(name, 'pid'), pid);
}

async function started(file: string, args: readonly string[]) {
  const child = spawn(file, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, pid: child.pid ?? 0, hear: async () => String((await lines.next()).value) };
}
/** An agent that follows the snippet and runs until its input ends. */
async function snippet() {
  const script = `LOCKDIR='${names[1]}'\n${SNIPPET_LOCK}\necho owned\nread -r end`;
  const one = await started('bash', ['-c', script]);
  return { ...one, said: await one.hear() };
}
/** Another process of the harness that takes the lock and runs until its input ends. */
async function harness() {
  const script = `
    const { takeDirectoryLocks } = await import(${JSON.stringify(import.meta.resolve('./directory-lock.ts'))});
    console.log(takeDirectoryLocks(${JSON.stringify(root)}, { tmp: ${JSON.stringify(tmp)} }).ok);
    for await (const _ of process.stdin);`;
  const one = await started(process.execPath, ['--input-type=module', '-e', script]);
  expect(await one.hear()).toBe('true');
  return one;
}
async function killed(child: ChildProcess): Promise<void> {
  const over = once(child, 'close');
  child.kill('SIGKILL');
  await over;
}

describe('the names', () => {
  const nameIn = (path: string): string =>
    spawnSync('/bin/bash', ['-c', `${SNIPPET_NAME}; echo "$LOCKDIR"`], {
      cwd: root,
      env: { PATH: path },
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    }).stdout.replace(/\n$/, '');
  const programs = (...of: string[]): string => {
    const bin = mkdtempSync(join(tmp, 'bin-'));
    for (const one of of)
      symlinkSync(
        spawnSync('bash', ['-c', `command -v ${one}`], { encoding: 'utf8' }).stdout.trim() || '/none',
        join(bin, one),
      );
    return bin;
  };

  test('are the intended one, and the one that the snippet makes from the output of shasum', () => {
    const bin = programs('sha256sum');
    // What shasum prints, on machines without it.
    writeFileSync(join(bin, 'shasum'), '#!/bin/sh\nexec sha256sum\n', { mode: 0o755 });
    const literal = nameIn(`${bin}:/bin`);
    expect(literal).toMatch(/^\/tmp\/harness-[0-9a-f]{64} {2}-\.lock$/);
    expect(directoryLocksOf(root)).toEqual([`${literal.slice(0, '/tmp/harness-12345678'.length)}.lock`, literal]);
    if (spawnSync('bash', ['-c', 'command -v shasum']).status === 0)
      expect(nameIn(process.env['PATH'] ?? '')).toBe(literal);
  });

  test('do not include the one that the snippet makes without shasum, which is the same for every work tree', () => {
    const nothing = nameIn(programs('sha256sum', 'cut'));
    expect(nothing).toBe('/tmp/harness-e3b0c442.lock');
    expect(directoryLocksOf(root)).not.toContain(nothing);
  });
});

describe('a free lock', () => {
  test('is taken under both names with the pid that a shell reads, and released without a trace, twice', () => {
    const locks = take();
    expect(locks).toMatchObject(taken());
    for (const name of names) expect(readFileSync(join(name, 'pid'), 'utf8')).toBe(`${process.pid}\n`);
    if (!locks.ok) return;
    expect(locks.value.areOurs()).toBe(true);
    locks.value.release();
    locks.value.release();
    expect(left()).toEqual([]);
    expect(locks.value.areOurs()).toBe(false);
  });

  test('is released when the process exits', async () => {
    const { child } = await harness();
    expect(left()).not.toEqual([]);
    const over = once(child, 'close');
    child.stdin?.end();
    await over;
    expect(left()).toEqual([]);
  });

  test('is refused to the snippet while it is ours, and the snippet reports our pid', async () => {
    take();
    expect((await snippet()).said).toBe(`ERROR: Another harness session is active (pid=${process.pid})`);
    expect(take()).toMatchObject(refused(process.pid));
  });
});

describe('a live owner', () => {
  test('keeps it, running or suspended, and is named with the path; nothing of ours is left', async () => {
    const owner = await snippet();
    expect(owner.said).toBe('owned');
    expect(take()).toMatchObject({ ...refused(owner.pid), failure: { at: { file: names[1] } } });
    owner.child.kill('SIGSTOP');
    expect(take()).toMatchObject(refused(owner.pid));
    expect(left()).toEqual([basename(names[1])]);
    await killed(owner.child);
    expect(take()).toMatchObject(taken([{ name: names[1], pid: owner.pid }]));
  });

  test('keeps it as another, suspended process of the harness', async () => {
    const owner = await harness();
    owner.child.kill('SIGSTOP');
    expect(take()).toMatchObject(refused(owner.pid));
    expect(take()).toMatchObject(refused(owner.pid));
  });

  test('keeps it, unnamed, while it has not written its pid', () => {
    folder(names[0], null);
    expect(take()).toMatchObject(refused('?'));
    expect(left()).toEqual([basename(names[0])]);
  });

  test('that wrote its pid into our folder long after we took the lock for stale keeps it', async () => {
    const locks = take();
    const pid = livingPid();
    writeFileSync(join(names[1], 'pid'), `${pid}\n`);
    expect(locks.ok && locks.value.areOurs()).toBe(false);
    if (locks.ok) locks.value.release();
    expect(readFileSync(join(names[1], 'pid'), 'utf8')).toBe(`${pid}\n`);
  });

  test('is the process that wrote its pid there, though the process of ours that made it has ended', () => {
    const ofDead = `${basename(names[1])}.owner.${deadPid()}.1.abcd`;
    const pid = livingPid();
    folder(join(tmp, ofDead), `${pid}\n`);
    symlinkSync(ofDead, names[1]);
    expect(take()).toMatchObject(refused(pid));
    expect(left()).toEqual([basename(names[1]), ofDead]);
  });

  test('that replaced our link by its own folder keeps it when we release', () => {
    const locks = take();
    rmSync(names[1]);
    folder(names[1], `${livingPid()}\n`);
    expect(locks.ok && locks.value.areOurs()).toBe(false);
    if (locks.ok) locks.value.release();
    expect(left()).toEqual([basename(names[1])]);
  });
});

describe('an owner that has ended', () => {
  test('of the snippet loses it and is named', () => {
    const pid = deadPid();
    folder(names[0], `${pid}\n`);
    expect(take()).toMatchObject(taken([{ name: names[0], pid }]));
  });

  test('of the harness, killed, loses it, and nothing of it is left', async () => {
    const owner = await harness();
    await killed(owner.child);
    const again = take();
    expect(again).toMatchObject(taken(names.map((name) => ({ name, pid: owner.pid }))));
    if (again.ok) again.value.release();
    expect(left()).toEqual([]);
  });

  test.runIf(CAN_LIST_PROCESSES)(
    'whose pid another process has now has ended: a process cannot be younger than what it wrote',
    () => {
      const pid = livingPid();
      folder(names[0], `${pid}\n`);
      aged(join(names[0], 'pid'));
      folder(names[1], `${process.pid}\n`);
      expect(take()).toMatchObject(taken([{ pid }, { pid: process.pid }]));
    },
  );

  test.runIf(CAN_LIST_PROCESSES)('of the harness whose pid another process has now is known by its start time', () => {
    const pid = livingPid();
    const ofDead = `${basename(names[0])}.owner.${pid}.${Number(liveStartOf(pid)) - 1}.abcd`;
    folder(join(tmp, ofDead), `${pid}\n`);
    symlinkSync(ofDead, names[0]);
    aged(join(tmp, ofDead, 'pid'));
    expect(take()).toMatchObject(taken([{ pid }]));
  });

  test('that never wrote a pid counts as ended after some seconds', () => {
    folder(names[0], null);
    folder(names[1], 'no number');
    for (const name of names) aged(name);
    expect(take()).toMatchObject(taken([{ pid: null }, { pid: null }]));
  });

  test.each(['file', 'link to nowhere'])('may have left a %s there', (what) => {
    if (what === 'file') writeFileSync(names[0], 'x');
    else symlinkSync('nowhere', names[0]);
    expect(take()).toMatchObject(refused('?'));
    lutimesSync(names[0], LONG_AGO, LONG_AGO);
    expect(take()).toMatchObject(taken([{ pid: null }]));
  });
});

describe('what a kill at any point leaves', () => {
  const marks = () => `${deadPid()}.1.abcd`;
  test.each<readonly [string, (name: string) => void]>([
    ['a folder without a number', (name) => folder(`${name}.owner.${marks()}`, null)],
    ['a folder without a link', (name) => folder(`${name}.owner.${marks()}`, `${deadPid()}\n`)],
    ['a link whose folder is gone', (name) => symlinkSync(`${basename(name)}.owner.${marks()}`, name)],
    ['a dead folder taken away', (name) => folder(`${name}.stale.${marks()}`, `${deadPid()}\n`)],
    ['a dead link taken away', (name) => symlinkSync(`${basename(name)}.owner.${marks()}`, `${name}.stale.${marks()}`)],
  ])('%s: the next start cleans it up', (_, leave) => {
    for (const name of names) leave(name);
    const locks = take();
    expect(locks.ok).toBe(true);
    if (locks.ok) locks.value.release();
    expect(left()).toEqual([]);
  });

  test('the folder of a live owner, moved away by mistake, is restored, and the owner is named', () => {
    const pid = livingPid();
    folder(`${names[1]}.stale.${marks()}`, `${pid}\n`);
    expect(take()).toMatchObject(refused(pid));
    expect(left()).toEqual([basename(names[1])]);
  });

  test('what the snippet or a live process moved away is left alone', () => {
    folder(`${names[1]}.stale.${deadPid()}`, null);
    const pid = livingPid();
    folder(`${names[1]}.owner.${pid}.${liveStartOf(pid)}.abcd`, null);
    const before = left();
    const locks = take();
    if (locks.ok) locks.value.release();
    expect(left()).toEqual(before);
  });

  test(`whatever it is, killed ${KILLS} times at a moment of taking or releasing`, async () => {
    const chance = chanceOf(SEED);
    const script = `
      const { takeDirectoryLocks } = await import(${JSON.stringify(import.meta.resolve('./directory-lock.ts'))});
      console.log('up');
      for (;;) takeDirectoryLocks(${JSON.stringify(root)}, { tmp: ${JSON.stringify(tmp)} }).value.release();`;
    for (let round = 0; round < KILLS; round += 1) {
      const one = await started(process.execPath, ['--input-type=module', '-e', script]);
      await one.hear();
      for (const until = performance.now() + chance() * 5; performance.now() < until;);
      await killed(one.child);
      const locks = take();
      expect(locks.ok).toBe(true);
      if (locks.ok) locks.value.release();
      expect(left()).toEqual([]);
    }
  });
});

test('where no lock can be made it is unavailable, not free', () => {
  writeFileSync(join(tmp, 'file'), '');
  expect(takeDirectoryLocks(root, { tmp: join(tmp, 'file') })).toMatchObject({
    ok: false,
    failure: { reason: 'lock-unavailable', params: { code: 'ENOTDIR' } },
  });
});

test('each name has its pid from the first moment: it is a link to a folder that was completed before', () => {
  take();
  for (const name of names) {
    expect(lstatSync(name).isSymbolicLink()).toBe(true);
    expect(readlinkSync(name)).toMatch(new RegExp(`\\.owner\\.${process.pid}\\.`));
    expect(existsSync(join(name, 'pid'))).toBe(true);
  }
});
