// The real program, really killed: at moments by chance, itself alone or its whole process group, again and again until it is
// done. Slower than the deaths at single calls, and without a way to cheat: no code of the dead runs on.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { PROGRAM } from '../support/repo.ts';
import { anyDay, endState, type EndState } from './end-state.ts';
import { chanceOf, IS_EXHAUSTIVE, SEED } from '../support/effort.ts';
import { isCut, lies, type Scenario } from './scenarios.ts';
import { isSame } from './money.ts';
import { openShop, type Shop } from './shop.ts';

const KILLS = IS_EXHAUSTIVE ? 20 : 6;
const MOST_KILLS_OF_ONE = 6;

type Ended = { readonly code: number | null; readonly ms: number; readonly said: string };
type Running = { readonly pid: number; readonly ended: Promise<Ended>; readonly isOver: () => boolean };

let shop: Shop | null = null;
afterEach(() => shop?.remove());

function start(at: Shop): Running {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'run', '--until-done', '--json'], {
    cwd: at.root,
    env: { PATH: process.env['PATH'] ?? '', HOME: join(at.top, 'home'), LANG: 'C.UTF-8' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let isOver = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      isOver = true;
      resolve({ code, ms: performance.now() - began, said });
    });
  });
  return { pid: child.pid ?? 0, ended, isOver: () => isOver };
}

const linesTold = ({ stateDir }: Shop): number => {
  const file = join(stateDir, 'logs', 'events.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
};

/** Kills at a moment by chance: after a time, or as soon as so many more lines of the log are there. Says what it did. */
async function killOnce(at: Shop, running: Running, chance: () => number, wholeMs: number): Promise<string> {
  const isGroup = chance() < 0.5;
  const isByLog = chance() < 0.5;
  const afterMs = chance() * wholeMs;
  const lines = linesTold(at) + 1 + Math.floor(chance() * 12);
  const began = performance.now();
  while (!running.isOver() && (isByLog ? linesTold(at) < lines : performance.now() - began < afterMs)) await pause(1);
  if (running.isOver()) return 'too late';
  process.kill(isGroup ? -running.pid : running.pid, 'SIGKILL');
  return `${isGroup ? 'group' : 'program'} killed ${isByLog ? `at line ${lines}` : `after ${Math.round(afterMs)} ms`}`;
}

for (const scenario of [lies, isCut])
  test(`${scenario.name}: killed at any moment, it comes to the same end (seed ${SEED})`, async () => {
    const chance = chanceOf(SEED);
    const made = openShop(scenario.files, scenario.script);
    shop = made;
    const undisturbed = await start(made).ended;
    expect(undisturbed, undisturbed.said).toMatchObject({ code: 0 });
    const end = anyDay(endState(made), made);
    const turns = made.turnsPlayed();
    let kills = 0;
    while (kills < KILLS / 2) {
      made.renew();
      const told: string[] = [];
      while (told.length < MOST_KILLS_OF_ONE && kills < KILLS / 2) {
        const running = start(made);
        const did = await killOnce(made, running, chance, undisturbed.ms);
        await running.ended;
        if (did === 'too late') break;
        told.push(did);
        kills += 1;
      }
      await expectSame(made, scenario, { end, turns }, told);
    }
  });

async function expectSame(
  made: Shop,
  scenario: Scenario,
  { end, turns }: { readonly end: EndState; readonly turns: number },
  told: readonly string[],
): Promise<void> {
  const where = `${scenario.name}: ${told.join(', then ')} (seed ${SEED})`;
  const last = await start(made).ended;
  expect(last.code, `${where}\n${last.said}`).toBe(0);
  const found = anyDay(endState(made), made);
  for (const name of Object.keys({ ...end, ...found }))
    expect(isSame(name, found, end, told.length), `${where}: ${name} is ${JSON.stringify(found[name])}`).toBe(true);
  expect(made.turnsPlayed(), where).toBeGreaterThanOrEqual(turns);
  expect(made.turnsPlayed(), where).toBeLessThanOrEqual(turns + told.length);
}
