// Killed in the middle of a phase and started again, a plan ends with one pull request and one merge.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../support/repo.ts';
import { deliveryShop, pullsOf, SESSIONS, type Session, type Shop } from './delivery-shop.ts';

const start = ({ repo }: Shop): ChildProcess => {
  const child = spawn(process.execPath, [PROGRAM, 'run', '-y'], { cwd: repo.root, env: repo.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Runs until the file is there, and is killed then. */
async function killedAt(shop: Shop, file: string, look = (): Promise<void> => Promise.resolve()): Promise<void> {
  const run = start(shop);
  const path = join(shop.repo.root, '..', file);
  while (!existsSync(path)) {
    if (run.exitCode !== null) throw new Error(`the run ended before ${file} was there`);
    await pause(50);
  }
  const ended = new Promise((resolve) => run.once('exit', resolve));
  await look();
  run.kill('SIGKILL');
  await ended;
}

/** The sessions of a role say where they are, and wait to be let go. */
const heldAt = (role: string): readonly Session[] =>
  SESSIONS.map((session) =>
    session.when['role'] === role
      ? {
          ...session,
          turns: session.turns.map((steps) => [
            { write: { path: '../at', text: '' } },
            { wait_for_file: '../go' },
            ...steps,
          ]),
        }
      : session,
  );

async function endsOnce(shop: Shop): Promise<void> {
  const { repo } = shop;
  writeFileSync(join(repo.root, '..', 'go'), '');
  const ran = await repo.harness('run', '-y');
  expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
  expect(pullsOf(shop)).toMatchObject([{ number: 1, state: 'merged', title: 'Add a cart' }]);
  const subjects = (...args: string[]): readonly string[] => repo.git('log', '--format=%s', ...args).split('\n');
  expect(subjects('--merges')).toEqual(['Add a cart (#1)']);
  expect(subjects('--no-merges')).toEqual(['chore: plan 0001-cart is merged', 'feat(app): #0001 Cart', 'start']);
  expect(repo.git('rev-parse', 'main')).toBe(repo.git('ls-remote', 'origin', 'refs/heads/main').split('\t')[0]);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect((await repo.harness('evidence', 'verify')).code).toBe(0);
}

test.each([
  ['implementer', 'implement', null],
  ['fixer', 'fix', 'review'],
  ['merge-checker', 'merge-check', 'e2e-verify'],
])('killed while the %s is at work', async (role, phase, reached) => {
  const shop = deliveryShop(heldAt(role), { plans: 1 });
  await killedAt(shop, 'at', async () => {
    const status = (await shop.repo.harness('status', '--json')).json();
    expect(status).toMatchObject({
      lanes: [{ item: '0001', stage: phase }],
      delivery: { plans: [{ id: '0001', phase, reached }] },
    });
  });
  await endsOnce(shop);
});

test('killed while the end-to-end tests run', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1, config: 'e2e: { command: sh e2e.sh }' });
  const top = join(shop.repo.root, '..');
  const waits = `touch ${top}/at\nwhile [ ! -e ${top}/go ]; do sleep 0.1; done\n`;
  shop.repo.write('e2e.sh', waits);
  shop.repo.git('add', 'e2e.sh');
  shop.repo.git('commit', '-q', '--amend', '--no-edit');
  shop.repo.git('push', '-q', '-f', 'origin', 'main');
  await killedAt(shop, 'at');
  await endsOnce(shop);
});

test('killed when the merge is done and its answer has not come', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1 });
  const hook = `#!/bin/sh
while read -r old new ref; do
  if [ "$ref" = refs/heads/main ] && [ ! -e ../at ]; then touch ../at; sleep 60; fi
done
`;
  writeFileSync(join(shop.remote, 'hooks', 'post-receive'), hook, { mode: 0o755 });
  await killedAt(shop, 'at');
  await endsOnce(shop);
});
