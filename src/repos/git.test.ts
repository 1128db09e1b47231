import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf, stage, valueOf } from '../../test/stage/repository.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { commitTree } from './commit.ts';
import { changedPaths } from './history.ts';
import { restoreTree } from './restore.ts';
import { stashUserWork } from './stash.ts';
import { readStatus } from './status.ts';
import { treeOf } from './tree.ts';

test('a failed command says what was asked, how it ended and what git said', async () => {
  const { git } = stage();
  const failed = failureOf(await git.run(['cat-file', 'blob', 'nothing']));
  expect(failed).toMatchObject({ reason: 'git-failed', params: { command: 'git cat-file blob nothing', exit: 128 } });
  expect(failed.params['words']).toContain('Not a valid object name');
});

test('without git on the path the failure says so', async () => {
  const { gitWith } = stage();
  expect(failureOf(await gitWith({ env: { PATH: '/nonexistent' } }).run(['version'])).reason).toBe('git-missing');
});

test('a held lock is waited for, and a lock that stays is reported as busy', async () => {
  const s = stage();
  const lock = join(s.git.gitDir, 'index.lock');
  writeFileSync(lock, '');
  const waits: number[] = [];
  const patient = s.gitWith({
    wait: async (ms) => {
      if (waits.push(ms) === 3) rmSync(lock);
    },
  });
  expect((await patient.run(['read-tree', 'HEAD'])).ok).toBe(true);
  expect(waits).toHaveLength(3);
  writeFileSync(lock, '');
  const hopeless = s.gitWith({ wait: async () => undefined });
  expect(failureOf(await hopeless.run(['read-tree', 'HEAD'])).reason).toBe('git-busy');
});

test('a file that a program writes while git reads it is read again; one that is never whole fails with the words of git', async () => {
  const s = stage();
  const programs = join(s.root, '..', 'programs');
  mkdirSync(programs);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const words = 'error: short read while indexing a.txt';
  const script = `#!/bin/sh\nif [ -e '${programs}/written' ]; then echo '${words}' >&2; exit 128; fi\nexec '${real}' "$@"\n`;
  writeFileSync(join(programs, 'git'), script, { mode: 0o755 });
  writeFileSync(join(programs, 'written'), '');
  const env = { PATH: `${programs}:${process.env['PATH'] ?? ''}` };
  const waits: number[] = [];
  const patient = s.gitWith({
    env,
    wait: async (ms) => {
      if (waits.push(ms) === 2) rmSync(join(programs, 'written'));
    },
  });
  s.write('a.txt', 'whole\n');
  expect((await patient.run(['add', '-A'])).ok).toBe(true);
  expect(waits).toHaveLength(2);
  writeFileSync(join(programs, 'written'), '');
  const failed = failureOf(await s.gitWith({ env, wait: async () => undefined }).run(['add', '-A']));
  expect(failed).toMatchObject({ reason: 'git-failed', params: { exit: 128, words } });
});

test('a linked worktree has a git folder of its own and shares the common one', async () => {
  const s = stage();
  s.sh('worktree', 'add', '-q', '../lane');
  const lane = s.gitWith({ root: join(s.root, '../lane') });
  expect(lane.commonDir).toBe(s.git.gitDir);
  expect(lane.gitDir).toBe(join(s.git.gitDir, 'worktrees', 'lane'));
  s.write('../lane/new', 'x');
  expect(valueOf(await readStatus(lane)).dirty).toEqual(['new']);
  expect(valueOf(await treeOf(lane))).not.toBe(valueOf(await treeOf(s.git)));
});

test('the marker is in the environment of every git process', async () => {
  const s = stage();
  const printed = valueOf(
    await s.gitWith({ token: 'mark-7' }).run(['-c', 'alias.mark=!printenv HARNESS_TOKEN', 'mark']),
  );
  expect(printed.trim()).toBe('mark-7');
});

test('nothing the repository configured runs: filters, hooks, fsmonitor, diff and signing programs', async () => {
  const s = stage({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const trap = join(s.home, 'sprung');
  const evil = join(s.home, 'evil.sh');
  const shell = `'${evil}'`; // git runs all of them in a shell but the signing program
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${trap}'\ncat\n`, { mode: 0o755 });
  for (const key of [
    'filter.x.clean',
    'filter.x.smudge',
    'core.fsmonitor',
    'gpg.program',
    'core.sshCommand',
    'core.pager',
  ])
    s.sh('config', key, key === 'gpg.program' ? evil : shell);
  s.sh('config', 'filter.y.process', shell);
  s.sh('config', 'filter.y.required', 'true');
  s.sh('config', 'diff.external', shell);
  s.sh('config', 'diff.z.textconv', shell);
  s.sh('config', 'diff.z.command', shell);
  s.sh('config', 'log.showSignature', 'true');
  for (const hook of ['post-commit', 'post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit'])
    writeFileSync(join(s.git.gitDir, 'hooks', hook), `#!/bin/sh\necho ${hook} >> '${trap}'\n`, { mode: 0o755 });
  s.write('.gitattributes', 'a.txt filter=x diff=z\nb.txt filter=y\n');
  s.write('a.txt', 'changed\n');
  s.write('b.txt', 'changed\n');

  const { git } = s;
  const point = valueOf(await takeCheckpoint(git, { ref: 'refs/harness/checkpoints/1', message: 'm' }));
  valueOf(await readStatus(git));
  valueOf(await changedPaths(git, 'HEAD'));
  s.write('a.txt', 'wrecked\n');
  s.write('b.txt', 'wrecked\n');
  valueOf(await restoreTree(git, point));
  expect(s.read('a.txt')).toBe('changed\n');
  const ask = { item: '1', session: 1, run: 'r', token: 't', subject: 's', body: '', files: { 'c.txt': 'c\n' } };
  valueOf(await commitTree(git, { ...ask, style: 'accept', only: null, expectTree: point.tree }));
  s.write('a.txt', 'unfinished\n');
  valueOf(await stashUserWork(git, 'put away'));
  expect(existsSync(trap) ? readFileSync(trap, 'utf8') : 'nothing ran').toBe('nothing ran');
  try {
    s.sh('stash', 'pop', '-q'); // the traps are real: a person's own git springs them
  } catch {
    // and may fail over the one that speaks no filter's protocol
  }
  expect(existsSync(trap)).toBe(true);
});

test("a filter of the user's own configuration counts when committing", async () => {
  const s = stage({ 'big.bin': 'x\n' });
  s.sh('config', '--global', 'filter.shout.clean', 'tr a-z A-Z');
  s.sh('config', '--global', 'filter.shout.smudge', 'tr A-Z a-z');
  s.write('.gitattributes', '*.bin filter=shout\n');
  s.write('big.bin', 'content\n');
  const ask = { item: '1', session: 1, run: 'r', token: 't', subject: 's', body: '', files: {}, only: null };
  valueOf(await commitTree(s.git, { ...ask, style: 'plain', expectTree: valueOf(await treeOf(s.git)) }));
  expect(s.sh('cat-file', 'blob', 'HEAD:big.bin')).toBe('CONTENT');
  expect(s.read('big.bin')).toBe('content\n');
  expect(s.sh('status', '--porcelain')).toBe('');
});
