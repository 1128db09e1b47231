// Offsets in JSON texts, against JSON.parse as the oracle.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { syntaxFault } from './json-syntax.ts';
import { elements, memberOf, members, startOfMember, positions, skipSpace, valueEnd } from './json-text.ts';

const layouts = fc.constantFrom<string | number>(0, 1, 2, '\t');

test('members and elements of any value slice to what JSON.parse reads', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.array(fc.jsonValue()),
      layouts,
      (object, list, layout) => {
        const text = JSON.stringify({ ...object, list }, null, layout);
        const value: { [key: string]: unknown } = JSON.parse(text);
        const found = [...members(text, skipSpace(text, 0))];
        expect(found.map((m) => m.key)).toEqual(Object.keys(value));
        for (const m of found) expect(JSON.parse(text.slice(m.value.start, m.value.end))).toEqual(value[m.key]);
        for (const m of found) expect(startOfMember(text, 0, m.key)).toBe(m.value.start);
        expect(startOfMember(text, 0, `no ${Object.keys(value).join()}`)).toBeNull();
        const at = memberOf(text, 0, 'list')!.value.start;
        expect([...elements(text, at)].map((e) => JSON.parse(text.slice(e.start, e.end)))).toEqual(value['list']);
      },
    ),
  );
});

test('a million levels deep cost no stack', () => {
  const text = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  expect(valueEnd(text, 0)).toBe(text.length);
  expect(syntaxFault(text)).toBeNull();
});

test('of a repeated key the last one counts, as JSON.parse has it', () => {
  const text = '{"a": 1, "a": 2}';
  const member = memberOf(text, 0, 'a')!;
  expect(text.slice(member.value.start, member.value.end)).toBe('2');
});

test('lines and columns count from one, also with CRLF', () => {
  const at = positions('ab\r\ncd\n');
  expect([0, 1, 4, 5, 7].map(at)).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 2, column: 1 },
    { line: 2, column: 2 },
    { line: 3, column: 1 },
  ]);
});

describe('syntax', () => {
  test.each([
    ['\uFEFF{}', 'byte-order-mark', 0],
    ['  \n', 'empty', 0],
    ['{"a": [1, 2,]}', 'trailing-comma', 11],
    ['{"a": 1,\n}', 'trailing-comma', 7],
    ['{"a": 1 "b": 2}', 'missing-comma', 8],
    ['[1 2]', 'missing-comma', 3],
    ['{"a": 1} // no', 'text-after-the-end', 9],
    ['// no\n{}', 'comment', 0],
    ["{'a': 1}", 'single-quotes', 1],
    ['{a: 1}', 'unquoted-key', 1],
    ['{"a": "b', 'unterminated-string', 6],
    ['{"a": "b\nc"}', 'line-break-in-string', 8],
    ['{"a": "\\x"}', 'bad-escape', 7],
    ['{"a": ', 'unexpected-end', 6],
    ['{"a"', 'unexpected-end', 4],
    ['[True]', 'unexpected-character', 1],
    ['[01]', 'unexpected-character', 1],
    ['{} {}', 'text-after-the-end', 3],
    ['not json', 'unexpected-character', 0],
  ])('%j is %s at offset %i', (text, mistake, offset) => {
    expect(syntaxFault(text)).toEqual({ mistake, offset });
  });

  test('a fault is found exactly where JSON.parse refuses', () => {
    const noise = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', ' ', 'null', '-', '\\', '"', '\n', '1e5'),
    );
    fc.assert(
      fc.property(noise, (parts) => {
        const text = parts.join('');
        let refused = false;
        try {
          JSON.parse(text);
        } catch {
          refused = true;
        }
        expect(syntaxFault(text) !== null).toBe(refused);
      }),
      { numRuns: 3_000 },
    );
  });
});
