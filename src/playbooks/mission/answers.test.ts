// What roles write around the word or the object that decides.
import { describe, expect, test } from 'vitest';
import { lastJson, verdictLine } from './answers.ts';

const WORDS = ['accept', 'accept-with-notes', 'reject'] as const;

describe('a verdict in words', () => {
  test.each([
    ['ACCEPT', 'accept', ''],
    ['accept', 'accept', ''],
    ['**Accept with notes**\n- F-002 is thin', 'accept-with-notes', ''],
    ['ACCEPT_WITH_NOTES', 'accept-with-notes', ''],
    ['Verdict: REJECT — no test for errors', 'reject', 'no test for errors'],
    ['> ### Reject.', 'reject', ''],
    ['I read the plan.\n\nREJECT\n1. VAL-A-001 is missing', 'reject', ''],
    ['`ACCEPT`', 'accept', ''],
  ])('is read from %j', (text, word, rest) => {
    expect(verdictLine(text, WORDS)).toEqual({ word, rest });
  });
  test.each(['', 'It looks good to me.', 'Acceptable.', 'I would not reject it.', 'rejected things: none'])(
    'is not read from %j',
    (text) => {
      expect(verdictLine(text, WORDS)).toBeNull();
    },
  );
});

describe('an object in an answer', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['Here it is:\n```json\n{\n  "a": { "b": "}" }\n}\n```\nDone.', { a: { b: '}' } }],
    ['First {"a":0}, then\n{"a":1}', { a: 1 }],
    ['{"a":"x { y"} trailing', { a: 'x { y' }],
  ])('is read from %j', (text, value) => {
    expect(lastJson(text)).toEqual(value);
  });
  test.each(['', 'none', '{"a":', '[1]', '}{'])('is not read from %j', (text) => {
    expect(lastJson(text)).toBeNull();
  });
});
