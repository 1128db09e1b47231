// A word that is no command is answered with the nearest one, and never with one that spends money, stops a run, or decides for a person.
import { expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { parseCall } from './parse.ts';

const NEVER =
  /^harness (?:run|workflow|cleanup|init|stop|pause|freeze|abort|handoff|override|manual-verify|answer|approve|reject)$/;
const LETTERS = 'aeiorstx';

/** One letter left out, doubled, replaced, or two exchanged. */
const slips = (word: string): readonly string[] =>
  word
    .split('')
    .flatMap((letter, i) => [
      word.slice(0, i) + word.slice(i + 1),
      word.slice(0, i) + letter + word.slice(i),
      word.slice(0, i) + (LETTERS[i % LETTERS.length] ?? '') + word.slice(i + 1),
      word.slice(0, i) + (word[i + 1] ?? '') + letter + word.slice(i + 2),
    ]);

const hintFor = async (word: string): Promise<string | null> => {
  const parsed = await parseCall([word]);
  return parsed.kind === 'failure' ? String(parsed.failure.params['hint']) : null;
};

test('no slip of any command is answered with one of those', async () => {
  const words = new Set(Object.keys(COMMANDS).flatMap(slips));
  const wrong: string[] = [];
  for (const word of words) {
    const hint = await hintFor(word);
    if (hint !== null && NEVER.test(hint)) wrong.push(`${word} → ${hint}`);
  }
  expect(words.size).toBeGreaterThan(500);
  expect(wrong).toEqual([]);
});

test.each([
  ['statsu', 'harness status'],
  ['itmes', 'harness items'],
  ['telemtry', 'harness telemetry'],
  ['rnu', 'harness runs'],
  ['deamon', 'harness daemon'],
  ['aprove', 'harness --help'],
  ['sotp', 'harness --help'],
  ['skpi', 'harness skip'],
  ['xyzzy', 'harness --help'],
])('%s is answered with %s', async (word, hint) => {
  expect(await hintFor(word)).toBe(hint);
});
