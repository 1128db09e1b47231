// What a role needs of a user, in the forms that agents use.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { needIn } from './needs.ts';

test.each([
  ['NEEDS: the password of the shop', 'the password of the shop'],
  [
    'I looked at everything.\n\nNEEDS: a licence key, because the map does not load',
    'a licence key, because the map does not load',
  ],
  ['**NEEDS:** consent to the terms of the bank', 'consent to the terms of the bank'],
  ['- NEEDS: a decision: one currency or two?', 'a decision: one currency or two?'],
  ['> NEEDS TO CONTINUE: an account', 'an account'],
  ['NEEDS: an account\nat the bank of the shop\n\nThe rest is done.', 'an account at the bank of the shop'],
])('%j', (text, need) => expect(needIn(text)).toBe(need));

test.each([
  'The cart needs: a total.',
  'Needs: nothing',
  'NEEDS: nothing',
  'NEEDS: none.',
  'NEEDS: n/a',
  'NEEDS:',
  'No blocking findings.',
  '',
])('nothing is needed: %j', (text) => expect(needIn(text)).toBeNull());

const text = fc
  .array(fc.constantFrom(...'ab*_`>#- \n\r'.split(''), 'NEEDS: ', '\u200B', '\uD83D'), { maxLength: 900 })
  .map((all) => all.join(''));

test('whatever an agent writes, it is one short line', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const need = needIn(`${before}\nNEEDS: ${after}`);
      if (need === null) return;
      expect(need.length).toBeLessThanOrEqual(600);
      expect(need).not.toMatch(/[\r\n]/);
    }),
  );
});
