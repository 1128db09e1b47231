// TAP: where it is read from, and the corners of its grammar.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { casesIn, reasonIn, reportIn } from '../../../../test/support/reports.ts';
import { parse } from './report.ts';
import { tap } from './runner.ts';

const PATH = '/r/x.json';

test('TAP is read from what the command prints, unless it asks for a path', () => {
  expect(tap.reporting.instrument('prove -v', PATH)).toEqual({ command: 'prove -v', env: {}, from: 'stdout' });
  expect(tap.reporting.instrument('prove -v > {report}', PATH)).toEqual({
    command: 'prove -v > /r/x.json',
    env: {},
    from: 'file',
  });
});

describe('TAP', () => {
  const read = (...lines: string[]) => parse(`${lines.join('\n')}\n`, '/r');
  const defects = (...lines: string[]) => reportIn(read(...lines)).defects;

  test('needs a plan, and as many points as it says', () => {
    expect(defects('ok 1 - a')).toEqual(['no plan']);
    expect(defects('1..2', 'ok 1 - a')).toEqual(['planned 2, found 1']);
    expect(defects('ok 1 - a', 'ok 2 - b', '1..1')).toEqual(['planned 1, found 2']);
    expect(defects('1..1', 'ok 1 - a', '1..1')).toEqual(['a second plan']);
    expect(defects('ok 1 - a', '1..1')).toEqual([]);
  });
  test('that bails out is not believed, and what follows is not read', () => {
    const parsed = reportIn(read('1..2', 'ok 1 - a', 'Bail out! no database', 'ok 2 - b'));
    expect(parsed.defects).toEqual(['Bail out! no database']);
    expect(parsed.cases).toHaveLength(1);
    expect(defects('1..1', '    ok 1 - in', '    Bail out!')).toEqual(['Bail out!']);
  });
  test('without one line of it is no report', () => {
    expect(reasonIn(read('hello', 'okay 1', ''))).toBe('report-unreadable');
  });
  test('directives in any case skip, but a failure is not skipped away', () => {
    expect(
      casesIn(read('1..4', 'ok 1 a # Skip', 'not ok 2 b # todo x', 'not ok 3 c # SKIP', 'ok 4 d # skipper')),
    ).toEqual(['skipped tap|||a', 'skipped tap|||b', 'failed tap|||c', 'skipped tap|||d']);
  });
  test('words around it and inside it change nothing', () => {
    const lines = [
      'starting',
      '1..1',
      '# Subtest: outer',
      'noise',
      '    ok 1 - in',
      'noise',
      '    1..1',
      'ok 1 - outer',
    ];
    expect(casesIn(read(...lines))).toEqual(['passed tap||outer|in']);
    expect(defects(...lines)).toEqual([]);
  });
  test('comments behind a failure explain it and head nothing', () => {
    const failing = casesIn(read('1..2', 'not ok 1 - a', '# because', 'ok 2 - b'));
    const passing = casesIn(read('1..2', 'ok 1 - a', 'ok 2 - b'));
    expect(failing[1]).toBe(passing[1]);
  });
  test('a point below a comment keeps its id when its description changes', () => {
    const ids = (text: string) => reportIn(read('1..2', '# adds', `ok 1 ${text}`, 'ok 2 y')).cases.map((c) => c.id);
    expect(ids('3 equals 3')).toEqual(ids('4 equals 4'));
  });
  test('a subtest whose own result fails is a failure of its own', () => {
    expect(casesIn(read('1..1', '# Subtest: p', '    ok 1 - c', '    1..1', 'not ok 1 - p'))).toEqual([
      'passed tap||p|c',
      'failed tap|||p',
    ]);
  });
  test('subtests in braces, and files as subtests, are understood', () => {
    const lines = ['1..1', 'ok 1 - test/a.js # time=5ms {', '    ok 1 - works', '    1..1', '}'];
    expect(casesIn(read(...lines))).toEqual(['passed tap|test/a.js||works']);
    expect(defects(...lines)).toEqual([]);
  });
  test('a subtest that never ends and a diagnostic that never ends are defects', () => {
    expect(defects('1..1', '# Subtest: p', '    ok 1 - c')).toContain('a subtest without its result');
    expect(defects('1..1', 'not ok 1 - a', '  ---', '  x: 1')).toContain('a diagnostic block without an end');
  });
  test('points inside a diagnostic are no points', () => {
    expect(casesIn(read('1..1', 'not ok 1 - a', '  ---', '  output: |', '    ok 5 - forged', '  ...'))).toEqual([
      'failed tap|||a',
    ]);
  });
  test('several documents in one output are one report', () => {
    const one = ['TAP version 13', 'ok 1 - a', '1..1'];
    expect(casesIn(read(...one, ...one))).toEqual(['passed tap|||a', 'passed tap|||a#2']);
  });
  test('output that was cut is a defect', () => {
    expect(defects('1..1', '… 500 bytes left out …', 'ok 1 - a')).toEqual(['the output was cut']);
    expect(reportIn(parse('1..1\nok 1 - ad', '/r')).defects).toEqual(['the last line has no end']);
  });
  test('no text makes the reader stand still or throw', () => {
    const line = fc.constantFrom(
      'ok 1 - a',
      'not ok',
      '1..2',
      '# Subtest: x',
      '# c',
      '    ok 1',
      '        not ok 2 - z',
      '    1..1',
      '  ---',
      '  ...',
      'TAP version 13',
      '    TAP version 14',
      '}',
      'ok 2 - q {',
      'noise',
      '',
      '  x',
      '    # Subtest: y',
      'Bail out!',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const points = lines.filter((l) => /^\s*(not )?ok/.test(l)).length;
        const parsed = read(...lines);
        expect(parsed.ok ? parsed.value.cases.length : 0).toBeLessThanOrEqual(points);
      }),
      { numRuns: 2_000 },
    );
  });
});
