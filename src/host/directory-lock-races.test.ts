// Races for the kernel lock and the directory lock together, between real processes, and against the shell snippet. Never two owners,
// never none. A race is one line to each of a few processes, which run through all races and start each one at the same moment.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { amountOf, chanceOf, IS_NIGHT, SEED } from '../../test/support/effort.ts';
import { SNIPPET_LOCK } from '../../test/support/snippet.ts';
import { directoryLocksOf, takeDirectoryLocks } from './directory-lock.ts';

if (IS_NIGHT) vi.setConfig({ testTimeout: 600_000 });
const BRIEF_RACES = amountOf(100, 100, 1_000);

let tmp = '';
let root = '';
const children: ChildProcess[] = [];
beforeEach(() => {
  tmp = realpathSync(mkdtempSync(join(tmpdir(), 'lock-races-')));
  root = join(tmp, 'tree');
  mkdirSync(root);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(tmp, { recursive: true });
});
const left = (): readonly string[] => readdirSync(tmp).filter((name) => name.startsWith('harness-'));
const deadPid = (): number => spawnSync('true').pid;

type Answer = { readonly won: boolean; readonly alone?: boolean; readonly reclaimed?: number; readonly pid?: number };

/**
 * Takes both locks at a moment of the clock. An owner enters a room that has to be empty. `brief`: it leaves at once, and those who
 * wait for the kernel lock get in after it; else it stays until it is asked to leave.
 */
function starter() {
  const script = `
    const { acquireLock } = await import(${JSON.stringify(import.meta.resolve('./lock.ts'))});
    const { takeDirectoryLocks } = await import(${JSON.stringify(import.meta.resolve('./directory-lock.ts'))});
    const { createInterface } = await import('node:readline');
    const { mkdirSync, rmdirSync } = await import('node:fs');
    const root = ${JSON.stringify(root)};
    const owner = { pid: process.pid, startedAt: 'then', command: 'go', run: null };
    let leave = () => {};
    const enter = () => {
      const kernel = acquireLock(root + '/private', owner);
      if (!kernel.ok) return { won: false, pid: kernel.failure.params.pid };
      const locks = takeDirectoryLocks(root, { tmp: ${JSON.stringify(tmp)} });
      if (!locks.ok) {
        kernel.value.release();
        return { won: false, pid: locks.failure.params.pid };
      }
      let alone = locks.value.areOurs();
      try { mkdirSync(root + '/room'); } catch { alone = false; }
      leave = () => {
        rmdirSync(root + '/room');
        locks.value.release();
        kernel.value.release();
      };
      return { won: true, alone, reclaimed: locks.value.reclaimed.length };
    };
    console.log('up');
    for await (const line of createInterface({ input: process.stdin })) {
      const { at, brief, end } = JSON.parse(line);
      if (end) { leave(); console.log('{}'); continue; }
      while (Date.now() < at);
      const answer = enter();
      if (answer.won && brief) leave();
      console.log(JSON.stringify(answer));
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const hear = async (): Promise<string> => String((await lines.next()).value);
  return {
    child,
    pid: child.pid,
    hear,
    async ask(word: object): Promise<Answer> {
      child.stdin.write(`${JSON.stringify(word)}\n`);
      return JSON.parse(await hear());
    },
  };
}
async function starters(count: number) {
  const all = Array.from({ length: count }, starter);
  for (const one of all) await one.hear();
  return all;
}
/** Enough for the line to reach all processes. */
const soon = (): number => Date.now() + 2;

describe.each([2, 3])('of %i starters', (count) => {
  test(`in ${BRIEF_RACES} races there is always exactly one owner`, async () => {
    const all = await starters(count);
    let wins = 0;
    for (let race = 0; race < BRIEF_RACES; race += 1) {
      const at = soon();
      const answers = await Promise.all(all.map((one) => one.ask({ at, brief: true })));
      const winners = answers.filter(({ won }) => won);
      expect(winners.length).toBeGreaterThan(0);
      for (const winner of winners) expect(winner).toEqual({ won: true, alone: true, reclaimed: 0 });
      wins += winners.length;
    }
    expect(wins).toBeGreaterThanOrEqual(BRIEF_RACES);
    expect(left()).toEqual([]);
  });

  test('one is the owner while it stays, and all others name it', async () => {
    const all = await starters(count);
    // Each takes as long as a loser waits for readers.
    for (let race = 0; race < amountOf(2, 4, 100); race += 1) {
      const at = soon();
      const answers = await Promise.all(all.map((one) => one.ask({ at, brief: false })));
      const winner = all[answers.findIndex(({ won }) => won)];
      expect(answers.map(({ won, pid }) => won || pid === winner?.pid)).toEqual(all.map(() => true));
      expect(answers.filter(({ won }) => won)).toEqual([{ won: true, alone: true, reclaimed: 0 }]);
      await winner?.ask({ end: true });
    }
  });

  test('one inherits from an owner that was killed', async () => {
    for (let race = 0; race < amountOf(1, 3, 50); race += 1) {
      const [first, ...others] = await starters(count + 1);
      expect(await first?.ask({ at: 0, brief: false })).toMatchObject({ won: true });
      // A suspended owner is alive: no process inherits yet.
      first?.child.kill('SIGSTOP');
      const early = await Promise.all(others.map((one) => one.ask({ at: soon(), brief: false })));
      expect(early).toEqual(others.map(() => ({ won: false, pid: first?.pid })));
      const over = once(first?.child ?? process, 'close');
      first?.child.kill('SIGKILL');
      await over;
      rmSync(join(root, 'room'), { recursive: true });
      const at = soon();
      const answers = await Promise.all(others.map((one) => one.ask({ at, brief: false })));
      expect(answers.filter(({ won }) => won)).toEqual([{ won: true, alone: true, reclaimed: 2 }]);
      for (const [n, one] of others.entries()) if (answers[n]?.won) await one.ask({ end: true });
      for (const { child } of others) child.kill('SIGKILL');
      expect(left()).toEqual([]);
    }
  });
});

describe('against the snippet', () => {
  const literal = () => directoryLocksOf(root, tmp)[1];
  /** An agent that follows it on command, and as the owner runs until its input ends. */
  async function agent() {
    const script = `LOCKDIR='${literal()}'\necho up\nread -r go\n${SNIPPET_LOCK}\necho owned\nread -r end`;
    const child = spawn('bash', ['-c', script], { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    return {
      child,
      go: () => child.stdin.write('\n'),
      async owns(): Promise<boolean> {
        for (;;) {
          const { value, done } = await lines.next();
          if (done === true || value.startsWith('ERROR')) return false;
          if (value === 'owned') return true;
        }
      },
    };
  }
  const before: readonly (readonly [string, number, () => void])[] = [
    ['nothing', amountOf(4, 10, 600), () => {}],
    [
      'what a dead agent left',
      amountOf(3, 6, 400),
      () => {
        mkdirSync(literal());
        writeFileSync(join(literal(), 'pid'), `${deadPid()}\n`);
      },
    ],
    [
      'what a dead harness left',
      amountOf(3, 6, 400),
      () => {
        const pid = deadPid();
        const folder = `${literal()}.owner.${pid}.1.abcd`;
        mkdirSync(folder);
        writeFileSync(join(folder, 'pid'), `${pid}\n`);
        symlinkSync(basename(folder), literal());
      },
    ],
  ];

  test.each(before)(
    'the harness is never an owner next to a live agent, where there is %s',
    async (_, count, leave) => {
      const chance = chanceOf(SEED);
      const won = { agent: 0, harness: 0 };
      for (let race = 0; race < count; race += 1) {
        leave();
        const one = await agent();
        // The first two are no races: each of them comes to own it, where it is early enough.
        const early = race === 1 ? takeDirectoryLocks(root, { tmp }) : null;
        one.go();
        const late = race === 0 ? await one.owns() : null;
        const pause = race % 4 === 0 ? 0 : chance() * 12;
        for (const until = performance.now() + pause; performance.now() < until;);
        const mine = early ?? takeDirectoryLocks(root, { tmp });
        const isTheirs = late ?? (await one.owns());
        const isMine = mine.ok && mine.value.areOurs();
        expect({ isMine, isTheirs }).not.toEqual({ isMine: true, isTheirs: true });
        // A process that became the owner stays the owner: the lock is not taken away after that.
        expect(isMine).toBe(mine.ok);
        if (isTheirs) won.agent += 1;
        if (isMine) won.harness += 1;
        const over = once(one.child, 'close');
        one.child.stdin.end();
        if (mine.ok) mine.value.release();
        await over;
        rmSync(literal(), { recursive: true, force: true });
      }
      expect(won.agent).toBeGreaterThan(0);
      expect(won.harness).toBeGreaterThan(0);
    },
  );
});
