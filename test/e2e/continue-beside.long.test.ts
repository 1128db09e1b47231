// A user saves files in the folder of an agent in the middle of a run of several items: the run continues in a work tree of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf, expectExit, session, work, workshop } from './workshop.ts';

/** The first agent waits while the user saves. */
async function savedDuringTheFirst(files: { readonly [path: string]: string }, ...options: readonly string[]) {
  const waits = [{ write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }];
  const shop = workshop({
    sessions: [session(1, ...work(1), ...waits), session(2, ...work(2)), session(3, ...work(3))],
  });
  const run = shop.start('run', ...options, '--json');
  await run.until(join(shop.around, 'at-work'));
  for (const [path, text] of Object.entries(files)) shop.write(path, text);
  writeFileSync(join(shop.around, 'go'), '');
  return { shop, ended: await run.ended };
}

test('every session has its item and lands it, and the files of the user stay as they are, in no commit', async () => {
  const { shop, ended } = await savedDuringTheFirst(
    { 'notes.txt': 'mine\n', 'src/door': 'door, half painted\n' },
    '--max-sessions',
    '3',
  );
  expectExit(ended, 0);
  expect(ended.json()).toMatchObject({ items: [{ id: '1' }, { id: '2' }, { id: '3' }] });
  expect(shop.git('status', '--porcelain')).toBe(' M src/door\n?? notes.txt');
  expect([shop.read('notes.txt'), shop.read('src/door')]).toEqual(['mine\n', 'door, half painted\n']);
  expect(shop.git('log', '--format=', '--name-only', 'HEAD~3..')).not.toMatch(/door|notes/);
  expect(eventsOf(shop, 'continues-beside')).toMatchObject([{ data: { files: 'notes.txt, src/door' } }]);
  expectExit(await shop.harness('evidence', 'verify', '--all', '--json'), 0);
});

test('a file that the next item changes too is a question, and nothing of either is lost', async () => {
  const { shop, ended } = await savedDuringTheFirst(
    { 'src/saw': 'my own saw\n' },
    '--until-done',
    '--i-accept-unsandboxed',
  );
  expectExit(ended, 3);
  expect(ended.json()).toMatchObject({
    items: [{ id: '1' }],
    questions: [{ subject: 'landing-in-the-way', item: '2' }],
  });
  expect(shop.read('src/saw')).toBe('my own saw\n');
  expect(shop.git('log', '-1', '--format=%s')).toContain('#1');
  shop.git('stash', 'push', '-q', '-u');
  expectExit(await shop.harness('answer', 'g-1', 'retry'), 0);
  expectExit(await shop.harness('run', '--until-done', '--i-accept-unsandboxed'), 0);
  expect(shop.read('src/saw')).toBe('saw\n');
  expect(shop.git('show', 'stash@{0}^3:src/saw')).toBe('my own saw');
});

test('a run that is killed there is continued there, and the files of the user stay', async () => {
  const waits = (name: string) => [{ write: { path: `../${name}`, text: '' } }, { wait_for_file: `../go-${name}` }];
  const shop = workshop({
    sessions: [session(1, ...work(1), ...waits('first')), session(2, ...work(2), ...waits('second'))],
  });
  const run = shop.start('run', '--max-sessions', '2');
  await run.until(join(shop.around, 'first'));
  shop.write('notes.txt', 'mine\n');
  writeFileSync(join(shop.around, 'go-first'), '');
  await run.until(join(shop.around, 'second'));
  run.signal('SIGKILL');
  await run.ended;
  writeFileSync(join(shop.around, 'go-second'), '');
  expectExit(await shop.harness('run'), 0);
  expect(shop.git('log', '--format=%s', '-2')).toMatch(/#2.*\n.*#1/);
  expect(shop.git('status', '--porcelain')).toBe('?? notes.txt');
});
