// Every command of the program that a failure suggests, or that any other sentence names, is one that the program understands, in both languages.
import { expect, test } from 'vitest';
import { sentences as de } from '../host/sentences/de/all.ts';
import { sentences as en } from '../host/sentences/en/all.ts';
import { PLAYBOOKS } from '../playbooks/registry.ts';
import { COMMANDS } from './commands.ts';
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

/** Every string in it, however deep. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Titles, reasons, questions, screens: what looks like a command in them, up to where the sentence continues. */
async function named(language: 'en' | 'de'): Promise<readonly string[]> {
  const own = await Promise.all(PLAYBOOKS.map(async ({ sentences }) => sentences?.[language]()));
  const names = Object.entries(COMMANDS).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
  const command = new RegExp(`(?<![\\w/.-])harness (?:${names.join('|')})(?![\\w-])[^\\n\`;:()→,]*`, 'g');
  return textsIn([{ en, de }[language], ...own]).flatMap((text) =>
    [...text.matchAll(command)].flatMap(([found]) =>
      found.split(/ (?=harness )/).map((line) => (line.split(/ {3}|\.(?:\s|$)/)[0] ?? '').trim()),
    ),
  );
}

/**
 * The longest beginning that is a call: a sentence may continue behind it, but no option of it is left over. A command may be named without what it
 * needs.
 */
async function isUnderstood(line: string): Promise<boolean> {
  const [, ...words] = wordsOf(line);
  for (let length = words.length; length > 0; length -= 1) {
    if (words.slice(length).some((word) => word.startsWith('-'))) return false;
    const call = words.slice(0, length);
    for (const words of [call, [...call, 'ARGUMENT']]) if ((await parseCall(words)).kind !== 'failure') return true;
  }
  return false;
}

test.each(['en', 'de'] as const)('in %s, named in any sentence', async (language) => {
  const lines = [...new Set(await named(language))].filter((line) => !line.includes('…'));
  expect(lines.length).toBeGreaterThan(80);
  const refused: string[] = [];
  for (const line of lines) if (!(await isUnderstood(line))) refused.push(line);
  expect(refused).toEqual([]);
  expect(await isUnderstood('harness run --forever')).toBe(false);
});
