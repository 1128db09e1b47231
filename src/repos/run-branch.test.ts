// The branches that runs land on: which one is open, and what became of the others.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Death, dyingIo } from '../../test/stage/death.ts';
import { stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import { realIo, type Io } from '../host/io.ts';
import {
  begunBranches,
  dropEmptyBranches,
  findRunBranches,
  keptRefOf,
  makeRunBranch,
  openRunBranch,
  unmergedIn,
} from './run-branch.ts';

function place(io: Io = realIo()) {
  const s = stage();
  const workspaceDir = join(s.root, '.git', 'harness');
  mkdirSync(workspaceDir);
  const begin = async (run: string, start = s.sh('rev-parse', 'HEAD'), how: Io = io) => {
    const found = valueOf(await findRunBranches(s.git, workspaceDir));
    const begun = { branch: `harness/run/${run}`, from: 'main', start, hasList: true };
    return valueOf(await makeRunBranch(s.gitWith({ io: how }), { io: how, workspaceDir }, begun, found));
  };
  const open = async (): Promise<string | null> => valueOf(await openRunBranch(s.git, workspaceDir))?.branch ?? null;
  const names = (): readonly string[] => begunBranches(workspaceDir).map(({ branch }) => branch);
  return { ...s, io, workspaceDir, begin, open, names };
}

/** As a landing does: the branch and what is kept of it move. */
function land(s: Stage, run: string, file: string): string {
  const branch = `harness/run/${run}`;
  const here = s.sh('branch', '--show-current');
  s.sh('switch', '-q', branch);
  s.write(file, `${run}\n`);
  const commit = s.commit(`landed ${file}`);
  s.sh('update-ref', keptRefOf(branch), commit);
  s.sh('switch', '-q', here);
  return commit;
}

test('a branch is open once something landed on it, until it is merged; deleted after that it is over', async () => {
  const s = place();
  await s.begin('r-1');
  expect(await s.open()).toBeNull();
  const tip = land(s, 'r-1', 'a.txt');
  expect(await s.open()).toBe('harness/run/r-1');
  s.write('mine.txt', 'mine\n');
  s.commit('mine');
  const open = valueOf(await openRunBranch(s.git, s.workspaceDir));
  expect(open === null ? null : valueOf(await unmergedIn(s.git, open))).toEqual({
    branch: 'harness/run/r-1',
    commits: 1,
    behind: 1,
  });
  s.sh('merge', '-q', '--no-edit', 'harness/run/r-1');
  s.sh('branch', '-q', '-D', 'harness/run/r-1');
  expect([await s.open(), valueOf(await findRunBranches(s.git, s.workspaceDir)).gone]).toEqual([null, []]);
  await s.begin('r-2');
  expect([s.names(), s.sh('for-each-ref', '--format=%(refname)', 'refs/harness')]).toEqual([
    ['harness/run/r-2'],
    keptRefOf('harness/run/r-2'),
  ]);
  expect(tip).not.toBe('');
});

test.each<[string, (s: Stage) => void]>([
  ['squashed', (s) => (s.sh('merge', '-q', '--squash', 'harness/run/r-1'), void s.commit('all of it'))],
  ['picked', (s) => void s.sh('cherry-pick', 'main..harness/run/r-1')],
  [
    'rebased, with commits of the user’s own',
    (s) => (s.write('b.txt', 'b\n'), s.commit('mine'), void s.sh('cherry-pick', 'main~1..harness/run/r-1')),
  ],
])('work that came to the user’s branch %s is merged', async (_, merge) => {
  const s = place();
  await s.begin('r-1');
  land(s, 'r-1', 'a.txt');
  merge(s);
  expect(await s.open()).toBeNull();
});

test('the newest one that is not merged counts; one that a user deleted is named with its last commit, and the one before counts again', async () => {
  const s = place();
  await s.begin('r-1');
  const first = land(s, 'r-1', 'a.txt');
  await s.begin('r-2', first);
  const second = land(s, 'r-2', 'b.txt');
  expect(await s.open()).toBe('harness/run/r-2');
  s.sh('branch', '-q', '-D', 'harness/run/r-2');
  expect(valueOf(await findRunBranches(s.git, s.workspaceDir))).toMatchObject({
    open: { branch: 'harness/run/r-1', tip: first },
    gone: [{ branch: 'harness/run/r-2', tip: second }],
  });
  await s.begin('r-3', first);
  expect(s.names()).toEqual(['harness/run/r-1', 'harness/run/r-3']);
  expect(s.sh('rev-parse', keptRefOf('harness/run/r-2'))).toBe(second);
});

test('they are of one branch of the user: on another one there is none, and on one of their own it is the same', async () => {
  const s = place();
  await s.begin('r-1');
  land(s, 'r-1', 'a.txt');
  s.sh('switch', '-qc', 'other');
  expect(await s.open()).toBeNull();
  s.sh('switch', '-q', 'harness/run/r-1');
  expect(valueOf(await findRunBranches(s.git, s.workspaceDir))).toMatchObject({ from: 'main', open: null });
});

test('a branch on which nothing landed is removed with the run, but not under a user who has it checked out', async () => {
  const s = place();
  await s.begin('r-1');
  valueOf(await dropEmptyBranches(s.git, s));
  expect([s.names(), s.sh('for-each-ref', 'refs/heads/harness', 'refs/harness')]).toEqual([[], '']);
  await s.begin('r-2');
  s.sh('switch', '-q', 'harness/run/r-2');
  valueOf(await dropEmptyBranches(s.git, s));
  expect(s.sh('branch', '--show-current')).toBe('harness/run/r-2');
  expect(s.sh('rev-parse', 'HEAD')).toBe(s.sh('rev-parse', 'main'));
});

test.each(['before', 'after'] as const)(
  'killed %s any call while it begins: the next run begins one, and none is left over',
  async (when) => {
    for (let at = 1; ; at += 1) {
      const s = place();
      await s.begin('r-1');
      const died = await s.begin('r-2', undefined, dyingIo(at, when)).then(
        () => false,
        (error: unknown) => {
          if (error instanceof Death) return true;
          throw error;
        },
      );
      if (!died) {
        expect(at).toBeGreaterThan(3);
        break;
      }
      await s.begin('r-3');
      expect(s.names()).toEqual(['harness/run/r-3']);
      const refs = s.sh('for-each-ref', '--format=%(refname)', 'refs/heads/harness', 'refs/harness').split('\n');
      expect(refs).toEqual([keptRefOf('harness/run/r-3'), 'refs/heads/harness/run/r-3'].toSorted());
    }
  },
);
