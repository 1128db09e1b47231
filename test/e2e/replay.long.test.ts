// Long recordings through the program: whatever can become of a session comes out the same, also after kill -9 of either run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { elsewhere, history, recorded, replay, verdicts, type Told } from './cassettes.ts';
import { expectExit, session, work, workshop, type Session, type Workshop } from './workshop.ts';

const WRONG = [
  { write: { path: 'src/bench', text: 'a chair\n' } },
  { write: { path: 'tests/bench.test', text: 'bench is there|grep -q bench src/bench\n' } },
  'claim',
] as const;

/** A lie that stays one in every turn. */
const LIE = [
  { write: { path: 'src/saw', text: 'rust\n' } },
  { write: { path: 'tests/saw.test', text: 'saw is there|grep -q saw src/saw\n' } },
  'claim',
] as const;

/** A lie that is fixed, a session that is rolled back, one that is cut at its limit, and those that land. */
const EVENTFUL: readonly Session[] = [
  { when: { item: 1 }, turns: [WRONG, [...work(1), { append: { path: 'claude-progress.txt', text: 'a note\n' } }]] },
  { when: { item: 2, role: 'coding', attempt: 1 }, turns: [LIE, LIE, LIE, LIE, LIE] },
  {
    when: { item: 2, role: 'coding' },
    turns: [
      [
        { write: { path: 'src/half', text: 'half\n' } },
        { delete: { path: 'src/door' } },
        { usage: { input: 160_000 } },
        { usage: { input: 185_000 } },
        'hang',
      ],
      [{ append: { path: 'claude-progress.txt', text: 'HANDOVER: the saw is blunt\n' } }],
    ],
  },
  {
    when: { role: 'continuation' },
    turns: [
      [
        { write: { path: 'src/door', text: 'door\n' } },
        { write: { path: 'bin/saw.sh', text: '#!/bin/sh\n', executable: true } },
        { run: "ln -s saw src/link && printf '\\377\\000\\376' > src/blade" },
        ...work(2),
      ],
    ],
  },
  session(3, ...work(3)),
];

/** No agent of the recorded run exists any more: the agent of this folder has no scenario to follow. */
async function expectSame(shop: Workshop, cassette: string, told: Told, flags: readonly string[]): Promise<Workshop> {
  const other = elsewhere(shop, 'start');
  const again = await replay(other, cassette, ...flags);
  const now = again.json() as unknown as Told;
  expect(verdicts(now), `${again.stdout}\n${again.stderr}`).toEqual(verdicts(told));
  expect(history(other)).toBe(history(shop));
  expect([other.git('status', '--porcelain'), other.processes()]).toEqual(['', []]);
  return other;
}

test('a fixed lie, a rollback and a session cut at its limit come out the same in another folder: trees, subjects, verdicts', async () => {
  const { shop, cassette, ran, told, flags } = await recorded(EVENTFUL);
  expectExit(ran, 6);
  expect(told.items.map(({ id, result, reason }) => `${id} ${result} ${reason}`)).toEqual([
    '1 landed verified',
    '2 rejected tests-failed',
    '2 partial context_limit',
    '2 landed verified',
    '3 landed verified',
  ]);
  expect(ran.json()).toMatchObject({ recording: { cassette, unplayable: [] } });
  const text = readFileSync(cassette, 'utf8');
  for (const path of [shop.root, shop.around, String(shop.env['HOME'])]) expect(text).not.toContain(path);

  const other = await expectSame(shop, cassette, told, flags);
  expect(other.git('ls-files', '-s', 'bin', 'src')).toBe(shop.git('ls-files', '-s', 'bin', 'src'));
  expect(other.git('ls-files', '-s', 'src/link')).toMatch(/^120000/);
  const limits = (of: Workshop): readonly string[] =>
    of
      .read('.harness/logs/events.jsonl')
      .split('\n')
      .filter((line) => line.includes('session-limit'));
  expect(limits(other)).toHaveLength(limits(shop).length);
  expect(other.git('for-each-ref', '--format=%(refname) %(tree)', 'refs/harness/attempts')).toBe(
    shop.git('for-each-ref', '--format=%(refname) %(tree)', 'refs/harness/attempts'),
  );
});

test('a recording continues after kill -9 where it was, and so does a replay', async () => {
  const shop = workshop({
    sessions: [
      session(1, ...work(1)),
      session(2, { write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }, ...work(2)),
    ],
  });
  shop.git('branch', 'start');
  const cassette = join(shop.around, 'run.jsonl');
  const run = shop.start('run', '--record', '--cassette', cassette, '--until-done', '--max-sessions', '2');
  await run.until(join(shop.around, 'at-work'));
  run.signal('SIGKILL');
  await run.ended;
  writeFileSync(join(shop.privateDir, 'recording.jsonl'), '{"t":"turn","ses', { flag: 'a' }); // as a crash in the middle of writing leaves it
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await shop.harness('run', '--json'), 0);

  const other = elsewhere(shop, 'start');
  const half = other.start(
    'run',
    '--provider',
    'replay',
    '--cassette',
    cassette,
    '--until-done',
    '--max-sessions',
    '2',
  );
  await half.until(join(other.root, 'src/bench'));
  half.signal('SIGKILL');
  await half.ended;
  const ended = await replay(other, cassette, '--until-done', '--max-sessions', '2', '--json');
  expectExit(ended, 6);
  expect(history(other)).toBe(history(shop));
  expect([other.git('status', '--porcelain'), other.processes()]).toEqual(['', []]);
});
