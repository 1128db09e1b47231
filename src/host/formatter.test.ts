import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatter, placeholdersOf } from './formatter.ts';

const en = formatter('en');
const de = formatter('de');

describe('a sentence with placeholders', () => {
  test('takes its parameters', () => {
    expect(en('pid {pid}, since {since}', { pid: 4121, since: '17:58' })).toBe('pid 4121, since 17:58');
  });
  test('shows the name of a parameter that is absent', () => {
    expect(en('pid {pid}', {})).toBe('pid {pid}');
    expect(en('{constructor}', {})).toBe('{constructor}');
  });
  test('leaves out an optional part where a parameter in it is absent or empty', () => {
    expect(en('locked[[ since {since}]].', {})).toBe('locked.');
    expect(en('locked[[ since {since}]].', { since: '' })).toBe('locked.');
    expect(en('locked[[ since {since}]].', { since: '17:58' })).toBe('locked since 17:58.');
  });
  test('leaves out an optional part with a parameter that is shown elsewhere, and no other', () => {
    expect(en('[[{key} ]]is wrong in {key}', { key: 'a' }, ['key'])).toBe('is wrong in a');
  });
  test('shows the text of a code where it asks for it', () => {
    const say = formatter('en', { empty: 'it is empty' });
    expect(say('{#why} {why} {#what}', { why: 'empty', what: 'constructor' })).toBe('it is empty empty constructor');
  });
  test('counts by the plural rules of its language', () => {
    const phrase = { one: '{count} file', other: '{count} files' };
    expect([0, 1, 2].map((count) => en(phrase, { count }))).toEqual(['0 files', '1 file', '2 files']);
    expect(en(phrase, {})).toBe('{count} files');
  });
  test('shows durations and money in the form of its language', () => {
    expect([450, 12_000, 5_400_000, 12_600_000].map((ms) => en('{xMs}', { xMs: ms }))).toEqual([
      '450 ms',
      '12 sec',
      '90 min',
      '3.5 hr',
    ]);
    expect(de('{limitUsd}', { limitUsd: 10.02 })).toBe('10,02\u00a0$');
    expect(en('{limitUsd}', { limitUsd: 10.02 })).toBe('$10.02');
  });
});

describe('a value from outside', () => {
  test('cannot move the cursor of a terminal or turn its text around', () => {
    expect(en('{title}', { title: '\u001b[2Jgone\u202e\r' })).toBe('�[2Jgone��');
  });
  test('is shown unchanged, whatever placeholders and optional parts it imitates', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '$', '&', 'a', 'b', '\n', 'ß') });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(en('<{a}|{b}>', { a, b })).toBe(`<${a}|${b}>`);
      }),
    );
  });
});

test('the placeholders of a phrase are those of both its forms, each once', () => {
  expect(placeholdersOf({ one: '{count} {b}', other: '{count}[[ {a}]]' })).toEqual(['a', 'b', 'count']);
});
