// The daemon of a delivery: plans become merged pull requests one after the other, through kills, merges by others and what users decide.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockOwner } from '../../src/host/lock.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { deliveryShop, pullsOf, says, SESSIONS, type Session, type Shop } from './delivery-shop.ts';

type State = {
  readonly state: string;
  readonly paused: boolean;
  readonly frozen: boolean;
  readonly active: { readonly plan: string | null; readonly run: string | null; readonly kind: string } | null;
  readonly waiting: { readonly why: string } | null;
  readonly blocked: readonly { readonly plan: string; readonly gate: string; readonly reason: string }[];
  readonly history: readonly { readonly event: string; readonly plan?: string; readonly by?: string }[];
};

const stateOf = ({ repo }: Shop): State | null => {
  const file = join(repo.root, '.harness/state.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : null;
};
/** Until the daemon says so of itself. */
async function until(shop: Shop, holds: (state: State) => boolean): Promise<State> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const state = stateOf(shop);
    if (state !== null && holds(state)) return state;
    await pause(50);
  }
  throw new Error(`it does not come to that: ${JSON.stringify(stateOf(shop), null, 1)}`);
}
/** Against a wait without an end. */
const MOST_LOOKS = Number(process.env['LOOKS'] ?? 6_000);
async function untilThere(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(50);
}
const isIdle = ({ waiting }: State): boolean => waiting?.why === 'nothing-ready';
const mergesIn = ({ history }: State) =>
  history.filter(({ event }) => event === 'merged').map(({ plan, by }) => `${plan} ${by}`);

async function daemon(shop: Shop): Promise<number> {
  onTestFinished(async () => {
    writeFileSync(join(shop.repo.root, '..', 'go'), '');
    await shop.repo.harness('daemon', 'stop');
    const owner = lockOwner(shop.repo.privateDir);
    if (typeof owner?.pid === 'number') process.kill(owner.pid, 'SIGKILL');
  });
  const started = await shop.repo.harness('daemon', 'start', '--port', '0', '--json');
  if (started.code !== 0) throw new Error(started.stderr);
  return (started.json() as { pid: number }).pid;
}

/** The sessions of a role say where they are, and wait to be let go. */
const held = (sessions: readonly Session[], role: string): readonly Session[] =>
  sessions.map((session) =>
    session.when['role'] === role
      ? {
          ...session,
          turns: session.turns.map((steps) => [
            { write: { path: `../at-${role}`, text: '' } },
            { wait_for_file: '../go' },
            ...steps,
          ]),
        }
      : session,
  );
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const at = ({ repo }: Shop, role: string): boolean => existsSync(join(repo.root, '..', `at-${role}`));
const letGo = ({ repo }: Shop): void => writeFileSync(join(repo.root, '..', 'go'), '');

/** A clone of the remote as another person has it, changed and pushed. */
function asOther({ repo, remote }: Shop, change: (git: (...args: string[]) => void, root: string) => void): void {
  const root = join(repo.root, '..', `other-${readdirSync(join(repo.root, '..')).length}`);
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: root, env: repo.env, stdio: 'pipe' });
  execFileSync('git', ['clone', '-q', remote, root], { env: repo.env, stdio: 'pipe' });
  change(git, root);
  git('push', '-q', 'origin', 'HEAD:main');
}
const GIFT = 'docs/plans/0003-gift.md';
const GIFT_WORK: Session = {
  when: { role: 'implementer', item: '0003' },
  turns: [
    [
      { write: { path: 'src/gift.mjs', text: 'export const gift = () => true;\n' } },
      {
        write: {
          path: 'tests/gift.test.mjs',
          text: "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { gift } from '../src/gift.mjs';\ntest('gift works', () => assert.equal(gift(), true));\n",
        },
      },
    ],
  ],
};
const ALL = [GIFT_WORK, says('preparer', '0003', 'Title: Add gifts\n\nA cart can be a gift.'), ...SESSIONS];

test('two plans are merged, a third that is pushed meanwhile is found, and what it used is shown', async () => {
  const shop = deliveryShop(ALL, { more: 'daemon: { poll_seconds: 1 }\nbudget: { ceiling_tokens: 1 }\n' });
  await daemon(shop);
  expect(mergesIn(await until(shop, isIdle))).toEqual(['0001 harness', '0002 harness']);
  asOther(shop, (git, root) => {
    writeFileSync(join(root, GIFT), '# Gift\n\n- Depends on: 2\n- Test: tests/gift.test.mjs\n');
    git('add', '-A');
    git('commit', '-qm', 'docs: a third plan');
  });
  const state = await until(shop, (now) => mergesIn(now).length === 3 && isIdle(now));
  expect(mergesIn(state)).toContain('0003 harness');
  expect(pullsOf(shop).map(({ number, state: is }) => [number, is])).toEqual([
    [1, 'merged'],
    [2, 'merged'],
    [3, 'merged'],
  ]);
  const { repo } = shop;
  const logs = readdirSync(join(repo.root, '.harness/logs')).filter((name) => /^000\d-r-.*\.log$/.test(name));
  expect(logs.map((name) => name.slice(0, 4))).toEqual(['0001', '0002', '0003']);
  const [run = ''] = readdirSync(join(repo.root, '.harness/task-runs/0001'));
  expect(JSON.parse(repo.read(`.harness/task-runs/0001/${run}/tokens-used.json`))).toMatchObject({ plan: '0001', run });
  expect(repo.git('status', '--porcelain')).toBe('');
});

test('killed with its run, and a run killed alone: each plan is merged once, and the daemon finds the run that is live', async () => {
  const shop = deliveryShop(held(SESSIONS, 'reviewer'), { more: 'daemon: { poll_seconds: 1 }\n' });
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

test('a freeze stops the work under way at once, and unfrozen it continues where it was', async () => {
  const shop = deliveryShop(held(SESSIONS, 'fixer'), { plans: 1, more: 'daemon: { poll_seconds: 1 }\n' });
  const { repo } = shop;
  await daemon(shop);
  await untilThere(() => at(shop, 'fixer'));
  // As a user may also do by hand.
  repo.write('.harness/FROZEN', '');
  await until(shop, (now) => now.frozen && now.active === null && now.waiting?.why === 'frozen');
  expect(lockOwner(repo.privateDir)).toBeNull();
  expect((await repo.harness('run', '-y')).code).toBe(10);
  expect((await repo.harness('freeze', '--json')).json()).toMatchObject({ was_frozen: true });
  letGo(shop);
  expect((await repo.harness('unfreeze', '--json')).json()).toMatchObject({ was_frozen: true });
  expect(existsSync(join(repo.root, '.harness/FROZEN'))).toBe(false);
  expect(mergesIn(await until(shop, (now) => mergesIn(now).length === 1))).toEqual(['0001 harness']);
  // The reviewer was not asked again: what it had found was still known.
  expect(repo.read('src/cart.mjs')).toContain('...more');
  expect(pullsOf(shop)).toMatchObject([{ number: 1, state: 'merged' }]);
});

test('a merge by a person counts as one of its own: the plan file is moved, and what depends on it follows', async () => {
  const again: Session = {
    when: { role: 'implementer', item: '0001', attempt: '2+' },
    turns: [[{ write: { path: '../at-second', text: '' } }, { wait_for_file: '../go' }]],
  };
  // The checks of the first plan fail until a person has merged it all the same.
  const ci = 'test -f src/pay.mjs';
  const shop = deliveryShop([again, ...SESSIONS], { ci, more: 'daemon: { poll_seconds: 1 }\n' });
  const { repo } = shop;
  await daemon(shop);
  await untilThere(() => at(shop, 'second'));
  expect((await repo.harness('pause')).code).toBe(0);
  await until(shop, (now) => now.paused && now.active === null);
  asOther(shop, (git) => {
    git('fetch', '-q', 'origin', 'harness/0001');
    git('merge', '-q', '--no-ff', '-m', 'Add a cart (#1)', 'FETCH_HEAD');
  });
  letGo(shop);
  expect((await repo.harness('resume')).code).toBe(0);
  const state = await until(shop, (now) => mergesIn(now).length === 2 && isIdle(now));
  expect(mergesIn(state)).toEqual(['0001 others', '0002 harness']);
  expect(repo.git('log', '--format=%s', '--first-parent').split('\n').slice(0, 4)).toEqual([
    'chore: plan 0002-pay is merged',
    'Add payment (#2)',
    'chore: plan 0001-cart is merged',
    'Add a cart (#1)',
  ]);
});

test('covered acceptance criteria make a release ready, and too much drift pauses; each until it is resumed', async () => {
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
  const more =
    'daemon: { poll_seconds: 1 }\nrelease_gate: { spec_path: docs/spec.md }\nfidelity: { every_n_plans: 1, threshold: 40 }\n';
  const shop = deliveryShop([drift, ...SESSIONS], { plans: 1, files, more });
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
});
