// The end of a run that has done everything, on a terminal: a person chooses maintenance, another item, or the end.
import { expect, test } from 'vitest';
import { onTerminalOf } from '../support/terminal.ts';
import { session, work, workshop } from './workshop.ts';

const DONE = `{ "project": "workshop", "features": [
  { "id": 1, "category": "bench", "description": "A bench can be set up", "test_file": "tests/bench.test", "passes": true }
] }\n`;
const BUILT = {
  'features.json': DONE,
  'src/bench': 'bench\n',
  'tests/bench.test': 'bench is there|grep -q bench src/bench\n',
};
const without = ['tests/saw.test', 'tests/board.test'];
const ASKED = 'What next? (m: maintenance · a: add an item · Enter: end)';

test('an item is added and worked on, and it is asked again; Enter ends; without a terminal nothing is asked', async () => {
  const shop = workshop({ files: BUILT, without, sessions: [session(2, ...work(2))] });
  const typed = ['a', 'A saw hangs on the wall', 'tests/saw.test', '', '', 'y', ''];
  const { code, screen } = await shop.onTerminal(typed, 'run', '--until-done');
  expect(code, screen).toBe(0);
  expect(screen.split(ASKED)).toHaveLength(3);
  expect(screen).toMatch(/Work on it now\? \[y\/N\] y[\s\S]*Item 2 landed/);
  expect(shop.features()[1]).toMatchObject({ id: 2, description: 'A saw hangs on the wall', passes: true });
  const alone = await shop.harness('run');
  expect([alone.code, alone.stdout.includes('What next?')]).toEqual([0, false]);
  expect(alone.stdout).toContain('harness run --maintain');
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'done', exit: 0 });
});

test('an empty list is said, and nothing follows from it', async () => {
  const shop = workshop({ files: { 'features.json': '{ "project": "workshop", "features": [] }\n' }, without });
  const { code, screen } = await shop.onTerminal([], 'run');
  expect(code, screen).toBe(0);
  expect(screen).toContain('The list is empty: there was nothing to do.');
  expect(screen).not.toContain('Done');
});

test('maintenance checks the project again, and Ctrl-C ends it', async () => {
  const shop = workshop({ files: BUILT, without });
  const steps = [
    { seen: ASKED, type: 'm\r' },
    { seen: 'waiting: the next check', type: '\u0003' },
  ];
  const { code, raw } = await onTerminalOf(shop, { columns: 200, steps }, 'run');
  expect(code, raw).toBe(10);
});
