// The daemon of a delivery, started as a user starts it, and waited for by what it shows of itself.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { lockOwner } from '../../src/host/lock.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Session, Shop } from './delivery-shop.ts';

export type State = {
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
export async function until(shop: Shop, holds: (state: State) => boolean): Promise<State> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const state = stateOf(shop);
    if (state !== null && holds(state)) return state;
    await pause(50);
  }
  throw new Error(`it does not come to that: ${JSON.stringify(stateOf(shop), null, 1)}`);
}
/** Against a wait without an end. */
const MOST_LOOKS = Number(process.env['LOOKS'] ?? 6_000);
export const isIdle = ({ waiting }: State): boolean => waiting?.why === 'nothing-ready';
export const mergesIn = ({ history }: State) =>
  history.filter(({ event }) => event === 'merged').map(({ plan, by }) => `${plan} ${by}`);

export async function daemon(shop: Shop): Promise<number> {
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
export const held = (sessions: readonly Session[], role: string): readonly Session[] =>
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
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
export const at = ({ repo }: Shop, role: string): boolean => existsSync(join(repo.root, '..', `at-${role}`));
export const letGo = ({ repo }: Shop): void => writeFileSync(join(repo.root, '..', 'go'), '');

/** A clone of the remote as another person has it, changed and pushed. */
export function asOther(
  { repo, remote }: Shop,
  change: (git: (...args: string[]) => void, root: string) => void,
): void {
  const root = join(repo.root, '..', `other-${readdirSync(join(repo.root, '..')).length}`);
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: root, env: repo.env, stdio: 'pipe' });
  execFileSync('git', ['clone', '-q', remote, root], { env: repo.env, stdio: 'pipe' });
  change(git, root);
  git('push', '-q', 'origin', 'HEAD:main');
}
