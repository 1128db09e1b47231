// A small shop under the harness: a real repository in memory, real tests in a shell, scripted agents. Made in milliseconds,
// so that a test can let it die a thousand times.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quickFolder } from '../support/quick-folder.ts';
import { shellQuoted } from '../../src/model/shell-quote.ts';

export type FixtureProject = {
  /** Holds everything: the repository, the remote, the home, the scenario. */
  readonly top: string;
  readonly root: string;
  readonly privateDir: string;
  readonly stateDir: string;
  git(...args: string[]): string;
  /** Several at once, which one shell asks of git: it starts a process far quicker than this one does. */
  gits(...commands: readonly (readonly string[])[]): readonly string[];
  read(path: string): string | null;
  /** How many turns agents have begun, each one telling so first: `- append: *played`. */
  turnsPlayed(): number;
  /** As on the first day. */
  renew(): void;
  remove(): void;
};

const PASSED = (name: string): string => `#!/bin/sh\necho 'TAP version 13'\necho 'ok 1 - ${name}'\necho '1..1'\n`;
/** Passes as soon as the shop sells it. */
const WANTED = (name: string): string =>
  `#!/bin/sh
echo 'TAP version 13'
if grep -q '^${name}$' shop.txt; then echo 'ok 1 - ${name}'; else echo 'not ok 1 - ${name}'; fi
echo '1..1'
grep -q '^${name}$' shop.txt
`;
const NOTHING = '#!/bin/sh\nexit 0\n';
const ALL = `#!/bin/sh
code=0
for test in tests/*.sh; do sh "$test" || code=1; done
exit $code
`;

const CONFIG = `playbook: features
project: { name: shop }
agents:
  default: { provider: scripted, scenario: ../scenario.yaml }
environment: { init: ./init.sh, reset: ./reset.sh }
testing:
  runner: tap
  feature: "sh {test_file}"
  full: "sh all.sh"
quality: { lint_command: "test -s shop.txt" }
push: { remote: origin }
`;

export const feature = (id: number, name: string, more: object): object => ({
  id,
  category: 'shop',
  description: `User can ${name}`,
  test_file: `tests/${name}.sh`,
  ...more,
});

export const backlog = (...features: readonly object[]): string =>
  `${JSON.stringify({ project: 'shop', features }, null, 2)}\n`;

/** The configuration with more lines. */
export const configured = (more = ''): string => CONFIG + more;

export const SHOP: { readonly [path: string]: string } = {
  '.harness.yaml': CONFIG,
  '.gitignore': '.harness/\n',
  'features.json': backlog(feature(1, 'open', { passes: true }), feature(2, 'pay', { depends_on: [1], passes: false })),
  'claude-progress.txt': '# Progress: shop\n',
  'init.sh': NOTHING,
  'reset.sh': NOTHING,
  'all.sh': ALL,
  'shop.txt': 'open\n',
  'tests/open.sh': PASSED('open'),
  'tests/pay.sh': WANTED('pay'),
};

/** Before session 0: a spec, and what is needed to run tests. */
export const EMPTY_SHOP: { readonly [path: string]: string } = {
  '.harness.yaml': CONFIG,
  'spec.md': 'A shop that is open, and where one can pay.\n',
  'all.sh': ALL,
  'shop.txt': 'nothing\n',
};
/** What session 0 is to make of it. */
export const SET_UP = {
  features: backlog(feature(1, 'open', { passes: false }), feature(2, 'pay', { depends_on: [1], passes: false })),
  script: NOTHING,
  tests: { open: WANTED('open'), pay: WANTED('pay') },
};

/** After what one command of several has printed: in no text of a fixture project. */
const END = '\u001d';

/** On a file system in memory where there is one: crash tests write a lot. */

export function openFixtureProject(files: { readonly [path: string]: string }, scenario: string): FixtureProject {
  const whole = quickFolder('harness-crash-');
  const [template, top] = [join(whole, 'template'), join(whole, 'shop')];
  mkdirSync(join(template, 'repo'), { recursive: true });
  mkdirSync(join(template, 'home'));
  const run = (at: string, program: string, args: readonly string[]): string =>
    execFileSync(program, args, {
      cwd: at,
      env: { PATH: process.env['PATH'] ?? '', HOME: join(template, 'home'), GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const sh = (at: string, ...args: string[]): string => run(at, 'git', args).trimEnd();
  const shell = (at: string, lines: readonly string[]): readonly string[] =>
    run(at, 'sh', ['-ec', lines.join('\n')])
      .split(END)
      .slice(0, -1)
      .map((text) => text.trimEnd());
  const repo = join(template, 'repo');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
    if (path.endsWith('.sh')) chmodSync(join(repo, path), 0o755);
  }
  writeFileSync(join(template, 'scenario.yaml'), scenario);
  sh(template, 'init', '-q', '--bare', '-b', 'main', 'remote.git');
  sh(repo, 'init', '-q', '-b', 'main', '--template=');
  for (const [key, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.org'],
    ['remote.origin.url', '../remote.git'],
  ] as const)
    sh(repo, 'config', key, value);
  sh(repo, 'add', '-A');
  sh(repo, 'commit', '-q', '-m', 'start');
  const root = join(top, 'repo');
  const renew = (): void => {
    rmSync(top, { recursive: true, force: true });
    cpSync(template, top, { recursive: true, preserveTimestamps: true });
  };
  renew();
  return {
    top,
    root,
    privateDir: join(root, '.git', 'harness'),
    stateDir: join(root, '.harness'),
    git: (...args) => sh(root, ...args),
    gits: (...commands) =>
      shell(
        root,
        commands.map((args) => `git ${args.map(shellQuoted).join(' ')} && printf '\\035'`),
      ),
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null),
    turnsPlayed: () => (existsSync(join(top, 'played.txt')) ? readFileSync(join(top, 'played.txt'), 'utf8').length : 0),
    renew,
    remove: () => rmSync(whole, { recursive: true, force: true }),
  };
}
