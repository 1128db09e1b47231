// GitHub when it is slow, full, forgetful, angry or away: what is tried again, what is a failure and says what to do, and that nothing is made twice.
import { describe, expect, test } from 'vitest';
import { githubForge } from '../../src/forge/github/forge.ts';
import type { PullAsk } from '../../src/forge/port.ts';
import { valueOf } from '../stage/repository.ts';
import { githubWorld } from './forge-worlds.ts';

const ASK: PullAsk = {
  head: 'harness/2',
  base: 'main',
  key: 'item 2',
  title: 'feat: #2 a cart',
  body: 'What landed.',
  isDraft: false,
};
const PULLS = '/repos/ada/shop/pulls';

async function shop() {
  const world = await githubWorld();
  const sha = world.branch('harness/2', { 'cart.txt': 'goods\n' });
  const posts = (path: string) => world.github.requests.filter((one) => one === `POST ${path}`).length;
  return { ...world, sha, posts, api: await world.forge() };
}

describe('what it refuses is a failure with a reason', () => {
  test.each([
    [401, 'forge-not-logged-in', { message: 'Bad credentials' }],
    [403, 'forge-forbidden', { message: 'Resource not accessible by personal access token' }],
    [404, 'forge-not-found', { message: 'Not Found' }],
    [409, 'forge-conflict', { message: 'Git Repository is empty.' }],
    [
      422,
      'forge-refused',
      { message: 'Validation Failed', errors: [{ resource: 'PullRequest', field: 'base', code: 'invalid' }] },
    ],
  ])('%d: %s', async (status, reason, body) => {
    const { github, api } = await shop();
    github.order({ on: `POST ${PULLS}`, status, body });
    const refused = await api.openPull(ASK);
    expect(refused).toMatchObject({ ok: false, failure: { reason } });
    const words = refused.ok ? '' : String(refused.failure.params['words'] ?? '');
    if (status !== 404) expect(words).toContain(body.message);
    if (status === 422) expect(words).toContain('base invalid');
    expect(github.state.pulls.size).toBe(0);
  });

  test('a token that is not accepted', async () => {
    const world = await shop();
    expect(await world.forgeWith('ghp_wrong').openPull(ASK)).toMatchObject({
      failure: { reason: 'forge-not-logged-in', params: { words: 'Bad credentials' } },
    });
  });

  test('an answer that is not understood is no answer', async () => {
    const { github, api } = await shop();
    github.order({ on: `GET ${PULLS}`, status: 200, body: [{ number: 'seven' }] });
    expect(await api.findPull(ASK)).toMatchObject({ failure: { reason: 'forge-answer-unknown' } });
  });
});

describe('limits of requests', () => {
  const now = Date.parse('2026-03-01T08:00:00Z') / 1_000;
  const full = (seconds: number) => ({
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + seconds) },
    body: { message: 'API rate limit exceeded' },
  });

  test('a limit that ends soon is waited for', async () => {
    const { github, api, time } = await shop();
    github.order({ on: `GET ${PULLS}`, status: 403, ...full(30) });
    expect(valueOf(await api.openPull(ASK)).how).toBe('opened');
    expect(time.slept).toEqual([31_000]);
  });

  test('a limit that ends late is a failure that says when to continue', async () => {
    const { github, api, time } = await shop();
    github.order({ on: `GET ${PULLS}`, status: 429, ...full(1_800) });
    expect(await api.openPull(ASK)).toMatchObject({
      failure: {
        reason: 'forge-rate-limited',
        policy: 'retry',
        params: { kind: 'primary', until: '2026-03-01T08:30:01.000Z', retryAfterMs: 1_801_000 },
      },
    });
    expect(time.slept).toEqual([]);
    expect(github.requests).toHaveLength(1);
  });

  test('the second limit, for too much at once, says how long to wait', async () => {
    const { github, api, time } = await shop();
    const body = { message: 'You have exceeded a secondary rate limit.' };
    github.order({ on: `POST ${PULLS}`, status: 403, headers: { 'retry-after': '20' }, body });
    expect(valueOf(await api.openPull(ASK)).how).toBe('opened');
    expect(time.slept).toEqual([21_000]);
  });

  test('without a time it is a minute, and after three times a failure', async () => {
    const { github, api, time } = await shop();
    const body = { message: 'You have exceeded a secondary rate limit.' };
    github.order({ on: `POST ${PULLS}`, status: 403, body, times: 9 });
    expect(await api.openPull(ASK)).toMatchObject({ failure: { reason: 'forge-rate-limited' } });
    expect(time.slept).toEqual([60_000, 60_000, 60_000]);
    expect(github.state.pulls.size).toBe(0);
  });
});

describe('failures that pass', () => {
  test.each([
    ['500', 500],
    ['502', 502],
    ['a cut connection', null],
  ])('reading through %s: tried again with longer and longer pauses', async (_, status) => {
    const { github, api, time } = await shop();
    github.order({ on: `GET ${PULLS}`, status, times: 3 });
    expect(valueOf(await api.findPull(ASK))).toBeNull();
    expect(time.slept).toEqual([1_000, 2_000, 4_000]);
  });

  test('one that stays is a failure', async () => {
    const { github, api } = await shop();
    github.order({ on: `GET ${PULLS}`, status: 503, body: { message: 'No server is available' }, times: 9 });
    expect(await api.findPull(ASK)).toMatchObject({
      failure: { reason: 'forge-failing', policy: 'retry', params: { status: 503, words: 'No server is available' } },
    });
  });

  test('a server that cannot be reached', async () => {
    const { time } = await shop();
    const where = { apiUrl: 'http://127.0.0.1:1', token: 't', owner: 'ada', repo: 'shop', headOwner: 'ada' };
    const api = githubForge({ ...where, waiting: time });
    expect(await api.findPull(ASK)).toMatchObject({
      failure: { reason: 'forge-unreachable', params: { host: '127.0.0.1:1' } },
    });
    expect(time.slept).toEqual([1_000, 2_000, 4_000]);
  });

  test('a server that gives no answer', async () => {
    const { github, time } = await shop();
    const where = { apiUrl: github.url, token: github.token, owner: 'ada', repo: 'shop', headOwner: 'ada' };
    github.order({ on: `GET ${PULLS}`, status: 200, times: 4, isStuck: true });
    const api = githubForge({ ...where, waiting: time, wallMs: 30 });
    expect(await api.findPull(ASK)).toMatchObject({ failure: { reason: 'forge-unreachable' } });
  });

  test('what was asked to stop is not tried again', async () => {
    const { github, time } = await shop();
    const stop = new AbortController();
    const where = { apiUrl: github.url, token: github.token, owner: 'ada', repo: 'shop', headOwner: 'ada' };
    const api = githubForge({ ...where, waiting: { ...time, signal: stop.signal } });
    stop.abort();
    expect(await api.findPull(ASK)).toMatchObject({ failure: { reason: 'forge-unreachable' } });
    expect(time.slept).toEqual([]);
  });
});

describe('an answer that was lost', () => {
  test.each([
    ['by a cut connection', null],
    ['by a 502', 502],
  ])('a pull request that was opened %s is found, not opened again', async (_, status) => {
    const { github, api, posts } = await shop();
    github.order({ on: `POST ${PULLS}`, status, isLost: true });
    expect(valueOf(await api.openPull(ASK)).pull.number).toBe(1);
    expect(github.state.pulls.size).toBe(1);
    expect(posts(PULLS)).toBe(1);
  });

  test('one that was not opened is opened by another try', async () => {
    const { github, api, posts } = await shop();
    github.order({ on: `POST ${PULLS}`, status: 500 });
    expect(valueOf(await api.openPull(ASK)).how).toBe('opened');
    expect(posts(PULLS)).toBe(2);
  });

  test('a process that is killed after the request finds it in the next one, though the list does not show it yet', async () => {
    const world = await shop();
    world.github.state.hidesNew = 3;
    world.github.order({ on: `POST ${PULLS}`, status: null, isLost: true });
    const killed = new AbortController();
    const where = { apiUrl: world.github.url, token: world.github.token, owner: 'ada', repo: 'shop', headOwner: 'ada' };
    const sleep = () => Promise.resolve(killed.abort());
    await githubForge({ ...where, waiting: { ...world.time, sleep, signal: killed.signal } }).openPull(ASK);
    expect(world.github.state.pulls.size).toBe(1);
    const opened = valueOf(await (await world.forge()).openPull(ASK));
    expect(opened).toMatchObject({ how: 'unchanged', pull: { number: 1 } });
    expect(world.github.state.pulls.size).toBe(1);
  });

  test('a pull request that stays invisible is a failure, and not a second one', async () => {
    const world = await shop();
    world.github.state.hidesNew = 99;
    valueOf(await (await world.forge()).openPull(ASK));
    expect(await (await world.forge()).openPull(ASK)).toMatchObject({ failure: { reason: 'forge-not-visible' } });
    expect(world.github.state.pulls.size).toBe(1);
  });

  test('one that was just opened is read although it is not visible at once', async () => {
    const { github, api, time } = await shop();
    github.state.hidesNew = 2;
    const { number } = valueOf(await api.openPull(ASK)).pull;
    expect(valueOf(await api.readPull(number)).title).toBe(ASK.title);
    expect(time.slept).toEqual([500, 1_000]);
  });

  test('an issue and a comment are made once', async () => {
    const { github, api } = await shop();
    github.order({ on: 'POST /repos/ada/shop/issues', status: null, isLost: true });
    const ask = { key: 'item 7', title: 'a cart', body: '', labels: [], since: null };
    const { issue } = valueOf(await api.createIssue(ask));
    expect(github.state.issues.size).toBe(1);
    github.order({ on: `POST /repos/ada/shop/issues/${issue.number}/comments`, status: 503, isLost: true });
    valueOf(await api.comment(issue.number, { body: 'done', key: 'result' }));
    expect(github.state.comments.get(issue.number)).toHaveLength(1);
  });

  test('a merge that was carried out counts, and is not done again', async () => {
    const { github, api, sha } = await shop();
    const { number } = valueOf(await api.openPull(ASK)).pull;
    github.order({ on: `PUT ${PULLS}/${number}/merge`, status: null, isLost: true });
    const merge = { method: 'squash', head: sha, title: 't', message: '' } as const;
    const before = github.repo.tip('main') ?? '';
    const merged = valueOf(await api.mergePull(number, merge));
    expect(github.repo.tip('main')).toBe(merged.commit);
    expect(github.repo.git('rev-list', '--count', `${before}..main`)).toBe('1');
  });
});

describe('what only GitHub has', () => {
  test('check runs and statuses count together, and an unknown conclusion does not pass', async () => {
    const { github, api, sha } = await shop();
    expect(valueOf(await api.checks(sha)).state).toBe('none');
    github.state.statuses.push({ context: 'old-ci', sha, state: 'success' });
    github.state.checks.push({ name: 'lint', sha, status: 'completed', conclusion: 'neutral' });
    expect(valueOf(await api.checks(sha)).state).toBe('passed');
    github.state.checks.push({ name: 'slow', sha, status: 'in_progress', conclusion: null });
    expect(valueOf(await api.checks(sha)).state).toBe('pending');
    github.state.checks.push({ name: 'odd', sha, status: 'completed', conclusion: 'action_required' });
    const { state, checks } = valueOf(await api.checks(sha));
    expect(state).toBe('failed');
    expect(checks.map((one) => `${one.name} ${one.state}`)).toEqual([
      'lint passed',
      'slow pending',
      'odd failed',
      'old-ci passed',
    ]);
  });

  test('whose check it is, and whether rules of the base branch keep it from being merged', async () => {
    const { github, api, sha } = await shop();
    const { number } = valueOf(await api.openPull(ASK)).pull;
    github.state.checks.push({ name: 'build', sha, status: 'queued', conclusion: null, app: 'github-actions' });
    expect(valueOf(await api.checks(sha)).checks).toMatchObject([{ name: 'build', by: 'github-actions' }]);
    expect(valueOf(await api.readPull(number))).not.toHaveProperty('isBlocked');
    github.state.isBlocked = true;
    expect(valueOf(await api.readPull(number))).toMatchObject({ isBlocked: true });
  });

  test.each(['rules', 'protection'] as const)(
    'a check that the base branch requires by its %s and that comes late: nothing is merged before, and its name is known',
    async (by) => {
      const { github, api, sha } = await shop();
      const { number } = valueOf(await api.openPull(ASK)).pull;
      expect(valueOf(await api.requiredChecks('main'))).toEqual([]);
      github.state.required.push({ branch: 'main', name: 'build', by });
      github.state.checks.push({ name: 'bot', sha, status: 'completed', conclusion: 'success', app: 'some-bot' });
      // All that is there has passed, and it is not enough.
      expect(valueOf(await api.checks(sha)).state).toBe('passed');
      expect(valueOf(await api.requiredChecks('main'))).toEqual(['build']);
      expect(valueOf(await api.requiredChecks('harness/2'))).toEqual([]);
      expect(valueOf(await api.readPull(number))).toMatchObject({ isBlocked: true, mergeable: 'yes' });
      const merge = { method: 'merge', head: sha, title: 't', message: '' } as const;
      expect(await api.mergePull(number, merge)).toMatchObject({
        failure: { reason: 'forge-not-mergeable', params: { words: 'Required status check is expected.' } },
      });
      github.state.checks.push({ name: 'build', sha, status: 'in_progress', conclusion: null });
      expect(valueOf(await api.checks(sha)).state).toBe('pending');
      github.state.checks.splice(1, 1, { name: 'build', sha, status: 'completed', conclusion: 'success' });
      expect(valueOf(await api.readPull(number))).not.toHaveProperty('isBlocked');
      expect(valueOf(await api.mergePull(number, merge)).how).toBe('merged');
    },
  );

  test('rules that the account may not see are none, and what it can see counts', async () => {
    const { github, api } = await shop();
    github.state.required.push({ branch: 'main', name: 'build', by: 'protection' });
    github.order({ on: 'GET /repos/ada/shop/rules/branches/main', status: 403, body: { message: 'Forbidden' } });
    expect(valueOf(await api.requiredChecks('main'))).toEqual(['build']);
    github.order({ on: 'GET /repos/ada/shop/branches/main', status: 404, body: { message: 'Not Found' } });
    expect(valueOf(await api.requiredChecks('main'))).toEqual([]);
    github.order({ on: 'GET /repos/ada/shop/rules/branches/main', status: 502, times: 9 });
    expect(await api.requiredChecks('main')).toMatchObject({ failure: { reason: 'forge-failing' } });
  });

  test('workflows that are queued without a run are waited for; a program that is asked for every commit and never checks is not', async () => {
    const { github, api, sha } = await shop();
    const { suites, checks } = github.state;
    suites.push({ sha, app: 'some-bot', status: 'queued', runs: 0 });
    expect(valueOf(await api.checks(sha))).toMatchObject({ state: 'none', checks: [] });
    suites.push({ sha, app: 'github-actions', status: 'queued', runs: 0 });
    expect(valueOf(await api.checks(sha))).toMatchObject({
      state: 'pending',
      checks: [{ name: 'workflows', by: 'github-actions', state: 'pending' }],
    });
    suites.splice(1, 1, { sha, app: 'github-actions', status: 'in_progress', runs: 1 });
    checks.push({ name: 'build', sha, status: 'completed', conclusion: 'success', app: 'github-actions' });
    expect(valueOf(await api.checks(sha)).state).toBe('passed');
  });

  test('more than a page of check runs is read to its end', async () => {
    const { github, api, sha } = await shop();
    for (let n = 1; n <= 230; n += 1)
      github.state.checks.push({
        name: `job ${n}`,
        sha,
        status: 'completed',
        conclusion: n === 230 ? 'failure' : 'success',
      });
    const { state, checks } = valueOf(await api.checks(sha));
    expect([state, checks.length]).toEqual(['failed', 230]);
  });

  test('reviews and comments on lines are read with the others, in the order of time', async () => {
    const { github, api } = await shop();
    const { number } = valueOf(await api.openPull(ASK)).pull;
    const { state } = github;
    state.inline.push({ number, path: 'cart.txt', line: 1, body: 'Which goods?', at: '2026-03-01T09:00:00Z' });
    state.reviews.push({ number, state: 'CHANGES_REQUESTED', body: 'Not yet.', at: '2026-03-01T09:00:01Z' });
    state.reviews.push({ number, state: 'COMMENTED', body: '', at: '2026-03-01T09:00:02Z' });
    state.reviews.push({ number, state: 'APPROVED', body: '', at: '2026-03-01T09:00:03Z' });
    const said = valueOf(await api.comments(number));
    expect(said).toMatchObject([
      { kind: 'inline', path: 'cart.txt', line: 1, body: 'Which goods?', verdict: null },
      { kind: 'review', verdict: 'changes-requested', body: 'Not yet.' },
      { kind: 'review', verdict: 'approved', body: '' },
    ]);
  });
});
