// What is known of the files of a work tree without asking git is what git says, whatever happens in it.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { amountOf, FIXED_SEED, SEED } from '../../test/support/effort.ts';
import { stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { isCleanAt } from './clean-tree.ts';
import { ignoredNow, ignoredPaths } from './ignored-paths.ts';
import { treeOf } from './tree.ts';
import { rawView } from './view.ts';

const FILES = { '.gitignore': '*.log\nbuild/\n', a: 'one\n', 'd/a': 'one\n', 'd/e/b': 'two\n', 'f/c': 'three\n' };
const PATHS = ['a', 'd/a', 'd/e/b', 'f/c', 'new', 'd/new', 'x.log', 'd/y.log', 'g/z.log', 'build/out', 'd/build/out'];
const ATTRIBUTES = ['* text\n', '* -text\n', 'a eol=crlf\n', ''];
const RULES = ['*.log\nbuild/\n', '*.log\n', 'new\n', '', '!x.log\n', 'd/\n'];

type Step = { readonly does: string; act(s: Stage): void };
const step = (does: string, act: (s: Stage) => void): Step => ({ does, act });
const write = (path: string, text: string): Step =>
  step(`writes ${path}`, (s) => {
    mkdirSync(dirname(join(s.root, path)), { recursive: true });
    writeFileSync(join(s.root, path), text);
  });
const path = fc.constantFrom(...PATHS);
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(path, fc.constantFrom('one\n', 'one\r\n', 'two\n', 'else\n'))
        .map(([at, text]) => write(at, text)),
    },
    path.map((at) => step(`removes ${at}`, (s) => rmSync(join(s.root, at)))),
    path.map((at) =>
      step(`removes the folder of ${at}`, (s) => rmSync(join(s.root, dirname(at)), { recursive: at.includes('/') })),
    ),
    path.map((at) => step(`adds ${at}`, (s) => s.sh('add', '-f', '--', at))),
    path.map((at) => step(`forgets ${at}`, (s) => s.sh('rm', '-q', '--cached', '--', at))),
    path.map((at) =>
      step(`makes a link of ${at}`, (s) => {
        rmSync(join(s.root, at));
        symlinkSync('a', join(s.root, at));
      }),
    ),
    path.map((at) =>
      step(`makes a folder of ${at}`, (s) => {
        renameSync(join(s.root, at), join(s.root, '..', 'moved'));
        mkdirSync(join(s.root, at));
      }),
    ),
    fc
      .tuple(fc.constantFrom('.gitignore', 'd/.gitignore', '.git/info/exclude'), fc.constantFrom(...RULES))
      .map(([at, rules]) => write(at, rules)),
    fc
      .tuple(
        fc.constantFrom('.gitattributes', 'd/.gitattributes', '.git/info/attributes'),
        fc.constantFrom(...ATTRIBUTES),
      )
      .map(([at, attributes]) => write(at, attributes)),
    { weight: 2, arbitrary: fc.constant(step('commits', (s) => void s.commit('more'))) },
    { weight: 2, arbitrary: fc.constant(step('resets', (s) => s.sh('reset', '-q', '--hard'))) },
  ),
  { minLength: 2, maxLength: 12 },
);

afterEach(() => void vi.restoreAllMocks());

test('what is ignored, and whether all is committed, is known as git says it, after any steps', async () => {
  // What was touched a moment ago is asked again: here the clock is late, so that all counts as touched long ago.
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  const times = { ignored: 0, clean: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const s = stage(FILES);
      valueOf(await ignoredPaths(s.git));
      for (const one of all) {
        try {
          one.act(s);
        } catch {
          continue; // there is no such file
        }
        const view = valueOf(await rawView(s.git));
        const known = ignoredNow(s.git, view.rules);
        if (known !== null) {
          times.ignored += 1;
          expect(known.ignored).toEqual(valueOf(await ignoredPaths(s.gitWith({}))));
        }
        if (await isCleanAt(s.git, s.sh('rev-parse', 'HEAD'))) {
          times.clean += 1;
          expect(s.sh('status', '--porcelain', '--untracked-files=all')).toBe('');
        }
        valueOf(await ignoredPaths(s.git));
        await treeOf(s.git);
      }
    }),
    { numRuns: amountOf(10, 60) },
  );
  // Of other samples less may be known.
  const [ignored, clean] = SEED === FIXED_SEED ? [20, 5] : [0, 0];
  expect(times.ignored).toBeGreaterThan(ignored);
  expect(times.clean).toBeGreaterThanOrEqual(clean);
}, 240_000);

/** Waits until what was touched counts as touched before. */
const asked = (s: Stage) =>
  vi.waitFor(async () => {
    valueOf(await ignoredPaths(s.git));
    expect(ignoredNow(s.git, valueOf(await rawView(s.git)).rules)).not.toBeNull();
  });
const known = async (s: Stage): Promise<readonly string[] | undefined> =>
  ignoredNow(s.git, valueOf(await rawView(s.git)).rules)?.ignored;

test('git is not asked again what is ignored where tracked files are written, and where new ones were added to the work', async () => {
  const s = stage(FILES);
  s.write('x.log', '');
  s.write('build/out', '');
  await asked(s);
  s.write('d/a', 'other\n');
  s.remove('f/c');
  s.write('build/more', '');
  expect(await known(s)).toEqual(['build/', 'x.log']);
  s.write('d/new', '');
  expect(await known(s)).toBeUndefined();
  valueOf(await treeOf(s.git));
  expect(await known(s)).toEqual(['build/', 'x.log']);
  s.write('y.log', '');
  expect(await known(s)).toBeUndefined();
});

test('a work tree is clean where its files are as committed, though git has not seen them so', async () => {
  const s = stage(FILES);
  const head = s.sh('rev-parse', 'HEAD');
  expect(await isCleanAt(s.git, head)).toBe(true);
  s.write('a', 'else\n');
  expect(await isCleanAt(s.git, head)).toBe(false);
  s.write('a', 'one\n');
  expect(await isCleanAt(s.git, head)).toBe(true);
  s.write('a', 'one\n', 0o755);
  expect(await isCleanAt(s.git, head)).toBe(false);
  s.write('a', 'one\n');
  s.write('x.log', '');
  await asked(s);
  expect(await isCleanAt(s.git, head)).toBe(true);
  s.sh('update-index', '--assume-unchanged', 'a');
  expect(await isCleanAt(s.git, head)).toBe(false);
});

test('a file that git converts is not known to be clean by its bytes', async () => {
  const s = stage({ a: 'one\r\n' });
  const head = s.sh('rev-parse', 'HEAD');
  expect(await isCleanAt(s.git, head)).toBe(true);
  mkdirSync(join(s.git.gitDir, 'info'), { recursive: true });
  writeFileSync(join(s.git.gitDir, 'info', 'attributes'), 'a text\n');
  s.write('a', 'one\r\n');
  expect([await isCleanAt(s.git, head), s.sh('status', '--porcelain')]).toEqual([false, 'M a']);
});

test('a folder that became a file is a change, and no error', async () => {
  const s = stage(FILES);
  const head = s.sh('rev-parse', 'HEAD');
  s.remove('d');
  s.write('d', '');
  expect(await isCleanAt(s.git, head)).toBe(false);
});
