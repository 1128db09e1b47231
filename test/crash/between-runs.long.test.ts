// What people do between a crash of the harness and the next run: they edit files, work for months, change their minds.
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/host/files.ts';
import { endState } from './end-state.ts';
import { runToTheEnd, runUntil } from './process-runs.ts';
import { lands, sessionZero, type Scenario } from './scenarios.ts';
import { configured, openFixtureProject, type FixtureProject } from './fixture-project.ts';

let shop: FixtureProject | null = null;
afterEach(() => shop?.remove());

/** Dies after the first call of this kind; hands over the fixture project as it then is, and the end it would have reached. */
async function dead(scenario: Scenario, isLast: (call: string) => boolean) {
  const made = open(scenario);
  const whole = await runUntil(scenario.run, made, 0, 'before');
  const end = endState(made);
  const turns = made.turnsPlayed();
  const at = whole.calls.findIndex(isLast) + 1;
  expect(at).toBeGreaterThan(0);
  made.renew();
  expect((await runUntil(scenario.run, made, at, 'after')).died).toBe(true);
  return { shop: made, end, turns };
}
const open = (scenario: Scenario): FixtureProject => (shop = openFixtureProject(scenario.files, scenario.script));

describe('a configuration that was edited after the crash', () => {
  test('in preflight counts: preflight starts again', async () => {
    const { shop, turns } = await dead(lands, (call) => call.includes('effect check'));
    writeFileSync(join(shop.root, '.harness.yaml'), configured().replace('init: ./init.sh', 'init: ./init.sh --again'));
    shop.git('commit', '-qam', 'init differently');
    expect(await runToTheEnd(lands.run, shop)).toBe('nothing-left');
    expect(shop.git('log', '-1', '--format=%s')).toBe('feat(shop): #2 User can pay');
    expect(shop.turnsPlayed()).toBe(turns);
    expect(endState(shop)).toMatchObject({ dirty: '', leftovers: [] });
  });

  test('after the landing commit makes no second one', async () => {
    const { shop } = await dead(lands, (call) => call.endsWith('effect git push'));
    writeFileSync(join(shop.root, '.harness.yaml'), configured().replace('name: shop', 'name: stall'));
    expect(await runToTheEnd(lands.run, shop)).toBe('nothing-left');
    const accepting = shop
      .git('log', '--format=%s')
      .split('\n')
      .filter((subject) => subject.startsWith('feat'));
    expect(accepting).toEqual(['feat(shop): #2 User can pay']);
    expect(endState(shop)).toMatchObject({ leftovers: [], remote: 'has all' });
  });
});

// What a run does first it does as a new run: the run that finds it half done is another one.
const FIRST = [
  [2, 'torn'],
  [2, 'after'],
  [3, 'torn'],
] as const;
test.each(FIRST)(
  'a run whose call #%i is its last (%s), and the one after it too, leave nothing undone',
  async (at, mode) => {
    const { shop, end, turns } = await dead(lands, (call) => call.includes('agent turn'));
    expect((await runUntil(lands.run, shop, at, mode)).died).toBe(true);
    expect((await runUntil(lands.run, shop, 8, 'after')).died).toBe(true);
    expect(await runToTheEnd(lands.run, shop)).toBe('nothing-left');
    expect(endState(shop)).toEqual(end);
    expect(shop.turnsPlayed()).toBe(turns);
  },
);

test('a spec that was edited after the crash does not count for the session 0 that had begun', async () => {
  const { shop, end } = await dead(sessionZero, (call) => call.includes('agent turn'));
  const spec = join(shop.root, 'spec.md');
  writeFileSync(spec, 'Something else.\n');
  expect(await runToTheEnd(sessionZero.run, shop)).toBe('initialised');
  expect(endState(shop)).toMatchObject({ features: end['features'], dirty: '', leftovers: [] });
});

test('the journal of an interrupted session is kept however many there are', async () => {
  const { shop, end, turns } = await dead(lands, (call) => call.includes('agent turn'));
  for (const folder of ['items', 'procedures'])
    for (let n = 0; n < 60; n += 1) {
      const path = join(shop.privateDir, folder, `zzz-${n}.jsonl`);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, '');
      utimesSync(path, 1_000 + n, 1_000 + n);
    }
  expect(await runToTheEnd(lands.run, shop)).toBe('nothing-left');
  expect(shop.turnsPlayed()).toBe(turns);
  expect(shop.git('rev-parse', 'HEAD^{tree}')).toBe(end['tree']);
});

/** The call of the agent's first turn in a run of the fixture project. */
async function firstTurn(): Promise<number> {
  const made = open(lands);
  const { calls } = await runUntil(lands.run, made, 0, 'before');
  made.remove();
  return calls.findIndex((call) => call.includes('agent turn')) + 1;
}

test('what an agent wrote into the configuration before the crash does not apply to the run that repeats its turn', async () => {
  const WEAK = configured().replace('sh {test_file}', 'true').replace('sh all.sh', 'true').replace('tap', 'command');
  const lying = (...steps: readonly (object | string)[]): string =>
    JSON.stringify({ schema: 1, sessions: [{ when: {}, turns: [steps], repeat_last: true }] });
  const at = await firstTurn();
  const made = open({ ...lands, script: lying({ write: { path: '.harness.yaml', text: WEAK } }, 'hang') });
  const written = async (): Promise<void> => {
    while (made.read('.harness.yaml') !== WEAK) await pause(10);
  };
  expect((await runUntil(lands.run, made, at, 'torn', written)).died).toBe(true);
  // In its second run it claims what is not there and cheats no more: only the tests of before can tell.
  writeFileSync(join(made.top, 'scenario.yaml'), lying({ claim: 2 }));
  expect(await runToTheEnd(lands.run, made)).toBe('gate');
  expect(made.git('log', '--format=%s', '--grep', '^feat')).toBe('');
  expect(made.git('show', 'HEAD:.harness.yaml')).toBe(configured().trimEnd());
});

/** Of no process: beyond the highest number there can be. */
const NOBODY = 2 ** 22 + 1;

test('what the dead had in the temporary folder is gone when the next run starts; what the living have there stays', async () => {
  const made = open(lands);
  const planted = (kind: string, root: string, more = ''): string =>
    mkdtempSync(join(tmpdir(), `harness-${kind}-${sha256(root).slice(0, 8)}-${more}`));
  const canary = planted('canary', made.root, `${NOBODY}-`);
  const left = [planted('box', made.root), planted('box', join(canary, 'root')), canary];
  // Of a command that only reads, and holds no lock.
  const kept = planted('canary', made.root, `${process.ppid}-`);
  expect((await runUntil(lands.run, made, 3, 'after')).died).toBe(true);
  expect(left.filter((folder) => existsSync(folder))).toEqual([]);
  expect(existsSync(kept)).toBe(true);
  rmdirSync(kept);
});
