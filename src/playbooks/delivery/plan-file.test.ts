// What is read of plan files as people and programs write them.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planName, readPlan } from './plan-file.ts';

const read = (text: string, file = '0012-cart-total.md') => readPlan(file, text);

test.each([
  ['0001-cart.md', { id: '0001', name: '0001-cart' }],
  ['0420-Größe_2.md', { id: '0420', name: '0420-Größe_2' }],
  ['1-cart.md', null],
  ['0001.md', null],
  ['0001-cart.txt', null],
  ['README.md', null],
  ['00011-cart.md', null],
  ['0001-../x.md', null],
])('%s is a plan: %o', (file, named) => {
  expect(planName(file)).toEqual(named);
});

test('front matter says everything', () => {
  const text = `---\ntitle: Totals\ndepends_on: [1, "0002-login.md"]\ntags:\n  - REQ-1\n  - REQ-2\npriority: 3\ntest: tests/total.test.mjs\nowner: ada\n---\n# Another heading\n`;
  expect(read(text)).toEqual({
    id: '0012',
    name: '0012-cart-total',
    title: 'Totals',
    dependsOn: ['0001', '0002'],
    tags: ['REQ-1', 'REQ-2'],
    priority: 3,
    testFile: 'tests/total.test.mjs',
    mistakes: [],
  });
});

test('lines below the title say the same', () => {
  const text = `# Plan 0012: Totals\n\n- **Depends on:** 0001-cart, #2\n- **Tags:** REQ-1, REQ-2\n**Test file:** \`tests/total.test.mjs\`\n\n## Work\n\nDepends on: 9999\n`;
  expect(read(text)).toMatchObject({
    title: 'Totals',
    dependsOn: ['0001', '0002'],
    tags: ['REQ-1', 'REQ-2'],
    priority: null,
    testFile: 'tests/total.test.mjs',
    mistakes: [],
  });
});

test.each([
  ['# Totals ##\n', 'Totals'],
  ['# 0012 - Totals\n', 'Totals'],
  ['Title: Totals\n', 'Totals'],
  ['\uFEFF# Totals\r\n\r\nDepends on: none\r\n', 'Totals'],
  ['', 'cart total'],
  ['---\ntags: [a]\n---\n', 'cart total'],
])('the title of %j is %s', (text, title) => {
  expect(read(text)).toMatchObject({ title, dependsOn: [], mistakes: [] });
});

test.each([
  ['Depends on: none', []],
  ['Depends on: [0001](0001-cart.md), [0003](docs/plans/0003-x.md)', ['0001', '0003']],
  ['Dependencies: plan 4; docs/plans/0005-y.md', ['0004', '0005']],
  ['Blocked by: 0001, 0001', ['0001']],
  ['depends_on: -', []],
])('the dependencies of %j are %j', (line, dependsOn) => {
  expect(read(`# T\n${line}\n`)).toMatchObject({ dependsOn, mistakes: [] });
});

test('what cannot be read is named with its line', () => {
  expect(read('# T\n\nDepends on: the login\nPriority: high\n')?.mistakes).toEqual([
    { line: 3, what: '`the login` is no number of a plan' },
    { line: 4, what: 'the priority is no number' },
  ]);
  expect(read('---\ntitle: [\n---\n')?.mistakes).toMatchObject([{ line: 1 }]);
});

test('any text is read, and its numbers are those of plans', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (text, words) => {
      const plan = read(`${text}\nDepends on: ${words.join(', ')}\n`);
      expect(plan?.title.length).toBeGreaterThan(0);
      for (const on of plan?.dependsOn ?? []) expect(on).toMatch(/^\d{4}$/);
    }),
  );
});
