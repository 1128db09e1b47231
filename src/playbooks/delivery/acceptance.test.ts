// The acceptance criteria of a specification, in the forms in which people write them.
import { expect, test } from 'vitest';
import { acceptanceFile, readAcceptance } from './acceptance.ts';

const tagsIn = (text: string) => readAcceptance(text).criteria.map(({ tag, text: words }) => [tag, words]);

test.each([
  ['brackets', '- [REQ-7] A cart holds goods.', 'REQ-7'],
  ['brackets in bold letters', '* **[REQ-7]** A cart holds goods.', 'REQ-7'],
  ['a word in brackets', '- [cart-holds] A cart holds goods.', 'cart-holds'],
  ['a colon', '- REQ-7: A cart holds goods.', 'REQ-7'],
  ['bold letters', '1. **AC-1.2** A cart holds goods.', 'AC-1.2'],
  ['bold letters with a colon', '1. **AC1:** A cart holds goods.', 'AC1'],
  ['code', '- `REQ_7` — A cart holds goods.', 'REQ_7'],
  ['round brackets', '+ (AC3) A cart holds goods.', 'AC3'],
  ['a box', '- [ ] [REQ-7] A cart holds goods.', 'REQ-7'],
  ['a ticked box', '- [x] REQ-7 - A cart holds goods.', 'REQ-7'],
  ['a number sign', '- #REQ-7 A cart holds goods.', 'REQ-7'],
  ['a heading', '### REQ-7: A cart holds goods.', 'REQ-7'],
  ['the end', '- A cart holds goods. [REQ-7]', 'REQ-7'],
  ['the end in round brackets', '- A cart holds goods. (REQ-7)', 'REQ-7'],
  ['a table', '| Tag | What |\n|---|---|\n| REQ-7 | A cart holds goods. |', 'REQ-7'],
  ['Windows line ends', '# Shop\r\n\r\n- [REQ-7] A cart holds goods.\r\n', 'REQ-7'],
])('a tag with %s', (_form, text, tag) => {
  expect(tagsIn(text)).toEqual([[tag, 'A cart holds goods.']]);
  expect(readAcceptance(text).mistakes).toEqual([]);
});

test('what is around the criteria is not read, and what is below one belongs to it', () => {
  const text = `# Acceptance

Each of these must hold.

## Cart

- [REQ-1] Holds goods.
  - also many
  - [REQ-9] is an example
- [REQ-2] Is emptied.

\`\`\`
- [REQ-3] an example
\`\`\`
`;
  expect(tagsIn(text).map(([tag]) => tag)).toEqual(['REQ-1', 'REQ-2']);
  expect(readAcceptance(text).mistakes).toEqual([]);
});

test('an entry without a tag, and a tag that is used twice, are reported with their lines', () => {
  const { criteria, mistakes } = readAcceptance('- [REQ-1] one\n- two\n\n- [req-1] three\n- [docs](docs/a.md) four\n');
  expect(criteria.map(({ tag }) => tag)).toEqual(['REQ-1']);
  expect(mistakes.map(({ line }) => line)).toEqual([2, 4, 5]);
});

test('the file is beside the specification', () => {
  expect(acceptanceFile('docs/spec.md')).toBe('docs/spec.acceptance.md');
  expect(acceptanceFile('SPEC')).toBe('SPEC.acceptance.md');
});
