// The scope as users write it, and changes outside of it.
import { describe, expect, test } from 'vitest';
import { inScope, outOfBounds, scopePaths } from './scope.ts';

const PATHS = [
  'a.ts',
  'README.md',
  'src/a.ts',
  'src/deep/b.md',
  'srcs/x.ts',
  'packages/a/x.ts',
  'packages/b/y.ts',
  'my dir/z.ts',
];
const inIt = (scope: string): readonly string[] => PATHS.filter(inScope(scope));

describe('in scope', () => {
  test.each(['(no limit)', '', '  ', '.', './', '**', '*', 'src, .'])('%j: everything', (scope) => {
    expect(inIt(scope)).toEqual(PATHS);
  });

  test.each<readonly [string, readonly string[]]>([
    ['src', ['src/a.ts', 'src/deep/b.md']],
    ['src/', ['src/a.ts', 'src/deep/b.md']],
    ['./src/', ['src/a.ts', 'src/deep/b.md']],
    ['/src', ['src/a.ts', 'src/deep/b.md']],
    ['src/**', ['src/a.ts', 'src/deep/b.md']],
    ['src\\deep', ['src/deep/b.md']],
    ['src/*.ts', ['src/a.ts']],
    ['src/**/*.md', ['src/deep/b.md']],
    ['**/*.md', ['README.md', 'src/deep/b.md']],
    ['*.md', ['README.md', 'src/deep/b.md']],
    ['packages/a', ['packages/a/x.ts']],
    ['packages/*', ['packages/a/x.ts', 'packages/b/y.ts']],
    ['packages/{a,b}/*.ts', ['packages/a/x.ts', 'packages/b/y.ts']],
    ['packages/[!a]', ['packages/b/y.ts']],
    ['packages/?/x.ts', ['packages/a/x.ts']],
    ['a.ts', ['a.ts']],
    ['a.ts,README.md', ['a.ts', 'README.md']],
    ['`a.ts`  packages/b', ['a.ts', 'packages/b/y.ts']],
    ['"my dir/"', ['my dir/z.ts']],
    ['src !src/deep', ['src/a.ts']],
    ['!src', ['a.ts', 'README.md', 'srcs/x.ts', 'packages/a/x.ts', 'packages/b/y.ts', 'my dir/z.ts']],
    ['../src', []],
    ['SRC', []],
    ['[z-a].ts', []],
    ['src/[', []],
    ['a+ts', []],
  ])('%j', (scope, paths) => {
    expect(inIt(scope)).toEqual(paths);
  });

  test('a name in another composition is the same name', () => {
    expect(inScope('caf\u00e9')('cafe\u0301/x.ts')).toBe(true);
  });

  test('no scope is slow to match', () => {
    const isIn = inScope(`${'**/*a'.repeat(8)}b`);
    const since = process.cpuUsage();
    expect(isIn(`${'a/'.repeat(60)}a`)).toBe(false);
    expect(process.cpuUsage(since).user).toBeLessThan(2_000_000);
  });

  test('a command gets the paths', () => {
    expect(['(no limit)', 'src/, *.md', '!gen', 'src !src/gen'].map(scopePaths)).toEqual([
      ['.'],
      ['src', '*.md'],
      ['.'],
      ['src'],
    ]);
  });
});

describe('out of bounds', () => {
  const own = ['docs/harness/x/', '.harness'];
  const of = (changed: readonly string[], scope = '(no limit)', maxFiles = 2) =>
    outOfBounds({ changed, scope, maxFiles, own });

  test('nothing is, within both limits', () => {
    expect(of(['src/a.ts', 'src/b.ts'], 'src')).toEqual([]);
  });

  test('each file outside of the scope is named', () => {
    expect(of(['src/a.ts', 'lib/b.ts', 'c.ts'], 'src', 9)).toEqual([
      { code: 'out-of-scope', params: { file: 'lib/b.ts', count: 2, scope: 'src' }, ids: ['lib/b.ts', 'c.ts'] },
    ]);
  });

  test('documents of the task do not count, and each file counts once', () => {
    expect(of(['a', 'b', 'a', 'docs/harness/x/spec.md', '.harness/state.json'])).toEqual([]);
    expect(of(['a', 'b', 'docs/harness/xy'])).toEqual([{ code: 'too-many-files', params: { count: 3, max: 2 } }]);
  });
});
