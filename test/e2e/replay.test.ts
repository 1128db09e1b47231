// Record and replay through the program: the same trees and the same verdicts without the agent, in another folder, for another
// person; and where a replay is not the recorded run, it says where.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, session, work, workshop, type Session, type Workshop } from './workshop.ts';

const WRONG = [
  { write: { path: 'src/bench', text: 'a chair\n' } },
  { write: { path: 'tests/bench.test', text: 'bench is there|grep -q bench src/bench\n' } },
  'claim',
] as const;

/** A lie that is mended, a session that is rolled back, one that is cut at its budget of context, and two that land. */
const EVENTFUL: readonly Session[] = [
  { when: { item: 1 }, turns: [WRONG, [...work(1), { append: { path: 'claude-progress.txt', text: 'a note\n' } }]] },
  { when: { item: 2, attempt: 1 }, turns: [[{ write: { path: 'src/saw', text: 'rust\n' } }, 'claim'], [], [], []] },
  {
    when: { item: 2, role: 'coding' },
    turns: [
      [
        { write: { path: 'src/half', text: 'half\n' } },
        { delete: { path: 'src/bench' } },
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
        { write: { path: 'src/bench', text: 'bench\n' } },
        { write: { path: 'bin/saw.sh', text: '#!/bin/sh\n', executable: true } },
        { run: "ln -s saw src/link && printf '\\377\\000\\376' > src/blade" },
        ...work(2),
      ],
    ],
  },
  session(3, ...work(3)),
];

type Told = { readonly result: string; readonly items: readonly { readonly id: string; readonly result: string; readonly reason: string }[] };
const verdicts = ({ result, items }: Told): unknown => [result, ...items.map(({ id, result: r, reason }) => `${id} ${r} ${reason}`)];
const history = (shop: Workshop): string => shop.git('log', '--format=%T %s');
const FLAGS = ['--until-done', '--max-sessions', '5', '--json'];

/** The repository as it was before the run, in another folder, of a person who has another home. */
function elsewhere(shop: Workshop, rev: string): Workshop {
  const other = workshop({ sessions: [] });
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: other.root, env: other.env, encoding: 'utf8' });
  git('fetch', '-q', shop.root, `${rev}`);
  git('reset', '-q', '--hard', 'FETCH_HEAD');
  return other;
}
async function recorded(sessions: readonly Session[], ...flags: string[]) {
  const shop = workshop({ sessions });
  const start = shop.git('rev-parse', 'HEAD');
  shop.git('branch', 'start');
  const cassette = join(shop.around, 'run.jsonl');
  const ran = await shop.harness('run', '--record', '--cassette', cassette, ...(flags.length === 0 ? FLAGS : flags));
  return { shop, start, cassette, ran, told: ran.json() as unknown as Told, flags: flags.length === 0 ? FLAGS : flags };
}
const replay = (shop: Workshop, cassette: string, ...flags: string[]) =>
  shop.harness('run', '--provider', 'replay', '--cassette', cassette, ...flags);

test('a lie, a mended turn, a rollback and a cut session come out the same: trees, subjects, verdicts', async () => {
  const { shop, cassette, ran, told, flags } = await recorded(EVENTFUL);
  console.log(ran.stdout, ran.stderr, history(shop));
  const other = elsewhere(shop, 'start');
  const again = await replay(other, cassette, ...flags);
  console.log(again.stdout, again.stderr, history(other));
  expect(again.code).toBe(ran.code);
  expect(verdicts(again.json() as unknown as Told)).toEqual(verdicts(told));
  expect(history(other)).toBe(history(shop));
});
