// Broken files of ours: the place of the break, whatever the break is.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseJsonFile, unfit } from './own-files.ts';

const schema = {
  parse(value: unknown): number {
    if (typeof value === 'number') return value;
    throw Object.assign(new Error('many words'), { issues: [{ path: ['a', 0], message: 'expected a number' }] });
  },
};
const reported = (text: string): unknown => {
  const read = parseJsonFile(text, 'f.json', schema);
  return read.ok ? read.value : [read.failure.params['why'], read.failure.params['detail'], read.failure.at];
};

test.each([
  ['an unknown value', '{ "a": 1,\n  "b": x }', 2, 8, 'unexpected-character'],
  ['a text that ends too early', '{\n  "a": ', 2, 8, 'unexpected-end'],
  ['a comma before the end', '[1,\n]', 1, 3, 'trailing-comma'],
  ['an empty text', '\n', 1, 1, 'empty'],
])('%s is reported with its location', (_what, text, line, column, why) => {
  expect(reported(text)).toEqual(['not-json', why, { file: 'f.json', line, column }]);
});

test('a value that does not fit is reported with its key, and what its schema said', () => {
  expect(reported('"x"')).toEqual(['value-unfit', 'a.0: expected a number', { file: 'f.json', key: 'a.0' }]);
  expect(parseJsonFile('"x"', 'f.json', schema)).toMatchObject({
    failure: { params: { detail: 'a.0: expected a number' } },
  });
  expect(reported('3')).toBe(3);
});

test('YAML that breaks off is reported with its line', () => {
  let said: unknown;
  try {
    parse('a: 1\nb: [1,\n');
  } catch (error) {
    said = error;
  }
  expect(unfit('c.yaml', said)).toMatchObject({
    params: { why: 'not-yaml' },
    at: { file: 'c.yaml', line: 3, column: 1 },
  });
});
