// What an agent could not decide, in the forms that agents use.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unclearIn } from './unclear.ts';

const said = (text: string): readonly (readonly unknown[])[] =>
  unclearIn(text, 'worker', 'F-001').map(({ params }) => [params['claim'], params['why']]);

test.each([
  ['UNCLEAR: VAL-AUTH-001 may mean each user or each session', 'VAL-AUTH-001', 'may mean each user or each session'],
  ['Built.\n\n**UNCLEAR:** `VAL-AUTH-001`: upper or lower case?', 'VAL-AUTH-001', 'upper or lower case?'],
  ['- unclear: val-auth-001 — which of the two', 'VAL-AUTH-001', 'which of the two'],
  ['> UNCLEAR: VAL-AUTH-001', 'VAL-AUTH-001', 'no reason was given'],
  ['UNCLEAR: the second assertion contradicts the first', 'F-001', 'the second assertion contradicts the first'],
])('%j', (text, claim, why) => expect(said(text)).toEqual([[claim, why]]));

test.each(['UNCLEAR: nothing', 'UNCLEAR: none.', '**UNCLEAR:** n/a', 'UNCLEAR:', 'It was unclear: now it is not.', ''])(
  'nothing is unclear: %j',
  (text) => expect(said(text)).toEqual([]),
);

test('each line is one, and they are few', () => {
  const lines = Array.from({ length: 20 }, (_, n) => `UNCLEAR: VAL-A-0${n + 10} why`);
  expect(said(lines.join('\r\n')).length).toBe(6);
});

test('whatever an agent writes, each is one short line of the role', () => {
  const text = fc
    .array(fc.constantFrom(...'ab*_`>#- \n\r'.split(''), 'UNCLEAR: ', 'VAL-A-001', '\u200B', '\uD83D'), {
      maxLength: 900,
    })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      for (const { code, params } of unclearIn(`${before}\nUNCLEAR: ${after}`, 'worker', 'F-001')) {
        const why = String(params['why']);
        expect([code, params['role'], why.length <= 600, /[\r\n]/.test(why), why === '']).toEqual([
          'review-unclear',
          'worker',
          true,
          false,
          false,
        ]);
      }
    }),
  );
});
