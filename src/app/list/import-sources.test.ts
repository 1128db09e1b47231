import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromIssues, fromMarkdown, fromText } from './import-sources.ts';

const titles = (text: string): readonly string[] => fromMarkdown(text).map(({ title }) => title);

describe('a list in Markdown', () => {
  test('gives an item for each open box, with the entries below it as steps', () => {
    const text = `# Plan
Some words.

- [x] A shop opens
- [ ] A **person** can [pay](https://example.org) with \`cash\`
  - Open the page
  - verify: tests/pay.test.js
* [ ] A receipt is printed
`;
    expect(fromMarkdown(text)).toEqual([
      { title: 'A person can pay with cash', steps: ['Open the page'], verify: 'tests/pay.test.js' },
      { title: 'A receipt is printed', steps: [], verify: null },
    ]);
  });

  test('without boxes gives every entry of its lists; code is none', () => {
    expect(titles('1. First\n2) Second\n\n```\n- not this\n```\n- Third\n')).toEqual(['First', 'Second', 'Third']);
  });

  test('is never read into more items than it has lines, and no title has a line break', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const found = fromMarkdown(text);
        expect(found.length).toBeLessThanOrEqual(text.split('\n').length);
        for (const { title } of found) expect(title).toMatch(/^\S(.*\S)?$/s);
      }),
    );
  });
});

test('issues are items with the number in the title; open boxes of their text are steps', () => {
  const text = JSON.stringify([
    { number: 7, title: 'Pay by card', body: 'Please!\n- [ ] Visa\n- [x] Cash\n', labels: [] },
    { number: 9, title: 'Crash', body: '- a list\n- of words' },
  ]);
  expect(fromIssues(text, 'issues.json')).toEqual({
    ok: true,
    value: [
      { title: 'Pay by card (#7)', steps: ['Visa'], verify: null },
      { title: 'Crash (#9)', steps: [], verify: null },
    ],
  });
  expect(fromIssues('{"a":1}', 'issues.json')).toMatchObject({ ok: false, failure: { reason: 'usage' } });
});

test('one line is one item; a text without lists is none', () => {
  expect(fromText('Users can log in', '-')).toMatchObject({ value: [{ title: 'Users can log in' }] });
  expect(fromText('Some words.\nMore words.', 'README.md')).toEqual({ ok: true, value: [] });
  expect(fromText('', '-')).toEqual({ ok: true, value: [] });
});
