import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Death, dyingIo } from '../../test/stage/death.ts';
import { IS_EXHAUSTIVE } from '../../test/support/effort.ts';
import { failureOf, stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { commitTree, type TreeCommitAsk } from './commit.ts';
import { findByToken } from './by-token.ts';
import type { Git } from './git.ts';
import { branchCommits, newestCommits, readCommits } from './message.ts';
import { trySigning } from './signing.ts';
import { completeLanding } from './landing-index.ts';
import { treeOf } from './tree.ts';

const ask = (more: Partial<TreeCommitAsk>): TreeCommitAsk => ({
  style: 'accept',
  item: '7',
  session: 2,
  run: 'run-1',
  token: 'token-1',
  subject: 'feat: item 7',
  body: 'What it does.',
  files: {},
  only: null,
  expectTree: null,
  ...more,
});
const make = async (git: Git, more: Partial<TreeCommitAsk>) => valueOf(await commitTree(git, ask(more)));
const subjects = (s: Stage) => s.sh('log', '--format=%s').split('\n');
const isClean = (s: Stage) => s.sh('status', '--porcelain') === '';

test('an accepting commit has the verified tree, the files of the harness, the trailers and the name of the user', async () => {
  const s = stage({ 'a.txt': 'a\n', 'list.json': '[]\n' });
  s.write('a.txt', 'b\n');
  s.write('new/x.sh', 'x\n', 0o755);
  const expectTree = valueOf(await treeOf(s.git));
  const done = await make(s.git, { files: { 'list.json': '[1]\n', 'log/progress.txt': 'done\n' }, expectTree });
  expect(done).toEqual({ commit: s.sh('rev-parse', 'main'), tree: s.sh('rev-parse', 'main^{tree}'), refused: null });
  expect(s.sh('log', '-1', '--format=%an <%ae> %cn%n%B')).toBe(
    'Ada <ada@example.org> Ada\nfeat: item 7\n\nWhat it does.\n\n' +
      'Harness-Item: 7\nHarness-Run: run-1\nHarness-Session: 2\nHarness-Token: token-1',
  );
  expect(s.sh('show', '--format=', '--name-only', 'HEAD').split('\n')).toEqual([
    'a.txt',
    'list.json',
    'log/progress.txt',
    'new/x.sh',
  ]);
  expect(s.sh('ls-tree', 'HEAD', 'new/x.sh')).toMatch(/^100755/);
  expect(s.read('list.json')).toBe('[1]\n');
  expect(isClean(s)).toBe(true);
});

test('on a branch of its own the same work is not committed again by a later session; other work and work on another base are', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  let n = 0;
  const propose = async (): Promise<string | null> => {
    n += 1;
    const seal = {
      make: async () => ({ ok: true, value: { trailer: `sha256:${n}`, refs: [] } }) as const,
      settle: async () => ({ ok: true, value: undefined }) as const,
    };
    const made = await make(s.git, { token: `token-${n}`, session: n, onto: 'harness/7', seal });
    return made.commit;
  };
  s.write('a.txt', 'b\n');
  const first = await propose();
  expect([await propose(), s.sh('rev-parse', 'harness/7')]).toEqual([first, first]);
  s.write('a.txt', 'c\n');
  const second = await propose();
  expect(second).not.toBe(first);
  s.sh('stash');
  s.write('b.txt', 'theirs\n');
  s.commit('by others');
  s.sh('stash', 'pop');
  const third = await propose();
  expect([third, s.sh('rev-parse', 'harness/7^')]).not.toContain(second);
  expect(s.sh('rev-parse', 'harness/7^')).toBe(s.sh('rev-parse', 'main'));
});

test('landing after landing: what is remembered of tree, index and history is what git says, and few processes are started', async () => {
  const s = stage({ 'a.txt': 'a\n', 'list.json': '[]\n', 'log/progress.txt': '' });
  const asked: string[] = [];
  const git: Git = { ...s.git, run: (args, more) => (asked.push(args[0] ?? ''), s.git.run(args, more)) };
  for (const n of [1, 2, 3]) {
    s.write('a.txt', `${n}\n`);
    s.write(`new/${n}.txt`, 'n\n');
    asked.length = 0;
    const files = { 'list.json': `[${n}]\n`, 'log/progress.txt': `${n}\n` };
    const expectTree = valueOf(await treeOf(git));
    const body = 'What it does.\n\nNot-a-trailer: but a line of the body';
    const { commit, tree } = await make(git, {
      files,
      expectTree,
      body,
      token: `token-${n}`,
      subject: `feat:  item\n${n}`,
    });
    expect(tree).toBe(s.sh('rev-parse', 'HEAD^{tree}'));
    const fresh = s.gitWith({});
    expect(valueOf(await branchCommits(git, commit ?? ''))).toEqual(valueOf(await branchCommits(fresh, commit ?? '')));
    expect(valueOf(await newestCommits(git, commit ?? '', 60))).toEqual(
      valueOf(await readCommits(fresh, ['-n60', commit ?? ''])),
    );
    expect(valueOf(await treeOf(git))).toBe(tree);
    expect(isClean(s)).toBe(true);
  }
  expect(new Set(asked)).toEqual(new Set(['ls-files', 'add', 'update-ref', 'reset']));
});

test('without a name in the configuration the harness signs for itself', async () => {
  const s = stage();
  s.sh('config', '--global', '--unset', 'user.name');
  s.write('a', 'a');
  await make(s.git, {});
  expect(s.sh('log', '-1', '--format=%an <%ae>')).toBe('harness <harness@localhost>');
});

test('a file may be called like what every object has: it is verified like any other', async () => {
  const s = stage({ valueOf: 'a\n' });
  s.write('valueOf', 'verified\n');
  const expectTree = valueOf(await treeOf(s.git));
  s.write('valueOf', 'sneaked\n');
  const done = await make(s.git, { files: { 'list.json': '[1]\n' }, expectTree });
  expect(done.refused).toMatchObject({ code: 'tree-changed-since-check', ids: ['valueOf'] });
});

test('a tree that is not what was verified is refused, and nothing is written', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  s.write('a.txt', 'verified\n');
  const expectTree = valueOf(await treeOf(s.git));
  s.write('a.txt', 'sneaked\n');
  s.write('list.json', 'anything');
  const done = await make(s.git, { files: { 'list.json': '[1]\n' }, expectTree });
  expect(done.refused).toMatchObject({ code: 'tree-changed-since-check', ids: ['a.txt'] });
  expect([done.commit, subjects(s), s.read('list.json')]).toEqual([null, ['start'], 'anything']);
});

describe('what a user changes in their work tree while the work is proved', () => {
  const verified = async (attributes = '') => {
    const s = stage({
      'a.txt': 'a\n',
      'mine.txt': 'mine\n',
      'list.json': '[]\n',
      ...(attributes === '' ? {} : { '.gitattributes': attributes }),
    });
    s.write('a.txt', 'verified\n');
    return { s, expectTree: valueOf(await treeOf(s.git)) };
  };

  test('stays there, and the commit has what was verified', async () => {
    const { s, expectTree } = await verified();
    for (const path of ['mine.txt', 'new.txt']) s.write(path, 'theirs\n');
    const files = { 'list.json': '[1]\n' };
    const done = await make(s.git, { files, expectTree, users: ['mine.txt', 'new.txt'] });
    expect([done.refused, done.stay]).toEqual([null, ['mine.txt', 'new.txt']]);
    expect(s.sh('show', '--format=', '--name-only', 'HEAD')).toBe('a.txt\nlist.json');
    expect(s.sh('show', 'HEAD:a.txt')).toBe('verified');
    expect(s.sh('status', '--porcelain')).toBe('M mine.txt\n?? new.txt');
    for (const path of ['mine.txt', 'new.txt']) expect(s.read(path)).toBe('theirs\n');
  });

  test('a file that they delete is deleted in the work tree alone', async () => {
    const { s, expectTree } = await verified();
    rmSync(join(s.root, 'mine.txt'));
    const done = await make(s.git, { expectTree, users: ['mine.txt'] });
    expect(done.stay).toEqual(['mine.txt']);
    expect(s.sh('status', '--porcelain')).toBe('D mine.txt');
  });

  test.each(['', '* text=auto\n'])('is refused in a file of the work (attributes %j)', async (attributes) => {
    const { s, expectTree } = await verified(attributes);
    s.write('mine.txt', 'theirs\n');
    expect((await make(s.git, { expectTree, users: ['mine.txt'] })).stay).toEqual(['mine.txt']);
    expect(s.sh('show', 'HEAD:a.txt')).toBe('verified');
    s.write('a.txt', 'theirs\n');
    const done = await make(s.git, { expectTree, users: ['mine.txt'], token: 'token-2' });
    expect(done.refused).toMatchObject({ code: 'tree-changed-since-check' });
  });

  test('an edit of a file of the harness is refused as before', async () => {
    const { s, expectTree } = await verified();
    s.write('list.json', 'anything');
    const done = await make(s.git, { files: { 'list.json': '[1]\n' }, expectTree, users: [] });
    expect(done.refused).toMatchObject({ code: 'tree-changed-since-check', ids: ['list.json'] });
  });
});

/** As an older version committed unfinished work. */
const provisional = (s: Stage, item: string, subject: string): string =>
  s.commit(`${subject}\n\nHarness-Item: ${item}\nHarness-Provisional: ${item}`);

test('an edit of a file that the harness writes is not overwritten, unless it is what was committed or will be', async () => {
  const s = stage({ 'a.txt': 'a\n', 'list.json': '[]\n' });
  s.write('a.txt', 'verified\n');
  s.write('list.json', '[0]\n');
  const expectTree = valueOf(await treeOf(s.git));
  s.write('list.json', '[2]\n');
  const refused = await make(s.git, { files: { 'list.json': '[1]\n' }, expectTree });
  expect([refused.refused?.ids, s.read('list.json')]).toEqual([['list.json'], '[2]\n']);
  for (const [n, text] of ['[0]\n', '[1]\n', '[]\n'].entries()) {
    s.write('list.json', text);
    expect((await make(s.git, { files: { 'list.json': '[1]\n' }, expectTree, token: `t${n}` })).refused).toBeNull();
    s.sh('reset', '-q', 'HEAD~1');
  }
});

test('provisional commits that an older version made of the item are squashed, those of others are not', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const wip = (n: number, item: string): void => {
    s.write(`${item}-${n}.txt`, String(n));
    provisional(s, item, `wip ${item} ${n}`);
  };
  wip(1, '6');
  wip(1, '7');
  s.write('person.txt', 'x');
  s.commit('by a person');
  wip(2, '7');
  wip(3, '7');
  s.write('last.txt', 'x');
  await make(s.git, {});
  expect(subjects(s)).toEqual(['feat: item 7', 'by a person', 'wip 7 1', 'wip 6 1', 'start']);
  expect(s.sh('show', '--format=', '--name-only', 'HEAD').split('\n')).toEqual(['7-2.txt', '7-3.txt', 'last.txt']);
  expect(s.sh('log', '-1', '--format=%(trailers:key=Harness-Provisional,valueonly)')).toBe('');
});

test('what a remote has is not squashed', async () => {
  const s = stage();
  s.write('1', '1');
  provisional(s, '7', 'wip 1');
  s.sh('update-ref', 'refs/remotes/origin/main', 'HEAD');
  s.write('2', '2');
  provisional(s, '7', 'wip 2');
  await make(s.git, {});
  expect(subjects(s)).toEqual(['feat: item 7', 'wip 1', 'start']);
});

test('a plain commit of nothing is left out', async () => {
  const s = stage();
  expect(await make(s.git, { style: 'plain' })).toMatchObject({ commit: null, refused: null });
  expect(await make(s.git, { style: 'plain', files: { 'a.txt': 'x' } })).toMatchObject({
    commit: s.sh('rev-parse', 'HEAD'),
  });
});

test('only the named paths are committed, ignored ones too; the rest stays as it was, staged or not', async () => {
  const s = stage({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'x\n', '.gitignore': 'docs/\n' });
  s.write('a.txt', 'a2\n');
  s.write('b.txt', 'b2\n');
  s.write('docs/plan.md', 'plan\n');
  s.write('docs/other.md', 'other\n');
  s.remove('gone.txt');
  s.sh('add', 'b.txt');
  await make(s.git, {
    style: 'plain',
    only: ['a.txt', 'docs/plan.md', 'gone.txt', 'never.txt'],
    files: { 'c.txt': 'c\n' },
  });
  expect(s.sh('show', '--format=', '--name-status', 'HEAD').split('\n')).toEqual([
    'M\ta.txt',
    'A\tc.txt',
    'A\tdocs/plan.md',
    'D\tgone.txt',
  ]);
  expect(s.sh('status', '--porcelain')).toBe('M  b.txt');
});

test('line endings are stored as git add would, and the work tree keeps its own', async () => {
  const s = stage({ '.gitattributes': '* text=auto\n' });
  s.write('w.txt', 'a\r\nb\r\n');
  await make(s.git, { expectTree: valueOf(await treeOf(s.git)) });
  expect([s.sh('cat-file', '-s', 'HEAD:w.txt'), s.read('w.txt')]).toEqual(['4', 'a\r\nb\r\n']);
  expect(isClean(s)).toBe(true);
});

test('files ignored for this user or this clone are not committed, tracked though ignored ones are', async () => {
  const s = stage({ '.gitignore': 'dist/\n' });
  s.sh('config', '--global', 'core.excludesFile', join(s.home, 'ignore'));
  appendFileSync(join(s.home, 'ignore'), '.idea/\n');
  appendFileSync(join(s.git.gitDir, 'info', 'exclude'), 'mine.txt\n');
  for (const path of ['.idea/w.xml', 'mine.txt', 'dist/a.js', 'dist/b.js', '.harness/state.json', 'x.txt'])
    s.write(path, 'x');
  s.sh('add', '-f', 'dist/a.js');
  await make(s.git, {});
  expect(s.sh('show', '--format=', '--name-only', 'HEAD').split('\n')).toEqual(['dist/a.js', 'x.txt']);
});

test('marks in the index keep nothing out of the commit', async () => {
  const s = stage({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  s.sh('update-index', '--assume-unchanged', 'a.txt');
  s.sh('update-index', '--skip-worktree', 'b.txt');
  s.write('a.txt', 'a2\n');
  s.write('b.txt', 'b2\n');
  await make(s.git, { expectTree: valueOf(await treeOf(s.git)) });
  expect([s.sh('show', 'HEAD:a.txt'), s.sh('show', 'HEAD:b.txt')]).toEqual(['a2', 'b2']);
});

test('a folder that became a link does not lead a file of the harness out of the repository', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  symlinkSync(s.home, join(s.root, 'docs'));
  expect(failureOf(await commitTree(s.git, ask({ files: { 'docs/x.md': 'x' } }))).reason).toBe(
    'path-outside-repository',
  );
  expect(failureOf(await commitTree(s.git, ask({ files: { '../x.md': 'x' } }))).reason).toBe('path-outside-repository');
  expect(existsSync(join(s.home, 'x.md'))).toBe(false);
});

describe('where the user signs commits', () => {
  const signing = (s: Stage, passphrase: string): void => {
    const key = join(s.home, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', key]);
    for (const [name, value] of [
      ['commit.gpgsign', 'true'],
      ['gpg.format', 'ssh'],
      ['user.signingkey', key],
    ] as const)
      s.sh('config', '--global', name, value);
  };
  const isSigned = (s: Stage): boolean => s.sh('cat-file', 'commit', 'HEAD').includes('BEGIN SSH SIGNATURE');

  test('a commit of the harness is signed as well', async () => {
    const s = stage();
    signing(s, '');
    s.write('a', 'a');
    await make(s.git, {});
    expect(isSigned(s)).toBe(true);
  });

  test('it is made without a signature where that needs a person', async () => {
    const s = stage();
    signing(s, 'a secret');
    s.write('a', 'a');
    expect(valueOf(await trySigning(s.git))).toBe('needs-person');
    await make(s.git, {});
    expect([isSigned(s), subjects(s)[0]]).toEqual([false, 'feat: item 7']);
  });

  test('no program that the repository names is started to sign', async () => {
    const s = stage();
    signing(s, '');
    s.write('evil.sh', `#!/bin/sh\ntouch ${s.home}/pwned\n`, 0o755);
    s.sh('config', 'gpg.ssh.program', join(s.root, 'evil.sh'));
    await make(s.git, {});
    expect([existsSync(join(s.home, 'pwned')), isSigned(s)]).toEqual([false, true]);
  });
});

/** A person commits before the harness moves the branch: once, or each time. Git of theirs that uses the index can do so until it is locked. */
function meanwhile(s: Stage, commit: () => void, times = 1, before = 'git update-ref'): Stage['git'] {
  let n = 0;
  return s.gitWith({
    io: {
      ...dyingIo(0, 'before'),
      effect: async (name, run) => {
        if (name === before && n < times) {
          n += 1;
          commit();
        }
        return run();
      },
    },
  });
}

test('a branch that moved meanwhile is not overwritten: the commit is on top of what a person committed', async () => {
  const s = stage();
  s.write('a', 'a');
  const git = meanwhile(s, () => s.sh('commit', '-q', '--allow-empty', '-m', 'by a person'), 1, 'lock the index');
  const { commit } = await make(git, {});
  expect([subjects(s), s.sh('rev-parse', 'HEAD')]).toEqual([['feat: item 7', 'by a person', 'start'], commit]);
});

test('a person who commits again and again is not overwritten, and the harness gives up', async () => {
  const s = stage();
  s.write('a', 'a');
  const git = meanwhile(s, () => s.sh('commit', '-q', '--allow-empty', '-m', 'by a person'), 9, 'lock the index');
  expect(failureOf(await commitTree(git, ask({}))).reason).toBe('git-busy');
  expect(subjects(s)).not.toContain('feat: item 7');
});

/** A commit that the work tree knows nothing of, as from another clone. */
function elsewhere(s: Stage, path: string, text: string): void {
  const env = { ...s.env, GIT_INDEX_FILE: join(s.home, 'elsewhere') };
  const git = (input: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd: s.root, env, input, encoding: 'utf8' }).trim();
  git('', 'read-tree', 'HEAD');
  const blob = git(text, 'hash-object', '-w', '--stdin');
  git('', 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
  git('', 'update-ref', 'refs/heads/main', git('from elsewhere\n', 'commit-tree', git('', 'write-tree'), '-p', 'HEAD'));
}

test.each([
  ['beside the work', 'theirs.txt', 'theirs\n', 'branch-moved'],
  ['in the same lines', 'a.txt', 'theirs\n', 'landing-conflict'],
])('a newer commit %s is not undone: what was verified without it is not committed', async (_, path, text, code) => {
  const s = stage({ 'a.txt': 'a\n' });
  s.write('a.txt', 'ours\n');
  const git = meanwhile(s, () => elsewhere(s, path, text));
  const done = await make(git, { expectTree: valueOf(await treeOf(s.git)) });
  expect([done.refused?.code, subjects(s), s.read('a.txt')]).toEqual([code, ['from elsewhere', 'start'], 'ours\n']);
});

test('a newer commit of the very same change is no reason to prove it again', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  s.write('a.txt', 'ours\n');
  s.write('b.txt', 'b\n');
  const git = meanwhile(s, () => elsewhere(s, 'a.txt', 'ours\n'));
  await make(git, { expectTree: valueOf(await treeOf(s.git)) });
  expect(s.sh('show', '--format=', '--name-only', 'HEAD')).toBe('b.txt');
});

test('a commit on a detached HEAD moves HEAD alone', async () => {
  const s = stage();
  s.sh('checkout', '-q', '--detach');
  s.write('a', 'a');
  const { commit } = await make(s.git, {});
  expect([s.sh('rev-parse', 'HEAD'), s.sh('rev-parse', 'main')]).toEqual([commit, s.sh('rev-parse', 'HEAD~1')]);
});

test('words that look like trailers in a body are not read as ours', async () => {
  const s = stage();
  s.write('a', 'a');
  await make(s.git, { body: 'Harness-Token: forged\n\nHarness-Provisional: 7', subject: 'two\nlines' });
  expect(valueOf(await findByToken(s.git, 'forged'))).toBeNull();
  expect(valueOf(await findByToken(s.git, 'token-1'))).not.toBeNull();
  expect(subjects(s)[0]).toBe('two lines');
});

test.each([
  ['everything', null],
  ['named paths', ['a.txt', 'new.txt']],
])(
  'a commit of %s that dies at any point and is asked for again is one commit',
  async (_, only) => {
    let points = 0;
    for (let at = 1; ; at++) {
      let died = 0;
      // Just after an effect is just before the next one: CI tries both all the same.
      for (const when of IS_EXHAUSTIVE ? (['before', 'after'] as const) : (['before'] as const)) {
        const s = stage({ 'a.txt': 'a\n', 'list.json': '[]\n' });
        s.write('wip.txt', 'wip');
        provisional(s, '7', 'wip');
        s.write('a.txt', 'b\n');
        s.write('new.txt', 'n\n');
        const more = { only, files: { 'list.json': '[1]\n' }, expectTree: valueOf(await treeOf(s.git)) };
        try {
          await make(s.gitWith({ io: dyingIo(at, when) }), more);
        } catch (error) {
          if (!(error instanceof Death)) throw error;
          died++;
        }
        if (died > 0) s.write('list.json.4711.tmp', 'half'); // what a death inside replacing leaves
        valueOf(await completeLanding(s.git)); // the next process does so first
        expect(existsSync(join(s.root, '.git', 'index.lock')), `point ${at} ${when}`).toBe(false);
        expect((await make(s.git, more)).refused, `point ${at} ${when}`).toBeNull();
        expect((await make(s.git, more)).commit).toBe(s.sh('rev-parse', 'HEAD'));
        s.remove('list.json.4711.tmp');
        expect(subjects(s), `point ${at} ${when}`).toEqual(['feat: item 7', 'start']);
        expect([isClean(s), s.read('list.json')], `point ${at} ${when}`).toEqual([true, '[1]\n']);
      }
      if (died === 0) break;
      points = at;
    }
    expect(points).toBeGreaterThanOrEqual(5);
  },
  240_000,
);
