// Checks over real runners: what is believed, what is not, what is kept. The tricks are those an agent could play.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../host/clock.ts';
import { checkEnvironment } from '../host/environment.ts';
import { realIo } from '../host/io.ts';
import { runCommand, shellLine } from '../host/process.ts';
import type { CheckSpec } from '../model/action.ts';
import { failure } from '../model/failure.ts';
import type { TestBaseline } from '../model/report.ts';
import type { Verdict } from '../model/verdict.ts';
import type { CheckSandbox } from './run-once.ts';
import { runChecks, type CheckDeps } from './checks.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'harness-checks-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let root = '';
let turn = 0;
beforeEach(() => {
  root = join(base, String(turn++), 'repo');
  mkdirSync(root, { recursive: true });
});
const put = (path: string, text: string) => writeFileSync(join(root, path), text);

const hasPytest = spawnSync('pytest', ['--version']).status === 0;
if (!hasPytest) console.warn('SKIPPED: tricks in a conftest.py, because there is no pytest here');

/** The Node of this repository, and the one a user of this machine has: version, folder. */
const NODES = [dirname(process.execPath), ...(checkEnvironment()['PATH'] ?? '').split(delimiter)]
  .flatMap((folder): [string, string][] => {
    const asked = spawnSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' });
    return asked.status === 0 ? [[asked.stdout.trim(), folder]] : [];
  })
  .slice(0, 2);

const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`, HOME: base };
const asked: Parameters<CheckSandbox['run']>[0][] = [];
const box: CheckSandbox = {
  level: 'none',
  get seenAt() {
    return root;
  },
  run(ask) {
    asked.push(ask);
    return runCommand({
      argv: shellLine(ask.command),
      cwd: root,
      env: { ...env, ...ask.env },
      token: `checks-${process.pid}-${turn}`,
      wallMs: ask.timeoutMs,
      idleMs: null,
      keepBytes: ask.keepBytes,
      floodBytes: Math.min(ask.floodBytes, 4 * 1024 * 1024),
    });
  },
};
const spec = (more: Partial<CheckSpec>): CheckSpec => ({
  name: 'full',
  command: 'node --test',
  runner: 'node',
  needsTests: true,
  timeoutMs: 60_000,
  weight: 'must',
  against: null,
  ...more,
});
const run = (
  specs: readonly Partial<CheckSpec>[],
  baseline: TestBaseline | null = null,
  { flaky, ...more }: { readonly goesOn?: true } & Pick<CheckDeps, 'flaky'> = {},
): Promise<Verdict> =>
  runChecks(
    { purpose: 'verify', session: 1, checks: specs.map(spec), ...more },
    {
      box,
      io: realIo(),
      clock: systemClock,
      root,
      top: root,
      tree: 'tree-1',
      baseline,
      scratch: join(root, '..', 'scratch'),
      evidence: join(root, '..', 'evidence'),
      redact: (text) => text.replaceAll('s3cr3t', '***'),
      ...(flaky === undefined ? {} : { flaky }),
    },
  );
const codes = (v: Verdict) => v.problems.map((p) => p.code);
const passedBefore = (...names: string[]): TestBaseline => ({
  session: 0,
  timestamp: '2026-01-01T00:00:00Z',
  passing_tests: names.map((n) => `node|a.test.mjs||${n}`),
  total_passing: names.length,
  total_tests: names.length,
});
const suite = (body: string) =>
  put('a.test.mjs', `import { test } from 'node:test';\nimport assert from 'node:assert';\n${body}\n`);

test('what is shown of the output names no folder of this machine: it is quoted in commits and prompts', async () => {
  const printed = 'echo "root: $PWD"; echo "$PWD/a.test.js: ok"; echo "report: {report}" >&2';
  const { checks } = await run([{ command: printed, runner: null }]);
  expect(checks[0]?.tail).toMatch(/^root: \.\na\.test\.js: ok\nreport: …\/\w+\/\w+\.txt$/);
});

describe('a suite that passes', () => {
  test('holds, with counts, ids for the next baseline, and evidence of all of it', async () => {
    suite("test('one', () => {});\ntest('two', () => console.log('s3cr3t'));");
    const verdict = await run([{}]);
    expect(verdict).toMatchObject({
      holds: true,
      problems: [],
      warnings: [],
      tests: { total: 2, passed: 2, failed: 0, skipped: 0 },
      sandbox: 'none',
      tree: 'tree-1',
      regressions: [],
    });
    expect(JSON.parse(readFileSync(verdict.passing ?? '', 'utf8'))).toEqual([
      'node|a.test.mjs||one',
      'node|a.test.mjs||two',
    ]);
    const folder = verdict.evidence ?? '';
    const record: { tree: string; checks: unknown[] } = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'));
    expect(record).toMatchObject({
      tree: 'tree-1',
      checks: [{ exit: { code: 0 }, command: 'node --test', perTest: 'read', stdout: { masked: true } }],
    });
    for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), 'utf8')).not.toContain('s3cr3t');
    expect(readdirSync(folder).sort()).toEqual([
      '1-full.report.jsonl',
      '1-full.stderr.txt',
      '1-full.stdout.txt',
      'checks.json',
      'passing.json',
    ]);
    expect(verdict.checks[0]?.tail).toContain('***');
    expect(existsSync(asked.at(-1)?.reportDir ?? '')).toBe(false);
  });

  test('runs each time with another place for its report, outside the work tree', async () => {
    suite("test('one', () => {});");
    await run([{}, {}]);
    const [one, two] = asked.slice(-2).map((a) => a.reportDir);
    expect(one).not.toBe(two);
    expect(one?.startsWith(root)).toBe(false);
  });
});

test.each(['npm test', 'npm run -s unit -- a.test.mjs', 'node a.test.mjs', 'node --test --test-reporter=dot'])(
  '`%s` is seen test by test',
  async (command) => {
    suite("test('one', () => {});");
    put('package.json', '{"scripts":{"test":"node --test","unit":"node --test"}}');
    expect(await run([{ command }])).toMatchObject({ holds: true, tests: { total: 1, passed: 1 } });
  },
);

describe('a suite that does not pass', () => {
  test('fails with the ids of what failed, and nothing runs behind it', async () => {
    suite("test('one', () => {});\ntest('two', () => assert.fail('no'));");
    const verdict = await run([{}, { name: 'later', command: 'true', runner: null }]);
    expect(codes(verdict)).toEqual(['tests-failed']);
    expect(verdict.problems[0]).toMatchObject({ ids: ['node|a.test.mjs||two'], params: { count: 1, check: 'full' } });
    expect(verdict.checks.map((c) => c.name)).toEqual(['full']);
  });

  test.each([
    ['no test at all', '', ['no-tests-executed']],
    ['only skipped tests', "test.skip('one', () => {});", ['all-tests-skipped']],
  ])('because there is %s', async (_what, body, expected) => {
    suite(body);
    expect(codes(await run([{}]))).toEqual(expected);
  });

  test('because a file does not load', async () => {
    suite("test('one', () => {});");
    put('b.test.mjs', 'throw new Error();');
    expect(codes(await run([{}]))).toEqual(['report-incomplete', 'tests-failed']);
  });

  test('because it hangs, floods, or is not there', async () => {
    expect(codes(await run([{ command: 'sleep 60', timeoutMs: 200 }]))).toEqual(['check-timed-out']);
    expect(codes(await run([{ command: 'yes' }]))).toEqual(['check-output-flood']);
    expect(codes(await run([{ command: 'no-such-program-here --test' }]))).toEqual(['command-missing']);
  });

  test('because the runner was killed, whatever its report says', async () => {
    const verdict = await run([
      { command: 'printf \'<testsuite><testcase name="a"/></testsuite>\' > {report}; kill -9 $$' },
    ]);
    expect(codes(verdict)).toEqual(['exit-contradicts-report']);
  });
});

describe('several files and several runs', () => {
  const twins = () => {
    suite("test('one', () => {});");
    put('b.test.mjs', "import { test } from 'node:test';\ntest('one', () => { throw new Error('b broke'); });");
  };
  test.each(NODES)('under Node %s each test is known by its file, though titles repeat', async (_version, bin) => {
    twins();
    const verdict = await run([{ command: `PATH=${bin}:$PATH node --test` }]);
    expect(verdict.problems).toMatchObject([
      { code: 'tests-failed', ids: ['node|b.test.mjs||one'], params: { tail: 'b.test.mjs > one: b broke' } },
    ]);
  });

  test.each(NODES)('under Node %s the second run of a command does not hide the first', async (_version, bin) => {
    twins();
    const command = `PATH=${bin}:$PATH; node --test b.test.mjs; node --test a.test.mjs`;
    const verdict = await run([{ command }]);
    expect(codes(verdict)).toEqual(['tests-failed', 'exit-contradicts-report']);
    expect(verdict.tests).toMatchObject({ passed: 1, failed: 1 });
  });

  test.each(NODES)('under Node %s tests that tests start are not told of as tests', async (_version, bin) => {
    suite(`import { spawnSync } from 'node:child_process';
test('starts another suite', () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  assert.equal(env.NODE_OPTIONS, undefined);
  assert.equal(spawnSync(process.execPath, ['--test', 'inner.mjs'], { env }).status, 1);
});`);
    put('inner.mjs', "import { test } from 'node:test';\ntest('fails on purpose', () => { throw new Error(); });");
    const verdict = await run([{ command: `PATH=${bin}:$PATH node --test a.test.mjs` }]);
    expect(verdict).toMatchObject({ holds: true, tests: { total: 1, passed: 1 } });
  });

  test.each(NODES)('under Node %s a run that is ended at its second test is no whole report', async (_version, bin) => {
    suite(
      "test('one', () => {});\ntest('two', () => { setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50); return new Promise(() => setInterval(() => {}, 1000)); });",
    );
    expect(codes(await run([{ command: `PATH=${bin}:$PATH; node a.test.mjs; exit 0` }]))).toEqual([
      'report-incomplete',
    ]);
  });

  test('a script of package.json may name a reporter of its own', async () => {
    twins();
    put('package.json', '{"scripts":{"test":"npm run unit","unit":"node --test --test-reporter=dot a.test.mjs"}}');
    expect(await run([{ command: 'npm test' }])).toMatchObject({ holds: true, tests: { total: 1 } });
  });

  test('a script that overwrites NODE_OPTIONS is judged by its exit code', async () => {
    suite("test('one', () => {});");
    put('package.json', '{"scripts":{"test":"NODE_OPTIONS=--no-warnings node --test"}}');
    expect(await run([{ command: 'npm test' }])).toMatchObject({ holds: true, tests: null });
  });
});

describe('what is reported for fixing', () => {
  const tails = (v: Verdict) => [...v.problems, ...v.warnings].map((p) => [p.code, p.params['tail']]);
  test('are the first messages of what failed, masked and with what follows a colon', async () => {
    suite("test('sum', () => assert.strictEqual(3, 4));\ntest('token', () => { throw new Error('no s3cr3t'); });");
    expect(tails(await run([{}]))).toEqual([
      ['tests-failed', 'a.test.mjs > sum: Expected values to be strictly equal: 3 !== 4\na.test.mjs > token: no ***'],
    ]);
  });

  test('is never longer than a page', async () => {
    suite("for (let i = 0; i < 100; i++) test('t' + i, () => { throw new Error('x '.repeat(400)); });");
    const [problem] = (await run([{}])).problems;
    const tail = String(problem?.params['tail']);
    expect(tail.length).toBeLessThanOrEqual(1_500);
    for (const line of tail.split('\n')) expect(line).toMatch(/^a\.test\.mjs > t\d+: (x )+…$/);
  });

  test('says why a file does not load whose tests are gone', async () => {
    suite("import './nowhere.mjs';\ntest('one', () => {});");
    const verdict = await run([{ against: 'baseline', needsTests: false }], passedBefore('one'));
    expect(codes(verdict)).toEqual(['tests-missing']);
    expect(verdict.problems[0]?.params['tail']).toMatch(/^a\.test\.mjs > \(did not load\): Error.*nowhere\.mjs/);
  });

  test('is the end of the output where there is no report', async () => {
    expect(tails(await run([{ command: 'echo s3cr3t is not set; exit 1' }]))).toEqual([
      ['report-missing', '*** is not set'],
    ]);
    const [, missing] = tails(await run([{ command: 'no-such-program-here --test' }]))[0] ?? [];
    expect(missing).toContain('not found');
  });
});

describe('tricks', () => {
  test('leaving the process while tests load leaves no test', async () => {
    suite('process.exit(0);');
    const verdict = await run([{}]);
    expect(codes(verdict)).toEqual(['no-tests-executed']);
    const known = await run([{ against: 'baseline', needsTests: false }], passedBefore('one'));
    expect(codes(known)).toEqual(['tests-missing']);
    expect(known.regressions).toEqual(['node|a.test.mjs||one']);
  });

  test('a runner replaced by `true` leaves no report', async () => {
    expect(codes(await run([{ command: 'true' }]))).toEqual(['report-missing']);
  });

  test('a report deleted behind the tests is missing', async () => {
    suite("test('one', () => {});");
    expect(codes(await run([{ command: `node --test; rm -rf "$(dirname {report})"/*` }]))).toContain('report-missing');
  });

  test('a report replaced by a link is not followed', async () => {
    put('mine.xml', '<testsuite><testcase name="a"/></testsuite>');
    expect(codes(await run([{ runner: 'junit', command: 'ln -s "$PWD/mine.xml" {report}' }]))).toEqual([
      'report-unreadable',
    ]);
  });

  test('a report replaced by a pipe does not make the harness wait', async () => {
    expect(codes(await run([{ runner: 'junit', command: 'mkfifo {report}' }]))).toEqual(['report-unreadable']);
  });

  test('an exit code of 0 does not hide failures', async () => {
    suite("test('one', () => assert.fail());");
    expect(codes(await run([{ command: 'node --test || true' }]))).toEqual(['tests-failed', 'exit-contradicts-report']);
  });

  test('a red exit that no test explains is not passed over', async () => {
    suite("test('one', () => {});");
    expect(codes(await run([{ command: 'node --test && exit 3' }]))).toEqual(['exit-contradicts-report']);
  });

  test('an old report in the work tree is not taken', async () => {
    put('report.xml', '<testsuite><testcase name="a"/></testsuite>');
    expect(codes(await run([{ runner: 'junit', command: 'echo {report} > /dev/null' }]))).toEqual(['report-missing']);
  });
});

describe.skipIf(!hasPytest)('tricks in a conftest.py', () => {
  const pytest = { runner: 'pytest', command: 'pytest -q -p no:cacheprovider' } as const;
  test.each([
    ['leaving at once', 'import os\nos._exit(0)\n', ['report-missing']],
    [
      'saying 0',
      'def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n',
      ['tests-failed', 'exit-contradicts-report'],
    ],
    ['looking away', "collect_ignore = ['test_a.py']\n", ['no-tests-executed']],
  ])('%s does not pass', async (_what, conftest, expected) => {
    put('test_a.py', 'def test_adds():\n    assert 1 + 1 == 3\n');
    put('conftest.py', conftest);
    expect(codes(await run([pytest]))).toEqual(expected);
  });
});

describe('against the baseline', () => {
  const check = { against: 'baseline' } as const;
  test('stubs that fail and files that do not load yet keep nothing back', async () => {
    suite("test('one', () => {});\ntest('stub', () => assert.fail());");
    put('b.test.mjs', "import './not-written-yet.mjs';");
    const verdict = await run([check], passedBefore('one'));
    expect(verdict.holds).toBe(true);
    expect(verdict.warnings.map((p) => p.code)).toEqual(['report-incomplete']);
    expect(JSON.parse(readFileSync(verdict.passing ?? '', 'utf8'))).toEqual(['node|a.test.mjs||one']);
  });

  test('an end that the report does not account for holds nothing, unless the suite ended so before', async () => {
    const report = `printf '<testsuite><testcase name="one" file="a.py"/></testsuite>' > {report}`;
    const passed = { ...passedBefore(), passing_tests: ['junit|a.py||one'], total_passing: 1, total_tests: 1 };
    const ended = (how: string) => ({ ...check, runner: 'junit', command: `${report}; ${how}` }) as const;
    for (const how of ['exit 1', 'kill -9 $$', 'exit 137'])
      expect(codes(await run([ended(how)], passed)), how).toEqual(['exit-contradicts-report']);
    const red = { ...passed, suite: 'red' } as const;
    expect(codes(await run([ended('exit 1')], red))).toEqual([]);
    expect(codes(await run([ended('kill -9 $$')], red))).toEqual(['exit-contradicts-report']);
    expect(codes(await run([ended('true')], passed))).toEqual([]);
  });

  test('failed, deleted and skipped tests are distinguished', async () => {
    suite("test('a', () => assert.fail());\ntest.skip('c', () => {});\ntest('d', () => {});");
    const verdict = await run([check], passedBefore('a', 'b', 'c', 'd'));
    expect(verdict.problems.map((p) => [p.code, p.ids])).toEqual([
      ['regression', ['node|a.test.mjs||a']],
      ['tests-missing', ['node|a.test.mjs||b']],
      ['tests-newly-skipped', ['node|a.test.mjs||c']],
    ]);
    expect(verdict.regressions).toHaveLength(3);
  });

  test('without a report the exit code is compared', async () => {
    const red = { ...check, runner: null, command: 'exit 1', needsTests: false };
    const green = { ...passedBefore(), suite: 'green' } as const;
    expect(codes(await run([red], green))).toEqual(['suite-newly-failing']);
    expect(codes(await run([red], passedBefore('one')))).toEqual(['suite-newly-failing']);
    const still = await run([red], { ...passedBefore(), suite: 'red' });
    expect(still.holds).toBe(true);
    expect(still.warnings.map((p) => p.code)).toEqual(['check-failed']);
    expect(still.passing).toBeNull();
    expect((await run([{ ...red, command: 'true' }], green)).tests).toBeNull();
  });
});

describe('weights', () => {
  test('a warning is reported, decides nothing and ends nothing', async () => {
    const verdict = await run([
      { name: 'lint', command: 'echo bad >&2; exit 1', runner: null, weight: 'warn' },
      { name: 'types', command: 'true', runner: null },
    ]);
    expect(verdict.holds).toBe(true);
    expect(verdict.warnings).toEqual([
      { code: 'check-failed', params: { check: 'lint', command: 'echo bad >&2; exit 1', exit: 1, tail: 'bad' } },
    ]);
    expect(verdict.checks.map((c) => [c.name, c.passed, c.tail])).toEqual([
      ['lint', false, 'bad'],
      ['types', true, ''],
    ]);
  });

  describe('a check that counts what the work brought', () => {
    const LINT = "grep -rn TODO src && exit 1; ! grep -n 'hangs' src/a";
    const lint = { name: 'lint', command: LINT, runner: null, needsTests: false, since: 'tree-0' };
    const from: string[] = [];
    /** The work tree has the files before the work while a command runs on them. */
    const before = (files: { readonly [path: string]: string }): NonNullable<CheckDeps['flaky']> => ({
      reruns: 0,
      baselineRuns: 1,
      ofFile: null,
      quarantine: [],
      keep: () => undefined,
      async withTree(tree, use) {
        from.push(tree);
        const now = ['a', 'b'].map((name) => [name, readFileSync(join(root, 'src', name), 'utf8')] as const);
        for (const [path, text] of Object.entries(files)) put(path, text);
        const used = await use({ box, root });
        for (const [name, text] of now) put(`src/${name}`, text);
        return { ok: true, value: used };
      },
    });
    const work = (a: string, b = '') => {
      mkdirSync(join(root, 'src'), { recursive: true });
      put('src/a', a);
      put('src/b', b);
    };
    const clean = { 'src/a': '', 'src/b': '' };

    test('names the findings that were not there, and no others', async () => {
      work('line\nTODO old\n', 'TODO new\n');
      const verdict = await run([lint], null, { flaky: before({ 'src/a': 'TODO old\n', 'src/b': '' }) });
      expect([verdict.holds, verdict.warnings, from.at(-1)]).toEqual([false, [], 'tree-0']);
      expect(verdict.problems).toEqual([
        { code: 'lint-errors-added', params: { check: 'lint', command: LINT, count: 1, tail: 'src/b:1:TODO new' } },
      ]);
    });

    test('holds with the findings that were there, which are a warning', async () => {
      work('line\nTODO old\n');
      const verdict = await run([lint], null, { flaky: before({ 'src/a': 'TODO old\n', 'src/b': '' }) });
      expect([verdict.holds, verdict.warnings.map(({ code }) => code)]).toEqual([true, ['check-failed']]);
      const kept = JSON.parse(readFileSync(join(root, '..', 'evidence', 'checks.json'), 'utf8'));
      expect(kept.checks).toMatchObject([{ since: 'tree-0', before: { code: 1 }, exit: { code: 1 } }]);
    });

    test('runs once where it passes', async () => {
      work('');
      const asked = from.length;
      expect(await run([lint], null, { flaky: before(clean) })).toMatchObject({ holds: true, warnings: [] });
      expect(from).toHaveLength(asked);
    });

    test('fails where nothing is reported, or another program is missing than before', async () => {
      work('');
      const silent = { ...lint, command: 'test ! -f src/only', needsTests: false };
      put('src/only', '');
      const dirty = before(clean);
      const withTree: typeof dirty.withTree = async (tree, use) => {
        rmSync(join(root, 'src/only'));
        return dirty.withTree(tree, use);
      };
      expect(codes(await run([silent], null, { flaky: { ...dirty, withTree } }))).toEqual(['check-failed']);
      const gone = await run([{ ...lint, command: 'no-such-linter' }], null, { flaky: before(clean) });
      expect([codes(gone), gone.warnings.map(({ code }) => code)]).toEqual([[], ['command-missing']]);
    });

    test('counts everything where the files before cannot be had', async () => {
      work('TODO old\n');
      const withTree = () => Promise.resolve({ ok: false, failure: failure('install-failed') } as const);
      expect(codes(await run([lint], null, { flaky: { ...before(clean), withTree } }))).toEqual(['check-failed']);
    });
  });

  test('checks end at the first that fails, unless the others are asked for as well', async () => {
    const asks = [
      { name: 'build', command: 'exit 1', runner: null },
      { name: 'types', command: 'true', runner: null },
    ];
    expect((await run(asks)).checks.map(({ name }) => name)).toEqual(['build']);
    const all = await run(asks, null, { goesOn: true });
    expect([all.holds, all.checks.map(({ name, passed }) => [name, passed])]).toEqual([
      false,
      [
        ['build', false],
        ['types', true],
      ],
    ]);
  });

  test('only the environment sees the network', async () => {
    await run([
      { command: 'true', runner: null, weight: 'environment' },
      { command: 'true', runner: null },
    ]);
    expect(asked.slice(-2).map((a) => a.network)).toEqual(['host', 'none']);
  });
});

test('TAP of any length is read whole from the output', async () => {
  const lines = 40_000;
  const command = `node -e "console.log('1..${lines}'); for (let i = 1; i <= ${lines}; i++) console.log('ok ' + i + ' - case number ' + i)"`;
  const verdict = await run([{ runner: 'tap', command }]);
  expect(verdict.tests?.passed).toBe(lines);
  expect(verdict.holds).toBe(true);
});

test('what an interrupted run left in the evidence is replaced', async () => {
  mkdirSync(join(root, '..', 'evidence'), { recursive: true });
  writeFileSync(join(root, '..', 'evidence', '9-old.stdout.txt'), 'old');
  const verdict = await run([{ command: 'true', runner: null }]);
  expect(readdirSync(verdict.evidence ?? '')).not.toContain('9-old.stdout.txt');
});
