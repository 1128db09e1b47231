// How go is made to report, and what its events say.
import { describe, expect, test } from 'vitest';
import { casesIn, reasonIn, reportIn } from '../../../../test/support/reports.ts';
import { UNLOADED } from '../cases.ts';
import { END_OF_OUTPUT } from '../shell.ts';
import { parse, readable } from './report.ts';
import { go } from './runner.ts';

const PATH = '/r/x.json';

describe('go', () => {
  const inside = (command: string) => {
    const how = go.reporting.instrument(command, PATH);
    return how?.from === 'stdout' ? how.command.split('\n')[1] : (how ?? null);
  };
  test.each([
    ['go test ./...', 'go test -json -count=1 ./...'],
    ['go test "./$(dirname a/b_test.go)"', 'go test -json -count=1 "./$(dirname a/b_test.go)"'],
    [
      'cd api && CGO_ENABLED=0 go test -race ./... | tee out',
      'cd api && CGO_ENABLED=0 go test -json -count=1 -race ./... | tee out',
    ],
    ['go test ./a && go test ./b', 'go test -json -count=1 ./a && go test -json -count=1 ./b'],
    ['go test -json -count 3 ./...', 'go test -json -count 3 ./...'],
    ['make test', null],
  ])('%s', (command, expected) => {
    expect(inside(command)).toBe(expected);
  });
});

describe('the report of go', () => {
  const event = (Action: string, more: object = {}) => JSON.stringify({ Action, Package: 'p', ...more });
  const read = (...lines: string[]) => parse(`${[...lines, END_OF_OUTPUT].join('\n')}\n`, '/r');
  const passed = [event('run', { Test: 'TestA' }), event('pass', { Test: 'TestA' })];

  test('a test that ends twice printed one of the ends: the worse counts, and the report is not whole', () => {
    const parsed = reportIn(read(...passed, event('fail', { Test: 'TestA' }), event('fail')));
    expect([parsed.cases.map((c) => c.status), parsed.defects]).toEqual([['failed'], ['p: TestA ended twice']]);
  });
  test('a test without an end failed, a package without one is a defect', () => {
    const parsed = reportIn(read(...passed, event('run', { Test: 'TestB' })));
    expect(casesIn(read(...passed, event('run', { Test: 'TestB' })))).toEqual([
      'passed go|p||TestA',
      'failed go|p||TestB',
    ]);
    expect(parsed.defects).toEqual(['p: TestB did not finish', 'p: did not finish']);
  });
  test('the output of a build is kept apart from that of tests (since Go 1.24)', () => {
    const built = [
      JSON.stringify({ ImportPath: 'p [p.test]', Action: 'build-output', Output: 'p/x.go:3: undefined\n' }),
      JSON.stringify({ ImportPath: 'p [p.test]', Action: 'build-fail' }),
      event('start'),
      event('output', { Output: 'FAIL\tp [build failed]\n' }),
      event('fail', { Elapsed: 0, FailedBuild: 'p [p.test]' }),
    ];
    const parsed = reportIn(read(...built));
    expect([parsed.cases.map((c) => c.id), parsed.defects]).toEqual([[`go|p||${UNLOADED}`], [`p: ${UNLOADED}`]]);
  });
  test('a cut line and a missing end are defects, and words alone are no report', () => {
    expect(reportIn(read(...passed, event('pass'), '{"Time":"2026-')).defects).toEqual(['a line of the report is cut']);
    expect(reportIn(parse(`${[...passed, event('pass')].join('\n')}\n`, '/r')).defects).toEqual([
      'the output is incomplete',
    ]);
    expect(reasonIn(read('no required module provides package'))).toBe('report-unreadable');
  });
  test('people read what tests printed, not the events', () => {
    const printed = [
      event('output', { Output: 'a_test.go:4: no\n' }),
      'make: words',
      event('fail'),
      '',
      END_OF_OUTPUT,
      '',
    ];
    expect(readable(printed.join('\n'))).toBe('a_test.go:4: no\nmake: words');
  });
  test('benchmarks pass, a package without test files says nothing', () => {
    expect(casesIn(read(event('bench', { Test: 'BenchmarkA' }), event('pass')))).toEqual(['passed go|p||BenchmarkA']);
    expect(reportIn(read(event('output', { Output: '?   \tp\t[no test files]\n' }), event('skip')))).toEqual({
      cases: [],
      defects: [],
    });
  });
});
