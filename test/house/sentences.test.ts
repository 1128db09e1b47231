// The parameters that rooms give match the placeholders of the sentences: an unfilled one would be shown as `{file}`.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { placeholdersOf } from '../../src/host/formatter.ts';
import type { Phrase } from '../../src/model/sentences.ts';
import { COMMANDS, findCommand } from '../../src/cli/commands.ts';
import * as german from '../../src/host/sentences/de/all.ts';
import * as english from '../../src/host/sentences/en/all.ts';

const { sentences } = english;

/** Failures whose parameters are written out where they are made: reason, names of parameters, whether a place is given. */
function madeIn(text: string): readonly { readonly reason: string; readonly given: readonly string[] }[] {
  return [...text.matchAll(/\bfailure\(\s*'([a-z-]+)',\s*(\{[^{}]*\})(?:,\s*(\{ at[^;]*))?/g)].flatMap(
    ([, reason = '', params = '', place = '']) => {
      if (params.includes('...')) return [];
      const named = [...params.matchAll(/[{,]\s*([a-zA-Z]+)\s*(?=[:,}])/g)].map((m) => m[1] ?? '');
      // The place says these too (catalogue.ts, paramsOf).
      return [{ reason, given: [...named, ...(place === '' ? [] : ['file', 'line', 'key'])] }];
    },
  );
}

test('every failure gives what its sentence needs', () => {
  const needed = (phrase: Phrase): readonly string[] =>
    placeholdersOf(
      typeof phrase === 'string' ? phrase.replace(/\[\[[\s\S]*?\]\]/g, '') : `${phrase.one} ${phrase.other}`,
    );
  const gaps = globSync('src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      madeIn(readFileSync(file, 'utf8')).flatMap(({ reason, given }) => {
        const words = sentences.failures[reason as keyof typeof sentences.failures];
        const holes = words ? [words.title, words.why, ...words.fix].flatMap(needed) : [];
        const open = [...new Set(holes)].filter((hole) => !given.includes(hole));
        return open.length === 0
          ? []
          : [`${file}: ${reason} wants {${open.join('} {')}}, is given ${given.join(', ')}`];
      }),
    );
  expect(gaps, 'give the parameter, or make that part of the sentence optional with [[ ]]').toEqual([]);
});

test('every command that a sentence names exists', () => {
  const typed = (text: string): readonly string[] =>
    [...text.matchAll(/(?:^|[:→(] *)harness ([a-z][a-z-]*)/g)].map((m) => m[1] ?? '');
  const told = [english, german].flatMap(({ sentences: { failures, problems, outcomes, texts } }) => [
    ...Object.values(failures).flatMap(({ fix }) => fix),
    ...[problems, outcomes, texts]
      .flatMap((part) => Object.values<Phrase>(part))
      .map((phrase) => JSON.stringify(phrase)),
  ]);
  const unknown = told.flatMap((text) => typed(text)).filter((name) => findCommand(name) === null);
  expect(unknown, `known are ${Object.keys(COMMANDS).join(', ')}`).toEqual([]);
});
