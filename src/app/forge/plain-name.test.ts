// Text of an agent or a list in a pull request is only text: it mentions no person, closes no issue, starts no markup.
import { expect, test } from 'vitest';
import { pickedMessage } from './landed.ts';
import { plainName } from './plain-name.ts';

test.each([
  ['User can fill a cart', 'User can fill a cart'],
  ['two\n\n# lines', 'two # lines'],
  ['ask @ada to close #7', 'ask @\u200bada to close #\u200b7'],
  ['<img src=x> [a](b) `c` *d* e_f |', '\\<img src=x\\> \\[a\\](b) \\`c\\` \\*d\\* e\\_f \\|'],
])('%j', (text, shown) => {
  expect(plainName(text)).toBe(shown);
});

test('a picked commit names the landing instead of its evidence, and keeps the rest', () => {
  const message =
    'feat: #2 a cart\n\nWords.\n\nHarness-Item: 2\nHarness-Proof: tests\nHarness-Evidence: sha256:00\nHarness-Token: t\n';
  expect(pickedMessage(message, 'abc')).toBe(
    'feat: #2 a cart\n\nWords.\n\nHarness-Item: 2\nHarness-Proof: tests\nHarness-Picked: abc\n',
  );
});
