// What a rollback could lose: each kind of thing an agent can leave is in the attempt, aside, or where it was.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { picture, stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import { INNER_KEPT } from '../model/retention.ts';
import { keepAttempt } from './attempts.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { innerFolder } from './inner.ts';
import { restoreTree } from './restore.ts';
import { retire } from './retire.ts';

async function rolledBack(s: Stage, does: () => void) {
  const base = valueOf(await takeCheckpoint(s.git, { ref: 'refs/harness/checkpoints/1', message: 'm' }));
  does();
  const ask = { item: '1', session: 1, why: 'tests-failed', base, token: 't' };
  const kept = valueOf(await keepAttempt(s.git, ask));
  if (kept === null) throw new Error('nothing was kept');
  valueOf(await restoreTree(s.git, base));
  return kept;
}

/** What a tree holds, by path: mode and text. */
const held = (s: Stage, tree: string): { readonly [path: string]: string } =>
  Object.fromEntries(
    s
      .sh('ls-tree', '-r', tree)
      .split('\n')
      .map((line) => {
        const [, mode = '', id = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/.exec(line) ?? [];
        const text = execFileSync('git', ['cat-file', 'blob', id], { cwd: s.root, env: s.env, encoding: 'utf8' });
        return [path, `${mode} ${JSON.stringify(text)}`];
      }),
  );
const aside = (s: Stage): readonly string[] =>
  readdirSync(innerFolder(s.git)).map((name) => join(innerFolder(s.git), name));

test.each([
  ['without a commit', false],
  ['with a commit', true],
])(
  'a repository that the agent made, %s: files in the attempt, the folder with its history aside',
  async (_, committed) => {
    const s = stage({ 'a.txt': 'a\n' });
    const before = picture(s.root);
    const kept = await rolledBack(s, () => {
      s.write('app/main.ts', 'main\n');
      s.write('app/.gitignore', 'secret\n');
      s.write('app/secret', 'mine');
      s.sh('init', '-q', 'app');
      if (!committed) return;
      s.sh('-C', 'app', 'add', '-A');
      s.sh('-C', 'app', 'commit', '-qm', 'inner work');
    });
    expect(kept.inner).toEqual(['app']);
    expect(held(s, kept.tree)).toMatchObject({ 'app/main.ts': '100644 "main\\n"' });
    expect(picture(s.root)).toEqual(before);
    const [moved = '', ...others] = aside(s);
    expect(others).toEqual([]);
    expect(readFileSync(join(moved, 'app/secret'), 'utf8')).toBe('mine');
    expect(existsSync(join(moved, 'app/.git/HEAD'))).toBe(true);
    if (committed) expect(s.sh('-C', join(moved, 'app'), 'log', '--format=%s')).toBe('inner work');
  },
);

test('a repository around files that were there already: they come back, its git folder lies aside', async () => {
  const s = stage({ 'src/b.txt': 'b\n' });
  const kept = await rolledBack(s, () => {
    s.sh('init', '-q', 'src');
    s.write('src/b.txt', 'changed\n');
  });
  expect(kept.inner).toEqual(['src']);
  expect(held(s, kept.tree)).toEqual({ 'src/b.txt': '100644 "changed\\n"' });
  expect([s.read('src/b.txt'), existsSync(join(s.root, 'src/.git'))]).toEqual(['b\n', false]);
  expect(existsSync(join(aside(s)[0] ?? '', 'src/.git/HEAD'))).toBe(true);
});

test('what only new ignore rules hide is in the attempt; what was ignored before stays where it is and is named', async () => {
  const s = stage({ '.gitignore': 'build/\n*.log\n' });
  s.write('build/old', 'old');
  s.write('old.log', 'old');
  // The checkpoint is dated to the second: what was touched in the same one counts as touched.
  const past = new Date('2020-01-01');
  utimesSync(join(s.root, 'old.log'), past, past);
  const kept = await rolledBack(s, () => {
    s.write('.gitignore', 'build/\n*.log\ncache/\n');
    s.write('cache/deep/idea.txt', 'hours of work\n');
    s.write('.env', 'x');
    s.write('sub/.gitignore', '*\n');
    s.write('sub/hidden', 'hidden\n');
    s.write('build/new', 'new');
    s.write('new.log', 'new');
  });
  expect(Object.keys(held(s, kept.tree)).sort()).toEqual([
    '.env',
    '.gitignore',
    'cache/deep/idea.txt',
    'sub/.gitignore',
    'sub/hidden',
  ]);
  expect(kept.ignored).toContain('new.log');
  expect(kept.ignored).toContain('build/');
  expect(kept.ignored.filter((path) => /cache|sub/.test(path))).toEqual([]);
  expect(['build/old', 'build/new', 'new.log', 'cache', '.env'].map((path) => existsSync(join(s.root, path)))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('line endings, modes, links and odd names are in the attempt byte for byte, whatever .gitattributes says', async () => {
  const s = stage({ '.gitattributes': '* text=auto\n', 'run.sh': 'x\n', link: 'was a file\n' });
  const before = picture(s.root);
  const kept = await rolledBack(s, () => {
    s.write('crlf.txt', 'a\r\nb\r\n');
    s.write('mixed.txt', 'a\r\nb\n');
    chmodSync(join(s.root, 'run.sh'), 0o755);
    s.remove('link');
    symlinkSync('/nowhere', join(s.root, 'link'));
    s.write('new\nline', 'odd\n');
  });
  const tree = held(s, kept.tree);
  expect(tree).toMatchObject({
    'crlf.txt': '100644 "a\\r\\nb\\r\\n"',
    'mixed.txt': '100644 "a\\r\\nb\\n"',
    'run.sh': '100755 "x\\n"',
    link: '120000 "/nowhere"',
  });
  expect(Object.keys(tree)).toContain('"new\\nline"');
  expect(picture(s.root)).toEqual(before);
});

test('pipes that the agent left go, also in the place of a file; empty folders are no part of anything', async () => {
  const s = stage({ 'a.txt': 'a\n', '.gitignore': 'run/\n' });
  const kept = await rolledBack(s, () => {
    s.write('b.txt', 'b\n');
    s.remove('a.txt');
    mkdirSync(join(s.root, 'tests/deep'), { recursive: true });
    mkdirSync(join(s.root, 'run'));
    for (const path of ['a.txt', 'tests/deep/pipe', 'run/pipe']) execFileSync('mkfifo', [join(s.root, path)]);
  });
  expect(Object.keys(held(s, kept.tree)).sort()).toEqual(['.gitignore', 'b.txt']);
  expect(s.read('a.txt')).toBe('a\n');
  expect(existsSync(join(s.root, 'tests/deep/pipe'))).toBe(false);
  expect(lstatSync(join(s.root, 'run/pipe')).isFIFO()).toBe(true); // ignored: the user's
  expect(s.sh('status', '--porcelain')).toBe('');
});

const DAY = 86_400_000;

test('retention lets the newest and the young be, and removes what is beyond both: attempts, turns, folders aside', async () => {
  const s = stage();
  const at = (days: number): { readonly [name: string]: string } => {
    const seconds = Math.floor((Date.now() - days * DAY) / 1000);
    return { ...s.env, GIT_COMMITTER_DATE: `${seconds} +0000`, GIT_AUTHOR_DATE: `${seconds} +0000` };
  };
  const make = (ref: string, days: number): void => {
    const args = ['commit-tree', 'HEAD^{tree}', '-m', ref];
    const id = execFileSync('git', args, { cwd: s.root, env: at(days), encoding: 'utf8' }).trim();
    s.sh('update-ref', ref, id);
  };
  for (let n = 1; n <= 25; n += 1) make(`refs/harness/attempts/1/${n}`, 400 - n);
  for (let n = 26; n <= 30; n += 1) make(`refs/harness/attempts/1/${n}`, 1);
  make('refs/harness/attempts/2/1', 1_000);
  for (let n = 1; n <= 24; n += 1) make(`refs/harness/turns/${n}`, 100 - n);
  make('refs/harness/stashed/mine', 1_000);
  for (let n = 1; n <= 7; n += 1) {
    const folder = join(innerFolder(s.git), String(n));
    mkdirSync(folder, { recursive: true });
    const when = new Date(Date.now() - (100 - n) * DAY);
    utimesSync(folder, when, when);
  }
  const gone = await retire(s.git, Date.now());
  const expected = [
    ...Array.from({ length: 10 }, (_, n) => `refs/harness/attempts/1/${n + 1}`),
    ...Array.from({ length: 4 }, (_, n) => `refs/harness/turns/${n + 1}`),
    ...Array.from({ length: 7 - INNER_KEPT.newest }, (_, n) => join(innerFolder(s.git), String(n + 1))),
  ];
  expect([...gone].sort()).toEqual([...expected].sort());
  expect(s.sh('for-each-ref', '--format=%(refname)', 'refs/harness').split('\n')).toHaveLength(20 + 1 + 20 + 1);
  expect(await retire(s.git, Date.now())).toEqual([]);
});
