// A shell passes on a quoted word as it is.
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuoted, shellWord } from './shell-quote.ts';

test.each([{ quote: shellWord }, { quote: shellQuoted }])(
  '$quote.name: a quoted word reaches a program as it is',
  ({ quote }) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\0')),
        (word) => {
          const out = execFileSync('/bin/sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' });
          expect(out).toBe(word);
        },
      ),
      { numRuns: 50 },
    );
  },
);
