// How a run of a delivery is killed at a moment that is waited for, and what must hold once it has run to its end.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { PROGRAM } from '../support/repo.ts';
import { pullsOf, SESSIONS, type Session, type Shop } from './delivery-shop.ts';

const start = ({ repo }: Shop): ChildProcess => {
  const child = spawn(process.execPath, [PROGRAM, 'run', '-y'], { cwd: repo.root, env: repo.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Runs until the file is there, and is killed then. `look`: before that. */
export async function killedAt(shop: Shop, file: string, look = (): Promise<void> => Promise.resolve()): Promise<void> {
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
export const heldAt = (role: string): readonly Session[] =>
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

export async function endsOnce(shop: Shop): Promise<void> {
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

/** The remote stops in the push to its base branch that is the nth, when the branch has moved and the answer has not come. */
export function holdsAnswer({ remote }: Shop, nth: number): void {
  const hook = `#!/bin/sh
while read -r old new ref; do
  if [ "$ref" = refs/heads/main ]; then
    echo >> ../pushes
    if [ "$(wc -l < ../pushes)" = ${nth} ] && [ ! -e ../at ]; then touch ../at; sleep 60; fi
  fi
done
`;
  writeFileSync(join(remote, 'hooks', 'post-receive'), hook, { mode: 0o755 });
}
