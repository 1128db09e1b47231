// How vitest is made to report, and what its report says.
import { describe, expect, test } from 'vitest';
import { reasonIn, reportIn } from '../../../../test/support/reports.ts';
import { jestJsonReader } from '../jest-json.ts';
import { vitest } from './runner.ts';

const PATH = '/r/x.json';
const FLAGS = '--reporter=default --reporter=json --outputFile.json=/r/x.json';
const { parse } = jestJsonReader('vitest');

describe('vitest', () => {
  test.each([
    ['vitest run', `vitest run ${FLAGS}`],
    ['npx vitest run tests/a.test.ts', `npx vitest run tests/a.test.ts ${FLAGS}`],
    ['node_modules/.bin/vitest run', `node_modules/.bin/vitest run ${FLAGS}`],
    ['node node_modules/vitest/vitest.mjs run', `node node_modules/vitest/vitest.mjs run ${FLAGS}`],
    ['npm test', `npm test -- ${FLAGS}`],
    ['npm test -- src', `npm test -- src ${FLAGS}`],
    ['npm run -s test:unit', `npm run -s test:unit -- ${FLAGS}`],
    ['npm exec vitest run', `npm exec vitest run -- ${FLAGS}`],
    ['pnpm test', `pnpm test ${FLAGS}`],
    ['yarn vitest run', `yarn vitest run ${FLAGS}`],
    ['TZ=UTC npx vitest run', `TZ=UTC npx vitest run ${FLAGS}`],
    ['npm run build && npx vitest run', `npm run build && npx vitest run ${FLAGS}`],
    ['(cd web && npx vitest run) 2>&1 | tee out.txt', `(cd web && npx vitest run ${FLAGS}) 2>&1 | tee out.txt`],
    ['vitest run > out.txt 2>&1; echo done', `vitest run > out.txt 2>&1 ${FLAGS}; echo done`],
    ["vitest run -t 'a; b && c'", `vitest run -t 'a; b && c' ${FLAGS}`],
    ['vitest run --reporter=dot', 'vitest run --reporter=dot --reporter=json --outputFile.json=/r/x.json'],
    ['vitest run --reporter=json --outputFile={report}', 'vitest run --reporter=json --outputFile=/r/x.json'],
  ])('%s', (command, expected) => {
    expect(vitest.reporting.instrument(command, PATH)).toEqual({ command: expected, env: {}, from: 'file' });
  });

  test.each([
    'make test',
    'cd vitest && make',
    'vitest run $(cat files)',
    'vitest run --project a && vitest run --project b',
    'vitest run --outputFile=mine.json',
    'echo vitest',
    "vitest run 'open",
  ])('%s is left to its exit code', (command) => {
    expect(vitest.reporting.instrument(command, PATH)).toBeNull();
  });

  test.each([
    ['vitest run', `npm test -- ${FLAGS}`],
    ['tsc -p . && vitest run', `npm test -- ${FLAGS}`],
    ['vitest --reporter=dot', 'npm test -- --reporter=json --outputFile.json=/r/x.json'],
    ['vitest run && echo done', null],
    ['npm run unit', null],
    ['vitest run --outputFile=mine.json', null],
  ])('`npm test` is given flags where they reach vitest: %s', (script, expected) => {
    expect(vitest.reporting.instrument('npm test', PATH, { test: script, unit: 'vitest run' })?.command ?? null).toBe(
      expected,
    );
  });
});

describe('a report of vitest', () => {
  test.each(['', '{', '[]', '{"success":true}', 'null'])('%j is no report', (text) => {
    expect(reasonIn(parse(text, '/r'))).toBe('report-unreadable');
  });
  const report = (success: boolean, status: string) =>
    JSON.stringify({
      success,
      testResults: [
        {
          name: '/r/a.ts',
          status,
          message: '',
          assertionResults: [{ ancestorTitles: [], title: 'x', status: 'passed' }],
        },
      ],
    });
  test('a file that failed although its tests passed is a failure and a defect', () => {
    const parsed = reportIn(parse(report(false, 'failed'), '/r'));
    expect(parsed.cases.map((c) => c.status)).toEqual(['passed', 'failed']);
    expect(parsed.defects).toHaveLength(1);
  });
  test('a run that failed outside every test is a defect', () => {
    expect(reportIn(parse(report(false, 'passed'), '/r')).defects).toHaveLength(1);
    expect(reportIn(parse(report(true, 'passed'), '/r')).defects).toEqual([]);
  });
});

test.each([
  ['npx vitest run', '', true],
  ['npx vitest run --environment=jsdom', '', true],
  ['npx vitest run', "test: { globals: true, environment: 'jsdom', coverage: { provider: 'v8' } }", true],
  ['npx vitest run', 'test: { environment: "happy-dom" }', true],
  ['npx vitest run', "test: { environment: './own.ts' }", false],
  ['npx vitest run', "test: { environment: 'jsdom', environmentOptions: { jsdom: { resources: 'usable' } } }", false],
  ['npx vitest run', "test: { environment: 'jsdom', setupFiles: ['a.ts'] }", false],
  ['npx vitest run --no-isolate', '', false],
])('whether %s with %o keeps test files apart: %o', (command, config, isApart) => {
  expect(vitest.runsFilesApart?.({ command, scripts: {}, config })).toBe(isApart);
});
