// Reports of node:test beyond the recorded ones: JUnit, and the lines of our own reporter.
import { describe, expect, test } from 'vitest';
import { casesIn, reasonIn, reportIn } from '../../../../test/support/reports.ts';
import { parse } from './report.ts';

describe('the JUnit of node', () => {
  test('a test that fails behind its passed subtests is a defect', () => {
    const text = `<testsuites><testsuite name="parent"><testcase name="child" classname="parent" file="/r/a.mjs"/></testsuite>
      <!-- fail 1 -->\n<!-- cancelled 0 -->\n</testsuites>`;
    expect(reportIn(parse(text, '/r')).defects).toEqual(['1 counted failures are in no case']);
  });
  test('before Node 22 files are known by absolute titles', () => {
    const text = `<testsuites><testcase name="/r/b.mjs" classname="test"><failure message="test failed"/></testcase>
      <testcase name="/r/c.mjs" classname="test"/><testcase name="adds" classname="test"/></testsuites>`;
    expect(casesIn(parse(text, '/r'))).toEqual(['failed node|b.mjs||(did not load)', 'passed node|||adds']);
  });
});

describe('the lines of our own reporter', () => {
  const start = { event: 'start', run: 'a', version: 1, node: 'v20.0.0' };
  const line = (event: string, name: string, status: string, more: object = {}) => ({
    event,
    run: 'a',
    status,
    file: '/r/a.mjs',
    suite: [],
    name,
    ms: 1,
    failure: status === 'fail' ? 'testCodeFailure' : '',
    message: status === 'fail' ? 'no' : '',
    ...more,
  });
  const end = (tests: number, executed = tests, counted = {}) => ({ event: 'end', run: 'a', tests, executed, counted });
  const text = (...lines: object[]) => lines.map((l) => `${JSON.stringify(l)}\n`).join('');
  const read = (...lines: object[]) => parse(text(...lines), '/r');
  const one = line('test', 'one', 'pass');

  test('are a whole report only with the last of them', () => {
    expect(reportIn(read(start, one, end(1))).defects).toEqual([]);
    expect(reportIn(read(start, one)).defects).toEqual(['a run did not finish']);
    expect(reportIn(parse(text(start, one).slice(0, -1), '/r')).defects).toContain('the last line has no end');
  });
  test('must be as many as the last one counts', () => {
    expect(reportIn(read(start, one, end(2))).defects).toEqual(['a run counted 2 tests, its report holds 1']);
    expect(reportIn(read(start, one, end(1, 0))).defects).toHaveLength(1);
    expect(reportIn(read(start, one, end(1, 1, { fail: 1, cancelled: 1 }))).defects).toEqual([
      '2 counted failures are in no case',
    ]);
  });
  test('of several runs are one report, and none of them may be cut', () => {
    const b = { run: 'b' };
    const both = [start, { ...start, ...b }, one, { ...one, ...b, file: '/r/b.mjs' }, end(1)];
    expect(casesIn(read(...both, { ...end(1), ...b }))).toEqual(['passed node|a.mjs||one', 'passed node|b.mjs||one']);
    expect(reportIn(read(...both)).defects).toEqual(['a run did not finish']);
  });
  test('of suites are no tests, unless a suite fails in itself or was skipped whole', () => {
    const lines = [
      line('suite', 'fine', 'pass'),
      line('suite', 'below', 'fail', { failure: 'subtestsFailed' }),
      line('suite', 'hook', 'fail', { failure: 'hookFailed' }),
      line('suite', 'idle', 'skip'),
    ];
    expect(casesIn(read(start, ...lines, end(0)))).toEqual([
      'failed node|a.mjs|hook|(suite)',
      'skipped node|a.mjs|idle|(suite)',
    ]);
  });
  test('of files say what did not load, and nothing of files without tests', () => {
    const parsed = reportIn(read(start, line('file', '/r/a.mjs', 'fail'), line('file', 'b.mjs', 'pass'), end(0)));
    expect(parsed.cases.map((c) => c.id)).toEqual(['node|a.mjs||(did not load)']);
    expect(parsed.defects).toEqual(['a.mjs: (did not load)']);
  });
  test.each([
    ['nothing', ''],
    ['another version', text({ ...start, version: 2 })],
    ['a run that never began', text(one)],
    ['a run that began twice', text(start, start)],
    ['an unknown status', text(start, { ...one, status: 'fine' })],
    ['noise', `${text(start)}hello\n${text(one, end(1))}`],
  ])('%s is no report', (_what, written) => {
    expect(reasonIn(parse(written, '/r'))).toBe('report-unreadable');
  });
});
