// The harness's own repository in a folder without git: everything rests on it as on the user's, and the user sees no git.
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dyingIo, MODES } from '../../test/crash/dying-io.ts';
import { systemClock } from '../host/clock.ts';
import { endOrphans } from '../host/process-tree.ts';
import { failureOf, picture, valueOf } from '../../test/stage/repository.ts';
import { withoutGit, type Bare } from '../../test/stage/without-git.ts';
import { keepAttempt, listAttempts } from './attempts.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { findWorkTree, gitFolders } from './folders.ts';
import type { Git } from './git.ts';
import { readHead } from './head.ts';
import { showFile } from './history.ts';
import { makeOwnRepository } from './own-repository.ts';
import { remoteUrl } from './remote.ts';
import { openRepository } from './repository.ts';
import { restoreTree } from './restore.ts';
import { readStatus } from './status.ts';
import { sweepLocks } from './sweep.ts';
import { treeOf } from './tree.ts';
import { openRepositoryView } from './repository-view.ts';

const REF = 'refs/harness/checkpoints/1';
const open = (s: Bare, dir = s.root) => openRepository(dir, { token: 't', env: s.env });
const made = async (files?: { readonly [path: string]: string }): Promise<{ s: Bare; git: Git }> => {
  const s = withoutGit(files);
  const git = s.gitWith();
  valueOf(await makeOwnRepository(git));
  return { s, git };
};
const namesIn = async (git: Git, rev: string): Promise<readonly string[]> =>
  valueOf(await git.run(['ls-tree', '-r', '--name-only', rev]))
    .trim()
    .split('\n');
/** What of the folder is the user's. */
const theirs = (root: string): object =>
  Object.fromEntries(Object.entries(picture(root)).filter(([path]) => !path.startsWith('.harness')));

test("a folder without git gets no .git, and for the user's git it is no repository, as before", async () => {
  const s = withoutGit({ 'a.txt': 'a\n', 'bin/run': 'x\n' });
  const before = picture(s.root);
  valueOf(await makeOwnRepository(s.gitWith()));
  expect(s.has('.git')).toBe(false);
  expect(s.said('status')).toContain('not a git repository');
  expect(theirs(s.root)).toEqual(before);
});

test('its first commit holds what was there, in the name of the harness, and the work tree is clean afterwards', async () => {
  const { git } = await made({ 'a.txt': 'a\r\n', '.gitattributes': '* text=auto\n', 'src/b.txt': 'b\n' });
  expect(await namesIn(git, 'HEAD')).toEqual(['.gitattributes', 'a.txt', 'src/b.txt']);
  expect(valueOf(await git.run(['log', '--format=%an <%ae>']))).toBe('harness <harness@localhost>\n');
  expect(valueOf(await showFile(git, 'HEAD', 'a.txt'))).toBe('a\r\n');
  expect(valueOf(await treeOf(git))).toBe(valueOf(await git.run(['rev-parse', 'HEAD^{tree}'])).trim());
});

test('an empty folder has something to go back to as well', async () => {
  const { s, git } = await made({});
  const back = valueOf(await takeCheckpoint(git, { ref: REF, message: 'm' }));
  s.write('a.txt', 'a\n');
  valueOf(await restoreTree(git, back));
  expect(theirs(s.root)).toEqual({});
});

test('the way back, attempts and their contents work as in a repository', async () => {
  const { s, git } = await made({ 'a.txt': 'a\n', 'gone.txt': 'here\n' });
  s.write('a.txt', 'of the user, never committed\n');
  const base = valueOf(await takeCheckpoint(git, { ref: REF, message: 'm' }));
  const before = theirs(s.root);
  s.write('a.txt', 'agent\n');
  s.write('new/b.txt', 'agent\n');
  rmSync(join(s.root, 'gone.txt'));
  const ask = { item: 'F-1', session: 1, why: 'tests failed', base, token: 't1' };
  const kept = valueOf(await keepAttempt(git, ask));
  valueOf(await restoreTree(git, base));
  expect(theirs(s.root)).toEqual(before);
  expect(valueOf(await keepAttempt(git, ask))).toEqual(kept);
  expect(valueOf(await listAttempts(git, 'F-1'))).toMatchObject([{ number: 1, why: 'tests failed' }]);
  expect(valueOf(await showFile(git, String(kept?.ref), 'new/b.txt'))).toBe('agent\n');
  expect(s.said('log')).toContain('not a git repository');
});

test('neither folder of the harness is in a tree or changed by a rollback, whatever a .gitignore says', async () => {
  const { s, git } = await made({
    '.gitignore': '!*\n!.harness-engine\n!.harness-engine/**\n!.harness\n',
    'a.txt': 'a\n',
  });
  s.write('.harness/state.json', '{}');
  const base = valueOf(await takeCheckpoint(git, { ref: REF, message: 'm' }));
  expect(await namesIn(git, base.commit)).toEqual(['.gitignore', 'a.txt']);
  expect(await namesIn(git, 'HEAD')).toEqual(['.gitignore', 'a.txt']);
  // Even where an agent has taken its own rules away, and written there.
  rmSync(join(s.root, '.harness-engine/.gitignore'));
  s.write('.harness-engine/evil.ts', 'x');
  s.write('a.txt', 'agent\n');
  const kept = valueOf(await keepAttempt(git, { item: 'F-1', session: 1, why: 'w', base, token: 't' }));
  expect(await namesIn(git, String(kept?.ref))).toEqual(['.gitignore', 'a.txt']);
  valueOf(await restoreTree(git, base));
  expect([s.has('.harness-engine/evil.ts'), s.has('.harness/state.json')]).toEqual([true, true]);
});

test('what is usually installed or cached is left out without a .gitignore, and what people write is not', async () => {
  const installed = ['node_modules/a/i.js', 'sub/node_modules/b.js', '.venv/bin/python', 'x/__pycache__/a.pyc'];
  const written = ['build/a.sh', 'dist/a.js', 'target/a.txt', 'vendor/v.go'];
  const { git } = await made(Object.fromEntries([...installed, ...written].map((path) => [path, 'x'])));
  expect(await namesIn(git, 'HEAD')).toEqual(written);
  const rust = await made({ 'Cargo.toml': '', 'target/debug/a': 'x', 'src/target/a.rs': 'x' });
  expect(await namesIn(rust.git, 'HEAD')).toEqual(['Cargo.toml', 'src/target/a.rs']);
});

test('a repository inside of the folder is refused by name', async () => {
  const s = withoutGit();
  mkdirSync(join(s.root, 'lib'));
  s.said('init', '-q', 'lib');
  expect(failureOf(await makeOwnRepository(s.gitWith()))).toMatchObject({
    reason: 'nested-repository',
    params: { path: 'lib' },
  });
});

test.each(MODES)('a death %s any durable write while it is being made heals with the next call', async (mode) => {
  for (let at = 1; ; at++) {
    const s = withoutGit({ 'a.txt': 'a\n' });
    const dying = dyingIo(at, mode);
    const first = await makeOwnRepository(s.gitWith({ io: dying.io, token: `${s.root}#dead` })).catch(() => null);
    if (first !== null) {
      expect(at).toBeGreaterThan(6);
      return;
    }
    await open(s); // a look in between does no harm
    await endOrphans(`${s.root}#`);
    const git = s.gitWith();
    sweepLocks(git, Date.now() + 1_000);
    valueOf(await makeOwnRepository(git));
    const head = valueOf(await readHead(git));
    expect([dying.calls.at(-1), await namesIn(git, 'HEAD')]).toEqual([dying.calls.at(-1), ['a.txt']]);
    expect(valueOf(await git.run(['rev-list', '--count', 'HEAD'])).trim()).toBe('1');
    expect(valueOf(await readStatus(git)).dirty).toEqual([]);
    valueOf(await makeOwnRepository(git));
    expect(valueOf(await readHead(git))).toEqual(head);
    valueOf(await takeCheckpoint(git, { ref: REF, message: 'm' }));
    expect(s.has('.git')).toBe(false);
  }
});

test('it is found from a folder below, and is said to be private; in a repository of the user nothing is made', async () => {
  const { s } = await made({ 'deep/er/a.txt': 'a\n' });
  const here = { root: s.root, gitDir: join(s.root, '.harness-engine/git'), isPrivate: true, isLinked: false };
  for (const dir of [s.root, join(s.root, 'deep/er')]) {
    expect(valueOf(await open(s, dir))).toMatchObject(here);
    expect(findWorkTree(dir)).toMatchObject({ root: s.root, isPrivate: true });
  }
  const other = withoutGit();
  other.said('init', '-q');
  const folders = gitFolders(other.root);
  expect(folders.isPrivate).toBe(false);
  valueOf(await makeOwnRepository(other.gitWith({ folders })));
  expect(other.has('.harness-engine')).toBe(false);
});

test('it has no remote and no operation of anybody that is under way', async () => {
  const { git } = await made();
  expect(valueOf(await remoteUrl(git, 'origin'))).toBeNull();
  expect(valueOf(await readStatus(git)).operation).toBeNull();
});

test('git that came later is left alone until the session that began without it is over', async () => {
  const { s } = await made();
  s.write('.harness/state.json', '{}');
  s.said('init', '-q');
  expect(valueOf(await open(s))).toMatchObject({ isPrivate: true });
  expect(gitFolders(s.root).isPrivate).toBe(true);
  const git = s.gitWith();
  const base = valueOf(await takeCheckpoint(git, { ref: REF, message: 'm' }));
  s.write('a.txt', 'agent\n');
  valueOf(await restoreTree(git, base));
  expect(readFileSync(join(s.root, '.git/HEAD'), 'utf8')).toMatch(/^ref: /);
  expect(s.said('status', '--short')).not.toContain('.harness-engine');
  rmSync(join(s.root, '.harness'), { recursive: true });
  expect(failureOf(await open(s)).reason).toBe('no-commits'); // the user's own, then
  expect(gitFolders(s.root).isPrivate).toBe(false);
  // And so does the next session, which begins with git.
  s.write('.harness/state.json', '{"has_git":true}');
  s.write('.git/harness/loop.json', '{}');
  expect(failureOf(await open(s)).reason).toBe('no-commits');
});

test('what the loop has begun counts as a session under way, a broken note of it too', async () => {
  const { s } = await made();
  s.said('init', '-q');
  for (const [loop, isPrivate] of [
    ['{"running":[]}', false],
    ['{"running":[{"item":"1","lane":0,"session":1}]}', true],
    ['{"run', true],
  ] as const) {
    s.write('.harness-engine/git/harness/loop.json', loop);
    expect([loop, gitFolders(s.root).isPrivate]).toEqual([loop, isPrivate]);
  }
});

test('a folder that poses as the harness’s own in a repository of the user is not taken for it', async () => {
  const s = withoutGit();
  s.said('init', '-q');
  s.write('.harness-engine/git/HEAD', 'ref: refs/heads/main\n');
  s.write('.harness/state.json', '{}');
  const refused = { reason: 'two-repositories', params: { root: s.root, git: s.root } };
  expect(failureOf(await open(s))).toMatchObject(refused);
  expect([findWorkTree(s.root), gitFolders(s.root).isPrivate]).toEqual([null, false]);
});

test('nor is a .git that poses as the user’s, with a past of the harness in it', async () => {
  const { s } = await made();
  s.write('.harness/state.json', '{}');
  s.said('init', '-q');
  s.write('.git/harness/loop.json', '{}');
  expect(failureOf(await open(s)).reason).toBe('two-repositories');
  // With one of them out of the way the other counts.
  renameSync(join(s.root, '.git'), join(s.home, 'git-later'));
  expect(valueOf(await open(s))).toMatchObject({ isPrivate: true });
});

test('a repository of the user below a folder of the harness’s own is the nearer one', async () => {
  const { s } = await made();
  mkdirSync(join(s.root, 'lib'));
  s.said('init', '-q', 'lib');
  expect(failureOf(await open(s, join(s.root, 'lib'))).reason).toBe('no-commits');
});

test('without git on this machine it says so', async () => {
  const { s } = await made();
  const found = await openRepository(s.root, { token: 't', env: { ...s.env, PATH: '/nowhere' } });
  expect(failureOf(found).reason).toBe('git-missing');
});

test('before it is made the view shows an empty repository', async () => {
  const s = withoutGit({ 'a.txt': 'a\n' });
  const git = s.gitWith();
  const view = openRepositoryView(git, s.root, systemClock);
  const seen = async () => [
    view.hasGit,
    await view.read('a.txt'),
    await view.readAt('HEAD', 'a.txt'),
    await view.changedSince('HEAD'),
    await view.changedBy([]),
    (await view.recentCommits(3)).length,
    await view.isCommit('HEAD'),
    (await view.head()).branch,
  ];
  expect(await seen()).toEqual([false, 'a\n', null, [], [], 0, false, null]);
  expect(s.has('.harness-engine')).toBe(false);
  valueOf(await makeOwnRepository(git));
  expect(await seen()).toEqual([false, 'a\n', 'a\n', [], [], 1, true, 'main']);
});

test('what a session changed is what differs from HEAD, also in the second session', async () => {
  const { s, git } = await made({ 'a.txt': 'a\n' });
  const differs = async () => openRepositoryView(git, s.root, systemClock).changedSince('HEAD');
  s.write('.harness/state.json', '{"phase":"generating","has_git":false}');
  s.write('b.txt', 'first session\n');
  valueOf(await makeOwnRepository(git));
  expect(await differs()).toEqual(['b.txt']);
  rmSync(join(s.root, '.harness'), { recursive: true });
  valueOf(await makeOwnRepository(git));
  expect([await differs(), valueOf(await readStatus(git)).dirty]).toEqual([[], []]);
  expect(valueOf(await git.run(['rev-list', '--count', 'HEAD'])).trim()).toBe('2');
});
