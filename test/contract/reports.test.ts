// What every adapter of a test runner must do, over reports of the real runners: always over the recordings, and over
// fresh ones where the runner is there. Recordings are made by scripts/record-reports.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TestStatus } from '../../src/model/report.ts';
import { judge } from '../../src/verify/findings.ts';
import { UNLOADED } from '../../src/verify/reports/cases.ts';
import {
  isThere,
  LIVE_RUNNERS,
  produce,
  PROJECTS,
  RECORDED_ROOT,
  recordingOf,
  type LiveRunner,
  type Project,
} from './live-runners.ts';

type Expected = {
  /** `status id`, in any order. */
  readonly cases: readonly string[];
  readonly defects: readonly string[];
};

const of = (runner: string, file: string) => (status: TestStatus, suite: string, name: string) =>
  `${status} ${runner}|${file}|${suite}|${name}`;

/** The project `mixed` of node and vitest says the same in both. */
function mixedScript(runner: string): Expected {
  const c = of(runner, 'names.test.mjs');
  return {
    cases: [
      `failed ${runner}|broken.test.mjs||${UNLOADED}`,
      c('passed', '', 'adds'),
      c('failed', '', 'fails'),
      c('skipped', '', 'is skipped'),
      c('skipped', '', 'is still to do'),
      c('passed', '', 'twice'),
      c('failed', '', 'twice#2'),
      c('passed', 'outer > inner', 'works > well'),
      c('passed', 'outer > inner', 'has a::b and | in it'),
      c('passed', '', 'ümlaut “quoted” 日本 <b>&amp; over lines'),
      c('passed', 'parent', 'child'),
    ],
    defects: [`broken.test.mjs: ${UNLOADED}`],
  };
}

/** Our own reporter tells of a test with subtests too: it can fail by itself. */
function mixedNode(): Expected {
  const { cases, defects } = mixedScript('node');
  return { cases: [...cases, of('node', 'names.test.mjs')('passed', '', 'parent')], defects };
}

const two = (runner: string, file: string, status: TestStatus, suite = ''): Expected => {
  const c = of(runner, file);
  return { cases: [c(status, suite, 'adds'), c(status, suite, 'subtracts')], defects: [] };
};
const nothing: Expected = { cases: [], defects: [] };
const py = of('pytest', 'test_names.py');
const vitestJunit = of('junit', '');
const tape = of('tap', '');
const flat = of('tap', '');

/** Whatever its version. */
const nodeSays = {
  mixed: mixedNode(),
  green: two('node', 'one.test.mjs', 'passed'),
  empty: nothing,
  skipped: two('node', 'all.test.mjs', 'skipped'),
};

/** null: the runner left nothing that is a report, and the adapter says so. */
const EXPECTED: { readonly [runner: string]: { readonly [P in Project]: Expected | null } } = {
  node: nodeSays,
  'node-18': nodeSays,
  'node-20': nodeSays,
  'node-22': nodeSays,
  'junit-of-node': { ...nodeSays, mixed: mixedScript('node') },
  vitest: {
    mixed: mixedScript('vitest'),
    green: two('vitest', 'one.test.mjs', 'passed'),
    empty: { cases: [`failed vitest|none.test.mjs||${UNLOADED}`], defects: [`none.test.mjs: ${UNLOADED}`] },
    skipped: two('vitest', 'all.test.mjs', 'skipped'),
  },
  pytest: {
    mixed: {
      cases: [
        `failed pytest|test_broken.py||${UNLOADED}`,
        py('passed', '', 'test_adds'),
        py('failed', '', 'test_fails'),
        py('skipped', '', 'test_is_skipped'),
        py('skipped', '', 'test_is_still_to_do'),
        py('passed', '', 'test_values[works > well]'),
        py('passed', '', 'test_values[a::b]'),
        py('passed', '', 'test_values[x|y]'),
        py('passed', '', String.raw`test_values[\xfcmlaut \u65e5\u672c]`),
        py('passed', 'TestOuter > TestInner', 'test_works'),
        py('failed', '', 'test_clean_up_fails'),
        py('failed', '', 'test_fails_twice'),
        py('failed', 'Sub', 'test_subtests'),
      ],
      defects: [`test_broken.py: ${UNLOADED}`],
    },
    green: {
      cases: [
        of('pytest', 'test_one.py')('passed', '', 'test_adds'),
        of('pytest', 'test_one.py')('passed', '', 'test_subtracts'),
      ],
      defects: [],
    },
    empty: nothing,
    skipped: {
      cases: [
        of('pytest', 'test_all.py')('skipped', '', 'test_adds'),
        of('pytest', 'test_all.py')('skipped', '', 'test_subtracts'),
      ],
      defects: [],
    },
  },
  'junit-of-vitest': {
    mixed: {
      cases: [
        vitestJunit('failed', 'broken.test.mjs', 'broken.test.mjs'),
        ...[
          ['passed', 'adds'],
          ['failed', 'fails'],
          ['skipped', 'is skipped'],
          ['skipped', 'is still to do'],
          ['passed', 'twice'],
          ['failed', 'twice#2'],
          ['passed', 'outer > inner > works > well'],
          ['passed', 'outer > inner > has a::b and | in it'],
          ['passed', 'ümlaut “quoted” 日本 <b>&amp; over lines'],
          ['passed', 'parent > child'],
        ].map(([status, name]) => vitestJunit(status as TestStatus, 'names.test.mjs', name ?? '')),
      ],
      defects: [],
    },
    green: two('junit', '', 'passed', 'one.test.mjs'),
    empty: { cases: [vitestJunit('failed', 'none.test.mjs', 'none.test.mjs')], defects: [] },
    skipped: two('junit', '', 'skipped', 'all.test.mjs'),
  },
  'tap-by-hand': {
    mixed: {
      cases: [
        flat('passed', '', 'adds'),
        flat('failed', '', 'fails'),
        flat('skipped', '', 'is skipped'),
        flat('skipped', '', 'is still to do'),
        flat('passed', '', 'twice'),
        flat('failed', '', 'twice#2'),
        flat('passed', 'outer', 'works > well'),
        flat('passed', 'outer', 'has a::b and | in it'),
        flat('passed', 'outer', 'hash # in it'),
        flat('passed', '', 'ümlaut 日本 <b>&amp;'),
      ],
      defects: [],
    },
    green: two('tap', '', 'passed'),
    empty: nothing,
    skipped: two('tap', '', 'skipped'),
  },
  'tap-of-node': {
    mixed: {
      cases: mixedScript('tap').cases.map((c) =>
        // This TAP names no file but that of a file which fails, and writes a newline as an escape.
        c.replace('|names.test.mjs|', '||').replace('&amp; over', String.raw`&amp;\n over`),
      ),
      defects: mixedScript('tap').defects,
    },
    green: two('tap', '', 'passed'),
    empty: nothing,
    skipped: two('tap', '', 'skipped'),
  },
  'tap-of-tape': {
    mixed: {
      cases: [
        tape('passed', 'adds', '1'),
        tape('passed', 'adds', '2'),
        tape('failed', 'fails', '1'),
        tape('passed', 'inner > works :: | well', '1'),
        tape('skipped', 'skips', '1'),
        tape('skipped', 'skips', '2'),
        tape('passed', 'adds', '1#2'),
      ],
      defects: [],
    },
    green: { cases: [tape('passed', 'adds', '1'), tape('passed', 'adds', '2')], defects: [] },
    empty: null,
    skipped: { cases: [tape('skipped', 'adds', '1')], defects: [] },
  },
};

function check(runner: LiveRunner, project: Project, text: string, root: string): void {
  const expected = EXPECTED[runner.name]?.[project];
  if (expected === undefined) throw new Error(`no expectation for ${runner.name} ${project}`);
  const parsed = runner.adapter.parse(text, root);
  if (expected === null) {
    expect(parsed.ok ? null : parsed.failure.reason).toBe('report-unreadable');
    return;
  }
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.failure));
  expect(parsed.value.cases.map((c) => `${c.status} ${c.id}`).sort()).toEqual([...expected.cases].sort());
  expect(parsed.value.defects).toEqual(expected.defects);
  for (const c of parsed.value.cases) {
    // What passed says nothing; what failed says why; a skip may or may not.
    if (c.status !== 'skipped') expect(`${c.id} ${c.message === ''}`).toBe(`${c.id} ${c.status === 'passed'}`);
    expect(c.message.length).toBeLessThanOrEqual(300);
    expect(Number.isSafeInteger(c.ms) && c.ms >= 0).toBe(true);
    expect(c.file.startsWith('/')).toBe(false);
  }
}

describe.each(LIVE_RUNNERS)('$name', (runner) => {
  const recording = (project: Project): string => readFileSync(recordingOf(runner, project), 'utf8');

  test.each(PROJECTS)('the recorded report of the project %s is read case by case', (project) => {
    check(runner, project, recording(project), RECORDED_ROOT);
  });

  test('reading twice gives the same ids, and none twice', () => {
    const ids = () => {
      const parsed = runner.adapter.parse(recording('mixed'), RECORDED_ROOT);
      return parsed.ok ? parsed.value.cases.map((c) => c.id) : [];
    };
    expect(ids()).toEqual(ids());
    expect(new Set(ids()).size).toBe(ids().length);
  });

  test('a report that was cut off anywhere is refused, unless every test is in what is left', () => {
    const whole = recording('mixed');
    const passed = (text: string): readonly string[] => {
      const parsed = runner.adapter.parse(text, RECORDED_ROOT);
      if (!parsed.ok || parsed.value.defects.length > 0) return [];
      return parsed.value.cases.filter((c) => c.status === 'passed').map((c) => c.id);
    };
    const step = Math.max(1, Math.floor(whole.trimEnd().length / 60));
    for (let at = 0; at < whole.trimEnd().length; at += step) {
      // TAP may lose the words behind its plan without losing a test: then everything is there.
      const left = passed(whole.slice(0, at));
      if (left.length > 0) expect(left, `cut at ${at}`).toEqual(passed(whole));
    }
  });

  test.each(['empty', 'skipped'] as const)('a %s suite is no pass where tests are needed', (project) => {
    const parsed = runner.adapter.parse(recording(project), RECORDED_ROOT);
    const exit = { code: 0, signal: null, ended: null, stdout: '', stderr: '', bytes: 0, ms: 1 };
    // Generic JUnit cannot tell a file that failed from a test that failed: there the failure itself must decide.
    for (const against of runner.adapter.runner === 'junit' ? [null] : (['baseline', null] as const)) {
      const spec = {
        name: 'full',
        command: runner.command,
        runner: runner.adapter.runner,
        needsTests: true,
        timeoutMs: 1000,
        weight: 'must',
        against,
      } as const;
      const read = parsed.ok
        ? ({ kind: 'read', report: parsed.value } as const)
        : ({ kind: 'unreadable', why: '' } as const);
      expect(judge(spec, exit, read, null).problems).not.toEqual([]);
    }
  });

  test('the runner of this machine says what the recording says', { timeout: 180_000 }, async (context) => {
    if (runner.install !== undefined) return context.skip(`${runner.name} is installed for recordings only`);
    if (!(await isThere(runner))) {
      console.warn(`SKIPPED: ${runner.name} live, because \`${runner.probe}\` does not work here`);
      context.skip(`${runner.name} is not on this machine`);
    }
    for (const project of PROJECTS) {
      const { text, root } = await produce(runner, project);
      check(runner, project, text ?? '', root);
    }
  });
});
