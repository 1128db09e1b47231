// The worlds that the suite of forges runs in: a bare remote with a clone of it, and on top GitHub (the stand-in) or the local forge.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { localForgeGit } from '../../src/app/forge/local-git.ts';
import { githubForge } from '../../src/forge/github/forge.ts';
import type { CiResult } from '../../src/forge/local/git.ts';
import { localForge } from '../../src/forge/local/forge.ts';
import type { Waiting } from '../../src/forge/patience.ts';
import type { Forge } from '../../src/forge/port.ts';
import { stage, valueOf, type Stage } from '../stage/repository.ts';
import { standInForGithub, type GitHub } from '../support/github/server.ts';

/** The time of a test: a sleep passes at once and is noted. */
export type Time = Waiting & { readonly slept: number[] };

export function timeOfTest(): Time {
  let now = Date.parse('2026-03-01T08:00:00Z');
  const slept: number[] = [];
  return {
    slept,
    clock: { now: () => now, iso: () => new Date((now += 1)).toISOString() },
    sleep(ms) {
      slept.push(ms);
      now += ms;
      return Promise.resolve();
    },
    signal: new AbortController().signal,
    patienceMs: 60_000,
  };
}

export type World = {
  readonly stage: Stage;
  readonly remote: string;
  readonly time: Time;
  /** A new one each time, as another process would have. */
  forge(): Promise<Forge>;
  /** A branch of the remote with these files on top of another one; gives its commit. */
  branch(name: string, files: { readonly [path: string]: string }, from?: string): string;
  /** null: there is none. */
  tip(branch: string): string | null;
  /** From now on this commit is checked with this result. */
  checked(sha: string, result: 'passed' | 'failed'): void;
};

type Base = Omit<World, 'forge' | 'checked'>;

function baseWorld(): Base {
  const s = stage({ 'README.md': 'shop\n', 'list.txt': 'one\ntwo\nthree\n' });
  const remote = join(s.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: s.env });
  s.sh('remote', 'add', 'origin', remote);
  s.sh('push', '-q', 'origin', 'main');
  const tip = (branch: string) => s.sh('ls-remote', remote, `refs/heads/${branch}`).split('\t')[0] || null;
  return {
    stage: s,
    remote,
    time: timeOfTest(),
    tip,
    branch(name, files, from = 'main') {
      s.sh('fetch', '-q', 'origin');
      s.sh('switch', '-q', '--detach', `origin/${from}`);
      for (const [path, text] of Object.entries(files)) s.write(path, text);
      const commit = s.commit(`work on ${name}`);
      s.sh('push', '-q', 'origin', `+HEAD:refs/heads/${name}`);
      s.sh('switch', '-q', 'main');
      return commit;
    },
  };
}

export type GithubWorld = World & { readonly github: GitHub; forgeWith(token: string): Forge };

export async function githubWorld(): Promise<GithubWorld> {
  const base = baseWorld();
  const github = await standInForGithub(base.remote);
  onTestFinished(async () => {
    await github.close();
    expect(github.violations, 'what GitHub’s own description does not allow').toEqual([]);
  });
  const forgeWith = (token: string) =>
    githubForge({ apiUrl: github.url, token, owner: 'ada', repo: 'shop', headOwner: 'ada', waiting: base.time });
  return {
    ...base,
    github,
    forgeWith,
    forge: () => Promise.resolve(forgeWith(github.token)),
    checked: (sha, result) =>
      void github.state.checks.push({
        name: 'ci',
        sha,
        status: 'completed',
        conclusion: result === 'passed' ? 'success' : 'failure',
      }),
  };
}

export type LocalWorld = World & { /** What the checks were run on. */ readonly ran: string[] };

export function localWorld(): LocalWorld {
  const base = baseWorld();
  const results = new Map<string, CiResult>();
  const ran: string[] = [];
  return {
    ...base,
    ran,
    async forge() {
      const { git } = base.stage;
      const place = { remote: 'origin', url: base.remote, shown: base.remote };
      const run = (sha: string) => {
        ran.push(sha);
        return Promise.resolve({
          ok: true as const,
          value: results.get(sha) ?? { passed: true, exit: 0, ms: 1, output: 'ok' },
        });
      };
      return localForge({
        git: valueOf(await localForgeGit(git, place)),
        ci: { command: 'npm test', run },
        waiting: base.time,
      });
    },
    checked: (sha, result) =>
      void results.set(sha, { passed: result === 'passed', exit: result === 'passed' ? 0 : 1, ms: 1, output: result }),
  };
}
