// changes.md: the names of files are read, the reasons never.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedFiles, namesIn } from './changed-files.ts';

const DOCS = 'docs/harness/fix-the-login/';
const REAL = ['src/a.ts', 'src/[slug]/page.tsx', 'docs/a guide.md', 'Makefile'];
const read = (text: string, real: readonly string[] = REAL): readonly string[] =>
  changedFiles(namesIn(text, DOCS), (path) => real.includes(path));

test.each([
  ['- `src/a.ts` — keeps the session', ['src/a.ts']],
  ['* **`src/a.ts`**: keeps it', ['src/a.ts']],
  ['1. [x] `./src/a.ts` - keeps it', ['src/a.ts']],
  ['- src/a.ts — keeps it', ['src/a.ts']],
  ['- src/a.ts: keeps it', ['src/a.ts']],
  ['- src/a.ts—keeps it', ['src/a.ts']],
  ['- docs/a guide.md — says how', ['docs/a guide.md']],
  ['- `src/[slug]/page.tsx`, `src/a.ts` — both', ['src/[slug]/page.tsx', 'src/a.ts']],
  ['- `src\\a.ts` (new)', ['src/a.ts']],
  ['- Makefile', ['Makefile']],
  ['- `Makefile` — now\n- `src/a.ts` — then\n- `Makefile` — again', ['Makefile', 'src/a.ts']],
  ['# Changes\r\n- `src/a.ts` — one\r\n', ['src/a.ts']],
])('%j names %j', (text, paths) => expect(read(text)).toEqual(paths));

test.each([
  '- `src/gone.ts` — no such file',
  '- changed the login because it is better this way',
  '- `this is right, believe me` — really',
  'I changed `src/a.ts` since the plan said so',
  '- the helper is as in `src/a.ts`',
  '- because — src/a.ts',
  '- /etc/passwd — a file, but not of ours',
  '- ../other/src/a.ts',
  '- .harness/generator/plan.md — read this first',
  '- `.HARNESS/generator/plan.md`',
  `- ${DOCS}spec.md — the spec`,
  `- \`${DOCS}changes.md\``,
  '- .git/config',
  '',
])('%j names nothing', (text) => {
  const outside = ['.harness/generator/plan.md', '.HARNESS/generator/plan.md', `${DOCS}spec.md`, `${DOCS}changes.md`];
  expect(read(text, [...REAL, ...outside, '/etc/passwd', '../other/src/a.ts', '.git/config'])).toEqual([]);
});

const pieces = fc.constantFrom(
  '\n',
  '\n- ',
  '\r',
  '`',
  ' — ',
  ': ',
  ', ',
  '**',
  '](',
  '\n1. `',
  'SECRET',
  '\n```\n',
  '- [x] ',
);
const words = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 30 })), { maxLength: 20 })
  .map((parts) => parts.join(''));

test('for any text the result has only files, each once', () => {
  fc.assert(
    fc.property(words, (text) => {
      const found = read(text);
      expect(found.every((path) => REAL.includes(path))).toBe(true);
      expect(new Set(found).size).toBe(found.length);
      expect(namesIn(text, DOCS).every((name) => !/[\p{Cc}`]/u.test(name))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('the list does not depend on the reasons or the order of the files', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(REAL), fc.array(words, { minLength: 4, maxLength: 4 }), (files, reasons) => {
      const text = files.map((path, n) => `- \`${path}\` — ${reasons[n] ?? ''}`).join('\n');
      expect(read(text, files)).toEqual(files.toSorted());
    }),
    { numRuns: 1_000 },
  );
});

test('a file of a megabyte is read quickly', () => {
  for (const text of [
    '- `'.repeat(400_000),
    '`a`, '.repeat(250_000),
    `- ${'`a`, '.repeat(250_000)}`,
    '- — : '.repeat(150_000),
  ])
    expect(read(text)).toEqual([]);
});
