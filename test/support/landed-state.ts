// Restores the state that the landed version of the program left in repositories (test/fixtures/landed), and reads from a restored
// repository what no later version may lose.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { processesOf } from '../crash/kills/processes.ts';
import { scenarioOf, type Session } from './landed-project.ts';
import { filesBelow, LANDED_ROOT, relocate } from './landed-relocate.ts';
import { type Repo, repoAt, temporaryTop } from './repo.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/landed');
export const LANDED_NAMES: readonly string[] = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.tar.gz'))
  .map((name) => name.slice(0, -'.tar.gz'.length));

export type Landed = Repo & {
  /** Holds the repository in `project` and the home of its user in `home`. */
  readonly top: string;
  /** Replaces what the agents do. */
  play(sessions: readonly Session[]): void;
  /** Items of landing commits on the branch, oldest first, once for each commit. */
  landings(): readonly string[];
  /** Whether an attempt of the item has this text in this file. */
  hasAttempt(item: string, path: string, text: string): boolean;
  /** Processes, locks, temporary files and pending evidence that a run must not leave. */
  leftBehind(): readonly string[];
};

/** Unpacks a fixture into a new temporary folder, which its state names afterwards. Removed when the test ends. */
export function restoreLanded(name: string): Landed {
  const top = temporaryTop();
  execFileSync('tar', ['-xzf', join(FIXTURES, `${name}.tar.gz`), '-C', top]);
  const tokens = JSON.parse(readFileSync(join(top, 'tokens.json'), 'utf8')) as readonly string[];
  relocate(top, { from: LANDED_ROOT, to: top, tokens });
  rmSync(join(top, 'tokens.json'));
  const root = join(top, 'project');
  const hasGit = existsSync(join(root, '.git'));
  const gitDir = join(root, hasGit ? '.git' : '.harness-engine/git');
  const repo = repoAt(root, join(top, 'home'));
  const git = (...args: string[]): string => repo.git('--git-dir', gitDir, ...args);
  const refs = (folder: string): readonly string[] =>
    git('for-each-ref', '--format=%(refname)', folder).split('\n').filter(Boolean);
  return {
    ...repo,
    top,
    git,
    privateDir: join(gitDir, 'harness'),
    play: (sessions) => writeFileSync(join(top, 'scenario.json'), scenarioOf(sessions)),
    landings: () =>
      git(
        'log',
        '--reverse',
        '--format=%(trailers:key=Harness-Evidence,valueonly,separator=)%x1f%(trailers:key=Harness-Item,valueonly,separator=)',
      )
        .split('\n')
        .flatMap((line) => {
          const [evidence = '', item = ''] = line.split('\x1f');
          return evidence === '' ? [] : [item];
        }),
    hasAttempt: (item, path, text) =>
      refs(`refs/harness/attempts/${item}`).some(
        (ref) => git('ls-tree', ref, '--', path) !== '' && git('show', `${ref}:${path}`) === text.trimEnd(),
      ),
    leftBehind: () => [
      ...processesOf(top).map(({ pid, command }) => `process ${pid} ${command}`),
      ...filesBelow(top)
        .map((path) => relative(top, path))
        .filter((path) => /\.tmp$|\.lock$|\/lock\.json$|-journal$|\/index-/.test(path)),
      ...readdirSync('/tmp').filter((path) => path.startsWith(directoryLockOf(root))),
      ...refs('refs/harness/pending'),
    ],
  };
}

/** The lock of the tasks machine below /tmp. */
const directoryLockOf = (root: string): string =>
  `harness-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`;
