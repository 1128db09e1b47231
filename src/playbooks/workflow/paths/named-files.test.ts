// The files that the output of real tools names, and those of them that a session is pointed to.
import { describe, expect, test } from 'vitest';
import { memoryWorld } from '../../../../test/support/memory-world.ts';
import { failingFiles, filesNamedIn } from './named-files.ts';

describe('the output of', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['tsc', 'src/a.ts(12,3): error TS2304: Cannot find name', ['src/a.ts']],
    ['eslint', '/repo/src/b.ts\n  1:1  error  no', ['/repo/src/b.ts']],
    ['vitest', ' FAIL  src/cart.test.ts > sums\n ❯ src/cart.test.ts:12:5', ['src/cart.test.ts']],
    ['jest', '    at Object.<anonymous> (/repo/src/sum.js:3:9)', ['/repo/src/sum.js']],
    ['pytest', 'tests/test_x.py:4: AssertionError\nFAILED tests/test_x.py::test_a - assert', ['tests/test_x.py']],
    ['python', '  File "my app/a.py", line 3, in f', ['my app/a.py']],
    ['go', './sum.go:3:1: syntax error', ['sum.go']],
    ['cargo', '  --> src/main.rs:2:5', ['src/main.rs']],
    ['make', 'make: *** [Makefile:3: all] Error 1', ['Makefile']],
    ['node', 'at file:///repo/x.mjs:1:2', ['/repo/x.mjs']],
    ['next', 'app/[id]/page.tsx:1:1 error', ['app/[id]/page.tsx']],
    ['nothing', 'see https://x.org/y.html, 1.2.3 and 50/3 PASS/FAIL.', []],
  ])('%s', (_tool, text, files) => {
    expect(
      filesNamedIn(text)
        .filter(({ isSure }) => isSure)
        .map(({ path }) => path),
    ).toEqual(files);
  });

  test('an attacker is read in linear time', () => {
    const since = process.cpuUsage();
    for (const text of [
      '['.repeat(300_000),
      'a.'.repeat(200_000),
      '"'.repeat(300_000),
      `${'a/'.repeat(1_900)}\n`.repeat(100),
    ])
      filesNamedIn(text);
    expect(process.cpuUsage(since).user).toBeLessThan(5_000_000);
  });
});

describe('failing files', () => {
  const files = Object.fromEntries(
    [1, 2, 3, 4, 5, 6]
      .map((n) => [`src/f${n}.ts`, 'x'])
      .concat([
        ['node_modules/x/i.js', 'x'],
        ['docs/harness/t/spec.md', 's'],
        ['sum.go', 'x'],
      ]),
  );
  const of = (text: string) =>
    failingFiles(memoryWorld({ files }), text, { docsPath: 'docs/harness/t/', repoPath: '/repo' });

  test('are existing files, each once, in their order; other words are ignored', async () => {
    const text =
      'node.js: src/f2.ts:1 and ./src/f1.ts(3,4), /repo/src/f2.ts; none/at/all.ts sum.go node_modules/x/i.js:1';
    expect(await of(text)).toEqual({ files: ['src/f2.ts', 'src/f1.ts', 'sum.go'], dropped: [] });
  });

  test('are at most five', async () => {
    expect((await of(Object.keys(files).join('\n'))).files).toEqual([1, 2, 3, 4, 5].map((n) => `src/f${n}.ts`));
  });

  test('that the path validator refuses are dropped, with the rule', async () => {
    const text = '/etc/x.conf:1 ../up.ts:2 .harness/state.json docs/harness/t/spec.md .git/hooks/x.sh src/F1.ts:3';
    expect(await of(text)).toEqual({
      files: [],
      dropped: [
        { path: '/etc/x.conf', rule: 'absolute' },
        { path: '../up.ts', rule: 'parent' },
        { path: '.harness/state.json', rule: 'harness-folder' },
        { path: 'docs/harness/t/spec.md', rule: 'harness-folder' },
        { path: '.git/hooks/x.sh', rule: 'git-folder' },
        { path: 'src/F1.ts', rule: 'other-spelling' },
      ],
    });
  });
});
