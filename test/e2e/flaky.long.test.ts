// Tests that pass and fail by turns, through the program: what is distinguished, what is kept, what lands. A file outside of
// the repository says what each run does, one letter a run: nothing is left to chance.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CART_WORK, makeRepo, type Ran, type Repo } from '../support/repo.ts';

const CONFIG = `playbook: features
project: { name: shop }
agents: { default: { provider: scripted, scenario: ../scenario.json } }
environment: { init: ./init.sh, reset: ./reset.sh }
sandbox: { level: none } # the file that decides lies outside of the repository
testing:
  runner: node
  feature: "node --test {test_file}"
  full: "node --test tests/"
`;
/** Takes the next letter of \`../plan\`: f fails, anything else passes. */
const byPlan = (name: string, when = 'true'): string => `import { test } from 'node:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { settings } from '../src/settings.mjs';

test('${name} is steady', () => {});
test('${name}', () => {
  if (!(${when})) return;
  const plan = readFileSync(settings.plan, 'utf8');
  writeFileSync(settings.plan, plan.slice(1));
  if (plan.startsWith('f')) throw new Error('the clock went backwards');
});
`;
const settings = (repo: Repo, more: object = {}): string =>
  `export const settings = ${JSON.stringify({ plan: planOf(repo), ...more })};\n`;
const planOf = (repo: Repo): string => join(dirname(repo.root), 'plan');

const OLD = 'node|tests/open.test.mjs||open';

/** \`plan\`: what the old test does from its first run on. The agent writes these files for #2 and claims it. */
function shop(plan: string, agent: (repo: Repo) => { readonly [path: string]: string }, when?: string): Repo {
  const repo = makeRepo({ '.harness.yaml': CONFIG, 'tests/open.test.mjs': byPlan('open', when) });
  repo.write('src/settings.mjs', settings(repo));
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'settings');
  writeFileSync(planOf(repo), plan);
  const writes = Object.entries(agent(repo)).map(([path, text]) => ({ write: { path, text } }));
  const turn = [...writes, 'claim'];
  const scenario = { schema: 1, sessions: [{ when: { item: 2 }, turns: [turn, turn, turn] }] };
  writeFileSync(join(dirname(repo.root), 'scenario.json'), JSON.stringify(scenario));
  return repo;
}
const left = (repo: Repo): string => readFileSync(planOf(repo), 'utf8');
const status = async (repo: Repo): Promise<unknown> => (await repo.harness('status', '--json')).json()['flaky'];
/** What was wrong with the first session, as its record has it. */
const problems = (repo: Repo): unknown =>
  (JSON.parse(repo.read('.harness/sessions/1/session.json')) as { problems: unknown }).problems;
/** What was run again, as the evidence has it. */
function reruns(repo: Repo): readonly object[] {
  const folder = join(repo.privateDir, 'evidence');
  return readdirSync(folder).flatMap((name) => {
    const { checks } = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as {
      checks: readonly { reruns: readonly object[] }[];
    };
    return checks.flatMap((check) => check.reruns);
  });
}
const baseline = (repo: Repo): readonly string[] =>
  (JSON.parse(repo.read('.harness/test_baseline.json')) as { passing_tests: readonly string[] }).passing_tests;
const expectExit = (ran: Ran, code: number): void =>
  expect([ran.code, ran.code === code ? '' : ran.stdout + ran.stderr]).toEqual([code, '']);

// The two runs of a first baseline, and one in the user's tree: the suite fails, since the items are not done.
const first = 'ppp';

describe('an old test that passes and fails by turns', () => {
  test('on the tree before too does not reject honest work: it is quarantined, listed, and no proof', async () => {
    const repo = shop(`${first}fpfpffp`, () => CART_WORK);
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'landed', landed: ['2'] });
    expect(left(repo)).toBe('');
    expect(baseline(repo)).toEqual(['node|tests/cart.test.mjs||cart works', `${OLD} is steady`]);
    const entry = { id: OLD, session: 1, fails: 4, passes: 3 };
    const kept = JSON.parse(readFileSync(join(repo.privateDir, 'quarantine.json'), 'utf8')) as object;
    expect(kept).toMatchObject({ schema: 1, tests: [entry] });
    expect(reruns(repo)).toMatchObject([
      { where: 'this tree', by: 'command', runs: 1 },
      { where: 'this tree', by: 'files', commands: ['node --test tests/open.test.mjs'], runs: 3 },
      { where: 'the tree before', by: 'files', runs: 3, seen: { [OLD]: { passes: 1, fails: 2 } } },
    ]);
    expect(await status(repo)).toMatchObject([{ id: OLD }]);
    expect((await repo.harness('status')).stdout).toContain(OLD);

    // From now on it breaks nothing, whatever it does; it is not run again for that.
    writeFileSync(planOf(repo), 'fff');
    const verified = await repo.harness('verify', '--json');
    expect([verified.code, verified.json()]).toMatchObject([0, { passed: true, flaky: [OLD], regressions: [] }]);
    expect(left(repo)).toBe('ff');
    expect((await repo.harness('verify')).stdout).toContain(
      `1 flaky test in quarantine, which proves nothing:\n  ${OLD}`,
    );
    expect(JSON.parse(repo.read('.harness/quarantine.json'))).toEqual(kept);
  });

  test('in the two runs of the first baseline never enters it', async () => {
    const repo = shop('pf', () => CART_WORK);
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 0);
    expect(baseline(repo)).toEqual(['node|tests/cart.test.mjs||cart works', `${OLD} is steady`]);
    expect(await status(repo)).toMatchObject([{ id: OLD }]);
  });

  test('only since the change is a regression: the change made it flaky', async () => {
    const repo = shop(
      'fpfp',
      (r) => ({ ...CART_WORK, 'src/settings.mjs': settings(r, { hasty: true }) }),
      'settings.hasty',
    );
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 9);
    expect([ran.json(), problems(repo)]).toMatchObject([
      { result: 'rejected', reason: 'became-flaky', landed: [] },
      [{ code: 'became-flaky', ids: [OLD] }],
    ]);
    expect([left(repo), await status(repo), repo.git('status', '--porcelain')]).toEqual(['', [], '']);
  });

  test('is judged at once where reruns are turned off', async () => {
    const repo = shop(`${first}f`, () => CART_WORK);
    repo.write('.harness.yaml', `${CONFIG}verification: { flaky_reruns: 0 }\n`);
    repo.git('commit', '-q', '-am', 'no reruns');
    const ran = await repo.harness('run', '--json');
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({ result: 'rejected', reason: 'regression' });
    expect(left(repo)).toBe('');
  });
});

test('an old test that fails in every run is a regression', async () => {
  const repo = shop(`${first}ffff`, () => CART_WORK);
  const ran = await repo.harness('run', '--json');
  expectExit(ran, 9);
  expect([ran.json(), problems(repo)]).toMatchObject([
    { result: 'rejected', reason: 'regression' },
    [{ code: 'regression', ids: [OLD] }],
  ]);
  expect([left(repo), await status(repo)]).toEqual(['', []]);
});

test('an item whose own test passes alone and fails among the others does not land', async () => {
  const repo = shop('pf'.repeat(3), () => ({ 'tests/cart.test.mjs': byPlan('cart') }), 'false');
  const ran = await repo.harness('run', '--json');
  expectExit(ran, 9);
  expect([ran.json(), problems(repo)]).toMatchObject([
    { result: 'rejected', reason: 'own-test-flaky', landed: [] },
    [{ code: 'own-test-flaky', ids: ['node|tests/cart.test.mjs||cart'] }],
  ]);
});
