// How cargo is made to report, and what it prints says.
import { describe, expect, test } from 'vitest';
import { casesIn, reasonIn, reportIn } from '../../../../test/support/reports.ts';
import { UNLOADED } from '../cases.ts';
import { END_OF_OUTPUT } from '../shell.ts';
import { parse, readable } from './report.ts';
import { cargo } from './runner.ts';

const PATH = '/r/x.json';

describe('cargo', () => {
  const inside = (command: string) => {
    const how = cargo.reporting.instrument(command, PATH);
    return how?.from === 'stdout' ? how.command.split('\n')[1] : (how ?? null);
  };
  test.each([
    ['cargo test', 'cargo test --no-fail-fast'],
    ['cargo +nightly test --workspace -- --nocapture', 'cargo +nightly test --no-fail-fast --workspace -- --nocapture'],
    ['cargo test --no-fail-fast', 'cargo test --no-fail-fast'],
    ['cargo nextest run', null],
  ])('%s', (command, expected) => {
    expect(inside(command)).toBe(expected);
  });
});

describe('the report of cargo', () => {
  const read = (...lines: string[]) => parse(`${[...lines, END_OF_OUTPUT].join('\n')}\n`, '/r');
  const program = (name: string, result: string, ...lines: string[]) => [
    `     Running tests/${name}.rs (target/debug/deps/${name}-0123456789abcdef)`,
    'running 2 tests',
    ...lines,
    `test result: ok. ${result}; 0 measured; 0 filtered out; finished in 0.00s`,
  ];
  test('with one thread the output of a test is between its name and its result', () => {
    const lines = ['test a ... hello', 'raw ok', 'test b ... words', 'and moreFAILED'];
    expect(casesIn(read(...program('it', '1 passed; 1 failed; 0 ignored', ...lines)))).toEqual([
      'passed cargo|tests/it.rs|it|a',
      'failed cargo|tests/it.rs|it|b',
    ]);
  });
  test('a program whose lines do not fit its count has no test that passed', () => {
    const parsed = read(...program('it', '1 passed; 1 failed; 0 ignored', 'test a ... ok', 'test b ... ok'));
    expect(casesIn(parsed)).toEqual([`failed cargo|tests/it.rs|it|${UNLOADED}`]);
    expect(reportIn(parsed).defects).toHaveLength(1);
  });
  test('the same name in two programs is two tests, in one program of two packages too', () => {
    const one = program('it', '1 passed; 0 failed; 0 ignored', 'test a ... ok');
    const other = program('at', '1 passed; 0 failed; 0 ignored', 'test a ... ok');
    expect(reportIn(read(...one, ...other, ...one)).cases.map((c) => c.id)).toEqual([
      'cargo|tests/it.rs|it|a',
      'cargo|tests/at.rs|at|a',
      'cargo|tests/it.rs|it|a#2',
    ]);
  });
  test('doc tests keep their ids when lines move, whichever ends first', () => {
    const docs = (...lines: string[]) =>
      casesIn(
        read('   Doc-tests demo', 'running 2 tests', ...lines, 'test result: ok. 1 passed; 0 failed; 1 ignored;'),
      );
    const ids = docs('test src/lib.rs - add (line 3) ... ok', 'test src/lib.rs - add (line 9) ... ignored');
    expect(ids).toEqual(['passed cargo|src/lib.rs|demo doc|add', 'skipped cargo|src/lib.rs|demo doc|add#2']);
    expect(docs('test src/lib.rs - add (line 19) ... ignored', 'test src/lib.rs - add (line 13) ... ok')).toEqual(ids);
  });
  test('output without the name of a program is no report', () => {
    expect(reasonIn(read('running 1 test', 'test a ... ok', 'test result: ok. 1 passed; 0 failed; 0 ignored;'))).toBe(
      'report-unreadable',
    );
  });
  test('people read what was printed, without the mark of its end', () => {
    expect(readable(`test a ... ok\n\n${END_OF_OUTPUT}\n`)).toBe('test a ... ok\n');
  });
});
