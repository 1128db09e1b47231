// `npm run soak [-- --minutes N]`: a real run of the delivery playbook over as many plans as it takes in N minutes (20), with real git, real processes and
// a local forge; killed and started again once at half of it. Memory, open files and processes of the run must be flat. Exit 0: they are. Exit 1: they
// are not, or the run failed. Exit 2: the call is wrong.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const PROGRAM = resolve(import.meta.dirname, '../bin/harness.cjs');
const MEMORY = resolve(import.meta.dirname, 'soak-memory.mjs');
const EACH_MS = 2_000;
/** More than any machine delivers in that time. */
const PLANS_A_MINUTE = 40;

const given = process.argv.slice(2).filter((arg) => arg !== '--minutes');
const minutes = Number(given[0] ?? process.env['npm_config_minutes']?.replace('true', '') ?? '') || 20;
if (given.length > 1 || !(minutes > 0)) {
  process.stderr.write('error: --minutes wants a number above 0\n  npm run soak -- [--minutes N]\n');
  process.exit(2);
}

const top = realpathSync(mkdtempSync(join(tmpdir(), 'harness-soak-')));
const [root, home] = [join(top, 'repo'), join(top, 'home')];
const env = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1', TMPDIR: top };
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env, encoding: 'utf8' }).trim();

const session = (role: string, step: object, more: object = {}): object => ({
  when: { role, ...more },
  turns: [[step]],
});
const PART = 'parts/{{ITEM}}.txt';
const FINDING = `### High: it is said in short words\nPath: ${PART}\nQuote: part {{ITEM}} is there\nWhy: it is too short.\n\n- Low: a comment`;
const SCENARIO = {
  schema: 1,
  sessions: [
    session('implementer', { write: { path: PART, text: 'part {{ITEM}} is there\n' } }),
    session('reviewer', { say: FINDING }, { attempt: 1 }),
    session('reviewer', { say: 'No blocking findings.' }),
    session('fixer', { write: { path: PART, text: 'part {{ITEM}} is there, as it was planned\n' } }),
    session('preparer', { say: 'Title: Part {{ITEM}}\n\nIt is there.' }),
    session('merge-checker', { say: 'No findings. Ready to enable auto-merge.' }),
  ],
};

/** It takes as long for a thousand parts as for one. */
const SUITE = `echo 'TAP version 13'
if grep -q 'is there' parts/*.txt; then echo 'ok 1 - parts'; else echo 'not ok 1 - parts'; fi
echo '1..1'
`;

function prepare(): void {
  const count = Math.ceil(minutes * PLANS_A_MINUTE);
  const ids = Array.from({ length: Math.min(count, 9_999) }, (_, n) => String(n + 1).padStart(4, '0'));
  const files: { readonly [path: string]: string } = {
    '.gitignore': '.harness/\n',
    '.harness.yaml': [
      'playbook: delivery',
      'project: { name: soak }',
      'agents: { default: { provider: scripted, scenario: ../scenario.yaml } }',
      'testing: { runner: tap, feature: "sh {test_file}", full: "sh all.sh" }',
      'sandbox: { level: none }',
      'verification: { mutation: "off" }',
      'forge: { kind: local, ci: "sh all.sh" }',
      '',
    ].join('\n'),
    'all.sh': SUITE,
    'parts/0000.txt': 'part 0000 is there\n',
    ...Object.fromEntries(
      ids.map((id) => [`docs/plans/${id}-part.md`, `# Part ${id}\n\n## Work\n\nPart ${id} is there.\n`]),
    ),
  };
  mkdirSync(home, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  writeFileSync(join(top, 'scenario.yaml'), JSON.stringify(SCENARIO));
  git(top, 'init', '-q', '--bare', '-b', 'main', 'remote.git');
  git(root, 'init', '-q', '-b', 'main');
  for (const [key, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.org'],
    ['remote.origin.url', join(top, 'remote.git')],
  ] as const)
    git(root, 'config', key, value);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'start');
  git(root, 'push', '-q', 'origin', 'main');
}

type Sample = {
  /** Of the process, and of its heap after a collection (soak-memory.mjs). */
  readonly kib: number;
  readonly heap: number;
  readonly files: number;
  readonly processes: number;
};
/** Of the run itself; `processes`: all that work for it. null: it has ended. */
function sampleOf(pid: number): Sample | null {
  try {
    const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const heap = Number(readFileSync(heapFile, 'utf8').trimEnd().split('\n').at(-1));
    return { kib, heap, files: readdirSync(`/proc/${pid}/fd`).length, processes: processesOf().length };
  } catch {
    return null;
  }
}
const processesOf = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
      } catch {
        return false;
      }
    });

const heapFile = join(top, 'heap.txt');
const start = (): ChildProcess =>
  spawn(process.execPath, [PROGRAM, 'run', '-y'], {
    cwd: root,
    env: { ...env, NODE_OPTIONS: `--import=${MEMORY}`, SOAK_MEMORY: heapFile },
    stdio: 'ignore',
  });

const merged = (): number => Number(git(join(top, 'remote.git'), 'rev-list', '--count', '--merges', 'main'));

/** Runs for so long and is looked at meanwhile. */
async function watched(run: ChildProcess, ms: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const until = Date.now() + ms; Date.now() < until && run.exitCode === null;) {
    await pause(EACH_MS);
    const sample = sampleOf(run.pid ?? 0);
    if (sample !== null) samples.push(sample);
  }
  return samples;
}

const middle = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
/** The beginning, when everything is loaded, against the end. */
function growth(samples: readonly Sample[]): readonly string[] {
  const quarter = samples.length >> 2;
  if (quarter < 2) return ['it ended before there was anything to compare'];
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  return (
    [
      ['kib', 1.5],
      ['heap', 1.25],
      ['files', 1.2],
      ['processes', 1.5],
    ] as const
  ).flatMap(([what, most]) => {
    const [before, after] = [middle(early.map((one) => one[what])), middle(late.map((one) => one[what]))];
    process.stdout.write(`${what}: ${before} in the second quarter, ${after} in the last\n`);
    return after <= before * most + 2 ? [] : [`${what} grew from ${before} to ${after}`];
  });
}

const wrong: string[] = [];
try {
  prepare();
  const first = start();
  await watched(first, minutes * 30_000);
  first.kill('SIGKILL');
  const half = merged();
  const second = start();
  const ended = new Promise((resolveEnd) => second.once('exit', resolveEnd));
  const samples = await watched(second, minutes * 30_000);
  wrong.push(...growth(samples));
  for (const share of [0, 0.25, 0.5, 1]) {
    const at = samples[Math.min(Math.floor(share * samples.length), samples.length - 1)];
    process.stdout.write(`after ${Math.round((share * minutes * 30) / 6) / 10} minutes: ${JSON.stringify(at)}\n`);
  }
  if (second.exitCode !== null) wrong.push(`the run ended by itself, with ${second.exitCode}`);
  second.kill('SIGTERM');
  await ended;
  const subjects = git(join(top, 'remote.git'), 'log', '--format=%s', 'main').split('\n');
  const twice = subjects.filter((one, n) => one !== 'start' && subjects.indexOf(one) !== n);
  process.stdout.write(`${merged()} plans merged in ${minutes} minutes, ${half} before the kill\n`);
  if (twice.length > 0) wrong.push(`two commits are ${twice.join(', ')}`);
  if (merged() <= half) wrong.push('nothing was merged after the kill');
  const left = processesOf();
  if (left.length > 0) wrong.push(`processes are left: ${left.join(' ')}`);
  const stray = readdirSync(top).filter((name) => name.startsWith('harness-'));
  if (stray.length > 0) wrong.push(`temporary folders are left: ${stray.join(' ')}`);
} finally {
  for (const pid of processesOf()) process.kill(Number(pid), 'SIGKILL');
  rmSync(top, { recursive: true, force: true });
}
for (const what of wrong) process.stdout.write(`not flat: ${what}\n`);
process.exit(wrong.length > 0 ? 1 : 0);
