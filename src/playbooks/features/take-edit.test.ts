// A person's edit of features.json beside changes of the harness: what is taken from which.
import { expect, test } from 'vitest';
import { takeEdit } from './take-edit.ts';

const one = { id: 1, description: 'One', test_file: 'tests/1.test', passes: false };
const two = { id: 2, description: 'Two', test_file: 'tests/2.test', passes: false };
const list = (...features: readonly object[]): string => `${JSON.stringify({ features }, null, 2)}\n`;
const taken = (now: string, edited: string, isSure = true) => {
  const found = takeEdit(now, edited, isSure);
  return found === null
    ? null
    : { features: (JSON.parse(found.text) as { features: object[] }).features, isWhole: found.isWhole };
};

test('a new feature and new words are taken; what landed meanwhile stays landed, and taking it again changes nothing', () => {
  const now = list({ ...one, passes: true }, two);
  const edited = list({ ...one, description: 'One, better' }, two, { ...two, id: 3, passes: true });
  const wanted = [{ ...one, description: 'One, better', passes: true }, two, { ...two, id: 3 }];
  expect(taken(now, edited)).toEqual({ features: wanted, isWhole: true });
  const once = takeEdit(now, edited, true)?.text ?? '';
  expect(takeEdit(once, edited, true)?.text).toBe(once);
});

test('no edit makes a feature pass, skips it or vouches for it: those have commands', () => {
  const edited = list({ ...one, passes: true, skipped: { reason: 'x', at: 'now', unblock: true } }, two);
  expect(taken(list(one, two), edited)?.features).toEqual([one, two]);
});

test('where an agent may have written it, the proof of a feature stays; the rest is left for a person', () => {
  const edited = list({ ...one, test_file: 'tests/easy.test', priority: 1 }, two);
  expect(taken(list(one, two), edited, false)).toEqual({ features: [{ ...one, priority: 1 }, two], isWhole: false });
  expect(taken(list(one, two), edited)?.features).toEqual([{ ...one, test_file: 'tests/easy.test', priority: 1 }, two]);
});

test('a feature that the edit lacks stays, and the edit is not whole; what is no list is none', () => {
  expect(taken(list(one, two), list(two))).toEqual({ features: [one, two], isWhole: false });
  expect(takeEdit(list(one), '{', true)).toBeNull();
});

test('a claim alone is no edit', () => {
  const now = list(one, two);
  expect(takeEdit(now, list({ ...one, passes: true }, two), true)).toEqual({ text: now, isWhole: true });
});
