// Reruns with a real runner: what is rerun where, and what follows. The results of a test in each run are in a file outside the
// tree, one letter per run: f fails.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../host/clock.ts';
import { realIo } from '../host/io.ts';
import { runCommand, shellLine } from '../host/process.ts';
import type { CheckSpec } from '../model/action.ts';
import { failure } from '../model/failure.ts';
import type { TestBaseline } from '../model/report.ts';
import { err, ok } from '../model/result.ts';
import type { Verdict } from '../model/verdict.ts';
import { runChecks, type CheckDeps } from './checks.ts';
import type { Quarantine } from './quarantine.ts';
import type { CheckSandbox } from './run-once.ts';

const steady = 'node|a.test.mjs||steady';
const id = (name: string): string => `node|a.test.mjs||${name}`;
let top = '';
let commands: { readonly command: string; readonly at: string | undefined }[] = [];
let kept: Quarantine | null = null;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'harness-rerun-')));
  [commands, kept] = [[], null];
  mkdirSync(join(top, 'tree'));
  const folder = top;
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** Tests that do what their plan says; steady ones have none. */
function suite(plans: { readonly [name: string]: string }): void {
  const tests = Object.entries(plans).map(([name, plan]) => {
    writeFileSync(join(top, name), plan);
    return `test('${name}', () => byPlan(${JSON.stringify(join(top, name))}));\n`;
  });
  const byPlan = `import { test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
const byPlan = (file) => {
  const plan = readFileSync(file, 'utf8');
  writeFileSync(file, plan.slice(1));
  if (plan.startsWith('f')) throw new Error('not this time');
};
test('steady', () => {});
`;
  writeFileSync(join(top, 'tree/a.test.mjs'), byPlan + tests.join(''));
}
const left = (name: string): string => readFileSync(join(top, name), 'utf8');
const held = (...ids: string[]): TestBaseline => ({
  session: 0,
  timestamp: '2026-01-01T00:00:00Z',
  passing_tests: [steady, ...ids],
  total_passing: ids.length + 1,
  total_tests: ids.length + 1,
  tree: 'before',
});
const FULL: CheckSpec = {
  name: 'full',
  command: 'node --test a.test.mjs',
  runner: 'node',
  needsTests: false,
  timeoutMs: 60_000,
  weight: 'must',
  against: 'baseline',
};

function check(more: {
  readonly baseline: TestBaseline | null;
  readonly ofFile?: string | null;
  readonly tree?: string;
  readonly isThere?: boolean;
  readonly quarantine?: Quarantine;
  readonly baselineRuns?: number;
}): Promise<Verdict> {
  const boxIn = (root: string): CheckSandbox => ({
    level: 'none',
    seenAt: root,
    run(ask) {
      commands.push({ command: ask.command, at: root });
      return runCommand({
        argv: shellLine(ask.command),
        cwd: root,
        env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`, HOME: top, ...ask.env },
        token: `rerun-${process.pid}`,
        wallMs: ask.timeoutMs,
        idleMs: null,
        keepBytes: ask.keepBytes,
        floodBytes: ask.floodBytes,
      });
    },
  });
  const deps: CheckDeps = {
    box: boxIn(join(top, 'tree')),
    io: realIo(),
    clock: systemClock,
    root: join(top, 'tree'),
    top: join(top, 'tree'),
    tree: more.tree ?? 'now',
    baseline: more.baseline,
    scratch: join(top, 'scratch'),
    evidence: join(top, 'evidence'),
    redact: (text) => text,
    flaky: {
      reruns: 3,
      baselineRuns: more.baselineRuns ?? 2,
      ofFile: more.ofFile === undefined ? 'node --test {test_file}' : more.ofFile,
      quarantine: more.quarantine ?? [],
      async withTree(tree, use) {
        if (more.isThere === false) return err(failure('git-failed', { tree }));
        const copy = join(top, 'copy');
        cpSync(join(top, 'tree'), copy, { recursive: true });
        return ok(await use({ root: copy, box: boxIn(copy) }));
      },
      keep(quarantine) {
        kept = quarantine;
      },
    },
  };
  return runChecks({ purpose: 'baseline', session: null, checks: [FULL] }, deps);
}
const codes = (v: Verdict) => [v.problems.map((p) => p.code), v.warnings.map((p) => p.code)];

describe('a test that fails', () => {
  test('and is flaky here and before is quarantined, is no baseline, and was run again alone: three times here, three times there', async () => {
    suite({ wobbles: 'fpffppf' });
    const verdict = await check({ baseline: held(id('wobbles')) });
    expect([verdict.holds, codes(verdict), verdict.flaky]).toEqual([true, [[], ['test-quarantined']], [id('wobbles')]]);
    expect(commands.map(({ at }) => at === join(top, 'copy'))).toEqual([false, false, false, false, true, true, true]);
    expect(kept).toMatchObject([{ id: id('wobbles'), fails: 4, passes: 3 }]);
    expect(JSON.parse(readFileSync(verdict.passing ?? '', 'utf8'))).toEqual([steady]);
    const evidence: unknown = JSON.parse(readFileSync(join(top, 'evidence/checks.json'), 'utf8'));
    expect(evidence).toMatchObject({
      checks: [
        {
          reruns: [
            { where: 'this tree', by: 'files', runs: 3, seen: { [id('wobbles')]: { passes: 1, fails: 2 } } },
            { where: 'the tree before', by: 'files', runs: 3, seen: { [id('wobbles')]: { passes: 2, fails: 1 } } },
          ],
        },
      ],
    });
  });
  test('on the very tree that the baseline is of needs no second look', async () => {
    suite({ wobbles: 'ffpf' });
    const verdict = await check({ baseline: held(id('wobbles')), tree: 'before' });
    expect([verdict.holds, verdict.flaky, commands.length]).toEqual([true, [id('wobbles')], 4]);
  });
  test('always is a regression, without a look at the tree before', async () => {
    suite({ broken: 'ffff' });
    const verdict = await check({ baseline: held(id('broken')) });
    expect([codes(verdict), verdict.regressions, commands.length, kept]).toEqual([
      [['regression'], []],
      [id('broken')],
      4,
      null,
    ]);
  });
  test('by turns where the tree before is not there any more counts as broken', async () => {
    suite({ wobbles: 'fpff' });
    const verdict = await check({ baseline: held(id('wobbles')), isThere: false });
    expect([codes(verdict), verdict.regressions, kept]).toEqual([[['flaky-unproved'], []], [id('wobbles')], null]);
  });
  test('beside tests that are gone is not run again: nothing could make that good', async () => {
    suite({ wobbles: 'fppp' });
    const verdict = await check({ baseline: held(id('wobbles'), id('gone')) });
    expect([codes(verdict)[0], commands.length, left('wobbles')]).toEqual([['regression', 'tests-missing'], 1, 'ppp']);
  });
  test('is run with the whole suite if no command for a single file is configured', async () => {
    suite({ wobbles: 'fpppfff' });
    expect((await check({ baseline: held(id('wobbles')), ofFile: null })).regressions).toEqual([id('wobbles')]);
  });
  test('is run with all the others where its file alone does not show it', async () => {
    suite({ wobbles: 'fpfffpf' });
    const verdict = await check({ baseline: held(id('wobbles')), ofFile: 'true {test_file}' });
    expect([verdict.holds, verdict.flaky, left('wobbles')]).toEqual([true, [id('wobbles')], '']);
  });
});

test('flaky tests beyond the cap are broken tests, all of them', async () => {
  suite({ one: 'fpfffpf', two: 'fpfffpf' });
  const verdict = await check({ baseline: held(id('one'), id('two')) });
  expect([codes(verdict), verdict.regressions, kept]).toEqual([[['flaky-over-cap'], []], [id('one'), id('two')], null]);
  expect(verdict.problems[0]?.params).toMatchObject({ cap: 1, held: 0, count: 2, runs: 3 });
});

test('a test in quarantine breaks nothing, whether it fails or is gone, and is not run again', async () => {
  suite({ one: 'f' });
  const entry = { since: '2026-01-01T00:00:00Z', session: 1, expires: '2999-01-01T00:00:00Z', fails: 1, passes: 1 };
  const quarantine = [id('one'), id('gone')].map((which) => ({ id: which, ...entry }));
  const verdict = await check({ baseline: held(id('one'), id('gone')), quarantine });
  expect([verdict.holds, verdict.regressions, commands.length, verdict.flaky]).toEqual([
    true,
    [],
    1,
    [id('one'), id('gone')],
  ]);
  const over = quarantine.map((one) => ({ ...one, expires: '2026-01-15T00:00:00Z' }));
  expect((await check({ baseline: held(id('gone')), quarantine: over })).regressions).toEqual([id('gone')]);
});

describe('a first baseline', () => {
  test('is made of two runs: what did not do the same in both is no part of it', async () => {
    suite({ one: 'pf', fails: 'ff' });
    const verdict = await check({ baseline: null });
    expect([verdict.holds, codes(verdict), commands.length]).toEqual([true, [[], ['test-quarantined']], 2]);
    expect(JSON.parse(readFileSync(verdict.passing ?? '', 'utf8'))).toEqual([steady]);
    expect(kept).toMatchObject([{ id: id('one'), passes: 1, fails: 1 }]);
  });
  test('leaves out more than the quarantine takes, and says so', async () => {
    suite({ one: 'pf', two: 'fp' });
    const verdict = await check({ baseline: null });
    expect([verdict.holds, codes(verdict), kept]).toEqual([true, [[], ['unsteady-tests']], null]);
    expect(JSON.parse(readFileSync(verdict.passing ?? '', 'utf8'))).toEqual([steady]);
  });
  test('of one run is made of one run', async () => {
    suite({ one: 'pf' });
    await check({ baseline: null, baselineRuns: 1 });
    expect([commands.length, existsSync(join(top, 'copy'))]).toEqual([1, false]);
  });
});
