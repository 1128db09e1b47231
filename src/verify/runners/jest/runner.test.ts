// How jest is made to report, and what its report says.
import { describe, expect, test } from 'vitest';
import { reportIn } from '../../../../test/support/reports.ts';
import { parse } from './report.ts';
import { jest } from './runner.ts';

const PATH = '/r/x.json';

describe('jest', () => {
  const JEST = '--ci --json --outputFile=/r/x.json';
  test.each([
    ['jest', `jest ${JEST}`],
    ['npx jest --runTestsByPath a.test.js', `npx jest --runTestsByPath a.test.js ${JEST}`],
    [
      'node --experimental-vm-modules node_modules/jest/bin/jest.js',
      `node --experimental-vm-modules node_modules/jest/bin/jest.js ${JEST}`,
    ],
    [
      'NODE_OPTIONS=--experimental-vm-modules npx jest',
      `NODE_OPTIONS='--require=/r/flags.cjs '--experimental-vm-modules npx jest ${JEST}`,
    ],
    ['yarn jest && echo done', `yarn jest ${JEST} && echo done`],
    ['jest --json --outputFile={report}', 'jest --json --outputFile=/r/x.json'],
  ])('%s', (command, expected) => {
    expect(jest.reporting.instrument(command, PATH)).toMatchObject({ command: expected, from: 'file' });
  });
  test.each([
    ['jest', `npm test -- ${JEST}`],
    ['jest --outputFile=mine.json', null],
    ['jest && eslint .', null],
    ['vitest run', null],
  ])('behind `npm test` is asked where flags reach it: %s', (script, expected) => {
    expect(jest.reporting.instrument('npm test', PATH, { test: script })?.command ?? null).toBe(expected);
  });
});

test('a run that was interrupted, or wrote snapshots, or lists fewer tests than it counted is not whole', () => {
  const report = (more: object) => JSON.stringify({ success: true, testResults: [], ...more });
  expect(reportIn(parse(report({}), '/r')).defects).toEqual([]);
  for (const more of [{ wasInterrupted: true }, { numTotalTests: 2 }, { snapshot: { added: 1 } }])
    expect(reportIn(parse(report(more), '/r')).defects).toHaveLength(1);
});

test.each([
  ['globals', "test('a', () => {});", /^\s*test\('c1 fails'/],
  [
    'the global, though a comment names the package',
    "// from '@jest/globals'\ntest('a', () => {});",
    /^\s*test\('c1 fails'/,
  ],
  [
    'what it imports',
    "import {\n  it,\n} from '@jest/globals';\nit('a', () => {});",
    /^\s*import \{ test as t_c1.*\nt_c1\('c1 fails'/,
  ],
])('a canary uses %s', (_, text, lines) => {
  expect(jest.canary('a.test.ts', text, 'c1').lines).toMatch(lines);
});
