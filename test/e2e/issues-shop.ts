// A shop with a remote and a local forge, whose items have issues: what the tests of issues work on.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { recordsOf } from '../support/local-forge.ts';
import { CART_STEPS, makeRepo, type Repo } from '../support/repo.ts';

const SCENARIO = JSON.stringify({ schema: 1, sessions: [{ when: { item: 2 }, turns: [[...CART_STEPS, 'claim']] }] });

export function issuesShop(settings: string): Repo {
  const repo = makeRepo({ '.scenario.yaml': SCENARIO });
  const remote = join(repo.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: repo.env });
  const more = `sandbox: { level: none }\nverification: { mutation: "off" }\n${settings}\n`;
  repo.write('.harness.yaml', repo.read('.harness.yaml') + more);
  repo.git('commit', '-qam', 'settings');
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '-q', 'origin', 'main');
  return repo;
}

/** Title and state of each issue. */
export const shown = (repo: Repo) => recordsOf(repo, 'issues').map(({ title, state }) => `${title}: ${state}`);
/** What a sync does. */
export const actsOf = async (repo: Repo) => {
  const synced = await repo.harness('github', 'sync', '--json');
  expect(synced.stderr).toBe('');
  const { acts } = synced.json() as { acts: { act: string; number: number; item: string }[] };
  return acts.map(({ act, number, item }) => `${act} #${number} of ${item}`);
};
