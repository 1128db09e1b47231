// Which findings a change brought, in the formats of real linters.
import { expect, test } from 'vitest';
import { addedFindings } from './lint-findings.ts';

const RUFF = ['src/a.py:3:1: F401 `os` imported but unused', 'src/b.py:9:80: E501 Line too long (92 > 79)'];

test('a finding of a file that was clean is one of the change', () => {
  expect(addedFindings('', `${RUFF.join('\n')}\nFound 2 errors.\n`)).toEqual(RUFF);
});

test('a finding that the code above it moved to another line is the same finding', () => {
  const after = 'src/a.py:12:1: F401 `os` imported but unused\nsrc/c.py:1:1: F821 Undefined name `x`\nFound 2 errors.';
  expect(addedFindings(`${RUFF[0]}\nFound 1 error.`, after)).toEqual(['src/c.py:1:1: F821 Undefined name `x`']);
});

test('fewer findings than before are none of the change, whatever the summary says', () => {
  expect(addedFindings(`${RUFF.join('\n')}\nFound 2 errors.`, `${RUFF[1]}\nFound 1 error.`)).toEqual([]);
});

test('the same finding once more in the same file is new', () => {
  const one = 'src/a.ts:3:TODO later';
  expect(addedFindings(one, `${one}\nsrc/a.ts:9:TODO later`)).toEqual(['src/a.ts:9:TODO later']);
});

test.each([
  ['tsc', "src/a.ts(3,1): error TS2304: Cannot find name 'x'.", "src/b.ts(3,1): error TS2304: Cannot find name 'x'."],
  ['clang', 'a.c:3:1: error: expected ;', 'b.c:3:1: error: expected ;'],
  ['go vet', './a.go:3:1: unreachable code', './b.go:3:1: unreachable code'],
])('%s: the same finding in another file is new', (_, before, after) => {
  expect(addedFindings(before, `${before}\n${after}`)).toEqual([after]);
});

test('eslint: findings below the name of their file', () => {
  const old = "src/a.js\n  1:7  error  'x' is assigned a value but never used  no-unused-vars\n";
  const after = `${old.replace('1:7', '4:7')}\nsrc/b.js\n  2:1  error  Unexpected console statement  no-console\n\n✖ 2 problems (2 errors, 0 warnings)\n`;
  expect(addedFindings(`${old}\n✖ 1 problem (1 error, 0 warnings)\n`, after)).toEqual([
    'src/b.js: 2:1  error  Unexpected console statement  no-console',
  ]);
});

test('a linter that prints the place below what it found, and the code around it', () => {
  const shown = (name: string, line: number): string =>
    `F401 [*] \`${name}\` imported but unused\n --> src/a.py:${line}:8\n  |\n${line} | import ${name}\n  |        ^^\n`;
  expect(addedFindings(shown('os', 1), `${shown('os', 2)}\n${shown('re', 3)}Found 2 errors.\n`)).toEqual([
    'F401 [*] `re` imported but unused --> src/a.py:3:8',
  ]);
  const other = shown('os', 1).replace('  |\n', '  |\n1 | # a comment that is new\n');
  expect(addedFindings(shown('os', 1), other)).toEqual([]);
});

test('warnings count where the linter reports nothing else', () => {
  const [error, warning] = ['a.c:1:1: error: old', 'a.c:2:1: warning: new'];
  expect(addedFindings(error, `${error}\n${warning}`)).toEqual([]);
  expect(addedFindings('', warning)).toEqual([warning]);
});

test.each([
  ['gofmt', 'a.go\n', 'a.go\nb.go\n', ['b.go']],
  [
    'prettier',
    '[warn] src/a.js\n[warn] Code style issues found in the above file.',
    '[warn] src/a.js\n[warn] src/b.js\n[warn] Code style issues found in 2 files. Run Prettier with --write to fix.',
    ['[warn] src/b.js'],
  ],
  [
    'black',
    'would reformat a.py\nwould reformat b.py\n2 files would be reformatted.',
    'would reformat b.py\n1 file would be reformatted.',
    [],
  ],
])('%s names files only', (_, before, after, added) => {
  expect(addedFindings(before, after)).toEqual(added);
});

test('words without a place are new if they are others', () => {
  expect(addedFindings('3 problems', '4 problems')).toEqual([]);
  expect(addedFindings('3 problems', 'the configuration is wrong')).toEqual(['the configuration is wrong']);
});

test('colours are no part of a finding', () => {
  expect(addedFindings('src/a.ts:1:1: \u001B[31merror\u001B[0m x', 'src/a.ts:2:1: error x')).toEqual([]);
});
