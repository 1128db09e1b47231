import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CommandSpec } from './command.ts';
import { parseWithCommander } from './grammar.ts';
import { GLOBAL_OPTIONS, parseSimple } from './words.ts';

const anyArgs: CommandSpec = {
  name: 'x',
  args: '[words...]',
  options: [],
  examples: [],
  run: () => Promise.reject(new Error('parsed only')),
};
const word = fc.oneof(
  fc.constantFrom('-C', '--repo', '--config', '--json', '--no-input', '-y', '--yes', '--lang', '--color', '-q', '-v'),
  fc.constantFrom('12', '#12', 'show', '', 'a b', '--', '--repo=x', '-qv', '--frob', '-', '--help'),
);

test('a simple call is parsed as commander parses it', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      const plain = parseSimple(words, GLOBAL_OPTIONS);
      if (plain === null) return;
      const { kind, ...read } = parseWithCommander(anyArgs, '', words, GLOBAL_OPTIONS) as { kind: string };
      expect({ kind, ...read }).toEqual({ kind: 'call', ...plain });
    }),
    { numRuns: 2_000 },
  );
});
test.each([['--frob'], ['--help'], ['--repo=x'], ['--'], ['-qv'], ['-C']])('%s is left to commander', (odd) => {
  expect(parseSimple(['12', odd], GLOBAL_OPTIONS)).toBe(null);
});
