// `harness import`: lists that people have already become items, once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { task } from '../support/task-record.ts';
import { taskList } from './task-list.ts';
import { expectExit, workshop } from './workshop.ts';

const PLAN = '- [x] done\n- [ ] A pen writes\n  - take it\n  - verify: tests/pen.test\n- [ ] A pencil writes\n';

test('open boxes of a Markdown file are features, each a commit of its own; again, nothing changes', async () => {
  const shop = workshop();
  writeFileSync(join(shop.around, 'plan.md'), PLAN);
  const first = await shop.harness('import', '../plan.md', '--verify', 'tests/{slug}.test', '--json');
  expectExit(first, 0);
  expect(first.json()).toMatchObject({
    result: 'applied',
    items: [
      { id: '4', title: 'A pen writes', test_file: 'tests/pen.test', is_new: true },
      { id: '5', title: 'A pencil writes', test_file: 'tests/a-pencil-writes.test', is_new: true },
    ],
  });
  expect(shop.features().at(-2)).toMatchObject({ verification_steps: ['take it'], passes: false });
  expect(shop.subjects()).toHaveLength(2);
  const again = await shop.harness('import', '../plan.md', '--verify', 'tests/{slug}.test', '--json');
  expect(again.json()).toMatchObject({ result: 'already', items: [{ is_new: false }, { is_new: false }] });
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('with --stubs each item has a failing test in its commit, which its session replaces', async () => {
  const file = 'test/a-till-adds-up.test.mjs';
  const works = {
    [file]: `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/till.mjs';\ntest('A till adds up', () => assert.equal(sum(2, 3), 5));\n`,
    'src/till.mjs': 'export const sum = (a, b) => a + b;\n',
  };
  const steps = Object.entries(works).map(([path, text]) => ({ write: { path, text } }));
  const scenario = { schema: 1, sessions: [{ when: { item: 4 }, turns: [[...steps, 'claim']] }] };
  const repo = makeRepo({ '.scenario.yaml': JSON.stringify(scenario) });
  writeFileSync(join(repo.root, '../plan.md'), '- [ ] A till adds up\n  - two prices\n- [ ] A till opens\n');
  const imported = await repo.harness('import', '../plan.md', '--stubs', '--json');
  expectExit(imported, 0);
  expect(imported.json()).toMatchObject({ items: [{ id: '4', test_file: file, has_stub: true }, { has_stub: true }] });
  expect(repo.git('show', '--name-only', '--format=', 'HEAD~1').split('\n')).toEqual(['features.json', file]);
  expect(repo.git('show', `HEAD:${file}`)).toContain('test("A till adds up", () => {\n  // two prices\n  throw');
  expect(repo.git('status', '--porcelain')).toBe('');
  expectExit(await repo.harness('run', '4'), 0);
  expect(repo.features()).toContainEqual(expect.objectContaining({ id: 4, passes: true }));
});

const FAILING = `import assert from 'node:assert/strict';
import { test } from 'node:test';
test('a total is summed', () => assert.equal(1 + 1, 3));
test('a total has two digits', () => assert.equal((1).toFixed(2), '1.0'));
test('numbers are numbers', () => assert.equal(1, 1));
`;

test('each file with failing tests is an item, and the file is its proof; proofs of other items are left out', async () => {
  const repo = makeRepo({ 'tests/total.test.mjs': FAILING });
  const first = await repo.harness('import', 'tests', '--json');
  expectExit(first, 0);
  const title = 'Failing tests of tests/total.test.mjs pass';
  const imported = { title, test_file: 'tests/total.test.mjs' };
  expect(first.json()).toMatchObject({ result: 'applied', items: [{ ...imported, is_new: true }] });
  expect(repo.features().at(-1)).toMatchObject({
    verification_steps: ['a total is summed', 'a total has two digits'],
    passes: false,
  });
  const again = await repo.harness('import', 'tests', '--json');
  expect(again.json()).toMatchObject({ result: 'already', items: [{ ...imported, is_new: false }] });
  repo.write(
    'tests/total.test.mjs',
    FAILING.replaceAll(/3\)|'1.0'\)/g, (last) => (last === '3)' ? '2)' : "'1.00')")),
  );
  repo.git('commit', '-qam', 'repaired');
  const none = await repo.harness('import', 'tests');
  expectExit(none, 2);
  expect(none.stderr).toContain('each failing test is the proof of an item already');
});

test('issues become tasks; their open boxes are not needed', async () => {
  const list = taskList([task('task-001')]);
  writeFileSync(
    join(list.around, 'issues.json'),
    JSON.stringify([{ number: 7, title: 'Pay by card', body: '- [ ] Visa' }]),
  );
  const ran = await list.harness('import', '../issues.json', '--json');
  expectExit(ran, 0);
  expect(list.list().tasks.at(-1)).toMatchObject({ title: 'Pay by card (#7)', status: 'pending' });
});

test.each([
  ['a file that is not there', ['import', 'nothing.md'], 'there is no file nothing.md'],
  ['a runner without a usual name for test files', ['import', '../plan.md'], '{slug}'],
  ['a text without a list', ['import', 'claude-progress.txt', '--verify', 'x'], 'has no list of items'],
])('%s: one clear answer, and nothing is written', async (_, args, words) => {
  const shop = workshop();
  writeFileSync(join(shop.around, 'plan.md'), '- [ ] A pen writes\n');
  shop.write('claude-progress.txt', 'one\ntwo\n');
  shop.git('commit', '-qam', 'words');
  const ran = await shop.harness(...args);
  expectExit(ran, 2);
  expect(ran.stderr).toContain(words);
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.features()).toHaveLength(3);
});
