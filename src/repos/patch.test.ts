// A diff on real git: whole or not at all, nothing beside what was judged, and the same whenever it is cut.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Death, dyingIo } from '../../test/stage/death.ts';
import { picture, stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { listAttempts } from './attempts.ts';
import { takeCheckpoint } from './checkpoint.ts';
import type { Git } from './git.ts';
import { patchWorkTree } from './patch.ts';

const ONE = 'one\ntwo\nthree\n';
const shop = () => stage({ 'src/a.ts': ONE, 'src/b.ts': ONE, 'old.txt': 'old\n', '.gitignore': '*.log\n.env\n' });
const checkpoint = async (s: Stage) =>
  valueOf(await takeCheckpoint(s.git, { ref: 'refs/harness/checkpoints/p', message: 'p' }));

const change = (path: string, from = 'two', to = '2') =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n one\n-${from}\n+${to}\n three\n`;
const made = (path: string, text = 'new', mode = '100644') =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,1 @@\n+${text}\n`;
const gone = (path: string, text = 'old') =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-${text}\n`;

async function patched(s: Stage, diff: string, paths: readonly string[], git: Git = s.git) {
  const before = await checkpoint(s);
  return valueOf(await patchWorkTree(git, { before, diff, paths, token: 't' }));
}

/** Nothing at all is different: neither files nor the user's index. */
async function untouched(s: Stage, diff: string, paths: readonly string[]): Promise<string> {
  const before = [picture(s.root), s.sh('status', '--porcelain')];
  const found = await patched(s, diff, paths);
  expect([picture(s.root), s.sh('status', '--porcelain')]).toEqual(before);
  return found.is === 'refused' ? found.why : 'patched';
}

test('what fits is there, on top of work that is not committed; the index is as before', async () => {
  const s = shop();
  s.write('src/b.ts', `${ONE}four\n`);
  s.write('mine.txt', 'mine\n');
  s.write('staged.txt', 'staged\n');
  s.sh('add', 'staged.txt');
  const index = s.sh('ls-files', '-s');
  const diff = change('src/a.ts') + change('src/b.ts') + made('deep/new.ts') + gone('old.txt');
  const found = await patched(s, diff, ['src/a.ts', 'src/b.ts', 'deep/new.ts', 'old.txt']);
  expect(found).toMatchObject({ is: 'patched' });
  expect([s.read('src/a.ts'), s.read('src/b.ts'), s.read('deep/new.ts'), existsSync(join(s.root, 'old.txt'))]).toEqual([
    'one\n2\nthree\n',
    'one\n2\nthree\nfour\n',
    'new\n',
    false,
  ]);
  expect([s.read('mine.txt'), s.sh('ls-files', '-s')]).toEqual(['mine\n', index]);
});

describe('nothing of it is there', () => {
  test('where the second file does not fit; git says so', async () => {
    const s = shop();
    const why = await untouched(s, change('src/a.ts') + change('src/b.ts', 'TWO'), ['src/a.ts', 'src/b.ts']);
    expect(why).toMatch(/^error: patch failed: src\/b\.ts:1\n/);
  });

  test.each<readonly [string, string, readonly string[], RegExp]>([
    ['a path beyond those judged', change('src/a.ts') + change('src/b.ts'), ['src/a.ts'], /not judged: src\/b\.ts/],
    ['a file made where there is one', made('src/a.ts'), ['src/a.ts'], /already exists/],
    ['a file of other text removed', gone('old.txt', 'other'), ['old.txt'], /old\.txt/],
    ['a file that is not there', change('none.ts'), ['none.ts'], /none\.ts/],
    ['a path out of the tree', made('../x'), ['../x'], /invalid path|outside/],
    ['the git folder', made('.git/hooks/x'), ['.git/hooks/x'], /invalid path/],
    ['a link', made('l', '/etc/passwd', '120000'), ['l'], /what kind of file/],
    ['a mode', 'diff --git a/old.txt b/old.txt\nold mode 100644\nnew mode 100755\n', ['old.txt'], /what kind of file/],
    [
      'a rename',
      'diff --git a/old.txt b/n\nsimilarity index 100%\nrename from old.txt\nrename to n\n',
      ['n'],
      /not judged/,
    ],
    ['a file that git ignores', made('x.log'), ['x.log'], /ignores/],
    ['files of the harness', made('.harness/state.json'), ['.harness/state.json'], /ignores/],
    ['words', 'no patch at all\n', [], /./],
    ['no change', '', [], /./],
  ])('%s', async (_name, diff, paths, why) => {
    expect(await untouched(shop(), diff, paths)).toMatch(why);
  });

  test('where a link is in the way', async () => {
    const s = shop();
    mkdirSync(join(s.root, 'real'));
    s.write('real/c.ts', ONE);
    symlinkSync('real', join(s.root, 'lib'));
    symlinkSync('src/a.ts', join(s.root, 'a.ts'));
    symlinkSync('/tmp', join(s.root, 'out.log'));
    expect(await untouched(s, change('lib/c.ts'), ['lib/c.ts'])).toMatch(/lib\/c\.ts/);
    expect(await untouched(s, made('lib/d.ts'), ['lib/d.ts'])).toMatch(/beyond a symbolic link|lib/);
    expect(await untouched(s, made('out.log/d.ts'), ['out.log/d.ts'])).toMatch(/ignores/);
    const text =
      'diff --git a/a.ts b/a.ts\nindex 0000000..0000000 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-src/a.ts\n\\ No newline at end of file\n+/etc\n\\ No newline at end of file\n';
    expect(await untouched(s, text, ['a.ts'])).toMatch(/wrong type/);
  });

  test('where an ignored file lies where a new one would come', async () => {
    const s = shop();
    s.write('.env', 'secret\n');
    expect(await untouched(s, made('.env/x'), ['.env/x'])).toMatch(/ignores/);
  });
});

test('line ends are part of a line, whatever the attributes of the repository say', async () => {
  const s = stage({ '.gitattributes': '*.txt text eol=crlf\n*.ts filter=evil\n', 'b.ts': ONE });
  s.sh('config', 'filter.evil.clean', 'touch pwned; cat');
  s.sh('config', 'filter.evil.smudge', 'touch pwned; cat');
  s.write('a.txt', ONE.replaceAll('\n', '\r\n'));
  s.sh('config', 'core.autocrlf', 'true');
  s.sh('config', 'apply.whitespace', 'fix');
  expect(await patched(s, change('a.txt'), ['a.txt'])).toMatchObject({ is: 'refused' });
  const lines = change('a.txt', 'two', '2 ').replace(/^([ +-](?!-- |\+\+ ).*)$/gm, '$1\r');
  expect(await patched(s, lines + change('b.ts', 'two', '2\t'), ['a.txt', 'b.ts'])).toMatchObject({ is: 'patched' });
  expect([s.read('a.txt'), s.read('b.ts'), existsSync(join(s.root, 'pwned'))]).toEqual([
    'one\r\n2 \r\nthree\r\n',
    'one\n2\t\nthree\n',
    false,
  ]);
});

test('an executable file stays one', async () => {
  const s = stage({});
  s.write('run.sh', ONE, 0o755);
  await patched(s, change('run.sh'), ['run.sh']);
  expect(picture(s.root)['run.sh']).toMatch(/^executable/);
});

describe('killed at any instant and done again', () => {
  const diff = change('src/a.ts') + made('deep/new.ts') + gone('old.txt');
  const paths = ['src/a.ts', 'deep/new.ts', 'old.txt'];
  const wantedOf = async () => {
    const s = shop();
    await patched(s, diff, paths);
    return picture(s.root);
  };

  test.each(['before', 'after'] as const)('%s each effect', async (when) => {
    const wanted = await wantedOf();
    let deaths = 0;
    for (let at = 1; at < 20; at++) {
      const s = shop();
      const before = await checkpoint(s);
      const ask = { before, diff, paths, token: 't' };
      const died = await patchWorkTree(s.gitWith({ io: dyingIo(at, when) }), ask).then(
        () => false,
        (error: unknown) => error instanceof Death,
      );
      expect(valueOf(await patchWorkTree(s.git, ask))).toMatchObject({ is: 'patched' });
      expect(picture(s.root)).toEqual(wanted);
      if (!died) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(1);
  });

  test('with half of it written: what lay there is kept as an attempt', async () => {
    const s = shop();
    const before = await checkpoint(s);
    s.write('src/a.ts', 'one\n2\nth');
    s.write('deep/new.ts', '');
    const ask = { before, diff, paths, token: 't' };
    expect(valueOf(await patchWorkTree(s.git, ask))).toMatchObject({ is: 'patched' });
    expect(picture(s.root)).toEqual(await wantedOf());
    const [kept] = valueOf(await listAttempts(s.git, null));
    expect(s.sh('show', `${kept?.ref ?? ''}:src/a.ts`)).toBe('one\n2\nth');
  });

  test('with half of one that does not fit any more: back to the checkpoint', async () => {
    const s = shop();
    const was = picture(s.root);
    const before = await checkpoint(s);
    s.write('src/a.ts', 'half');
    const ask = { before, diff: change('src/a.ts', 'TWO'), paths, token: 't' };
    expect(valueOf(await patchWorkTree(s.git, ask))).toMatchObject({ is: 'refused' });
    expect(picture(s.root)).toEqual(was);
  });
});
