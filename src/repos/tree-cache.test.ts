import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf } from '../../test/support/effort.ts';
import { stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import type { Git } from './git.ts';
import { writeOver } from './merge.ts';
import { treeOf } from './tree.ts';

/** What a wrapper that knows nothing works out from nothing; the index of the one under test stays as it is. */
async function fromNothing(s: Stage): Promise<string> {
  const [kept, aside] = ['raw.index', 'aside.index'].map((name) => join(s.git.privateDir, name)) as [string, string];
  const times = statSync(kept);
  copyFileSync(kept, aside);
  rmSync(kept);
  const result = await treeOf(s.gitWith({}));
  copyFileSync(aside, kept);
  utimesSync(kept, times.atime, times.mtime);
  return result.ok ? result.value : result.failure.reason;
}

const told = async (git: Git): Promise<string> => {
  const result = await treeOf(git);
  return result.ok ? result.value : result.failure.reason;
};

const PATHS = ['a', 'b', 'd/a', 'd/deep/b', 'ignored', 'd/ignored', 'x/y'] as const;
const path = fc.constantFrom(...PATHS);
type Op = (s: Stage) => void | Promise<unknown>;
const inside = (s: Stage, at: string): string => join(s.root, at);
/** Makes room for a file: nothing but folders on the way, nothing at the place itself. */
function clear(s: Stage, at: string): void {
  const parent = dirname(at);
  if (parent !== '.' && statsOf(inside(s, parent))?.isDirectory() !== true) {
    clear(s, parent);
    mkdirSync(inside(s, parent), { recursive: true });
  }
  rmSync(inside(s, at), { recursive: true, force: true });
}

const ops: fc.Arbitrary<{ readonly name: string; readonly op: Op }> = fc.oneof(
  fc.tuple(path, fc.constantFrom('one', 'two', 'longer')).map(([at, text]) => ({
    name: `${at} = ${text}`,
    op: (s: Stage) => {
      clear(s, at);
      writeFileSync(inside(s, at), text);
    },
  })),
  fc.tuple(path, fc.constantFrom('one', 'two')).map(([at, text]) => ({
    name: `${at} = ${text}, with its old times`,
    op: (s: Stage) => {
      const before = statsOf(inside(s, at));
      if (before?.isFile() !== true) return;
      writeFileSync(inside(s, at), text);
      utimesSync(inside(s, at), before.atime, before.mtime);
    },
  })),
  path.map((at) => ({
    name: `${at} removed`,
    op: (s: Stage) => rmSync(inside(s, at), { recursive: true, force: true }),
  })),
  path.map((at) => ({
    name: `${at} executable`,
    op: (s: Stage) => {
      if (statsOf(inside(s, at))?.isFile() === true) chmodSync(inside(s, at), 0o755);
    },
  })),
  fc.tuple(path, fc.constantFrom('a', 'd', 'nowhere')).map(([at, to]) => ({
    name: `${at} -> ${to}`,
    op: (s: Stage) => {
      clear(s, at);
      symlinkSync(to, inside(s, at));
    },
  })),
  fc.constantFrom('', 'ignored\n', 'ignored\nb\n', '/d/\n', '.gitignore\nignored\n').map((rules) => ({
    name: `.gitignore = ${JSON.stringify(rules)}`,
    op(s: Stage) {
      clear(s, '.gitignore');
      writeFileSync(inside(s, '.gitignore'), rules);
    },
  })),
  fc.constantFrom('', 'b\n', '!ignored\n', 'deep\n').map((rules) => ({
    name: `d/.gitignore = ${JSON.stringify(rules)}`,
    op(s: Stage) {
      clear(s, 'd/.gitignore');
      writeFileSync(inside(s, 'd/.gitignore'), rules);
    },
  })),
  fc.constantFrom('.gitignore', 'd/.gitignore').map((at) => ({
    name: `${at} -> rules`,
    op(s: Stage) {
      clear(s, at);
      symlinkSync('rules', inside(s, at));
      writeFileSync(inside(s, 'rules'), 'b\n');
    },
  })),
  fc.constantFrom('', 'a\n').map((rules) => ({
    name: `exclude = ${JSON.stringify(rules)}`,
    op: (s: Stage) => s.write('.git/info/exclude', rules),
  })),
  fc
    .constantFrom(
      ['add', '-f', '-A'],
      ['add', '-A'],
      ['rm', '-r', '-q', '--cached', '--ignore-unmatch', 'ignored', 'b'],
      ['commit', '-q', '--allow-empty', '-m', 'c'],
      ['reset', '-q', '--soft', 'start'],
      ['reset', '-q'],
      ['reset', '-q', '--hard', 'start'],
      ['reset', '-q', '--soft', 'other'],
      ['reset', '-q', '--hard', 'other'],
      ['checkout', '-q', '--detach'],
      ['checkout', '-q', 'other'],
    )
    .map((args) => ({
      name: `git ${args.join(' ')}`,
      op(s: Stage) {
        try {
          s.sh(...args);
        } catch {
          // git itself refuses, for example a repository inside without a commit: then nothing changed
        }
      },
    })),
  fc.constantFrom('start', 'other').map((tag) => ({
    name: `git writes the tree of ${tag}`,
    async op(s: Stage) {
      const from = await treeOf(s.git);
      if (from.ok) await writeOver(s.git, from.value, s.sh('rev-parse', `${tag}^{tree}`).trim());
    },
  })),
  fc.constant({
    name: 'a repository in x',
    op: (s: Stage) => {
      clear(s, 'x/y');
      s.sh('init', '-q', 'x');
    },
  }),
  fc.constant({
    name: 'no repository in x',
    op: (s: Stage) => rmSync(inside(s, 'x/.git'), { recursive: true, force: true }),
  }),
);

test('however often the work tree is looked at again, its tree is the one worked out from nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ops, { minLength: 2, maxLength: 6 }), async (steps) => {
      const s = stage({ a: 'one', 'd/a': 'one', 'd/ignored': 'one', '.gitignore': 'ignored\n' });
      s.sh('tag', 'start');
      s.write('b', 'one');
      s.write('ignored', 'one');
      s.sh('rm', '-q', 'd/a');
      s.sh('add', '-f', 'b', 'ignored');
      s.sh('commit', '-q', '-m', 'other');
      s.sh('tag', 'other');
      s.sh('reset', '-q', '--hard', 'start');
      valueOf(await treeOf(s.git));
      for (const { name, op } of steps) {
        await op(s);
        const found = await told(s.git);
        expect([name, found]).toEqual([name, await fromNothing(s)]);
        expect(await told(s.git)).toBe(found);
      }
    }),
    { numRuns: amountOf(8, 40) },
  );
}, 120_000);

test('where nothing changed, one look is enough: nothing is added and no tree is written', async () => {
  const s = stage({ a: 'one', b: 'two' });
  s.write('new', 'three');
  const asked: string[] = [];
  const git: Git = { ...s.git, run: (args, options) => (asked.push(args[0] ?? ''), s.git.run(args, options)) };
  const first = await told(git);
  asked.length = 0;
  for (let n = 0; n < 3; n++) expect(await told(git)).toBe(first);
  expect([...new Set(asked)]).toEqual(['ls-files']);
  s.write('new', 'other');
  asked.length = 0;
  expect(await told(git)).not.toBe(first);
  expect(asked).not.toContain('read-tree');
});
