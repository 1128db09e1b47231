// Which test files load a changed file: those that do are all found, and where that cannot be said the test file counts.
import { describe, expect, test } from 'vitest';
import { testsThatLoad } from './reach.ts';

const load = (files: { readonly [path: string]: string }, changed: readonly string[]): readonly string[] =>
  testsThatLoad(
    new Set(changed),
    Object.keys(files).filter((path) => path.includes('.test.')),
    {
      read: (path) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null),
      isPackage: (name) => name === 'words' || name === '@scope/words',
    },
  );

describe('a test file counts', () => {
  test('where it imports the changed file, directly or through others', () => {
    const files = {
      'test/a.test.mjs': "import { a } from '../src/a.mjs';\nimport test from 'node:test';",
      'test/b.test.mjs': "import '../src/b.mjs';\nimport assert from 'assert';",
      'test/c.test.mjs': "import words from 'words';\nimport { x } from '@scope/words/deep';",
      'src/a.mjs': "export * from './deep/c.mjs';",
      'src/deep/c.mjs': '',
      'src/b.mjs': "import fs from 'node:fs/promises';",
    };
    expect(load(files, ['src/deep/c.mjs'])).toEqual(['test/a.test.mjs']);
    expect(load(files, ['src/b.mjs'])).toEqual(['test/b.test.mjs']);
    expect(load(files, ['test/c.test.mjs'])).toEqual(['test/c.test.mjs']);
    expect(load(files, ['README.md'])).toEqual([]);
  });

  test.each([
    ['a type of import', "export { a } from '../src/a.ts';"],
    ['a call of require', "const a = require('../src/a');"],
    ['a literal in a call of import', "const a = await import('../src/a');"],
    ['the ending of compiled code', "import { a } from '../src/a.js';"],
    ['a folder', "import { a } from '../src';"],
    ['a mock', "vi.mock('../src/a.ts'); import test from 'vitest/x';"],
  ])('by %s', (_what, text) => {
    const files = { 'test/a.test.ts': text, 'src/a.ts': '', 'src/index.ts': "export * from './a';" };
    expect(load(files, ['src/a.ts'])).toEqual(['test/a.test.ts']);
  });

  test.each([
    ['a path that is computed', 'for (const name of names) await import(`../src/${name}.mjs`);'],
    ['a variable', 'const a = require(name);'],
    ['a name that is no installed package', "import { a } from '@/a';"],
    ['a file that is not there', "import { a } from '../src/generated.mjs';"],
    ['a way out of the repository', "import { a } from '../../other/a.mjs';"],
    ['code from text', "eval('1');"],
    ['a loader of its own', "import { createRequire } from 'node:module';"],
  ])('where it cannot be said: %s', (_what, text) => {
    expect(load({ 'test/a.test.mjs': text, 'src/b.mjs': '' }, ['src/b.mjs'])).toEqual(['test/a.test.mjs']);
  });
});

test('files that import each other in a circle come to an end', () => {
  const files = {
    'a.test.mjs': "import './b.mjs';",
    'b.mjs': "import './c.mjs';",
    'c.mjs': "import './b.mjs';",
    'd.mjs': '',
  };
  expect(load(files, ['d.mjs'])).toEqual([]);
});
