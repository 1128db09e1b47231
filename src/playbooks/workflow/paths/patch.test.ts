// The patch file of an agent: what counts as one, what is refused, its summary, and which of its paths are allowed.
import { expect, test, describe } from 'vitest';
import { memoryWorld } from '../../../../test/support/memory-world.ts';
import { judgeTargets, readPatch, type ReadPatch } from './patch.ts';

const file = (...diff: readonly string[]): string => ['# Fix', '', '```diff', ...diff, '```', ''].join('\n');
const CHANGE = ['--- a/src/a.ts', '+++ b/src/a.ts', '@@ -1,2 +1,2 @@', ' one', '-two', '+2'];
const whyOf = (read: ReadPatch): string => (read.isEmpty ? read.why : 'a patch');
const patchOf = (text: string) => {
  const read = readPatch(text);
  if (read.isEmpty) throw new Error(`${read.why}: ${read.part}`);
  return read;
};

describe('empty', () => {
  test.each([
    ['', 'no-diff-block'],
    ['only words', 'no-diff-block'],
    [CHANGE.join('\n'), 'no-diff-block'],
    ['```ts\n@@ -1 +1 @@\n```', 'no-diff-block'],
    [`\`\`\`diff\n${CHANGE.join('\n')}\n`, 'no-diff-block'], // cut before its end
    [file('nothing to do'), 'no-hunk'],
    [file('--- a/x', '+++ b/x'), 'no-hunk'],
    [file(), 'no-hunk'],
  ])('%j: %s', (text, why) => {
    expect(whyOf(readPatch(text))).toBe(why);
  });
});

describe('refused, because no header line shows it or it cannot be read', () => {
  const GIT = 'diff --git a/x b/x';
  test.each<readonly [string, readonly string[], string]>([
    ['a rename', ['diff --git a/x b/y', 'similarity index 90%', 'rename from x', 'rename to y'], 'rename'],
    ['a rename of names only', ['--- a/x', '+++ b/y', '@@ -1 +1 @@', '-1', '+2'], 'name'],
    ['a copy', [GIT, 'copy from x', 'copy to y', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-1', '+2'], 'rename'],
    ['a binary', [GIT, 'GIT binary patch', 'literal 3', 'Kc${Nk'], 'binary'],
    ['a binary in words', [GIT, 'Binary files a/x and b/x differ'], 'binary'],
    ['a mode', [GIT, 'old mode 100644', 'new mode 100755', ...CHANGE], 'mode'],
    [
      'a new link',
      ['diff --git a/x b/x', 'new file mode 120000', '--- /dev/null', '+++ b/x', '@@ -0,0 +1 @@', '+/etc'],
      'mode',
    ],
    ['an empty file', [GIT, 'new file mode 100644', 'index 0000000..e69de29', ...CHANGE], 'name'],
    [
      'an empty file before another',
      [GIT, 'new file mode 100644', 'diff --git a/src/a.ts b/src/a.ts', ...CHANGE],
      'no-header',
    ],
    ['other names for git', ['diff --git a/y b/y', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-1', '+2'], 'name'],
    ['no names', ['@@ -1 +1 @@', '-1', '+2'], 'no-header'],
    ['names without a and b', ['--- x', '+++ x', '@@ -1 +1 @@', '-1', '+2'], 'name'],
    ['nothing to nothing', ['--- /dev/null', '+++ /dev/null', '@@ -1 +1 @@', '-1', '+2'], 'name'],
    [
      'a made file that is changed',
      [GIT, 'new file mode 100644', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-1', '+2'],
      'mode',
    ],
    ['a hunk without numbers', ['--- a/x', '+++ b/x', '@@ ... @@', '-1', '+2'], 'hunk'],
    ['a line without a sign', ['--- a/x', '+++ b/x', '@@ -1,2 +1,2 @@', '-1', 'what', '+2'], 'hunk'],
    ['a hunk that changes nothing', ['--- a/x', '+++ b/x', '@@ -1 +1 @@', ' 1'], 'hunk'],
    ['a combined diff', ['diff --cc x', '--- a/x', '+++ b/x', '@@@ -1 -1 +1 @@@', '--1', '++2'], 'hunk'],
  ])('%s', (_name, lines, why) => {
    expect(whyOf(readPatch(file(...lines)))).toBe(why);
  });
});

describe('a patch', () => {
  test('names its targets, and hands git what was understood', () => {
    const { targets, diff, summary } = patchOf(
      `# Auto-fix\n\nConfidence: **High**\n\nThe sum forgot the last one.\n\n${file('words', ...CHANGE)}`,
    );
    expect([targets, summary]).toEqual([['src/a.ts'], 'The sum forgot the last one.']);
    expect(diff).toBe(
      [
        'diff --git a/src/a.ts b/src/a.ts',
        'index 0000000..0000000 100644',
        '--- a/src/a.ts',
        '+++ b/src/a.ts',
        '@@ -1,2 +1,2 @@',
        ' one',
        '-two',
        '+2',
        '',
      ].join('\n'),
    );
  });

  test('of several blocks is their sum; blocks of other languages are ignored', () => {
    const second = file('--- /dev/null', '+++ b/new.ts', '@@ -0,0 +1 @@', '+1');
    const third = file('--- a/old.ts', '+++ /dev/null', '@@ -1 +0,0 @@', '-1');
    const other = '```ts\n--- a/never\n+++ b/never\n@@ -1 +1 @@\n-1\n+2\n```\n';
    expect(patchOf(file(...CHANGE) + other + second + third).targets).toEqual(['src/a.ts', 'new.ts', 'old.ts']);
  });

  test.each([
    ['"a/caf\\303\\251 \\"x\\".ts"', '"b/caf\\303\\251 \\"x\\".ts"', 'café "x".ts'],
    ['a/with blank.ts\t2026-01-01', 'b/with blank.ts\t', 'with blank.ts'],
    ['a/café.ts', '"b/caf\\303\\251.ts"', 'café.ts'],
    ['"a/a\\tb"', '"b/a\\tb"', 'a\tb'],
  ])('reads the name %s', (old, now, path) => {
    expect(patchOf(file(`--- ${old}`, `+++ ${now}`, '@@ -1 +1 @@', '-1', '+2')).targets).toEqual([path]);
  });

  test('is counted again where its author miscounted, and otherwise never mistakes a line of the file for a header', () => {
    const miscounted = [
      '--- a/x',
      '+++ b/x',
      '@@ -1,9 +1 @@ f()',
      ' 1',
      '-2',
      '+3',
      '',
      '--- a/y',
      '+++ b/y',
      '@@ -1 +1 @@',
      '-1',
      '+2',
    ];
    expect(patchOf(file(...miscounted)).diff).toContain('@@ -1,2 +1,2 @@');
    expect(patchOf(file(...miscounted)).targets).toEqual(['x', 'y']);
    const sql = ['--- a/x.sql', '+++ b/x.sql', '@@ -1,3 +1,3 @@', ' 1', '--- a/secret', '+++ b/secret', ' 3'];
    expect(patchOf(file(...sql)).targets).toEqual(['x.sql']);
  });

  test('of a Markdown file may contain fences', () => {
    const lines = ['--- a/x.md', '+++ b/x.md', '@@ -1,3 +1,3 @@', ' ```diff', '-old', '+new', ' ```'];
    expect(patchOf(file(...lines)).files[0]?.hunks[0]?.lines).toEqual([' ```diff', '-old', '+new', ' ```']);
    const four = ['````diff', ...lines, '````'].join('\n');
    expect(patchOf(four).targets).toEqual(['x.md']);
  });

  test.each([
    ['## Summary\n\nIt rounds down.', 'It rounds down.'],
    ['**Summary:** it rounds', 'it rounds'],
    ['Confidence: High\n\n> It `rounds`\u0007 down', 'It rounds down'],
    ['# Fix\n\nConfidence: High', ''],
  ])('%j is summarised as %s', (words, summary) => {
    expect(patchOf(`${words}\n${file(...CHANGE)}`).summary).toBe(summary);
  });
});

describe('targets', () => {
  const world = memoryWorld({ files: { 'src/a.ts': 'a', 'README.md': 'r', 'docs/harness/x/spec.md': 's' } });
  const judged = (targets: readonly string[], scope = '(no limit)') =>
    judgeTargets(world, targets, { scope, docsPath: 'docs/harness/x/' });

  test('are allowed if they are files of the project, existing or new', async () => {
    const targets = ['src/a.ts', 'src/new/b.ts', 'README.md'];
    expect(await judged(targets)).toEqual({ isAllowed: true, paths: targets });
  });

  test.each([
    ['README.md', 'out-of-scope', 'src/'],
    ['docs/harness/x/spec.md', 'harness-folder', undefined],
    ['.harness.yaml', 'configuration', undefined],
    ['.Harness.YAML', 'configuration', undefined],
    ['.git/hooks/pre-commit', 'git-folder', undefined],
    ['../x', 'parent', undefined],
    ['/etc/passwd', 'absolute', undefined],
    ['readme.md', 'other-spelling', undefined],
    ['a\tb', 'control', undefined],
  ])('%s is refused: %s', async (path, rule, scope) => {
    expect(await judged(['src/a.ts', path, '../y'], scope)).toMatchObject({ isAllowed: false, path, rule });
  });
});
