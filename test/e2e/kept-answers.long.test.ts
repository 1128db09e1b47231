// A kept answer is never an old one: whatever changes, the next call says the same as a call without anything kept.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openGates, type Gates } from '../../src/gates/store.ts';
import { realIo } from '../../src/host/io.ts';
import { acquireLock } from '../../src/host/lock.ts';
import { makeRepo, repoAt, type Repo } from '../support/repo.ts';
import { task } from '../support/task-record.ts';
import { taskList } from './task-list.ts';

const COMMANDS = ['status', 'status --json', 'items --json', 'gates --all --json', 'version --json'] as const;
type Printed = { readonly [command: string]: string };

const clock = { now: () => 0, iso: () => '2026-01-02T03:04:05.000Z' };
const gatesOf = (repo: Repo): Gates => openGates({ dir: join(repo.privateDir, 'gates'), io: realIo(), clock });
const ask = (repo: Repo) =>
  gatesOf(repo).ask(
    {
      gate: 'escalation',
      subject: 'feature-stuck',
      item: '2',
      params: { item: '2', sessions: 3 },
      options: [{ id: 'split' }, { id: 'skip' }],
      recommended: 'split',
      evidence: [],
    },
    { key: 'stuck', epoch: 1 },
  );

const own = (repo: Repo, name: string, value: unknown): void => {
  mkdirSync(dirname(join(repo.privateDir, name)), { recursive: true });
  writeFileSync(join(repo.privateDir, name), JSON.stringify(value));
};
const session = { schema: 1, run: 'r-20260102030405-abcd', running: [{ item: '2', lane: 0, session: 6 }] };
const state = (more: object = {}) =>
  JSON.stringify({ schema_version: 3, last_session: 5, current_feature: 2, ...more });
const quarantine = (expires: string) => ({
  schema: 1,
  tests: [{ id: 'a', since: '2026-01-01T00:00:00.000Z', session: 1, expires, fails: 1, passes: 1 }],
});
const page = (used: number) => ({
  schema: 1,
  reported: { '5h': { used, resetsAt: '2999-01-01T00:00:00.000Z', at: '2026-01-01T00:00:00.000Z' } },
  tokens: {},
});
const passing = (repo: Repo, write = repo.write): void =>
  write('features.json', repo.read('features.json').replaceAll('"passes": false', '"passes": true'));
const commit = (repo: Repo): void => {
  passing(repo);
  repo.git('commit', '-qam', 'all pass');
};
const lock = (repo: Repo, run: string) => {
  const taken = acquireLock(repo.privateDir, { pid: process.pid, startedAt: clock.iso(), command: 'harness run', run });
  if (!taken.ok) throw new Error('the lock is held');
  onTestFinished(() => taken.value.release());
};

type Change = {
  readonly name: string;
  /** Default: a list of features. */
  readonly make?: () => Repo;
  readonly before?: (repo: Repo) => unknown;
  readonly change: (repo: Repo) => unknown;
  /** Nothing of what is shown changes. */
  readonly isSame?: true;
};
const CHANGES: readonly Change[] = [
  { name: 'the backlog is edited', change: (repo) => passing(repo) },
  {
    name: 'the backlog is edited to the same size, and its time is put back',
    change(repo) {
      const file = join(repo.root, 'features.json');
      const { atime, mtime } = statSync(file);
      writeFileSync(file, repo.read('features.json').replace('can pay', 'can PAY'));
      utimesSync(file, atime, mtime);
    },
  },
  {
    name: 'another file takes the place of the backlog',
    change(repo) {
      passing(repo, (path, text) => repo.write(`${path}.new`, text));
      renameSync(join(repo.root, 'features.json.new'), join(repo.root, 'features.json'));
    },
  },
  { name: 'the backlog is gone', change: (repo) => rmSync(join(repo.root, 'features.json')) },
  {
    name: 'the configuration is edited',
    change: (repo) => repo.write('.harness.yaml', repo.read('.harness.yaml').replace('shop', 'store')),
  },
  { name: 'a second configuration appears', change: (repo) => repo.write('harness.config.json', '{}') },
  { name: 'a gate is opened', change: ask },
  { name: 'a gate is answered', before: ask, change: (repo) => repo.harness('answer', 'g-1', 'skip') },
  {
    name: 'a session finishes',
    before: (repo) => repo.write('.harness/session_state.json', state({ last_session: 4 })),
    change(repo) {
      repo.write('.harness/session_state.json', state());
      repo.write('.harness/sessions/5/session.json', JSON.stringify({ session_id: 5, result: 'rejected' }));
      own(repo, 'costs.yaml', { cumulative: { total_cost_usd: 3, total_tokens: { input: 5, output: 6 } } });
    },
  },
  {
    name: 'the state is of a newer program',
    change: (repo) => repo.write('.harness/session_state.json', state({ schema_version: 99 })),
  },
  { name: 'a session begins', change: (repo) => own(repo, 'loop.json', session) },
  { name: 'a commit is made while a session waits', before: (repo) => own(repo, 'loop.json', session), change: commit },
  {
    name: 'the branch is switched while a session waits',
    before(repo) {
      repo.git('switch', '-qc', 'other');
      commit(repo);
      repo.git('switch', '-q', 'main');
      own(repo, 'loop.json', session);
    },
    change: (repo) => repo.git('symbolic-ref', 'HEAD', 'refs/heads/other'),
  },
  {
    name: 'a packed branch is moved while a session waits',
    before(repo) {
      commit(repo);
      repo.git('pack-refs', '--all');
      own(repo, 'loop.json', session);
    },
    change(repo) {
      const parent = repo.git('rev-parse', 'HEAD^');
      repo.git('update-ref', 'refs/heads/main', parent);
      repo.git('pack-refs', '--all');
    },
  },
  {
    name: 'refs are packed while a session waits',
    before: (repo) => own(repo, 'loop.json', session),
    change: (repo) => repo.git('pack-refs', '--all'),
    isSame: true,
  },
  {
    name: 'an agent edits the backlog while its session waits',
    before: (repo) => own(repo, 'loop.json', session),
    change: (repo) => passing(repo),
    isSame: true,
  },
  {
    name: 'a test is put into quarantine',
    change: (repo) => own(repo, 'quarantine.json', quarantine('2999-01-01T00:00:00.000Z')),
  },
  {
    name: 'the quarantine is over',
    before: (repo) => own(repo, 'quarantine.json', quarantine('2999-01-01T00:00:00.000Z')),
    change: (repo) => own(repo, 'quarantine.json', quarantine('2026-01-02T00:00:00.000Z')),
  },
  { name: 'a run takes the lock', change: (repo) => lock(repo, 'r-20260102030405-abcd') },
  {
    name: 'the run of a session takes the lock',
    before: (repo) => own(repo, 'loop.json', session),
    change: (repo) => lock(repo, session.run),
  },
  { name: 'a pause is requested', change: (repo) => repo.harness('pause') },
  { name: 'a pause ends', before: (repo) => own(repo, 'paused.json', {}), change: (repo) => repo.harness('resume') },
  { name: 'the work is handed off', change: (repo) => own(repo, 'handoff.json', { since: clock.iso(), by: 'Ada' }) },
  {
    name: 'a push is refused',
    change: (repo) => own(repo, 'unpushed.json', { schema: 1, at: clock.iso(), reason: 'paused', params: {} }),
  },
  {
    name: 'a session uses the quota of the account',
    before(repo) {
      own(repo, 'accounts.json', [{ provider: 'claude', folder: join(repo.privateDir, 'pages'), rules: [] }]);
      own(repo, 'pages/a.json', page(0.25));
    },
    change: (repo) => own(repo, 'pages/b.json', { ...page(0.5), reported: { '7d': page(0.5).reported['5h'] } }),
  },
  {
    name: 'a workflow in another language begins',
    change: (repo) =>
      repo.write('.harness/state.json', JSON.stringify({ user_lang: 'de', skill: 'workflow', phase: 'x', task: 't' })),
  },
  { name: 'the program is called in another language', change: (repo) => (repo.env['HARNESS_LANG'] = 'de') },
  {
    name: 'a task is done',
    make: () => taskList([task('task-001')]),
    change: (repo) => repo.write('harness-tasks.json', repo.read('harness-tasks.json').replace('pending', 'completed')),
  },
  {
    name: 'the log of the tasks grows',
    make: () => taskList([task('task-001')]),
    change: (repo) => repo.write('harness-progress.txt', '[2026-01-02T03:04:05Z] [SESSION-1] INIT\n'),
  },
  {
    name: 'a migration is interrupted',
    before: (repo) => repo.write('.harness/session_state.json', state()),
    change: (repo) => own(repo, 'migration.json', {}),
  },
];

const answers = (repo: Repo): string => join(repo.privateDir, 'answers');
/** None is kept at first: all rest on files of this moment. */
const keptIn = (repo: Repo): readonly string[] =>
  (existsSync(answers(repo)) ? readdirSync(answers(repo)) : [])
    .sort()
    .map((name) => `${name} ${statSync(join(answers(repo), name)).ino}`);

async function printed(repo: Repo): Promise<Printed> {
  const all = COMMANDS.map(async (command) => {
    const { code, stdout, stderr } = await repo.harness(...command.split(' '));
    return [command, `${stdout}${stderr}exit ${code}`] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

/** Until every answer is kept: those that rest on files of this moment are not, the next time they are. */
async function whenKept(repo: Repo): Promise<Printed> {
  for (let tries = 0; ; tries += 1) {
    const seen = await printed(repo);
    const before = keptIn(repo);
    const again = await printed(repo);
    expect(again).toEqual(seen);
    if (before.length === COMMANDS.length && keptIn(repo).join() === before.join()) return again;
    if (tries === 9) throw new Error(`only these are kept: ${before.join()}`);
  }
}

const withState = (make: () => Repo = makeRepo): Repo => {
  const repo = make();
  mkdirSync(repo.privateDir, { recursive: true });
  return repo;
};

test.each(CHANGES)(
  '$name: the next answer is the one without anything kept',
  async ({ make, before, change, isSame }) => {
    const repo = withState(make);
    await before?.(repo);
    const old = await whenKept(repo);
    await change(repo);
    const next = await printed(repo);
    rmSync(answers(repo), { recursive: true });
    expect(next).toEqual(await printed(repo));
    if (isSame) expect(next).toEqual(old);
    else expect(next).not.toEqual(old);
  },
);

test('damaged, of another version, of another call: what is kept is ignored and replaced', async () => {
  const repo = withState();
  const right = await whenKept(repo);
  const files = readdirSync(answers(repo)).map((name) => join(answers(repo), name));
  const damages: readonly ((bytes: Buffer) => Buffer)[] = [
    () => Buffer.alloc(0),
    (bytes) => bytes.subarray(0, bytes.length - 1),
    (bytes) => Buffer.concat([bytes.subarray(0, -40), Buffer.alloc(40)]),
    (bytes) => Buffer.from(bytes.toString('latin1').replace('harness-answer 1', 'harness-answer 0'), 'latin1'),
    (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('features', 'creature'), 'latin1'),
    () => readFileSync(files[0] ?? ''),
  ];
  for (const damage of damages) {
    for (const file of files) writeFileSync(file, damage(readFileSync(file)));
    expect(await printed(repo)).toEqual(right);
  }
  expect(await whenKept(repo)).toEqual(right);
});

test('a folder that is moved or copied has no answer of the other', async () => {
  const repo = withState();
  await whenKept(repo);
  const copy = repoAt(`${repo.root}-2`, repo.env['HOME'] ?? '');
  execFileSync('cp', ['-a', repo.root, copy.root]);
  expect((await copy.harness('status', '--json')).json()['repo']).toBe(copy.root);
  renameSync(repo.root, `${repo.root}-3`);
  renameSync(copy.root, repo.root);
  passing(repo);
  const next = await printed(repo);
  rmSync(answers(repo), { recursive: true });
  expect(next).toEqual(await printed(repo));
});

test('a linked work tree has answers of its own', async () => {
  const repo = withState();
  repo.git('worktree', 'add', '-q', '-b', 'other', '../other');
  const linked = {
    ...repoAt(join(repo.root, '..', 'other'), repo.env['HOME'] ?? ''),
    privateDir: join(repo.privateDir, 'worktrees', 'other'),
  };
  mkdirSync(linked.privateDir, { recursive: true });
  const [here, there] = [await whenKept(repo), await whenKept(linked)];
  own(linked, 'paused.json', {});
  expect(await printed(repo)).toEqual(here);
  const next = await printed(linked);
  expect(next).not.toEqual(there);
  rmSync(answers(linked), { recursive: true });
  expect(await printed(linked)).toEqual(next);
});

test('a repository without state of the harness gets none from those who only look', async () => {
  const repo = makeRepo();
  await printed(repo);
  expect(readdirSync(join(repo.root, '.git'))).not.toContain('harness');
});
