// A small project for the end-to-end tests: three features on top of each other, tests that are lines of shell printed
// as TAP, and an agent that follows a scenario outside the repository. Also the program as a live process.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findOrphans } from '../../src/host/process-tree.ts';
import { makeRepo, PROGRAM, type Ran, type Repo } from '../support/repo.ts';

/** A test is a name and a condition; `run.sh FILE…` prints all of them as one TAP document. */
export const RUN = `#!/bin/sh
n=0 bad=0
echo "tests of $PWD"
for file in "$@"; do
  while IFS='|' read -r name condition; do
    n=$((n+1))
    if eval "$condition"; then echo "ok $n - $name"; else echo "not ok $n - $name"; bad=1; fi
  done < "$file"
done
echo "1..$n"
exit $bad
`;

const FEATURES = `{
  "project": "workshop",
  "features": [
    { "id": 1, "category": "bench", "description": "A bench can be set up", "test_file": "tests/bench.test", "passes": false },
    { "id": 2, "category": "bench", "description": "A saw hangs on the wall", "test_file": "tests/saw.test", "depends_on": [1], "passes": false },
    { "id": 3, "category": "wood", "description": "A board can be cut", "test_file": "tests/board.test", "depends_on": [2], "passes": false }
  ]
}
`;

export type Steps = readonly (string | { readonly [step: string]: unknown })[];
export type Session = { readonly when: { readonly [key: string]: unknown }; readonly turns: readonly Steps[] };

const WORK = { 1: 'bench', 2: 'saw', 3: 'board' } as const;

/** The honest work on one feature: the thing, its test, the claim. */
export const work = (item: 1 | 2 | 3): Steps => [
  { write: { path: `src/${WORK[item]}`, text: `${WORK[item]}\n` } },
  {
    write: {
      path: `tests/${WORK[item]}.test`,
      text: `${WORK[item]} is there|grep -q ${WORK[item]} src/${WORK[item]}\n`,
    },
  },
  'claim',
];
/** Plays at every first turn of the item; later turns have nothing to say. */
export const session = (item: 1 | 2 | 3, ...steps: Steps): Session => ({ when: { item }, turns: [steps] });
export const honest: readonly Session[] = [session(1, ...work(1)), session(2, ...work(2)), session(3, ...work(3))];

export type Workshop = Repo & {
  /** The folder around the repository: scenario, signals, remotes. `../NAME` for the agent. */
  readonly around: string;
  /** What the agents do from now on; `file`: those of another scenario than `scenario.json`. */
  play(sessions: readonly Session[], file?: string): void;
  /** Starts the program and leaves it running; ended with the test. */
  start(...args: string[]): Live;
  /** Processes of the harness that still live, for this repository. */
  processes(): readonly string[];
  /** Sessions that any agent was started for. */
  sessions(): readonly string[];
  /** Subjects since the start, oldest first. */
  subjects(): readonly string[];
  trailers(rev: string): { readonly [name: string]: string };
  /** The subject of what is kept of an unfinished item; '' if there is none. */
  workInProgress(item: string): string;
};
export type Live = {
  readonly pid: number;
  readonly ended: Promise<Ran & { readonly signal: NodeJS.Signals | null }>;
  /** Resolves when the file is there; fails where the program ends before. */
  until(path: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
};

export type Options = {
  /** `features` where it is left out. */
  readonly playbook?: string;
  /** Files that the project has not. */
  readonly without?: readonly string[];
  /** Sections of the configuration beside those that every story has, as YAML. */
  readonly config?: string;
  readonly agent?: string;
  readonly init?: string;
  readonly sessions?: readonly Session[];
  readonly files?: { readonly [path: string]: string };
};

export function workshop(options: Options = {}): Workshop {
  const config = [
    `playbook: ${options.playbook ?? 'features'}`,
    'project: { name: workshop }',
    `agents: { default: ${options.agent ?? '{ provider: scripted, scenario: ../scenario.json }'} }`,
    'environment: { init: ./init.sh, reset: ./reset.sh }',
    `testing: { runner: tap, feature: 'sh run.sh {test_file}', full: 'sh run.sh tests/*.test' }`,
    options.config ?? '',
    '',
  ].join('\n');
  const repo = makeRepo(
    {
      '.harness.yaml': config,
      'features.json': FEATURES,
      'claude-progress.txt': '# Progress: workshop\n',
      'init.sh': options.init ?? '#!/bin/sh\n',
      'run.sh': RUN,
      'src/door': 'door\n',
      'tests/door.test': 'there is a door|grep -q door src/door\n',
      'tests/bench.test': 'bench is there|false\n',
      'tests/saw.test': 'saw is there|false\n',
      'tests/board.test': 'board is there|false\n',
      ...options.files,
    },
    ['tests/open.test.mjs', 'tests/cart.test.mjs', 'tests/pay.test.mjs', ...(options.without ?? [])],
  );
  const around = dirname(repo.root);
  const play = (sessions: readonly Session[], file = 'scenario.json'): void =>
    writeFileSync(join(around, file), JSON.stringify({ schema: 1, sessions }));
  play(options.sessions ?? honest);
  return {
    ...repo,
    around,
    play,
    start: (...args) => startProgram(repo, args),
    processes: () => findOrphans(`${repo.privateDir}#`).map(({ pid, command }) => `${pid} ${command}`),
    sessions: () => {
      const folder = join(repo.privateDir, 'sessions');
      return existsSync(folder) ? readdirSync(folder) : [];
    },
    subjects: () => repo.git('log', '--format=%s', '--reverse').split('\n').slice(1),
    workInProgress: (item) => repo.git('for-each-ref', '--format=%(subject)', `refs/harness/wip/${item}`),
    trailers: (rev) =>
      Object.fromEntries(
        repo
          .git('log', '-1', '--format=%(trailers:only,unfold)', rev)
          .split('\n')
          .map((line) => line.split(': ') as [string, string]),
      ),
  };
}

export function startProgram(repo: Repo, args: readonly string[]): Live {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: repo.root,
    env: repo.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
  const ended: Live['ended'] = new Promise((done) => {
    child.on('close', (code, signal) =>
      done({ code, signal, ...out, json: () => JSON.parse(out.stdout === '' ? out.stderr : out.stdout) as never }),
    );
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    ended,
    signal: (name) => void child.kill(name),
    async until(path) {
      const there = appears(path);
      const early = ended.then((ran) => {
        throw new Error(`ended with ${ran.code} before ${path} was there\n${ran.stdout}${ran.stderr}`);
      });
      try {
        await Promise.race([there.seen, early]);
      } finally {
        there.forget();
        early.catch(() => undefined);
      }
    },
  };
}

/** Also where its folder is still to be made. */
function appears(path: string): { readonly seen: Promise<void>; forget(): void } {
  const folder = dirname(path);
  if (!existsSync(folder)) {
    let watched = appears(folder);
    const seen = watched.seen.then(() => {
      watched.forget();
      watched = appears(path);
      return watched.seen;
    });
    return { seen, forget: () => watched.forget() };
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => (existsSync(path) ? resolve() : undefined);
  const watcher = watch(folder, look);
  look();
  return { seen: promise, forget: () => watcher.close() };
}

type Event = { readonly type: string; readonly data?: { readonly [key: string]: unknown } };
/** What the log has of one kind, in its order. */
export const eventsOf = (shop: Pick<Repo, 'read'>, type: string): readonly Event[] =>
  shop
    .read('.harness/logs/events.jsonl')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]))
    .filter((event) => event.type === type);

/** Everything the harness must leave alone, byte for byte: every tracked file, the branch, the user's index. */
export const picture = (repo: Repo, ...but: readonly string[]): { readonly [path: string]: string } =>
  Object.fromEntries([
    ...repo
      .git('ls-files')
      .split('\n')
      .filter((path) => !but.includes(path))
      .map((path) => [
        path,
        existsSync(join(repo.root, path)) ? readFileSync(join(repo.root, path), 'latin1') : 'gone',
      ]),
    ['(branch)', repo.git('branch', '--show-current')],
    ['(status)', repo.git('status', '--porcelain')],
  ]) as { [path: string]: string };

/** What the harness committed names no folder of this machine: commits travel. */
export function expectPortable(repo: Repo, since: string): void {
  const whole = repo.git('log', '-p', '--format=%B%an%ae%cn%ce', `${since}..`);
  for (const path of [dirname(repo.root), tmpdir(), resolve('.')]) expect(whole).not.toContain(path);
}

/** A run that went as it should: fails with everything it said. */
export function expectExit(ran: Ran, code: number): void {
  expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(code);
}
