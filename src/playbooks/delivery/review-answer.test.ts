// What is read of a reviewer's answer: the corpus, the parts of a finding, and any text.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMergeCheck, readReview, type ReviewReading } from './review-answer.ts';
import { MERGE_CHECKS } from './merge-check-corpus.ts';
import { ODD } from './review-corpus-odd.ts';
import { CORPUS } from './review-corpus.ts';
import { blocks } from './severities.ts';

const ALL = [...CORPUS, ...ODD];
test('the corpus has at least 160 answers, each with a name of its own', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(160);
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  expect(MERGE_CHECKS.length).toBeGreaterThanOrEqual(40);
});

const summaryOf = (read: ReviewReading) => {
  const findings = read.is === 'unread' ? [] : read.findings;
  const count = findings.filter(({ severity }) => blocks(severity)).length;
  return { is: read.is, blocking: count, lows: findings.length - count };
};

test.each(ALL)('$is: $name', ({ text, is, blocking = 0, lows = 0 }) => {
  expect(summaryOf(readReview(text))).toEqual({ is, blocking, lows });
});

test.each(MERGE_CHECKS)('of a merge-checker, $is: $name', ({ text, is, blocking = 0, lows = 0 }) => {
  expect(summaryOf(readMergeCheck(text))).toEqual({ is, blocking, lows });
});

/** Line ends, indentation and empty lines around an answer say nothing. */
test.each(ALL.filter(({ text }) => !text.includes('\r')))('the same with other line ends: $name', ({ text }) => {
  const plain = summaryOf(readReview(text));
  expect(summaryOf(readReview(text.replaceAll('\n', '\r\n')))).toEqual(plain);
  expect(summaryOf(readReview(`\n\n${text}\n\n`))).toEqual(plain);
});

test('an answer that is too long to be read as a whole never converges by its sentinel', () => {
  const long = 'All of this was read, line by line.\n'.repeat(3_000);
  expect(readReview(`No findings.\n${long}- High: in the middle\n${long}`).is).not.toBe('converged');
  expect(readMergeCheck(`No findings. Ready to enable auto-merge.\n${long}${long}`).is).not.toBe('converged');
});

test('a finding has a title, a place, a quote as it was written, and a reason', () => {
  const text =
    '### High: totals are rounded twice\n\n- **Path:** `src/cart.mjs:12`\n- **Quote:** `return a * round(`${b}`) ** 2;`\n- **Why:** half a cent becomes one.\nIt adds up.\n';
  expect(readReview(text)).toEqual({
    is: 'blocking',
    findings: [
      {
        severity: 'high',
        title: 'totals are rounded twice',
        path: 'src/cart.mjs',
        quote: 'return a * round(`${b}`) ** 2;',
        why: 'half a cent becomes one. It adds up.',
      },
    ],
  });
});

test('place and quote are also found in a sentence and in a block of code', () => {
  const read = (text: string) => {
    const answer = readReview(text);
    return answer.is === 'unread' ? [] : answer.findings;
  };
  expect(read('- High: `src/a/b.mjs:3` calls `eval(input)` without a check')).toMatchObject([
    { path: 'src/a/b.mjs', quote: 'eval(input)' },
  ]);
  expect(read('High: eval of input\nIn lib/x.ts\n```js\nconst y = eval(input);\n```\nNever do it.')).toMatchObject([
    { path: 'lib/x.ts', quote: 'const y = eval(input);', why: 'In lib/x.ts Never do it.' },
  ]);
  expect(read('High: works with Node.js only, e.g. streams')).toMatchObject([{ path: '', quote: '' }]);
});

test.each([
  ['No findings. Ready to enable auto-merge.', 'converged'],
  ['All checks passed.\n\n**No findings. Ready to enable auto-merge.**', 'converged'],
  ['No findings - ready to enable automerge', 'unread'],
  ['No findings.', 'unread'],
  ['No findings. Not ready to enable auto-merge.', 'unread'],
  ['High: CI has not run.\n\nNo findings. Ready to enable auto-merge.', 'blocking'],
  ['Ready!', 'unread'],
])('a merge-checker that says %j is read as %s', (text, is) => {
  expect(readMergeCheck(text).is).toBe(is);
});

test('a block of code below a finding is its quote, line by line; marks of a diff and numbers of lines are no part of it', () => {
  const quoteOf = (block: string): string => {
    const read = readReview(`### High: x\nPath: src/a.mjs\n\n${block}`);
    return read.is === 'unread' ? '' : (read.findings[0]?.quote ?? '');
  };
  expect(quoteOf('```js\n// src/a.mjs\nconst a = 1;\nconst b = 2;\n```')).toBe(
    '// src/a.mjs\nconst a = 1;\nconst b = 2;',
  );
  expect(quoteOf('```diff\n-const a = 1;\n+const a = 2;\n```')).toBe('const a = 1;\nconst a = 2;');
  expect(quoteOf('```\n  12\tconst a = 1;\n  13\tconst b = 2;\n```')).toBe('const a = 1;\nconst b = 2;');
  expect(quoteOf('Quote: `  12: const a = 1;`')).toBe('const a = 1;');
});

test('any text is read, and never as converged beside a finding that blocks', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'No findings.',
      'High: x',
      '## Low',
      '- entry',
      '```',
      'Path: a/b.c',
      'Critical: none',
      'Severity: High',
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const read = readReview(lines.join('\n'));
      if (read.is === 'converged') expect(read.findings.some(({ severity }) => blocks(severity))).toBe(false);
      if (read.is === 'blocking') expect(read.findings.some(({ severity }) => blocks(severity))).toBe(true);
    }),
  );
});
