// Deaths in the middle of handing over, taking back and aborting: called again, each comes to the same end, and nothing that
// anybody wrote is lost.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { abort } from '../../src/app/handover/abort.ts';
import { handOff } from '../../src/app/handover/handoff.ts';
import {
  inspectReturnedWork,
  markDone,
  markFailing,
  reverify,
  finishTakeback,
} from '../../src/app/handover/takeback.ts';
import { openTarget } from '../../src/app/open/target.ts';
import { openProjectView } from '../../src/app/open/project-view.ts';
import { ok } from '../../src/model/result.ts';
import { sampleOf } from '../support/effort.ts';
import { MODES } from './dying-io.ts';
import { endState, type EndState } from './end-state.ts';
import { runToTheEnd, runUntil, working, type ProcessRun } from './process-runs.ts';
import { lands } from './scenarios.ts';
import { openFixtureProject, type FixtureProject } from './fixture-project.ts';

const NOON = { now: () => Date.parse('2099-01-01T12:00:00.000Z'), iso: () => '2099-01-01T12:00:00.000Z' };
const { signal } = new AbortController();

const handing: ProcessRun = async (shop, io) => {
  const where = { repo: shop.root, configFile: null };
  const [target, view] = [await openTarget(where, { io, clock: NOON }), await openProjectView(where)];
  if (!target.ok) return target;
  if (!view.ok) return view;
  const handed = await handOff(target.value, view.value, signal);
  return handed.ok ? ok({ reason: `handed-off ${handed.value.note.settled} ${handed.value.note.item}` }) : handed;
};
/** As the command does it, with a yes. */
const takingBack: ProcessRun = async (shop, io) => {
  const target = await openTarget({ repo: shop.root, configFile: null }, { io, clock: NOON });
  if (!target.ok) return target;
  const returned = await inspectReturnedWork(target.value, null);
  if (!returned.ok) return returned;
  if (returned.value === null) return ok({ reason: 'taken-back' });
  const proved = await reverify(target.value, returned.value, signal);
  if (!proved.ok) return proved;
  const failing = await markFailing(target.value, proved.value.failing);
  if (!failing.ok) return failing;
  const { subject, note } = returned.value;
  if (subject !== null && proved.value.own?.holds === true) {
    const marked = await markDone(target.value, subject, proved.value.own);
    if (!marked.ok) return marked;
  }
  const settled = await finishTakeback(target.value, note);
  return settled.ok ? ok({ reason: 'taken-back' }) : settled;
};
const aborting: ProcessRun = async (shop, io) => {
  const target = await openTarget({ repo: shop.root, configFile: null }, { io, clock: NOON });
  if (!target.ok) return target;
  const aborted = await abort(target.value);
  return aborted.ok ? ok({ reason: 'aborted' }) : aborted;
};

const HALF = JSON.stringify({
  schema: 1,
  sessions: [{ when: {}, turns: [[{ append: { path: 'shop.txt', text: 'half\n' } }, 'hang']] }],
});

let turn = 0;
beforeAll(async () => {
  const whole = openFixtureProject(lands.files, lands.script);
  const { calls } = await runUntil(working, whole, 0, 'before');
  whole.remove();
  turn = calls.findIndex((call) => call.includes('agent turn')) + 1;
});

let shop: FixtureProject;
beforeEach(() => {
  shop = openFixtureProject(lands.files, HALF);
});
afterEach(() => shop.remove());

/** A run that was killed while its agent had written half of the work. */
async function interrupted(): Promise<void> {
  shop.renew();
  const written = async (): Promise<void> => {
    while (shop.read('shop.txt')?.includes('half') !== true) await pause(5);
  };
  expect((await runUntil(working, shop, turn, 'torn', written)).died).toBe(true);
}

/** Everything that must be the same, but for names of runs, what hashes them, and how many attempts a death left behind. */
function endOf(): EndState {
  const { attempts, tree: _, ...end } = endState(shop);
  const masked = JSON.stringify(end, (name, value: unknown) => (name === 'tree' ? '…' : value))
    .replace(/([rcv])-20990101120000-[0-9a-f]{4,7}/g, '$1-…')
    .replace(/-own-[0-9a-f]{12}/g, '-own-…');
  return {
    ...(JSON.parse(masked) as EndState),
    // Half of a file that was being written does no harm: the next run removes it under the lock.
    leftovers: (end['leftovers'] as string[]).filter(
      (path) => !/\/harness\/(?:evidence\/.+|[a-z]+\.json\.\d+)\.tmp$/.test(path),
    ),
    why: [...new Set(attempts as string[])],
    marks: ['handoff.json', 'paused.json', 'abort.json'].filter((name) => existsSync(join(shop.privateDir, name))),
  };
}

async function diesEverywhere(run: ProcessRun, begin: () => Promise<void>, check: () => void): Promise<void> {
  await begin();
  const { calls, reason } = await runUntil(run, shop, 0, 'before');
  check();
  const end = endOf();
  expect(end['leftovers']).toEqual([]);
  const points = calls.flatMap((_, n) => MODES.slice(1).map((mode) => ({ at: n + 1, mode })));
  for (const { at, mode } of sampleOf(points, 3, 10)) {
    await begin();
    const where = `${mode} #${at} ${calls[at - 1]?.replaceAll(shop.top, '')}`;
    expect((await runUntil(run, shop, at, mode)).died, where).toBe(true);
    expect(await runToTheEnd(run, shop), where).toBe(reason);
    check();
    expect(endOf(), where).toEqual(end);
  }
}

test('handing over what a killed run was at', async () => {
  await diesEverywhere(handing, interrupted, () => {
    expect(shop.git('show', 'refs/harness/wip/2:shop.txt')).toContain('half');
    expect(shop.git('status', '--porcelain')).toBe('');
  });
});

test('taking back what a person finished', async () => {
  const begin = async (): Promise<void> => {
    await interrupted();
    expect(await runToTheEnd(handing, shop)).toBe('handed-off true 2');
    writeFileSync(join(shop.root, 'shop.txt'), 'open\npay\n');
    shop.git('commit', '-qam', 'pay, by hand');
  };
  await diesEverywhere(takingBack, begin, () => {
    expect(shop.git('log', '--format=%s')).toContain('pay, by hand');
    expect(shop.git('log', '--format=%s').match(/is done by hand and verified/g)).toHaveLength(1);
  });
});

test('aborting what a killed run was at', async () => {
  await diesEverywhere(aborting, interrupted, () => {
    const kept = shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts').split('\n');
    expect(kept.some((ref) => shop.git('show', `${ref}:shop.txt`).includes('half'))).toBe(true);
    expect(shop.git('status', '--porcelain')).toBe('');
  });
});

test('what a person wrote between a cut abort and the next is an attempt too', async () => {
  await interrupted();
  const { calls } = await runUntil(aborting, shop, 0, 'before');
  const cleared = calls.findIndex((call) => call.includes('session.json'));
  await interrupted();
  expect((await runUntil(aborting, shop, cleared, 'after')).died).toBe(true);
  writeFileSync(join(shop.root, 'mine.txt'), 'mine\n');
  expect(await runToTheEnd(aborting, shop)).toBe('aborted');
  const kept = shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts').split('\n');
  const files = kept.map((ref) => shop.git('ls-tree', '--name-only', ref)).join('\n');
  expect(files).toContain('mine.txt');
});
