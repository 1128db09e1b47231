// A user who saves files in their own work tree while an agent works in it: what is theirs stays theirs, and the agent's work lands all the same.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf, expectExit, session, work, workshop, type Steps } from './workshop.ts';

/** Until so many calls of the agent have ended, by the events of its session. */
async function allReported(privateDir: string, calls: number): Promise<void> {
  const sessions = join(privateDir, 'sessions');
  const folder = readdirSync(sessions).find((name) => name.startsWith('1-')) ?? '';
  const ended = (): number =>
    readFileSync(join(sessions, folder, 'events.jsonl'), 'utf8').split('"tool-end"').length - 1;
  while (ended() < calls) await pause(20);
}

/** The agent works, says so, and waits while the user saves. */
const saving = async (
  steps: { readonly before?: Steps; readonly wait?: Steps; readonly after?: Steps },
  save: { readonly [path: string]: string },
) => {
  const {
    before = work(1),
    wait = [{ write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }],
    after = [],
  } = steps;
  const shop = workshop({ sessions: [session(1, ...before, ...wait, ...after)] });
  const run = shop.start('run');
  await run.until(join(shop.around, 'at-work'));
  // Nothing that the agent has done so far is reported after the save: it counts that the turn is not over.
  if (steps.wait === undefined) await allReported(shop.privateDir, before.length + 1);
  for (const [path, text] of Object.entries(save)) shop.write(path, text);
  writeFileSync(join(shop.around, 'go'), '');
  return { shop, ended: await run.ended };
};
const MINE = { 'src/door': 'door, half painted\n', 'notes.txt': 'mine\n' };
const WORK = 'claude-progress.txt\nfeatures.json\nsrc/bench\ntests/bench.test';

describe('files that the user saves while the agent edits with its tools', () => {
  test('are in no commit, stay in the work tree as they are, and the landing says so', async () => {
    const { shop, ended } = await saving({}, MINE);
    expectExit(ended, 0);
    expect(shop.git('show', '--format=', '--name-only', 'HEAD')).toBe(WORK);
    expect(shop.git('status', '--porcelain')).toBe(' M src/door\n?? notes.txt');
    expect([shop.read('src/door'), shop.read('notes.txt')]).toEqual(Object.values(MINE));
    expect(ended.stderr.trimEnd().split('\n').slice(-3).join()).toContain(
      'changed by you, not by the agent: left in your work tree, not in the commit: notes.txt, src/door',
    );
    expectExit(await shop.harness('evidence', 'verify', '--all', '--json'), 0);
    // From here on it is uncommitted work like any other.
    expectExit(await shop.harness('run'), 5);
  });

  test('stay where the work is rolled back', async () => {
    const before = [{ write: { path: 'src/bench', text: 'no such thing\n' } }, ...work(1).slice(1)];
    const { shop, ended } = await saving({ before }, MINE);
    expectExit(ended, 9);
    expect(shop.git('status', '--porcelain')).toBe(' M src/door\n?? notes.txt');
    expect([shop.read('src/door'), shop.read('notes.txt')]).toEqual(Object.values(MINE));
    expect(shop.git('diff', '--name-only', 'HEAD', 'refs/harness/attempts/1/1')).not.toMatch(/door|notes/);
    expect(eventsOf(shop, 'users-files')).toMatchObject([{ data: { files: 'notes.txt, src/door', ends: 'kept' } }]);
  });

  test('are kept with the attempt where the run is killed: not every call of the agent is known then', async () => {
    const shop = workshop({
      sessions: [session(1, ...work(1), { write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' })],
    });
    const run = shop.start('run');
    await run.until(join(shop.around, 'at-work'));
    for (const [path, text] of Object.entries(MINE)) shop.write(path, text);
    run.signal('SIGKILL');
    await run.ended;
    writeFileSync(join(shop.around, 'go'), '');
    expectExit(await shop.harness('run'), 0);
    expect(shop.git('show', '--format=', '--name-only', 'HEAD')).toBe(WORK);
    expect(shop.git('show', 'refs/harness/attempts/1/1:notes.txt')).toBe('mine');
    expect(shop.git('status', '--porcelain')).toBe('');
  });
});

test('a file that is saved while a command of the agent runs may be of either: it lands, and the landing names it', async () => {
  const wait = [{ run: 'touch ../at-work; while [ ! -e ../go ]; do :; done' }];
  const { shop, ended } = await saving({ wait }, { 'src/door': 'door, half painted\n' });
  expectExit(ended, 0);
  expect(shop.git('show', '--format=', '--name-only', 'HEAD')).toContain('src/door');
  expect(ended.stderr).toContain('in the commit, and perhaps changed by you');
  expect(eventsOf(shop, 'unclear-files')).toMatchObject([{ data: { files: 'src/door' } }]);
  expect(shop.git('status', '--porcelain')).toBe('');
});
