// `harness pr ITEM`: a landed item becomes a pull request, on a remote alone and on GitHub (the stand-in), once however often it is asked for.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { standInForGithub } from '../support/github/server.ts';
import { CART_STEPS, makeRepo, type Repo } from '../support/repo.ts';
import { IS_EXHAUSTIVE } from '../support/effort.ts';

const SCENARIO = JSON.stringify({
  schema: 1,
  sessions: [
    { when: { item: 2 }, turns: [[...CART_STEPS, 'claim']] },
    {
      when: { item: 3 },
      turns: [
        [
          { write: { path: 'tests/pay.test.mjs', text: PAYS() } },
          { write: { path: 'src/pay.mjs', text: 'export const pay = (n) => n * 2;\n' } },
          'claim',
        ],
      ],
    },
  ],
});
function PAYS(): string {
  return `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { pay } from '../src/pay.mjs';\ntest('pay works', () => assert.equal(pay(2), 4));\n`;
}

const configOf = (repo: Repo, forge: string): string =>
  `${repo.read('.harness.yaml')}push: { remote: null }\nsandbox: { level: none }\nverification: { mutation: "off" }\nforge: ${forge}\n`;

/** A shop whose main branch is on a remote; both items have landed on the branch `work`, which nothing was pushed of. */
async function shopWithLandings(forge: string): Promise<{ readonly repo: Repo; readonly remote: string }> {
  const repo = makeRepo({ '.scenario.yaml': SCENARIO });
  const remote = join(repo.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: repo.env });
  repo.write('.harness.yaml', configOf(repo, forge));
  repo.git('commit', '-qam', 'forge');
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '-q', 'origin', 'main');
  repo.git('switch', '-q', '-c', 'work');
  const ran = await repo.harness('run', '--until-done', '-y');
  expect(ran.stderr + ran.stdout).toContain('#3');
  expect(repo.features().map(({ passes }) => passes)).toEqual([true, true, true]);
  return { repo, remote };
}

const factsOf = (repo: Repo) => ({
  head: repo.git('rev-parse', 'HEAD'),
  branches: repo.git('for-each-ref', 'refs/heads', 'refs/remotes'),
  status: repo.git('status', '--porcelain'),
});

test.runIf(IS_EXHAUSTIVE)('with a remote alone: opened once, checked, merged by hand, and then refused', async () => {
  const { repo, remote } = await shopWithLandings('{ kind: local, ci: "node --test tests/cart.test.mjs" }');
  const before = factsOf(repo);
  const opened = await repo.harness('pr', '2', '--checks', '--json');
  expect(opened.stderr).toBe('');
  expect(opened.json()).toMatchObject({
    item: '2',
    result: 'opened',
    number: 1,
    branch: 'harness/2',
    base: 'main',
    url: `${remote}#1`,
    checks: {
      state: 'passed',
      checks: [
        {
          name: 'ci',
          state: 'passed',
        },
      ],
    },
  });
  expect((await repo.harness('pr', '#2', '--json')).json()).toMatchObject({ result: 'unchanged', number: 1 });
  expect(factsOf(repo)).toEqual(before);
  repo.git('fetch', '-q', 'origin', 'refs/harness/forge', 'refs/heads/harness/2');
  const record = JSON.parse(repo.git('show', 'refs/harness/forge:pulls/1.json')) as { body: string; title: string };
  expect(record.title).toContain('cart');
  for (const part of [
    'Item 2: User can fill a cart',
    'Proof',
    'node --test',
    'refs/harness/evidence/2',
    'Harness-Proof: ',
  ])
    expect(record.body.toLowerCase()).toContain(part.toLowerCase());

  // As after a kill between the push and the pull request: the branch stays, and gets the pull request that it lacks.
  const branch = repo.git('ls-remote', remote, 'refs/heads/harness/2');
  repo.git('push', '-q', 'origin', ':refs/harness/forge');
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ result: 'opened', number: 1 });
  expect(repo.git('ls-remote', remote, 'refs/heads/harness/2')).toBe(branch);

  // The first landing fits as it is, with its evidence; the second is picked onto the base without the first.
  const other = await repo.harness('pr', '3');
  expect(other.stdout).toContain(`Pull request #2 for item 3 is open: ${remote}#2`);
  const picked = repo.git('ls-remote', remote, 'refs/heads/harness/3').split('\t')[0] ?? '';
  repo.git('fetch', '-q', 'origin', 'refs/heads/harness/3');
  expect(repo.git('log', '-1', '--format=%(trailers)', picked)).toMatch(
    /Harness-Item: 3[^]*Harness-Picked: [0-9a-f]{40}/,
  );
  expect(repo.git('log', '-1', '--format=%B', picked)).not.toContain('Harness-Evidence');
  expect(repo.git('show', '--name-only', '--format=', picked).split('\n')).not.toContain('src/cart.mjs');
  expect(repo.git('rev-parse', `${picked}^`)).toBe(repo.git('rev-parse', 'main'));

  repo.git('push', '-q', 'origin', `${repo.git('rev-parse', 'FETCH_HEAD')}:refs/heads/main`);
  const merged = await repo.harness('pr', '3');
  expect(merged.code).toBe(5);
  expect(merged.stderr).toContain(`Item 3 has been merged already: ${remote}#2`);
});

test('with GitHub: opened, updated after an edit of the base, and every clear refusal', async () => {
  const { repo, remote } = await shopWithLandings(
    '{ kind: github, repository: ada/shop, api_url: "http://127.0.0.1:1" }',
  );
  const github = await standInForGithub(remote);
  onTestFinished(() => github.close());
  repo.write('.harness.yaml', repo.read('.harness.yaml').replace('http://127.0.0.1:1', github.url));

  const stranger = await repo.harness('pr', '2', '--json');
  expect(stranger.code).toBe(4);
  expect(stranger.json()).toMatchObject({ error: { code: 'forge-not-logged-in', exit: 4 } });
  expect(github.requests).toEqual([]);

  repo.env['GITHUB_API_URL'] = github.url;
  repo.env['GH_TOKEN'] = 'wrong';
  expect((await repo.harness('pr', '2')).stderr).toContain('Bad credentials');
  repo.env['GH_TOKEN'] = github.token;
  const opened = await repo.harness('pr', '2');
  expect(opened.stdout).toContain('Pull request #1 for item 2 is open: https://github.example/ada/shop/pull/1');
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ result: 'unchanged', number: 1 });
  const body = github.state.pulls.get(1)?.body ?? '';
  expect(body).toMatch(/Harness-Evidence: sha256:[0-9a-f]{64}\n\nHarness-Key: item 2\n$/);
  github.state.pulls.get(1)!.body = `edited\n\nHarness-Key: item 2`;
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ result: 'updated', number: 1 });
  expect(github.state.pulls.get(1)?.body).toBe(body);

  // Commits of others on the branch stay where the landing is below them, and are never replaced.
  const landed = github.repo.tip('harness/2') ?? '';
  const theirs = github.repo.git('commit-tree', `${landed}^{tree}`, '-p', landed, '-m', 'a hand of help');
  github.repo.git('update-ref', 'refs/heads/harness/2', theirs);
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ result: 'unchanged', head: theirs });
  const alone = github.repo.git('commit-tree', `${landed}^{tree}`, '-p', 'main', '-m', 'something else');
  github.repo.git('update-ref', 'refs/heads/harness/2', alone);
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ error: { code: 'pr-branch-edited' } });
  expect(github.repo.tip('harness/2')).toBe(alone);
  github.repo.git('update-ref', 'refs/heads/harness/2', landed);

  // A person merges it as one new commit: nothing is left to propose.
  const head = github.repo.tip('harness/2') ?? '';
  const commit = github.repo.merge(github.repo.tip('main') ?? '', head, 'squash', 'merged') ?? '';
  github.repo.git('update-ref', 'refs/heads/main', commit);
  Object.assign(github.state.pulls.get(1)!, { state: 'closed', merged: { commit, sha: head }, sha: head });
  const merged = await repo.harness('pr', '2', '--json');
  expect(merged.json()).toMatchObject({ error: { code: 'pr-merged' } });
  expect(github.violations).toEqual([]);
});

test('without a landing, a forge or a remote, the command says what to do', async () => {
  const repo = makeRepo();
  const unset = await repo.harness('pr', '2', '--json');
  expect(unset.code).toBe(2);
  expect(unset.json()).toMatchObject({ error: { code: 'forge-not-configured' } });
  repo.write('.harness.yaml', configOf(repo, '{ kind: local }'));
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ error: { code: 'forge-remote-missing' } });
  const remote = join(repo.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: repo.env });
  repo.git('remote', 'add', 'origin', remote);
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ error: { code: 'pr-not-landed' } });
  expect((await repo.harness('pr', '77', '--json')).json()).toMatchObject({ error: { code: 'item-unknown' } });
  expect((await repo.harness('pr')).code).toBe(2);
});
