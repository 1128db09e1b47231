// What every test runner must do, over reports of the real runners: always over the recordings, and over fresh ones where
// the runner is installed. Recordings are made by scripts/record-reports.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TestStatus } from '../../src/model/report.ts';
import { judge } from '../../src/verify/findings.ts';
import { OF_SUITE, UNLOADED } from '../../src/verify/runners/cases.ts';
import {
  isThere,
  LIVE_RUNNERS,
  produce,
  type PROJECTS,
  projectsOf,
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
function mixedScript(runner: string, ending = 'mjs'): Expected {
  const c = of(runner, `names.test.${ending}`);
  return {
    cases: [
      `failed ${runner}|broken.test.${ending}||${UNLOADED}`,
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
    defects: [`broken.test.${ending}: ${UNLOADED}`],
  };
}

/** A snapshot that is not there yet is a failure, never written. */
function mixedJest(): Expected {
  const { cases, defects } = mixedScript('jest', 'js');
  return { cases: [...cases, of('jest', 'names.test.js')('failed', '', 'writes no snapshot')], defects };
}

/** Our own reporter also reports a test with subtests: it can fail by itself. */
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

const mo = of('mocha', 'test/names.cjs');
const goCase = of('go', 'example.com/demo');
const lib = of('cargo', 'src/lib.rs');

/** Suite titles come joined; a hook that fails stands for the tests it kept from running; one file stops all. */
const mochaSays = {
  mixed: {
    cases: [
      mo('passed', '', 'adds'),
      mo('failed', '', 'fails'),
      mo('skipped', '', 'is skipped'),
      mo('skipped', '', 'is still to do'),
      mo('skipped', '', 'skips itself'),
      mo('passed', '', 'twice'),
      mo('failed', '', 'twice#2'),
      mo('failed', '', 'ends twice'),
      mo('passed', '', 'prints'),
      mo('passed', '', 'ümlaut “quoted” 日本 <b>&amp; over lines'),
      mo('passed', 'outer inner', 'works > well'),
      mo('passed', 'outer inner', 'has a::b and | in it'),
      mo('failed', 'without a database', `${OF_SUITE} "before all" hook for "is never run"`),
    ],
    defects: [],
  },
  green: two('mocha', 'test/one.cjs', 'passed'),
  empty: nothing,
  skipped: two('mocha', 'test/all.cjs', 'skipped'),
  broken: null,
};

/** Whatever its version. */
const nodeSays = {
  mixed: mixedNode(),
  green: two('node', 'one.test.mjs', 'passed'),
  empty: nothing,
  skipped: two('node', 'all.test.mjs', 'skipped'),
};

/** null: the runner left nothing that is a report, and its reader says so. */
type OfProjects = { readonly [P in (typeof PROJECTS)[number]]: Expected | null } & {
  readonly broken?: Expected | null;
};
const EXPECTED: { readonly [runner: string]: OfProjects } = {
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
  jest: {
    mixed: mixedJest(),
    green: two('jest', 'one.test.js', 'passed'),
    empty: { cases: [`failed jest|none.test.js||${UNLOADED}`], defects: [`none.test.js: ${UNLOADED}`] },
    skipped: two('jest', 'all.test.js', 'skipped'),
  },
  mocha: mochaSays,
  'mocha-on-stdout': mochaSays,
  go: {
    mixed: {
      cases: [
        goCase('passed', '', 'TestAdds'),
        goCase('failed', '', 'TestFails'),
        goCase('skipped', '', 'TestIsSkipped'),
        goCase('passed', '', 'TestPrints'), // nothing of what it printed
        goCase('failed', '', 'TestOuter'),
        goCase('passed', 'TestOuter', 'works_>_well'),
        goCase('passed', 'TestOuter', 'has_a::b_and_|_in_it'),
        goCase('passed', 'TestOuter > a', 'b'),
        goCase('failed', 'TestOuter > a', 'b#01'),
        goCase('passed', 'TestOuter', 'ümlaut_“quoted”_日本'),
        goCase('failed', '', 'ExampleOutput'),
        of('go', 'example.com/demo/broken')('failed', '', UNLOADED),
        of('go', 'example.com/demo/exits')('passed', '', 'TestFirst'),
        of('go', 'example.com/demo/exits')('failed', '', OF_SUITE),
        of('go', 'example.com/demo/panics')('passed', '', 'TestFirst'),
        of('go', 'example.com/demo/panics')('failed', '', 'TestPanics'),
        of('go', 'example.com/demo/sub')('passed', '', 'TestAdds'),
      ],
      defects: [`example.com/demo/broken: ${UNLOADED}`, 'example.com/demo/exits: failed outside every test'],
    },
    green: {
      cases: [goCase('passed', '', 'TestAdds'), goCase('passed', '', 'TestSubtracts')],
      defects: [],
    },
    empty: nothing,
    skipped: {
      cases: [goCase('skipped', '', 'TestAdds'), goCase('skipped', '', 'TestSubtracts')],
      defects: [],
    },
  },
  cargo: {
    mixed: {
      cases: [
        lib('passed', 'demo > tests', 'adds'),
        lib('failed', 'demo > tests', 'does_not_panic'),
        lib('failed', 'demo > tests', 'fails'),
        lib('skipped', 'demo > tests', 'is_skipped'),
        lib('skipped', 'demo > tests', 'is_slow'),
        lib('passed', 'demo > tests', 'panics'),
        lib('passed', 'demo > tests', 'prints'),
        lib('passed', 'demo > tests > inner', 'works'),
        of('cargo', 'tests/aborts.rs')('failed', 'aborts', UNLOADED),
        of('cargo', 'tests/first.rs')('passed', 'first', 'adds'),
        of('cargo', 'tests/forges.rs')('failed', 'forges', UNLOADED),
        of('cargo', 'tests/second.rs')('passed', 'second', 'adds'),
        lib('passed', 'demo doc', 'crate'),
        lib('passed', 'demo doc', 'add'),
        lib('failed', 'demo doc', 'add#2'),
        lib('skipped', 'demo doc', 'add#3'),
        lib('passed', 'demo doc', 'add#4'),
      ],
      defects: ['tests/aborts.rs aborts: did not finish', 'tests/forges.rs forges: its tests are not those it counted'],
    },
    green: two('cargo', 'src/lib.rs', 'passed', 'demo'),
    empty: nothing,
    skipped: two('cargo', 'src/lib.rs', 'skipped', 'demo'),
    broken: { cases: [of('cargo', '')('failed', '', UNLOADED)], defects: ['could not compile `demo` (test "it")'] },
  },
};

function check(runner: LiveRunner, project: Project, text: string, root: string): void {
  const expected = EXPECTED[runner.name]?.[project];
  if (expected === undefined) throw new Error(`no expectation for ${runner.name} ${project}`);
  const parsed = runner.runner.parse(text, root);
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

  test.each(projectsOf(runner))('the recorded report of the project %s is read case by case', (project) => {
    check(runner, project, recording(project), RECORDED_ROOT);
  });

  test('reading twice gives the same ids, and none twice', () => {
    const ids = () => {
      const parsed = runner.runner.parse(recording('mixed'), RECORDED_ROOT);
      return parsed.ok ? parsed.value.cases.map((c) => c.id) : [];
    };
    expect(ids()).toEqual(ids());
    expect(new Set(ids()).size).toBe(ids().length);
  });

  test('a report that was cut off anywhere is refused, unless every test is in what is left', () => {
    const whole = recording('mixed');
    const passed = (text: string): readonly string[] => {
      const parsed = runner.runner.parse(text, RECORDED_ROOT);
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
    const parsed = runner.runner.parse(recording(project), RECORDED_ROOT);
    const exit = { code: 0, signal: null, ended: null, stdout: '', stderr: '', bytes: 0, ms: 1 };
    // Generic JUnit cannot tell a file that failed from a test that failed: there the failure itself must decide.
    for (const against of runner.runner.name === 'junit' ? [null] : (['baseline', null] as const)) {
      const spec = {
        name: 'full',
        command: runner.command,
        runner: runner.runner.name,
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
    for (const project of projectsOf(runner)) {
      const { text, root } = await produce(runner, project);
      check(runner, project, text ?? '', root);
    }
  });
});
