// The daemon of a delivery on GitHub (the stand-in, each request judged by GitHub's own description), while GitHub answers with errors, asks for
// patience, and loses answers to what it has done: each plan has one pull request and one merge.
import { expect, test } from 'vitest';
import { checksPass } from '../support/github/people.ts';
import { at, daemon, held, isAlive, letGo, mergesIn, until } from './delivery-daemon.ts';
import { shopOnGithub } from './delivery-on-github.ts';
import { SESSIONS } from './delivery-shop.ts';
import { untilThere } from '../support/signals.ts';

test('errors, a limit of requests, lost answers and a kill: each plan has one pull request and is merged once', async () => {
  const { shop, github } = await shopOnGithub(held(SESSIONS, 'reviewer'), {
    config: 'daemon: { poll_seconds: 1, rate_limit_backoff_ms: 1000 }\n',
  });
  const { repo } = shop;
  const pulls = '/repos/ada/shop/pulls';
  github.order({ on: `GET ${pulls}`, status: 503, times: 2 });
  github.order({ on: `POST ${pulls}`, status: 502, isLost: true });
  github.order({ on: `PUT ${pulls}/1/merge`, status: 502, isLost: true });
  github.order({ on: 'POST /repos/ada/shop/issues', status: 500 });
  const limit = { message: 'You have exceeded a secondary rate limit.', documentation_url: '' };
  github.order({ on: 'GET /repos/ada/shop/commits', status: 403, headers: { 'retry-after': '1' }, body: limit });

  const first = await daemon(shop);
  await untilThere(() => at(shop, 'reviewer'));
  process.kill(first, 'SIGKILL');
  await untilThere(() => !isAlive(first));
  await daemon(shop);
  letGo(shop);
  const state = await until(shop, (now) => {
    checksPass(github);
    return mergesIn(now).length === 2;
  });
  expect(mergesIn(state)).toEqual(['0001 harness', '0002 harness']);
  expect([...github.state.pulls.values()].map(({ number, head, merged }) => [number, head, merged !== null])).toEqual([
    [1, 'harness/0001', true],
    [2, 'harness/0002', true],
  ]);
  expect(github.repo.git('log', '--first-parent', '--format=%s', 'main').split('\n')).toEqual([
    'chore: plan 0002-pay is merged',
    'Add payment (#2)',
    'chore: plan 0001-cart is merged',
    'Add a cart (#1)',
    'the address',
    'start',
  ]);
  expect(github.waiting()).toEqual([]);
  expect(github.violations).toEqual([]);
  expect(state.blocked).toEqual([]);
  expect(repo.git('status', '--porcelain')).toBe('');
});
