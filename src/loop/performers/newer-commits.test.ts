// Commits on the branch while a session runs and lands: a user's are never taken off it and never overwritten, the agent's are kept aside.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, type Stage, valueOf } from '../../../test/stage/repository.ts';
import { verdict } from '../../../test/support/outcomes.ts';
import { quickIo } from '../../../test/support/quick-io.ts';
import { sha256 } from '../../host/files.ts';
import type { Actions } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { CommitAsk, CommitOutcome } from '../../model/landing-action.ts';
import { takeCheckpoint } from '../../repos/checkpoint.ts';
import { writeBundle } from '../../repos/evidence.ts';
import type { Git } from '../../repos/git.ts';
import { treeOf } from '../../repos/tree.ts';
import type { RunContext } from '../run-context.ts';
import { brings } from './bring.ts';
import { rollbacks } from './checkpoint.ts';
import { commits } from './commit.ts';
import { begunFile } from './begun-turn.ts';
import { takeCommitsOffBranch } from './cut-turn.ts';
import { checkpointNow, noteClosed } from './newer-commits.ts';
import { keepsWip } from './wip.ts';

type Bench = {
  readonly s: Stage;
  readonly context: RunContext;
  readonly checkpoint: Checkpoint;
  readonly events: { readonly type: string; readonly data?: object }[];
  readonly folder: string;
};

/** A session that has begun. `isBoxed`: its agent cannot write the git folder. */
async function bench({ isBoxed }: { readonly isBoxed: boolean }, files = { 'a.txt': 'a\n' }): Promise<Bench> {
  const s = stage(files);
  const folder = join(s.home, 'session');
  mkdirSync(folder);
  const ref = 'refs/harness/checkpoints/1';
  const checkpoint = { id: '1', ref, ...valueOf(await takeCheckpoint(s.git, { ref, message: 'before' })) };
  const events: Bench['events'] = [];
  const pointer = { folder, token: 't', startedAt: '', ...(isBoxed ? { cannotCommit: true } : {}) };
  const context = {
    root: s.root,
    git: s.git,
    io: quickIo(),
    userRoot: s.root,
    privateDir: join(s.home, 'private'),
    workspaceDir: join(s.home, 'private'),
    treeDir: join(s.home, 'private'),
    lane: 0,
    stateDir: join(s.root, '.harness'),
    run: 'r-1',
    tape: null,
    redact: (text: string) => text,
    sessions: { pointer: () => pointer, times: { since: () => [] } },
    backlog: {},
    machine: {},
    config: { paths: { progress: 'claude-progress.txt' }, tools: { mcpServers: {} }, environment: { installed: [] } },
    notify: (event: Bench['events'][number]) => void events.push(event),
  } as unknown as RunContext;
  return { s, context, checkpoint, events, folder };
}
const about = { item: '7', session: 2, token: 'token' };
const action = { token: 'token', epoch: 1, signal: new AbortController().signal };
const byHand = (s: Stage, path = 'mine.txt', text = 'mine\n'): string => {
  s.write(path, text);
  s.sh('add', path);
  s.sh('commit', '-q', '-m', `a person writes ${path}`);
  return s.sh('rev-parse', 'HEAD');
};
const subjects = (s: Stage): readonly string[] => s.sh('log', '--format=%s').split('\n');

test('what a boxed agent cannot have committed stays on the branch', async () => {
  const { s, context, checkpoint, events } = await bench({ isBoxed: true });
  const mine = byHand(s);
  expect(valueOf(await checkpointNow(context, checkpoint, about))).toMatchObject({ head: mine });
  expect([s.sh('rev-parse', 'HEAD'), events]).toEqual([mine, []]);
});

test('what was committed after the agent had ended stays on the branch', async () => {
  const { s, context, checkpoint, folder } = await bench({ isBoxed: false });
  valueOf(await noteClosed(context, folder));
  const mine = byHand(s);
  // Asked again later, the first answer counts.
  valueOf(await noteClosed(context, folder));
  expect(valueOf(await checkpointNow(context, checkpoint, about))).toMatchObject({ head: mine });
});

test('what the agent may have committed is kept as an attempt, taken off the branch and named', async () => {
  const { s, context, checkpoint, events, folder } = await bench({ isBoxed: false });
  const made = byHand(s);
  valueOf(await noteClosed(context, folder));
  expect(valueOf(await checkpointNow(context, checkpoint, about))).toEqual(checkpoint);
  expect(subjects(s)).toEqual(['start']);
  expect(s.sh('rev-parse', 'refs/harness/attempts/7/1^')).toBe(made);
  expect(events).toMatchObject([{ type: 'commits-kept', data: { commits: ['a person writes mine.txt'], number: 1 } }]);
});

test('a session that waits leaves the user’s commits, and what others landed, as they are', async () => {
  const { s, context, checkpoint, folder } = await bench({ isBoxed: true });
  writeFileSync(begunFile(folder, 1), JSON.stringify(checkpoint));
  const mine = byHand(s);
  const refs = s.sh('for-each-ref');
  valueOf(await takeCommitsOffBranch(context, about));
  expect([s.sh('rev-parse', 'HEAD'), s.sh('for-each-ref')]).toEqual([mine, refs]);
  // In a work tree of the harness's own HEAD is where the session began, and the branch has moved on.
  s.sh('checkout', '-q', '--detach', checkpoint.head);
  const git = s.gitWith({ lands: { branch: 'main', user: s.git, note: '' } });
  valueOf(await takeCommitsOffBranch({ ...context, git }, about));
  expect([s.sh('rev-parse', 'HEAD'), s.sh('for-each-ref')]).toEqual([checkpoint.head, refs]);
});

test('a rollback takes back the work and leaves the user’s commits, in the branch and in the work tree', async () => {
  const { s, context, checkpoint } = await bench({ isBoxed: true });
  s.write('a.txt', 'bad work\n');
  const mine = byHand(s);
  s.write('new.txt', 'bad work\n');
  const why = 'tests-failed';
  await rollbacks(context).perform({ kind: 'rollback', key: 'r', checkpoint, item: '7', session: 2, why }, action);
  expect([s.sh('rev-parse', 'HEAD'), s.read('mine.txt'), s.read('a.txt')]).toEqual([mine, 'mine\n', 'a\n']);
  expect(s.sh('status', '--porcelain')).toBe('');
  expect(s.sh('show', 'refs/harness/attempts/7/1:new.txt')).toBe('bad work');
});

test('work in progress is kept beside the user’s commits', async () => {
  const { s, context, checkpoint } = await bench({ isBoxed: true });
  s.write('half.txt', 'half\n');
  const mine = byHand(s);
  const ask = { kind: 'keep-wip', key: 'k', item: '7', session: 2, subject: 'WIP: #7', checkpoint, own: [] } as const;
  await keepsWip(context).perform(ask, action);
  expect([s.sh('rev-parse', 'HEAD'), s.sh('status', '--porcelain')]).toEqual([mine, '']);
  expect(s.sh('diff', '--name-only', 'HEAD', 'refs/harness/wip/7')).toBe('half.txt');
});

test('work is brought onto the user’s commits that the work tree does not have', async () => {
  const { s, context, checkpoint } = await bench({ isBoxed: true });
  s.write('work.txt', 'work\n');
  const tree = valueOf(await treeOf(s.git));
  byHand(s);
  s.remove('mine.txt');
  const ask = { kind: 'bring', key: 'b', item: '7', session: 2, checkpoint, tree, own: [] } as const;
  const brought = await brings(context).perform(ask, action);
  expect(brought).toMatchObject({ problem: null, tree: valueOf(await treeOf(s.git)) });
  expect([s.read('mine.txt'), s.read('work.txt')]).toEqual(['mine\n', 'work\n']);
});

/** A lane, at work while the user commits in their own work tree. */
async function laneBench() {
  const { s, context: inPlace, checkpoint } = await bench({ isBoxed: true });
  s.sh('checkout', '-q', '--detach');
  const users = join(s.home, 'users');
  s.sh('worktree', 'add', '-q', users, 'main');
  const git = s.gitWith({ lands: { branch: 'main', user: s.git, note: '' } });
  const context = { ...inPlace, git, lane: 1 };
  const byUser = (text: string): void => {
    writeFileSync(join(users, 'mine.txt'), text);
    s.sh('-C', users, 'add', '-A');
    s.sh('-C', users, 'commit', '-q', '-m', text.trim());
  };
  s.write('work.txt', 'work\n');
  const work = valueOf(await treeOf(git));
  const ask = { kind: 'bring', key: 'b', item: '7', session: 2, checkpoint, own: [] } as const;
  return { s, git, context, byUser, work, ask, checkpoint };
}

test('in a lane, work is brought onto newer commits although a process was killed after it had brought it onto older ones', async () => {
  const { s, context, byUser, work, ask } = await laneBench();
  byUser('mine\n');
  await brings(context).perform({ ...ask, tree: work }, action);
  byUser('other\n');
  const brought = await brings(context).perform({ ...ask, tree: work }, action);
  expect(brought).toMatchObject({ problem: null });
  expect([s.read('mine.txt'), s.read('work.txt')]).toEqual(['other\n', 'work\n']);
  expect(s.sh('show', 'refs/harness/attempts/7/1:mine.txt')).toBe('mine');
});

test('in a lane, work is brought onto the user’s commits again and again, also where they change the same file each time', async () => {
  const { s, git, context, byUser, work, ask, checkpoint } = await laneBench();
  byUser('mine\n');
  const first = await brings(context).perform({ ...ask, tree: work }, action);
  byUser('mine\nagain\n');
  const tree = valueOf(await treeOf(git));
  const second = await brings(context).perform({ ...ask, tree, work }, action);
  expect([first, second]).toMatchObject([{ problem: null }, { problem: null }]);
  expect([s.read('mine.txt'), s.read('work.txt')]).toEqual(['mine\nagain\n', 'work\n']);
  // Overtaken once more. The work in progress is the work alone, and no other copy is made of it.
  byUser('other\n');
  const merged = valueOf(await treeOf(git));
  const mergedWith = s.sh('rev-parse', 'main~1');
  expect(await land({ context, checkpoint }, git, merged, { mergedWith })).toMatchObject({
    refused: { code: 'branch-moved' },
  });
  const keep = { kind: 'keep-wip', key: 'k', item: '7', session: 2, subject: 'WIP: #7', checkpoint, own: [] } as const;
  await keepsWip(context).perform({ ...keep, tree: work, merged }, action);
  expect(s.sh('diff', '--name-only', checkpoint.head, 'refs/harness/wip/7')).toBe('work.txt');
  expect(s.sh('for-each-ref', '--format=%(refname)', 'refs/harness/attempts')).toBe('');
});

test('a bundle of evidence from before a kill is dropped where its commit is refused', async () => {
  const { s, git, context, byUser, work, checkpoint } = await laneBench();
  const mark = sha256(action.token).slice(0, 20);
  const at = '2026-01-02T03:04:05Z';
  valueOf(await writeBundle(git, { mark, message: 'evidence of #7, session 2', at, previous: null, files: [] }));
  byUser('mine\n');
  const bundle = {
    title: 'seven',
    role: 'coding',
    attempt: 1,
    startedAt: at,
    endedAt: at,
    said: '',
    checkpoint,
    verdict: verdict(),
    backlog: 'features.json',
  };
  expect(await land({ context, checkpoint }, git, work, { bundle })).toMatchObject({
    refused: { code: 'branch-moved' },
  });
  expect(s.sh('for-each-ref', 'refs/harness/pending')).toBe('');
});

/** The person does something just before the n-th durable call. */
function meanwhile(s: Stage, at: number, act: () => void): { readonly git: Git; readonly calls: () => number } {
  let n = 0;
  const real = quickIo();
  const before = (): void => {
    n += 1;
    if (n === at) act();
  };
  const io = {
    ...real,
    replace: (...all: Parameters<typeof real.replace>) => (before(), real.replace(...all)),
    remove: (...all: Parameters<typeof real.remove>) => (before(), real.remove(...all)),
    effect: async <T>(name: string, run: () => Promise<T>) => {
      before();
      return real.effect(name, run);
    },
  };
  return { git: s.gitWith({ io }), calls: () => n };
}

async function land(
  b: Pick<Bench, 'context' | 'checkpoint'>,
  git: Git,
  tree: string,
  more: Pick<CommitAsk, 'mergedWith' | 'bundle'> = {},
): Promise<CommitOutcome> {
  const ask = {
    kind: 'commit',
    key: 'c',
    style: 'accept',
    item: '7',
    session: 2,
    subject: 'feat: #7',
    body: '',
    checkpoint: b.checkpoint,
    tree,
    only: null,
    edit: null,
    ...more,
  } as const;
  const made = await commits({ ...b.context, git }).perform(ask, action);
  return made as Actions['commit'][1];
}

test.each([
  ['commits a file that the work has not', 'mine.txt'],
  ['commits a file that the work changes', 'a.txt'],
])('a person %s, at any durable call of a landing: nothing is lost and nothing overwritten', async (_, path) => {
  for (let at = 1, isOver = false; !isOver; at += 1) {
    const b = await bench({ isBoxed: true });
    const { s } = b;
    s.write('a.txt', 'work\n');
    s.write('work.txt', 'work\n');
    const tree = valueOf(await treeOf(s.git));
    let mine = '';
    let isRefused = false;
    // The commit alone: the work tree of the person keeps the work of the session.
    const { git, calls } = meanwhile(s, at, () => {
      // While branch and index move, their git says that another one is at work (user-commits.test.ts).
      isRefused = existsSync(join(s.root, '.git', 'index.lock'));
      if (isRefused) return;
      const text = s.read('a.txt');
      mine = byHand(s, path, 'mine\n');
      if (path === 'a.txt') s.write(path, text);
      else s.remove(path);
    });
    const made = await land(b, git, tree);
    isOver = calls() < at;
    if (isOver) break;
    const where = `call ${at}: ${JSON.stringify(made.refused)}`;
    if (isRefused) {
      expect(made.commit, where).toBe(s.sh('rev-parse', 'HEAD'));
      continue;
    }
    expect(subjects(s), where).toContain(`a person writes ${path}`);
    expect(s.sh('merge-base', '--is-ancestor', mine, 'HEAD'), where).toBe('');
    expect([s.read('a.txt'), s.read('work.txt')], where).toEqual(['work\n', 'work\n']);
    // It landed before the person committed, or it is refused and can be proved with theirs.
    const codes = ['branch-moved', 'landing-conflict', 'tree-changed-since-check'];
    if (made.commit === null) expect(codes, where).toContain(made.refused?.code);
    else expect(s.sh('show', `${made.commit}:work.txt`), where).toBe('work');
    expect(s.sh('show', `HEAD:${path}`), where).toBe('mine');
  }
});
