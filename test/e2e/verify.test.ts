// Verification by hand through the program itself: what is run, what is counted, what has gone back; nothing is changed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { acquireLock } from '../../src/host/lock.ts';
import { heldLevels } from '../support/levels.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

/** The strongest box this machine holds. */
const [LEVEL] = [...(await heldLevels())];

/** What must keep passing, where it is kept. */
function keep(repo: Repo, ...tests: readonly string[]): void {
  const baseline = {
    session: 1,
    timestamp: '2025-01-16T14:30:00.000Z',
    passing_tests: tests,
    total_passing: tests.length,
    total_tests: 3,
  };
  mkdirSync(repo.privateDir, { recursive: true });
  writeFileSync(join(repo.privateDir, 'test_baseline.json'), JSON.stringify(baseline));
}
/** What the runner here calls the tests that pass. */
async function passing(repo: Repo): Promise<readonly string[]> {
  const { evidence } = (await repo.harness('verify', '--json')).json();
  return JSON.parse(repo.read(`${String(evidence)}/passing.json`)) as string[];
}

describe('an item', () => {
  test('that holds passes: its own test, everything else, counts and evidence', async () => {
    const repo = makeRepo();
    const before = repo.git('status', '--porcelain', '--ignored=no');
    const head = repo.git('rev-parse', 'HEAD');
    const verified = await repo.harness('verify', '--feature', '1', '--json');
    expect([verified.code, verified.json()]).toMatchObject([
      0,
      {
        schema: 'harness.verify/1',
        item: '1',
        passed: true,
        proof: { strength: 'tests', held: ['feature', 'full'], not_possible: [] },
        checks: [
          { name: 'feature', passed: true, ms: expect.any(Number) as number },
          { name: 'full', passed: true },
        ],
        tests: { total: 3, passed: 1, failed: 2, skipped: 0 },
        regressions: [],
        flaky: [],
        tampering: [],
        sandbox: LEVEL,
        tree: repo.git('rev-parse', 'HEAD^{tree}'),
        evidence: expect.stringContaining('evidence') as string,
        left_traces: false,
      },
    ]);
    expect([repo.git('status', '--porcelain', '--ignored=no'), repo.git('rev-parse', 'HEAD')]).toEqual([before, head]);
  });

  test('that does not hold fails with what is wrong, and the rest is not run', async () => {
    const repo = makeRepo();
    const verified = await repo.harness('verify', '#2');
    expect(verified.code).toBe(9);
    for (const line of [
      '$ node --test tests/cart.test.mjs',
      'feature: FAILED',
      '0 of 1 tests pass',
      '1 test of check feature failed',
      'full: not run',
      'Item #2: FAILED',
    ])
      expect(verified.stdout).toContain(line);
    expect((await repo.harness('verify', '2', '--json')).json()).toMatchObject({
      passed: false,
      problems: [{ code: 'tests-failed' }],
      not_run: ['full'],
    });
  });

  test('that passes alone but broke another is a regression, by name', async () => {
    const repo = makeRepo();
    const kept = await passing(repo);
    expect(kept).toHaveLength(1);
    keep(repo, ...kept);
    expect((await repo.harness('verify', '--json')).json()).toMatchObject({ passed: true, baseline: true });
    repo.write('tests/open.test.mjs', `import { test } from 'node:test';\ntest('open works', () => { throw 1; });\n`);
    repo.write('tests/cart.test.mjs', `import { test } from 'node:test';\ntest('cart works', () => {});\n`);
    const broken = await repo.harness('verify', '2', '--json');
    expect([broken.code, broken.json()]).toMatchObject([9, { passed: false, regressions: kept }]);
    const all = await repo.harness('verify');
    expect(all.code).toBe(9);
    expect(all.stdout).toContain('1 regression:\n  tests/open.test.mjs > open works\n');
  });
});

describe('everything', () => {
  test('without a baseline is run and counted, and it says that nothing could be compared', async () => {
    const repo = makeRepo();
    const verified = await repo.harness('verify');
    expect(verified.code).toBe(0);
    for (const line of ['$ node --test tests/', '1 of 3 tests pass', 'No baseline yet'])
      expect(verified.stdout).toContain(line);
    expect((await repo.harness('verify', '--json')).json()).toMatchObject({ item: null, baseline: false });
  });

  test('leaves nothing in the work tree of what the commands write', async () => {
    const repo = makeRepo({
      'tests/open.test.mjs': `import { test } from 'node:test';\nimport { writeFileSync } from 'node:fs';\ntest('open works', () => { writeFileSync('trace.txt', 'x'); });\n`,
    });
    expect((await repo.harness('verify', '1')).stdout).toContain('PASSED');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

describe('what cannot be verified', () => {
  test.each([
    [['verify', '77'], 2, 'item-unknown'],
    [['verify', '1', '2'], 2, 'usage'],
    [['verify', '1', '--feature', '2'], 2, 'usage'],
  ])('%j is refused', async (words, exit, code) => {
    const repo = makeRepo();
    const refused = await repo.harness(...words, '--json');
    expect([refused.code, refused.json()]).toMatchObject([exit, { error: { code, exit } }]);
  });

  test('a feature without a test is left to a person', async () => {
    const manual = `{ "features": [{ "id": 1, "description": "Looks good", "verification_type": "manual", "passes": false }] }`;
    const repo = makeRepo({ 'features.json': manual });
    const refused = await repo.harness('verify', '1');
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('harness manual-verify 1')]);
  });

  test('a tree that a live run works on is left alone, and the run is named', async () => {
    const repo = makeRepo();
    const owner = { pid: process.pid, startedAt: '2025-01-16T14:30:00.000Z', command: 'harness run', run: 'r-1' };
    const lock = acquireLock(repo.privateDir, owner);
    if (!lock.ok) throw new Error(lock.failure.reason);
    onTestFinished(() => lock.value.release());
    const refused = await repo.harness('verify', '1', '--json');
    expect([refused.code, refused.json()]).toMatchObject([5, { error: { code: 'locked' } }]);
  });

  test('without a command for everything it says which one is missing', async () => {
    const repo = makeRepo({
      '.harness.yaml':
        'agents:\n  default: { provider: scripted, scenario: s.yaml }\ntesting: { runner: command, feature: "sh {test_file}" }\n',
    });
    const refused = await repo.harness('verify');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('testing.full')]);
  });
});
