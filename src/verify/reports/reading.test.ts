// Reports beyond the recorded ones: broken, hostile, huge, and the corners of TAP.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TestReport } from '../../model/report.ts';
import type { Result } from '../../model/result.ts';
import { cargo } from './cargo.ts';
import { firstLine, fold, relativeTo, UNLOADED, withIds } from './cases.ts';
import { go } from './go.ts';
import { jest } from './jest.ts';
import { junit } from './junit.ts';
import { mocha } from './mocha.ts';
import { node } from './node.ts';
import { pytest } from './pytest.ts';
import { END_OF_OUTPUT } from './shell.ts';
import { tap } from './tap.ts';
import { vitest } from './vitest.ts';

const value = (parsed: Result<TestReport>): TestReport => {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.failure));
  return parsed.value;
};
const said = (parsed: Result<TestReport>): string[] => value(parsed).cases.map((c) => `${c.status} ${c.id}`);
const reason = (parsed: Result<TestReport>): string => (parsed.ok ? 'read' : parsed.failure.reason);

describe('ids', () => {
  const raw = (name: string, suite: readonly string[] = []) =>
    ({ file: 'a.ts', suite, name, status: 'passed', ms: 0, message: '' }) as const;

  test('are the same however the title was composed or spaced', () => {
    const [a] = withIds('node', [raw('u\u0308  x\n y ')]);
    expect(a?.id).toBe('node|a.ts||ü x y');
  });
  test('number repeated titles in the order of the report', () => {
    expect(withIds('node', [raw('x'), raw('x', ['s']), raw('x')]).map((c) => c.id)).toEqual([
      'node|a.ts||x',
      'node|a.ts|s|x',
      'node|a.ts||x#2',
    ]);
  });
  test('are never given twice, whatever tests are called', () => {
    const name = fc.constantFrom('x', 'x#2', 'x#3', ' x', 'x#2#2', '');
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const ids = withIds(
          'r',
          names.map((n) => raw(n)),
        ).map((c) => c.id);
        expect(new Set(ids).size).toBe(ids.length);
        ids.forEach((id, i) => expect(id.startsWith(`r|a.ts||${fold(names[i] ?? '')}`)).toBe(true));
      }),
    );
  });
  test('name files by their place in the repository', () => {
    expect(relativeTo('/repo', '/repo/src/a.ts')).toBe('src/a.ts');
    expect(relativeTo('/repo', 'src/a.ts')).toBe('src/a.ts');
    expect(relativeTo('/repo', '/repository/a.ts')).toBe('/repository/a.ts');
    expect(relativeTo('/repo', '/repo/..hidden/a.ts')).toBe('..hidden/a.ts');
    expect(relativeTo('/repo', '')).toBe('');
  });
});

describe('XML', () => {
  test.each([
    ['nothing', ''],
    ['no XML', 'ok'],
    ['a page', '<html><body/></html>'],
    ['two roots', '<testsuites></testsuites><testsuites></testsuites>'],
    ['an open tag', '<testsuites><testsuite name="a"><testcase name="b"/>'],
    [
      'an entity bomb',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuites><testsuite name="&b;"/></testsuites>',
    ],
    [
      'a file from outside',
      '<?xml version="1.0"?>\n<!-- x --><!doctype x [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuites/>',
    ],
    ['a thousand levels', `${'<testsuite>'.repeat(1000)}${'</testsuite>'.repeat(1000)}`],
  ])('%s is no report', (_what, text) => {
    for (const adapter of [junit, node, pytest]) expect(reason(adapter.parse(text, '/r'))).toBe('report-unreadable');
  });

  test('names that are dangerous to objects are only names', () => {
    const text =
      '<testsuites><testsuite name="__proto__"><testcase name="constructor" file="__proto__"/></testsuite></testsuites>';
    expect(said(junit.parse(text, '/r'))).toEqual(['passed junit|__proto__|__proto__|constructor']);
  });

  test('entities and numbers in names are read', () => {
    const text = '<testsuite name="s"><testcase name="a &lt;b&gt; &amp;amp; &quot;&apos; &#10; &#x65E5;"/></testsuite>';
    expect(said(junit.parse(text, '/r'))).toEqual(['passed junit||s|a <b> &amp; "\' 日']);
  });

  test('twenty thousand cases with entities are read', () => {
    const suite = (f: number) =>
      `<testsuite name="f${f}">${Array.from(
        { length: 200 },
        (_, i) => `<testcase classname="c" file="f${f}.py" name="a &gt; b &quot;x&quot; &#10; ${i}" time="0.1"/>`,
      ).join('')}</testsuite>`;
    const text = `<testsuites>${Array.from({ length: 100 }, (_, f) => suite(f)).join('')}</testsuites>`;
    for (const adapter of [junit, node, pytest]) expect(value(adapter.parse(text, '/r')).cases).toHaveLength(20_000);
  });

  test('a failure outweighs a skip, and states without elements count as skipped', () => {
    const text = `<testsuite name="s"><testcase name="a"><skipped/><error message="clean-up"/></testcase>
      <testcase name="b" status="disabled"/><testcase name="c" status="run"/></testsuite>`;
    expect(said(junit.parse(text, '/r')).map((s) => s.split(' ')[0])).toEqual(['failed', 'skipped', 'passed']);
  });

  test('a suite that counts failures which no case shows is a defect', () => {
    const text = '<testsuites><testsuite name="s" errors="1"><testcase name="a"/></testsuite></testsuites>';
    expect(value(junit.parse(text, '/r')).defects).toEqual(['s: 1 counted failures are in no case']);
  });
});

describe('node', () => {
  test('a test that fails behind its passed subtests is a defect', () => {
    const text = `<testsuites><testsuite name="parent"><testcase name="child" classname="parent" file="/r/a.mjs"/></testsuite>
      <!-- fail 1 -->\n<!-- cancelled 0 -->\n</testsuites>`;
    expect(value(node.parse(text, '/r')).defects).toEqual(['1 counted failures are in no case']);
  });
  test('before Node 22 files are known by absolute titles', () => {
    const text = `<testsuites><testcase name="/r/b.mjs" classname="test"><failure message="test failed"/></testcase>
      <testcase name="/r/c.mjs" classname="test"/><testcase name="adds" classname="test"/></testsuites>`;
    expect(said(node.parse(text, '/r'))).toEqual(['failed node|b.mjs||(did not load)', 'passed node|||adds']);
  });
});

describe('the lines of our own reporter', () => {
  const start = { event: 'start', run: 'a', version: 1, node: 'v20.0.0' };
  const told = (event: string, name: string, status: string, more: object = {}) => ({
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
  const read = (...lines: object[]) => node.parse(text(...lines), '/r');
  const one = told('test', 'one', 'pass');

  test('are a whole report only with the last of them', () => {
    expect(value(read(start, one, end(1))).defects).toEqual([]);
    expect(value(read(start, one)).defects).toEqual(['a run did not come to its end']);
    expect(value(node.parse(text(start, one).slice(0, -1), '/r')).defects).toContain('the last line has no end');
  });
  test('must be as many as the last one counts', () => {
    expect(value(read(start, one, end(2))).defects).toEqual(['a run counted 2 tests, its report holds 1']);
    expect(value(read(start, one, end(1, 0))).defects).toHaveLength(1);
    expect(value(read(start, one, end(1, 1, { fail: 1, cancelled: 1 }))).defects).toEqual([
      '2 counted failures are in no case',
    ]);
  });
  test('of several runs are one report, and none of them may be cut', () => {
    const b = { run: 'b' };
    const both = [start, { ...start, ...b }, one, { ...one, ...b, file: '/r/b.mjs' }, end(1)];
    expect(said(read(...both, { ...end(1), ...b }))).toEqual(['passed node|a.mjs||one', 'passed node|b.mjs||one']);
    expect(value(read(...both)).defects).toEqual(['a run did not come to its end']);
  });
  test('of suites are no tests, unless a suite fails in itself or was skipped whole', () => {
    const lines = [
      told('suite', 'fine', 'pass'),
      told('suite', 'below', 'fail', { failure: 'subtestsFailed' }),
      told('suite', 'hook', 'fail', { failure: 'hookFailed' }),
      told('suite', 'idle', 'skip'),
    ];
    expect(said(read(start, ...lines, end(0)))).toEqual([
      'failed node|a.mjs|hook|(suite)',
      'skipped node|a.mjs|idle|(suite)',
    ]);
  });
  test('of files say what did not load, and nothing of files without tests', () => {
    const parsed = value(read(start, told('file', '/r/a.mjs', 'fail'), told('file', 'b.mjs', 'pass'), end(0)));
    expect(parsed.cases.map((c) => c.id)).toEqual(['node|a.mjs||(did not load)']);
    expect(parsed.defects).toEqual(['a.mjs: (did not load)']);
  });
  test.each([
    ['nothing', ''],
    ['another version', text({ ...start, version: 2 })],
    ['a run that never began', text(one)],
    ['a run that began twice', text(start, start)],
    ['a status nobody knows', text(start, { ...one, status: 'fine' })],
    ['noise', `${text(start)}hello\n${text(one, end(1))}`],
  ])('%s is no report', (_what, written) => {
    expect(reason(node.parse(written, '/r'))).toBe('report-unreadable');
  });
});

describe('messages', () => {
  test('go on behind a colon', () => {
    expect(firstLine('\n  Expected values to be equal:\n\n3 !== 4\n')).toBe('Expected values to be equal: 3 !== 4');
    expect(firstLine('broken\nat a.js:1')).toBe('broken');
  });
  test('are cut between words, and stay short', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 250, maxLength: 700 }), (text) => {
        expect(firstLine(text).length).toBeLessThanOrEqual(300);
      }),
    );
    const words = `${'word '.repeat(58)}secret-of-many-characters-0123456789`;
    expect(firstLine(words)).toBe(`${'word '.repeat(58).trimEnd()} …`);
  });
});

test('pytest reports of the second family are read too', () => {
  const text = '<testsuite name="pytest"><testcase classname="tests.test_a.TestC" name="test_m"/></testsuite>';
  expect(said(pytest.parse(text, '/r'))).toEqual(['passed pytest|tests/test_a.py|TestC|test_m']);
});

describe('vitest', () => {
  test.each(['', '{', '[]', '{"success":true}', 'null'])('%j is no report', (text) => {
    expect(reason(vitest.parse(text, '/r'))).toBe('report-unreadable');
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
    const parsed = value(vitest.parse(report(false, 'failed'), '/r'));
    expect(parsed.cases.map((c) => c.status)).toEqual(['passed', 'failed']);
    expect(parsed.defects).toHaveLength(1);
  });
  test('a run that failed outside every test is a defect', () => {
    expect(value(vitest.parse(report(false, 'passed'), '/r')).defects).toHaveLength(1);
    expect(value(vitest.parse(report(true, 'passed'), '/r')).defects).toEqual([]);
  });
});

describe('TAP', () => {
  const read = (...lines: string[]) => tap.parse(`${lines.join('\n')}\n`, '/r');
  const defects = (...lines: string[]) => value(read(...lines)).defects;

  test('needs a plan, and as many points as it says', () => {
    expect(defects('ok 1 - a')).toEqual(['no plan']);
    expect(defects('1..2', 'ok 1 - a')).toEqual(['planned 2, found 1']);
    expect(defects('ok 1 - a', 'ok 2 - b', '1..1')).toEqual(['planned 1, found 2']);
    expect(defects('1..1', 'ok 1 - a', '1..1')).toEqual(['a second plan']);
    expect(defects('ok 1 - a', '1..1')).toEqual([]);
  });
  test('that bails out is not believed, and what follows is not read', () => {
    const parsed = value(read('1..2', 'ok 1 - a', 'Bail out! no database', 'ok 2 - b'));
    expect(parsed.defects).toEqual(['Bail out! no database']);
    expect(parsed.cases).toHaveLength(1);
    expect(defects('1..1', '    ok 1 - in', '    Bail out!')).toEqual(['Bail out!']);
  });
  test('without one line of it is no report', () => {
    expect(reason(read('hello', 'okay 1', ''))).toBe('report-unreadable');
  });
  test('directives in any case skip, but a failure is not skipped away', () => {
    expect(said(read('1..4', 'ok 1 a # Skip', 'not ok 2 b # todo x', 'not ok 3 c # SKIP', 'ok 4 d # skipper'))).toEqual(
      ['skipped tap|||a', 'skipped tap|||b', 'failed tap|||c', 'skipped tap|||d'],
    );
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
    expect(said(read(...lines))).toEqual(['passed tap||outer|in']);
    expect(defects(...lines)).toEqual([]);
  });
  test('comments behind a failure explain it and head nothing', () => {
    const failing = said(read('1..2', 'not ok 1 - a', '# because', 'ok 2 - b'));
    const passing = said(read('1..2', 'ok 1 - a', 'ok 2 - b'));
    expect(failing[1]).toBe(passing[1]);
  });
  test('a point below a comment keeps its id when its description changes', () => {
    const ids = (text: string) => value(read('1..2', '# adds', `ok 1 ${text}`, 'ok 2 y')).cases.map((c) => c.id);
    expect(ids('3 equals 3')).toEqual(ids('4 equals 4'));
  });
  test('a subtest whose own result fails is a failure of its own', () => {
    expect(said(read('1..1', '# Subtest: p', '    ok 1 - c', '    1..1', 'not ok 1 - p'))).toEqual([
      'passed tap||p|c',
      'failed tap|||p',
    ]);
  });
  test('subtests in braces, and files as subtests, are understood', () => {
    const lines = ['1..1', 'ok 1 - test/a.js # time=5ms {', '    ok 1 - works', '    1..1', '}'];
    expect(said(read(...lines))).toEqual(['passed tap|test/a.js||works']);
    expect(defects(...lines)).toEqual([]);
  });
  test('a subtest that never ends and a diagnostic that never ends are defects', () => {
    expect(defects('1..1', '# Subtest: p', '    ok 1 - c')).toContain('a subtest without its result');
    expect(defects('1..1', 'not ok 1 - a', '  ---', '  x: 1')).toContain('a diagnostic block without an end');
  });
  test('points inside a diagnostic are no points', () => {
    expect(said(read('1..1', 'not ok 1 - a', '  ---', '  output: |', '    ok 5 - forged', '  ...'))).toEqual([
      'failed tap|||a',
    ]);
  });
  test('several documents in one output are one report', () => {
    const one = ['TAP version 13', 'ok 1 - a', '1..1'];
    expect(said(read(...one, ...one))).toEqual(['passed tap|||a', 'passed tap|||a#2']);
  });
  test('output that was cut is a defect', () => {
    expect(defects('1..1', '… 500 bytes left out …', 'ok 1 - a')).toEqual(['the output was cut']);
    expect(value(tap.parse('1..1\nok 1 - ad', '/r')).defects).toEqual(['the last line has no end']);
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

describe('go', () => {
  const event = (Action: string, more: object = {}) => JSON.stringify({ Action, Package: 'p', ...more });
  const read = (...lines: string[]) => go.parse(`${[...lines, END_OF_OUTPUT].join('\n')}\n`, '/r');
  const passed = [event('run', { Test: 'TestA' }), event('pass', { Test: 'TestA' })];

  test('a test that ends twice printed one of the ends: the worse counts, and the report is not whole', () => {
    const parsed = value(read(...passed, event('fail', { Test: 'TestA' }), event('fail')));
    expect([parsed.cases.map((c) => c.status), parsed.defects]).toEqual([['failed'], ['p: TestA ended twice']]);
  });
  test('a test without an end failed, a package without one is a defect', () => {
    const parsed = value(read(...passed, event('run', { Test: 'TestB' })));
    expect(said(read(...passed, event('run', { Test: 'TestB' })))).toEqual([
      'passed go|p||TestA',
      'failed go|p||TestB',
    ]);
    expect(parsed.defects).toEqual(['p: TestB did not come to its end', 'p: did not come to its end']);
  });
  test('the output of a build is told apart from that of tests (since Go 1.24)', () => {
    const built = [
      JSON.stringify({ ImportPath: 'p [p.test]', Action: 'build-output', Output: 'p/x.go:3: undefined\n' }),
      JSON.stringify({ ImportPath: 'p [p.test]', Action: 'build-fail' }),
      event('start'),
      event('output', { Output: 'FAIL\tp [build failed]\n' }),
      event('fail', { Elapsed: 0, FailedBuild: 'p [p.test]' }),
    ];
    const parsed = value(read(...built));
    expect([parsed.cases.map((c) => c.id), parsed.defects]).toEqual([[`go|p||${UNLOADED}`], [`p: ${UNLOADED}`]]);
  });
  test('a cut line and a missing end are defects, and words alone are no report', () => {
    expect(value(read(...passed, event('pass'), '{"Time":"2026-')).defects).toEqual(['a line of the report is cut']);
    expect(value(go.parse(`${[...passed, event('pass')].join('\n')}\n`, '/r')).defects).toEqual([
      'the output did not come to its end',
    ]);
    expect(reason(read('no required module provides package'))).toBe('report-unreadable');
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
    expect(go.readable?.(printed.join('\n'))).toBe('a_test.go:4: no\nmake: words');
    expect(cargo.readable?.(`test a ... ok\n\n${END_OF_OUTPUT}\n`)).toBe('test a ... ok\n');
  });
  test('benchmarks pass, a package without test files says nothing', () => {
    expect(said(read(event('bench', { Test: 'BenchmarkA' }), event('pass')))).toEqual(['passed go|p||BenchmarkA']);
    expect(value(read(event('output', { Output: '?   \tp\t[no test files]\n' }), event('skip')))).toEqual({
      cases: [],
      defects: [],
    });
  });
});

describe('cargo', () => {
  const read = (...lines: string[]) => cargo.parse(`${[...lines, END_OF_OUTPUT].join('\n')}\n`, '/r');
  const program = (name: string, result: string, ...lines: string[]) => [
    `     Running tests/${name}.rs (target/debug/deps/${name}-0123456789abcdef)`,
    'running 2 tests',
    ...lines,
    `test result: ok. ${result}; 0 measured; 0 filtered out; finished in 0.00s`,
  ];
  test('with one thread what a test prints stands between its name and its result', () => {
    const lines = ['test a ... hello', 'raw ok', 'test b ... words', 'and moreFAILED'];
    expect(said(read(...program('it', '1 passed; 1 failed; 0 ignored', ...lines)))).toEqual([
      'passed cargo|tests/it.rs|it|a',
      'failed cargo|tests/it.rs|it|b',
    ]);
  });
  test('a program whose lines do not fit its count has no test that passed', () => {
    const parsed = read(...program('it', '1 passed; 1 failed; 0 ignored', 'test a ... ok', 'test b ... ok'));
    expect(said(parsed)).toEqual([`failed cargo|tests/it.rs|it|${UNLOADED}`]);
    expect(value(parsed).defects).toHaveLength(1);
  });
  test('the same name in two programs is two tests, in one program of two packages too', () => {
    const one = program('it', '1 passed; 0 failed; 0 ignored', 'test a ... ok');
    const other = program('at', '1 passed; 0 failed; 0 ignored', 'test a ... ok');
    expect(value(read(...one, ...other, ...one)).cases.map((c) => c.id)).toEqual([
      'cargo|tests/it.rs|it|a',
      'cargo|tests/at.rs|at|a',
      'cargo|tests/it.rs|it|a#2',
    ]);
  });
  test('doc tests keep their ids when lines move, whichever ends first', () => {
    const docs = (...lines: string[]) =>
      said(read('   Doc-tests demo', 'running 2 tests', ...lines, 'test result: ok. 1 passed; 0 failed; 1 ignored;'));
    const ids = docs('test src/lib.rs - add (line 3) ... ok', 'test src/lib.rs - add (line 9) ... ignored');
    expect(ids).toEqual(['passed cargo|src/lib.rs|demo doc|add', 'skipped cargo|src/lib.rs|demo doc|add#2']);
    expect(docs('test src/lib.rs - add (line 19) ... ignored', 'test src/lib.rs - add (line 13) ... ok')).toEqual(ids);
  });
  test('output without the name of a program is no report', () => {
    expect(reason(read('running 1 test', 'test a ... ok', 'test result: ok. 1 passed; 0 failed; 0 ignored;'))).toBe(
      'report-unreadable',
    );
  });
});

test('jest: a run that was interrupted, or wrote snapshots, or tells less than it counted is not whole', () => {
  const report = (more: object) => JSON.stringify({ success: true, testResults: [], ...more });
  expect(value(jest.parse(report({}), '/r')).defects).toEqual([]);
  for (const more of [{ wasInterrupted: true }, { numTotalTests: 2 }, { snapshot: { added: 1 } }])
    expect(value(jest.parse(report(more), '/r')).defects).toHaveLength(1);
});

test('mocha: numbers that do not fit the lists are defects', () => {
  const stats = { tests: 1, passes: 1, pending: 0, failures: 0 };
  const lists = { tests: [], passes: [], pending: [], failures: [] };
  expect(value(mocha.parse(JSON.stringify({ stats, ...lists }), '/r')).defects).toHaveLength(2);
});
