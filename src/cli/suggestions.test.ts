// Every command of the program that a failure suggests is one that the program understands, in both languages.
import { expect, test } from 'vitest';
import { sentences as de } from '../host/sentences/de/all.ts';
import { sentences as en } from '../host/sentences/en/all.ts';
import { PLAYBOOKS } from '../playbooks/registry.ts';
import { parseCall } from './parse.ts';

/** The fixes of all failures, without what is said in brackets behind three spaces. */
const fixes = async (language: 'en' | 'de'): Promise<readonly string[]> => {
  const common = Object.values({ en, de }[language].failures);
  const own = await Promise.all(
    PLAYBOOKS.map(async ({ sentences }) => Object.values((await sentences?.[language]())?.failures ?? {})),
  );
  return [...common, ...own.flat()].flatMap(({ fix }) => fix).map((line) => line.split('   ')[0] ?? '');
};

/** As a shell splits it; placeholders are words. */
const wordsOf = (line: string): readonly string[] =>
  [...line.replaceAll(/\[\[.*?\]\]/g, '').matchAll(/"[^"]*"|\S+/g)].map(([word]) => word.replaceAll('"', ''));

test.each(['en', 'de'] as const)('in %s', async (language) => {
  const lines = (await fixes(language)).filter((line) => /^harness\s/.test(line));
  expect(lines.length).toBeGreaterThan(40);
  const refused: string[] = [];
  for (const line of new Set(lines)) {
    const [, ...words] = wordsOf(line.split(', ')[0] ?? '');
    if (words.includes('…')) continue; // any command
    const parsed = await parseCall(words);
    if (parsed.kind === 'failure') refused.push(`${line}: ${JSON.stringify(parsed.failure.params)}`);
  }
  expect(refused).toEqual([]);
});
