// Edits of shell lines keep what a person wrote.
import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { END_OF_OUTPUT, segments, withEnd } from './shell.ts';

describe('shell lines', () => {
  test('cutting loses nothing but separators', () => {
    const piece = fc.constantFrom('a', "'x; y'", '"p && q"', ';', '&&', '||', '|', '2>&1', '&>f', '(', ')', ' ', '\\;');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const line = pieces.join('');
        for (const { text, end } of segments(line) ?? []) expect(line.slice(end - text.length, end)).toBe(text);
      }),
    );
  });
  test.each(['exit 3', 'true', '(exit 4)', 'cat <<X\nX', 'true # a word', 'no-such-program-here'])(
    'the end of the output is marked, and the exit code stays: %j',
    (command) => {
      const of = (line: string) => spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
      const whole = of(withEnd(command, 'apart'));
      expect(whole.status).toBe(of(command).status);
      expect(whole.stdout.endsWith(`\n${END_OF_OUTPUT}\n`)).toBe(true);
    },
  );
});
