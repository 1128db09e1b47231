// A person edits the list of tasks by hand, at any time and with slips: no edit is lost, and none costs an agent its work.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { heldLevels } from '../support/levels.ts';
import { task } from '../support/task-record.ts';
import { made, taskList, type TaskList } from './task-list.ts';
import { expectExit } from './workshop.ts';

const LIST = 'harness-tasks.json';
const held = await heldLevels();
const kept = (shop: TaskList): readonly string[] => readdirSync(join(shop.root, '.harness/edits'));
const edit = (shop: TaskList, from: string, to: string): void => shop.write(LIST, shop.read(LIST).replace(from, to));

test('a slip in it is named with its place, the list of before is used, and the text is kept until it is taken', async () => {
  const shop = taskList([task('task-001'), task('task-002')]);
  expectExit(await shop.harness('run', 'task-001'), 0);
  edit(shop, '"title": "Make task-002"', '"title": "Make it well",');
  const ran = await shop.harness('run');
  expectExit(ran, 0);
  expect(ran.stderr).toMatch(/harness-tasks\.json:\d+:\d+ is not JSON: .*harness resume --accept-edits/);
  const [name = ''] = kept(shop);
  const text = shop.read(`.harness/edits/${name}`);
  expect(text).toContain('"Make it well",,');

  const refused = await shop.harness('resume', '--accept-edits');
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringMatching(/\.harness\/edits\/\S+:\d+:\d+/)]);
  shop.write(`.harness/edits/${name}`, text.replace(',,', ','));
  const taken = await shop.harness('resume', '--accept-edits', '--json');
  expectExit(taken, 0);
  expect(taken.json()).toMatchObject({ edits: { files: [`.harness/edits/${name}`], result: 'applied' } });
  expect(shop.task('task-002')).toMatchObject({ title: 'Make it well', status: 'completed' });
  expect([kept(shop), shop.git('status', '--porcelain')]).toEqual([[], '']);
  expect((await shop.harness('resume', '--accept-edits')).stdout).toContain('No edit of the list is kept.');
});

const WRITES_LIST = [
  { write: { path: 'task-001.txt', text: 'task-001\n' } },
  { write: { path: LIST, text: '{"tasks": []}' } },
];

test('where the agent may have written it the attempt fails and the list is as before, but the text is kept', async () => {
  const shop = taskList([task('task-001')], {
    sessions: [
      { when: { item: 'task-001', attempt: 1 }, turns: [[...WRITES_LIST, { say: 'Done.' }]] },
      made('task-001'),
    ],
  });
  const ran = await shop.harness('run');
  expectExit(ran, 0);
  expect(ran.stderr).toContain('The changed text is kept as .harness/edits/');
  expect(shop.task('task-001')).toMatchObject({ status: 'completed', attempts: 1 });
  expect(kept(shop)).toHaveLength(1);
});

test.runIf(held.has('bwrap'))(
  'while an agent works in a box, which cannot write it, it is taken when the session ends and costs the agent nothing',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hand-agent-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const first = [
      `if echo '{"tasks": []}' > ${LIST} || rm ${LIST} || mv README.md ${LIST}; then exit 1; fi`,
      'touch at-work',
      'while [ ! -e go ]; do :; done',
      'rm at-work go',
      'echo task-001 > task-001.txt',
    ];
    writeFileSync(join(folder, 'task-001.sh'), `${first.join('\n')}\n`);
    writeFileSync(join(folder, 'task-002.sh'), 'echo task-002 > task-002.txt\n');
    const program = resolve('test/fixtures/agents/hand-agent.mjs');
    const shop = taskList([task('task-001')], { config: 'sandbox: { level: bwrap }' });
    shop.write('features.json', '{\n  "features": []\n}\n'); // this agent claims there, too
    shop.git('add', 'features.json');
    const agent = `agents: { default: { provider: acp, command: [node, ${program}, ${folder}] } }`;
    shop.write('.harness.yaml', shop.read('.harness.yaml').replace(/agents: .*/, agent));
    shop.git('commit', '-qam', 'an agent in a box');
    const run = shop.start('run');
    await run.until(join(shop.root, 'at-work'));
    const list = shop.list();
    const tasks = [{ ...list.tasks[0], title: 'Make it well' }, task('task-002')];
    shop.write(LIST, `${JSON.stringify({ ...list, tasks }, null, 2)}\n`);
    shop.write('go', '');
    const ended = await run.ended;
    expectExit(ended, 0);
    expect(ended.stderr).toContain('You changed harness-tasks.json while the agent worked');
    expect(shop.list().tasks).toMatchObject([
      { id: 'task-001', title: 'Make it well', status: 'completed', attempts: 0 },
      { id: 'task-002', status: 'completed', attempts: 0 },
    ]);
    expect(shop.git('status', '--porcelain')).toBe('');
  },
);
