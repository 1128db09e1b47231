// The directory lock beside living, dead, suspended and half-made owners. Races: directory-lock-races.test.ts.
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
import { CAN_FIND_SURVIVORS, startOf } from './survivors.ts';

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
/** A number that nobody has: its process has ended. */
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
/** An agent that follows the snippet, and lives until its input ends. */
async function snippet() {
  const script = `LOCKDIR='${names[1]}'\n${SNIPPET_LOCK}\necho owned\nread -r end`;
  const one = await started('bash', ['-c', script]);
  return { ...one, said: await one.hear() };
}
/** Another life of the harness, that takes the lock and lives until its input ends. */
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

  test('are the one that is meant, and the one the snippet makes of the output of shasum', () => {
    const bin = programs('sha256sum');
    // What shasum prints, on machines that do not have it.
    writeFileSync(join(bin, 'shasum'), '#!/bin/sh\nexec sha256sum\n', { mode: 0o755 });
    const literal = nameIn(`${bin}:/bin`);
    expect(literal).toMatch(/^\/tmp\/harness-[0-9a-f]{64} {2}-\.lock$/);
    expect(directoryLocksOf(root)).toEqual([`${literal.slice(0, '/tmp/harness-12345678'.length)}.lock`, literal]);
    if (spawnSync('bash', ['-c', 'command -v shasum']).status === 0)
      expect(nameIn(process.env['PATH'] ?? '')).toBe(literal);
  });

  test('are none the snippet makes where there is no shasum: it hashes its own input there, the same for every tree', () => {
    const nothing = nameIn(programs('sha256sum', 'cut'));
    expect(nothing).toBe('/tmp/harness-e3b0c442.lock');
    expect(directoryLocksOf(root)).not.toContain(nothing);
  });
});

describe('a free lock', () => {
  test('is taken under both names with the number that a shell reads, and let go of without a trace, twice', () => {
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

  test('goes with the process that ends', async () => {
    const { child } = await harness();
    expect(left()).not.toEqual([]);
    const over = once(child, 'close');
    child.stdin?.end();
    await over;
    expect(left()).toEqual([]);
  });

  test('is refused to the snippet while it is ours, which names us', async () => {
    take();
    expect((await snippet()).said).toBe(`ERROR: Another harness session is active (pid=${process.pid})`);
    expect(take()).toMatchObject(refused(process.pid));
  });
});

describe('a living owner', () => {
  test('keeps it, running or suspended, and is named with the folder; nothing of ours stays', async () => {
    const owner = await snippet();
    expect(owner.said).toBe('owned');
    expect(take()).toMatchObject({ ...refused(owner.pid), failure: { at: { file: names[1] } } });
    owner.child.kill('SIGSTOP');
    expect(take()).toMatchObject(refused(owner.pid));
    expect(left()).toEqual([basename(names[1])]);
    await killed(owner.child);
    expect(take()).toMatchObject(taken([{ name: names[1], pid: owner.pid }]));
  });

  test('keeps it when it is another life of the harness, suspended', async () => {
    const owner = await harness();
    owner.child.kill('SIGSTOP');
    expect(take()).toMatchObject(refused(owner.pid));
    expect(take()).toMatchObject(refused(owner.pid));
  });

  test('keeps it while it has written no number yet, without a name', () => {
    folder(names[0], null);
    expect(take()).toMatchObject(refused('?'));
    expect(left()).toEqual([basename(names[0])]);
  });

  test('that wrote its number into a folder of ours, long after we took it for dead, is not robbed of it', async () => {
    const locks = take();
    const pid = livingPid();
    writeFileSync(join(names[1], 'pid'), `${pid}\n`);
    expect(locks.ok && locks.value.areOurs()).toBe(false);
    if (locks.ok) locks.value.release();
    expect(readFileSync(join(names[1], 'pid'), 'utf8')).toBe(`${pid}\n`);
  });

  test('is the one that wrote its number there, though the life of ours that made it is dead', () => {
    const ofDead = `${basename(names[1])}.owner.${deadPid()}.1.abcd`;
    const pid = livingPid();
    folder(join(tmp, ofDead), `${pid}\n`);
    symlinkSync(ofDead, names[1]);
    expect(take()).toMatchObject(refused(pid));
    expect(left()).toEqual([basename(names[1]), ofDead]);
  });

  test('that put its own folder in the place of ours keeps it when we let go', () => {
    const locks = take();
    rmSync(names[1]);
    folder(names[1], `${livingPid()}\n`);
    expect(locks.ok && locks.value.areOurs()).toBe(false);
    if (locks.ok) locks.value.release();
    expect(left()).toEqual([basename(names[1])]);
  });
});

describe('a dead owner', () => {
  test('of the snippet loses it and is named', () => {
    const pid = deadPid();
    folder(names[0], `${pid}\n`);
    expect(take()).toMatchObject(taken([{ name: names[0], pid }]));
  });

  test('of the harness, killed, loses it; nothing of it stays', async () => {
    const owner = await harness();
    await killed(owner.child);
    const again = take();
    expect(again).toMatchObject(taken(names.map((name) => ({ name, pid: owner.pid }))));
    if (again.ok) again.value.release();
    expect(left()).toEqual([]);
  });

  test.runIf(CAN_FIND_SURVIVORS)(
    'whose number somebody else has now is dead: a process cannot be younger than what it wrote',
    () => {
      const pid = livingPid();
      folder(names[0], `${pid}\n`);
      aged(join(names[0], 'pid'));
      folder(names[1], `${process.pid}\n`);
      expect(take()).toMatchObject(taken([{ pid }, { pid: process.pid }]));
    },
  );

  test.runIf(CAN_FIND_SURVIVORS)('of the harness whose number somebody else has now is known by its start', () => {
    const pid = livingPid();
    const ofDead = `${basename(names[0])}.owner.${pid}.${Number(startOf(pid)) - 1}.abcd`;
    folder(join(tmp, ofDead), `${pid}\n`);
    symlinkSync(ofDead, names[0]);
    aged(join(tmp, ofDead, 'pid'));
    expect(take()).toMatchObject(taken([{ pid }]));
  });

  test('that never wrote a number is dead after some seconds', () => {
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

describe('what a kill leaves in the middle', () => {
  const marks = () => `${deadPid()}.1.abcd`;
  test.each<readonly [string, (name: string) => void]>([
    ['a folder without a number', (name) => folder(`${name}.owner.${marks()}`, null)],
    ['a folder nobody links to', (name) => folder(`${name}.owner.${marks()}`, `${deadPid()}\n`)],
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

  test('the folder of a living owner, taken away by mistake: he gets it back, and is named', () => {
    const pid = livingPid();
    folder(`${names[1]}.stale.${marks()}`, `${pid}\n`);
    expect(take()).toMatchObject(refused(pid));
    expect(left()).toEqual([basename(names[1])]);
  });

  test('what the snippet or a living process took away is left to it', () => {
    folder(`${names[1]}.stale.${deadPid()}`, null);
    const pid = livingPid();
    folder(`${names[1]}.owner.${pid}.${startOf(pid)}.abcd`, null);
    const before = left();
    const locks = take();
    if (locks.ok) locks.value.release();
    expect(left()).toEqual(before);
  });

  test(`whatever it is, killed ${KILLS} times at some moment of taking and letting go`, async () => {
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

test('each name is there with its number from the first moment: a link to a folder that was finished before', () => {
  take();
  for (const name of names) {
    expect(lstatSync(name).isSymbolicLink()).toBe(true);
    expect(readlinkSync(name)).toMatch(new RegExp(`\\.owner\\.${process.pid}\\.`));
    expect(existsSync(join(name, 'pid'))).toBe(true);
  }
});
