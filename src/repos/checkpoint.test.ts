import { appendFileSync, chmodSync, existsSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf, IS_EXHAUSTIVE } from '../../test/support/effort.ts';
import { failureOf, picture, stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { Death, dyingIo } from '../../test/stage/death.ts';
import { createGit } from './git.ts';
import { findCheckpoint, type Snapshot, takeCheckpoint } from './checkpoint.ts';
import { restoreTree } from './restore.ts';
import { treeOf } from './tree.ts';

const REF = 'refs/harness/checkpoints/1';
const take = async (s: Stage): Promise<Snapshot> =>
  valueOf(await takeCheckpoint(s.git, { ref: REF, message: 'before' }));
const userView = (s: Stage) => ({
  files: picture(s.root),
  status: s.sh('status', '--porcelain=v2', '--branch', '--untracked-files=all'),
  staged: s.sh('diff', '--cached', '--no-ext-diff'),
});

test('taking a checkpoint changes neither the index nor the work tree, and works while the index is locked', async () => {
  const s = stage({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  s.write('a.txt', 'staged\n');
  s.sh('add', 'a.txt');
  s.write('a.txt', 'staged and more\n');
  s.write('new.sh', '#!/bin/sh\n', 0o755);
  symlinkSync('a.txt', join(s.root, 'link'));
  const before = userView(s);
  const index = readFileSync(join(s.git.gitDir, 'index'));
  writeFileSync(join(s.git.gitDir, 'index.lock'), '');
  const point = await take(s);
  s.remove('.git/index.lock');
  expect(readFileSync(join(s.git.gitDir, 'index')).equals(index)).toBe(true);
  expect(userView(s)).toEqual(before);
  expect(s.sh('ls-tree', '-r', '--name-only', point.tree).split('\n')).toEqual(['a.txt', 'b.txt', 'link', 'new.sh']);
  expect(s.sh('show', `${point.commit}^2:a.txt`)).toBe('staged');
  expect(valueOf(await findCheckpoint(s.git, REF))).toEqual(point);
  expect(valueOf(await findCheckpoint(s.git, `${REF}0`))).toBeNull();
});

test('bytes are kept as they lie there whatever .gitattributes says', async () => {
  const s = stage({ '.gitattributes': '* text=auto eol=lf\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n' });
  s.write('crlf.txt', 'one\r\ntwo\r\n');
  s.write('x.id', '$Id$\n');
  s.write('w.u16', Buffer.from('fffe6100', 'hex'));
  s.sh('add', '-A');
  const before = picture(s.root);
  const point = await take(s);
  for (const path of ['crlf.txt', 'x.id', 'w.u16']) s.write(path, 'gone');
  valueOf(await restoreTree(s.git, point));
  expect(picture(s.root)).toEqual(before);
});

test('commits, another branch and a merge under way are undone; the branch is where it was', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  s.write('wip.txt', 'mine\n');
  const before = userView(s);
  const point = await take(s);
  s.commit('agent on main');
  s.sh('checkout', '-q', '-b', 'agent', 'HEAD~1');
  s.write('a.txt', 'other\n');
  s.commit('agent elsewhere');
  s.sh('checkout', '-q', 'main');
  s.write('a.txt', 'third\n');
  s.commit('conflicting');
  expect(() => s.sh('merge', 'agent')).toThrow(/./);
  valueOf(await restoreTree(s.git, point));
  expect(userView(s)).toEqual(before);
  expect(existsSync(join(s.git.gitDir, 'MERGE_HEAD'))).toBe(false);
  expect(s.sh('rev-parse', 'main')).toBe(point.head);
});

test('a detached HEAD is detached again', async () => {
  const s = stage();
  s.sh('checkout', '-q', '--detach');
  const point = await take(s);
  s.sh('checkout', '-q', '-b', 'agent');
  s.commit('agent');
  valueOf(await restoreTree(s.git, point));
  expect(s.sh('status', '--porcelain=v2', '--branch')).toContain('branch.head (detached)');
  expect(s.sh('rev-parse', 'HEAD')).toBe(point.head);
});

test('ignored files survive, also when the agent stopped ignoring them', async () => {
  const s = stage({ '.gitignore': '.env\nbuilt/\n', 'src/.gitignore': '*.log\n', 'a.txt': 'a\n' });
  appendFileSync(join(s.git.gitDir, 'info', 'exclude'), '/private\n');
  s.sh('config', '--global', 'core.excludesFile', join(s.home, 'ignore'));
  writeFileSync(join(s.home, 'ignore'), '.idea/\n');
  const mine = { '.env': 'SECRET', 'built/out.js': '1', 'src/x.log': 'log', private: 'p', '.idea/w.xml': 'w' };
  for (const [path, text] of Object.entries(mine)) s.write(path, text);
  const before = picture(s.root);
  const point = await take(s);
  s.remove('.gitignore');
  s.write('src/.gitignore', '!*.log\n');
  writeFileSync(join(s.git.gitDir, 'info', 'exclude'), '');
  s.sh('config', 'core.excludesFile', '/dev/null');
  s.write('junk.txt', 'junk');
  valueOf(await restoreTree(s.git, point));
  expect(picture(s.root)).toEqual(before);
});

test('what the agent hid by new ignore rules goes', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const before = picture(s.root);
  const point = await take(s);
  s.write('.gitignore', 'hidden/\n');
  s.write('hidden/evil.txt', 'x');
  s.write('hidden/deep/.gitignore', 'y\n');
  s.write('hidden/deep/y', 'y');
  valueOf(await restoreTree(s.git, point));
  expect(picture(s.root)).toEqual(before);
});

test('a tracked file that is ignored belongs to the tree, staged or committed', async () => {
  const s = stage({ '.gitignore': 'dist/\n' });
  s.write('dist/committed.js', '1');
  s.sh('add', '-f', 'dist/committed.js');
  s.sh('commit', '-qm', 'dist');
  s.write('dist/staged.js', '2');
  s.sh('add', '-f', 'dist/staged.js');
  s.write('dist/committed.js', 'changed');
  s.write('dist/ignored.js', '3');
  const before = userView(s);
  const point = await take(s);
  s.write('dist/committed.js', 'wrecked');
  s.remove('dist/staged.js');
  s.sh('rm', '-q', '-f', '--cached', 'dist/staged.js');
  valueOf(await restoreTree(s.git, point));
  expect(userView(s)).toEqual(before);
});

test('the .harness folder is part of no checkpoint and is never removed, whatever .gitignore says', async () => {
  const s = stage({ '.harness/tracked.json': '{}' });
  s.write('.harness/state.json', '1');
  const point = await take(s);
  expect(s.sh('ls-tree', '-r', '--name-only', point.tree)).toBe('');
  s.write('.harness/later.json', '2');
  s.write('.harness/tracked.json', 'later');
  s.write('.gitignore', '!/.harness/\n!/.harness/**\n');
  valueOf(await restoreTree(s.git, point));
  expect(s.read('.harness/later.json') + s.read('.harness/state.json')).toBe('21');
  expect(s.read('.harness/tracked.json')).toBe('later');
});

test('files that the harness keeps beside the work are part of nothing and touched by nothing, tracked or not', async () => {
  const s = stage({ 'list.json': 'first', 'a.txt': 'a\n' });
  const git = createGit({ root: s.root, token: 'own', env: s.env, own: ['list.json', 'list.log'] });
  s.write('list.log', 'one\n');
  const point = valueOf(await takeCheckpoint(git, { ref: REF, message: 'before' }));
  expect(s.sh('ls-tree', '-r', '--name-only', point.tree)).toBe('a.txt');
  s.write('list.json', 'second');
  s.write('list.log', 'one\ntwo\n');
  s.write('a.txt', 'wrecked');
  s.commit('by an agent');
  s.write('list.json', 'third');
  valueOf(await restoreTree(git, point));
  expect([s.read('list.json'), s.read('list.log'), s.read('a.txt')]).toEqual(['third', 'one\ntwo\n', 'a\n']);
  expect(valueOf(await treeOf(git))).toBe(point.tree);
});

test('a commit can be a checkpoint, whatever the work tree is', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const base = s.sh('rev-parse', 'HEAD');
  s.write('a.txt', 'b\n');
  s.commit('later');
  s.write('new.txt', 'untracked');
  const point = valueOf(await takeCheckpoint(s.git, { ref: REF, message: 'before', of: base.slice(0, 8) }));
  expect(point).toMatchObject({ head: base, branch: 'main' });
  valueOf(await restoreTree(s.git, point));
  expect(s.read('a.txt')).toBe('a\n');
  expect([s.sh('rev-parse', 'HEAD'), s.sh('status', '--porcelain')]).toEqual([base, '']);
  expect(failureOf(await takeCheckpoint(s.git, { ref: REF, message: 'x', of: 'deadbeef' }))).toMatchObject({
    reason: 'no-commits',
  });
});

test('who goes back to a commit takes nothing back that the harness keeps beside the work, though the commit has it', async () => {
  const s = stage({ 'list.json': 'first', 'a.txt': 'a\n' });
  const git = createGit({ root: s.root, token: 'own', env: s.env, own: ['list.json', 'list.log'] });
  const base = s.sh('rev-parse', 'HEAD');
  s.write('a.txt', 'b\n');
  s.commit('later');
  s.write('list.json', 'second');
  const point = valueOf(await takeCheckpoint(git, { ref: REF, message: 'before', of: base }));
  valueOf(await restoreTree(git, point));
  expect([s.read('list.json'), s.read('a.txt')]).toEqual(['second', 'a\n']);
  expect(s.sh('status', '--porcelain')).toBe('M list.json');
});

test('kept paths stay as they are now', async () => {
  const s = stage({ 'progress.txt': 'one\n', 'a.txt': 'a\n', 'log/1': '1' });
  const point = await take(s);
  s.write('progress.txt', 'one\ntwo\n');
  s.write('log/2', '2');
  s.write('a.txt', 'wrecked');
  valueOf(await restoreTree(s.git, point, { keep: ['progress.txt', 'log', 'not-there'] }));
  expect([s.read('progress.txt'), s.read('log/1'), s.read('log/2'), s.read('a.txt')]).toEqual([
    'one\ntwo\n',
    '1',
    '2',
    'a\n',
  ]);
});

test.each([
  ['with a commit', true],
  ['without a commit', false],
])('a repository inside the repository %s is named, and restored away', async (_, committed) => {
  const s = stage({ 'a.txt': 'a\n', 'src/b.txt': 'b\n' });
  const before = picture(s.root);
  const point = await take(s);
  s.write('app/inner/x', 'x');
  s.sh('init', '-q', 'app/inner');
  s.sh('init', '-q', 'src');
  if (committed) s.sh('-C', 'app/inner', 'commit', '-q', '--allow-empty', '-m', 'x');
  expect(failureOf(await treeOf(s.git))).toMatchObject({ reason: 'nested-repository' });
  s.remove('src/.git');
  expect(failureOf(await treeOf(s.git))).toMatchObject({ params: { path: 'app/inner' } });
  s.sh('init', '-q', 'src');
  valueOf(await restoreTree(s.git, point));
  expect(picture(s.root)).toEqual(before);
  expect(existsSync(join(s.root, 'src/.git'))).toBe(false);
});

test('a folder turned into a link is turned back, and what the link led to is untouched', async () => {
  const s = stage({ 'src/a.txt': 'a\n' });
  const before = picture(s.root);
  const point = await take(s);
  writeFileSync(join(s.home, 'a.txt'), 'precious');
  writeFileSync(join(s.home, '.gitignore'), 'precious');
  s.remove('src');
  symlinkSync(s.home, join(s.root, 'src'));
  valueOf(await restoreTree(s.git, point));
  expect(picture(s.root)).toEqual(before);
  expect([readFileSync(join(s.home, 'a.txt'), 'utf8'), readFileSync(join(s.home, '.gitignore'), 'utf8')]).toEqual([
    'precious',
    'precious',
  ]);
});

test('marks in the index and a restored time hide no change', async () => {
  const s = stage({ 'a.txt': 'aaaa\n' });
  const past = new Date(Date.now() - 100_000);
  utimesSync(join(s.root, 'a.txt'), past, past);
  const point = await take(s);
  s.sh('update-index', '--assume-unchanged', 'a.txt');
  s.write('a.txt', 'bbbb\n');
  utimesSync(join(s.root, 'a.txt'), past, past);
  expect(valueOf(await treeOf(s.git))).not.toBe(point.tree);
  valueOf(await restoreTree(s.git, point));
  expect(s.read('a.txt')).toBe('aaaa\n');
});

test('files that differ in line endings alone are clean again', async () => {
  const s = stage({ '.gitattributes': '* text eol=crlf\n' });
  s.write('w.txt', 'a\r\nb\r\n');
  s.commit('w');
  const point = await take(s);
  s.write('w.txt', 'a\nb\n');
  s.commit('agent');
  valueOf(await restoreTree(s.git, point));
  expect([s.read('w.txt'), s.sh('status', '--porcelain')]).toEqual(['a\r\nb\r\n', '']);
});

test('a folder of the commit that is a file now is a file again', async () => {
  const s = stage({ 'd/a': 'a\n', 'd/e/b': 'b\n' });
  s.remove('d');
  s.write('d', 'mine\n');
  const point = await take(s);
  s.remove('d');
  s.write('d/c', 'wrecked');
  valueOf(await restoreTree(s.git, point));
  expect([s.read('d'), s.sh('status', '--porcelain')]).toEqual(['mine\n', 'D d/a\n D d/e/b\n?? d']);
});

test('an index that cannot be read is made again', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const point = await take(s);
  writeFileSync(join(s.git.gitDir, 'index'), 'rubbish');
  valueOf(await restoreTree(s.git, point));
  expect(s.sh('status', '--porcelain')).toBe('');
});

// ---- any tree, any wreck

const NAMES = ['a', 'b.txt', 'd', 'Ünï', 'sp ace', '-x', 'q"t', 'new\nline'];
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom('', 'a\r\nb\r\n', 'a\nb\n', '$Id$').map((t) => Buffer.from(t)),
);
const change = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('file' as const), path, bytes, mode: fc.constantFrom(0o644, 0o755) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      path,
      to: fc.constantFrom('a', '/etc', '../..', 'nowhere'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mode' as const), path }) },
);
const wreck = fc.oneof(
  { weight: 6, arbitrary: change },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'commit' as const,
        'stage' as const,
        'branch' as const,
        'detach' as const,
        'clean' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('ignore' as const),
      rule: fc.constantFrom('*', 'a', 'd/', '!*', 'b.txt'),
    }),
  },
);
type Step =
  typeof change extends fc.Arbitrary<infer C> ? (typeof wreck extends fc.Arbitrary<infer W> ? C | W : never) : never;

/** What cannot be done where something else lies in the way is left undone. */
function apply(s: Stage, step: Step): void {
  try {
    const at = 'path' in step ? join(s.root, step.path) : s.root;
    switch (step.kind) {
      case 'file':
        if (existsSync(at)) s.remove(step.path);
        return s.write(step.path, step.bytes, step.mode);
      case 'link':
        return symlinkSync(step.to, at);
      case 'remove':
        return s.remove(step.path);
      case 'mode':
        return chmodSync(at, 0o755);
      case 'commit':
        return void s.commit('agent');
      case 'stage':
        return void s.sh('add', '-A');
      case 'branch':
        return void s.sh('checkout', '-q', '-B', 'agent');
      case 'detach':
        return void s.sh('checkout', '-q', '--detach');
      case 'clean':
        return void s.sh('clean', '-ffdq', '-e', 'kept.secret');
      case 'ignore':
        return s.write('.gitignore', `${step.rule}\n`);
    }
  } catch {
    // in the way of another step
  }
}

const scene = fc.record({
  attributes: fc.constantFrom('', '* text=auto\n', '* text eol=crlf\n* ident\n'),
  committed: fc.array(change, { maxLength: 8 }),
  staged: fc.array(change, { maxLength: 4 }),
  loose: fc.array(change, { maxLength: 5 }),
  wrecks: fc.array(wreck, { maxLength: 10 }),
});

/** Not git status: where only line endings differ it decides by the times that it has. */
const exactly = async (s: Stage) => ({
  files: picture(s.root),
  tree: valueOf(await treeOf(s.git)),
  index: s.sh('ls-files', '-s'),
  head: s.sh('rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'),
});

test('whatever was wrecked, restoring gives the identical tree, bytes, index, branch and HEAD', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ attributes, committed, staged, loose, wrecks }) => {
      const s = stage({ '.gitattributes': attributes, '.gitignore': 'kept.secret\n' });
      for (const step of committed) apply(s, step);
      s.commit('files');
      for (const step of staged) apply(s, step);
      s.sh('add', '-A');
      for (const step of loose) apply(s, step);
      s.write('kept.secret', 'mine');
      const before = await exactly(s);
      const point = await take(s);
      expect(point.tree).toBe(before.tree);
      for (const step of wrecks) apply(s, step);
      valueOf(await restoreTree(s.git, point));
      expect(await exactly(s)).toEqual(before);
    }),
    { numRuns: amountOf(4, 15, 80) },
  );
}, 240_000);

test('a restore that dies at any point and is repeated ends the same', async () => {
  let points = 0;
  for (let at = 1; ; at++) {
    let died = 0;
    // Just after an effect is just before the next one: CI tries both all the same.
    for (const when of IS_EXHAUSTIVE ? (['before', 'after'] as const) : (['before'] as const)) {
      const s = stage({ 'a.txt': 'a\n', '.gitignore': 'ignored\n', 'progress.txt': '1' });
      s.write('ignored', 'mine');
      s.write('wip', 'mine');
      s.sh('add', 'wip');
      const before = userView(s);
      const point = await take(s);
      s.write('.gitignore', '');
      s.commit('agent');
      s.sh('checkout', '-q', '-b', 'agent');
      s.write('a.txt', 'wrecked');
      s.write('app/x', 'x');
      s.sh('init', '-q', 'app');
      try {
        valueOf(await restoreTree(s.gitWith({ io: dyingIo(at, when) }), point));
      } catch (error) {
        if (!(error instanceof Death)) throw error;
        died++;
      }
      valueOf(await restoreTree(s.git, point));
      expect(userView(s), `point ${at} ${when}`).toEqual(before);
    }
    if (died === 0) break;
    points = at;
  }
  expect(points).toBeGreaterThan(6);
}, 240_000);
