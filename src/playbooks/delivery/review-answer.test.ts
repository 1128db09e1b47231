// What is read of a reviewer's answer: the corpus, the parts of a finding, and any text.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMergeCheck, readReview } from './review-answer.ts';
import { CORPUS } from './review-corpus.ts';
import { blocks } from './severities.ts';

test('the corpus has at least eighty answers, each with a name of its own', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(80);
  expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
});

test.each(CORPUS)('$is: $name', ({ text, is, blocking = 0, lows = 0 }) => {
  const read = readReview(text);
  const findings = read.is === 'unread' ? [] : read.findings;
  const count = findings.filter(({ severity }) => blocks(severity)).length;
  expect({ is: read.is, blocking: count, lows: findings.length - count }).toEqual({ is, blocking, lows });
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
