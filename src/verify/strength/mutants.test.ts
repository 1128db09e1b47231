// Small faults: in changed lines only, of programs that still load, the same each time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changedLines, mutantsOf, withoutTypeCheck } from './mutants.ts';

const of = (path: string, after: string, before: string | null = null) => mutantsOf([{ path, before, after }], 50);
const shown = (path: string, after: string, before: string | null = null) =>
  of(path, after, before).map((m) => `${m.line} ${m.was || '·'}→${m.is}`);

describe('changed lines', () => {
  test('are those that were not there before', () => {
    expect(changedLines('a\nb\nc', 'a\nx\nb\nc')).toEqual([2]);
    expect(changedLines('a\nb\nc', 'a\nc')).toEqual([]);
    expect(changedLines(null, 'a\nb')).toEqual([1, 2]);
  });

  test('of a text against itself are none, and taken away leave the rest of the old text', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '}'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (was, is) => {
        expect(changedLines(was.join('\n'), was.join('\n'))).toEqual([]);
        const changed = new Set(changedLines(was.join('\n'), is.join('\n')));
        const kept = is.filter((_, i) => is.length > 0 && !changed.has(i + 1));
        let at = 0;
        for (const line of was.length > 0 ? was : ['']) if (kept[at] === line) at++;
        expect(at).toBe(kept.length);
      }),
    );
  });
});

test.each([
  ['a.mjs', 'function f(a) {\n  return a + 1;\n}', ['2 ·→ !', '2 +→-', '2 1→2']],
  ['a.mjs', 'const f = (a) => a === true;', ['1 ·→ !', '1 ===→!==', '1 true→false']],
  ['a.ts', 'if (a < b && c) x.y = 1;', ['1 <→>=', '1 &&→||', '1 1→2']],
  ['a.mjs', 'cart.lines.push(line);', ['1 cart.lines.push(line);→;']],
  ['a.py', 'def f(a):\n    return a == 1', ['2 ·→ not', '2 ==→!=', '2 1→2']],
  ['a.py', 'def f(a):\n    a.b = c\n', ['2 a.b = c→pass']],
  ['a.mjs', "import a from 'b';\nconst c = require('d');\n", []],
  ['a.ts', 'type A = Map<string, 3>;\nconst f = (a) => (b) => async () => {};', []],
  ['a.mjs', '// a === b\nconst s = `a === b`;', []],
  ['a.css', 'a { width: 1 }', []],
  ['a.mjs', 'class A {\n  constructor(a) {\n    valueOf = a > 1;\n  }\n}', ['3 >→<=', '3 1→2']],
] as const)('%s: %j', (path, text, expected) => {
  expect([...shown(path, text)].sort()).toEqual([...expected].sort());
});

test('a line that was there before is left alone', () => {
  expect(shown('a.mjs', 'const a = b === 1;\nconst c = d > 2;', 'const a = b === 1;')).toEqual(['2 >→<=', '2 2→3']);
});

test('few are of many kinds and lines', () => {
  const text = Array.from({ length: 20 }, (_, i) => `export const f${i} = (a) => a === ${i} && a + ${i};`).join('\n');
  const few = mutantsOf([{ path: 'a.mjs', before: null, after: text }], 6);
  expect(new Set(few.map((m) => m.line)).size).toBe(6);
  expect(new Set(few.map((m) => m.fault)).size).toBeGreaterThan(3);
  expect(mutantsOf([{ path: 'a.mjs', before: null, after: text }], 6)).toEqual(few);
});

test('each is the text with one place changed', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('return a + 1;', 'x.y(2);', 'if (a && b < 3) c();', "s = 'tea';", 'f(() => a);', '{', '}'),
        { maxLength: 10 },
      ),
      (lines) => {
        const text = lines.join('\n');
        for (const m of of('a.mjs', text)) expect(m.text.length - m.is.length).toBe(text.length - m.was.length);
      },
    ),
  );
});

test('a fault that is a type error still loads where types are checked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'harness-mutant-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = "export const left = (a: number): number => a - 1;\nexport const no: number = '';\n";
  const program = `#!/usr/bin/env node\n${text}`;
  const files = { a: text, b: program, c: withoutTypeCheck('c.ts', text), d: withoutTypeCheck('d.ts', program) };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, `${name}.ts`), content);
  const names = Object.keys(files).map((name) => join(folder, `${name}.ts`));
  const { stdout } = spawnSync('node_modules/.bin/tsc', ['--noEmit', '--ignoreConfig', '--types', '', ...names], {
    encoding: 'utf8',
  });
  const refused = stdout.match(/\w\.ts\(\d+/g);
  expect(refused).toEqual(['a.ts(2', 'b.ts(3']);
  expect(withoutTypeCheck('a.mjs', text)).toBe(text);
});
