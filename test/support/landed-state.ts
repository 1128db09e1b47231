// Restores the state that the landed version of the program left in repositories (test/fixtures/landed).
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scenarioOf, type Session } from './landed-project.ts';
import { LANDED_ROOT, relocate } from './landed-relocate.ts';
import { type Repo, repoAt, temporaryTop } from './repo.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/landed');

export type Landed = Repo & {
  /** Holds the repository and the home of its user. */
  readonly top: string;
  /** What agents do from now on. */
  play(sessions: readonly Session[]): void;
};

/** Unpacks a fixture into a new temporary folder, which all of its state names afterwards. Removed when the test ends. */
export function restoreLanded(name: string): Landed {
  const top = temporaryTop();
  execFileSync('tar', ['-xzf', join(FIXTURES, `${name}.tar.gz`), '-C', top]);
  const tokens = JSON.parse(readFileSync(join(top, 'tokens.json'), 'utf8')) as readonly string[];
  relocate(top, { from: LANDED_ROOT, to: top, tokens });
  rmSync(join(top, 'tokens.json'));
  return {
    ...repoAt(join(top, 'project'), join(top, 'home')),
    top,
    play: (sessions) => writeFileSync(join(top, 'scenario.json'), scenarioOf(sessions)),
  };
}
