// The daemon of a delivery: through kills each plan is merged once, and what follows a merge pauses it.
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lockOwner } from '../../src/host/lock.ts';
import { at, daemon, held, isAlive, isIdle, letGo, mergesIn, until, type State } from './delivery-daemon.ts';
import { IS_NIGHT } from '../support/effort.ts';
import { deliveryShop, pullsOf, says, SESSIONS } from './delivery-shop.ts';
import { untilThere } from '../support/signals.ts';

test('killed with its run, and a run killed alone: each plan is merged once, and the daemon finds the run that is live', async () => {
  const shop = deliveryShop(held(SESSIONS, 'reviewer'), { config: 'daemon: { poll_seconds: 1 }\n' });
  const { repo } = shop;
  const first = await daemon(shop);
  await untilThere(() => at(shop, 'reviewer'));
  const { active } = await until(shop, (now) => typeof now.active?.run === 'string');
  process.kill(first, 'SIGKILL');
  await untilThere(() => !isAlive(first));
  const second = await daemon(shop);
  // The run outlived the daemon, and is the same.
  expect((await until(shop, (now) => now.active !== null)).active).toMatchObject({ plan: '0001', run: active?.run });
  const run = lockOwner(repo.privateDir)?.pid ?? 0;
  process.kill(run, 'SIGKILL');
  process.kill(second, 'SIGKILL');
  await untilThere(() => !isAlive(run) && !isAlive(second));
  letGo(shop);
  await daemon(shop);
  const state = await until(shop, (now) => mergesIn(now).length === 2);
  expect(mergesIn(state)).toEqual(['0001 harness', '0002 harness']);
  expect(state.history).toContainEqual(expect.objectContaining({ event: 'run-ended', result: 'died' }));
  expect(pullsOf(shop).map(({ number, state: is }) => [number, is])).toEqual([
    [1, 'merged'],
    [2, 'merged'],
  ]);
  expect(repo.git('log', '--merges', '--format=%s').split('\n')).toEqual(['Add payment (#2)', 'Add a cart (#1)']);
});

test('a remote that is away: the daemon sleeps, says so, and continues when it is back', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1, config: 'daemon: { poll_seconds: 1 }\n' });
  const { repo, remote } = shop;
  renameSync(remote, `${remote}.away`);
  await daemon(shop);
  await until(shop, ({ waiting }) => waiting?.why === 'unreachable');
  const status = await repo.harness('daemon', 'status');
  expect(status.stdout).toMatch(/The remote cannot be asked \(.+\): it tries again at 2/);
  expect((await repo.harness('daemon', 'status', '--json')).json()).toMatchObject({
    running: true,
    work: { state: 'on', waiting: { why: 'unreachable' }, history: [] },
  });
  renameSync(`${remote}.away`, remote);
  expect(mergesIn(await until(shop, (now) => mergesIn(now).length === 1 && isIdle(now)))).toEqual(['0001 harness']);
  expect((await repo.harness('daemon', 'status')).stdout).toContain('No plan is ready.');
});

test.runIf(IS_NIGHT)(
  'covered acceptance criteria make a release ready, and too much drift pauses; each until it is resumed',
  async () => {
    const drift = says(
      'fidelity-checker',
      null,
      '{"score": 55, "findings": [{"claim": "Carts are shared.", "path": "src/cart.mjs", "quote": "goods"}]}',
    );
    const files = {
      'docs/spec.md': '# Shop\n\nCarts hold goods.\n',
      'docs/spec.acceptance.md': '- [REQ-1] Carts hold goods.\n',
      'docs/plans/0001-cart.md':
        '# Cart\n\n- Test: tests/cart.test.mjs\n- Tags: req-1\n\n## Work\n\nA cart holds goods.\n',
    };
    const config =
      'daemon: { poll_seconds: 1 }\nrelease_gate: { spec_path: docs/spec.md }\nfidelity: { every_n_plans: 1, threshold: 40 }\n';
    const shop = deliveryShop([drift, ...SESSIONS], { plans: 1, files, config });
    const { repo } = shop;
    const gate = await repo.harness('release-gate', '--json');
    expect([gate.code, gate.json()]).toMatchObject([3, { ready: false, criteria: [{ tag: 'REQ-1', covered_by: [] }] }]);
    await daemon(shop);
    const events = ({ history }: State) => history.map(({ event }) => event);
    await until(shop, (now) => now.paused && events(now).includes('release_ready'));
    expect(JSON.parse(repo.read('.harness/RELEASE_READY'))).toMatchObject({ criteria: ['REQ-1'] });
    expect((await repo.harness('release-gate')).code).toBe(0);
    await repo.harness('resume');
    await until(shop, (now) => now.paused && events(now).includes('fidelity_blocked'));
    const { gates } = (await repo.harness('gates', '--json')).json() as { gates: { id: string; item: string }[] };
    expect(gates).toMatchObject([{ item: 'fidelity' }]);
    expect((await repo.harness('answer', gates[0]?.id ?? '', 'continue')).code).toBe(0);
    const state = await until(shop, (now) => !now.paused && isIdle(now));
    expect(events(state)).toContain('fidelity_settled');
    // By hand, the session says the same.
    const checked = await repo.harness('fidelity', '--json', '--no-input');
    expect([checked.code, checked.json()]).toMatchObject([3, { score: 55, threshold: 40, drifted: true }]);
  },
);
