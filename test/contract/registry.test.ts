// What every playbook brings: sentences in both languages that say the same, and questions with sentences.
import { expect, test } from 'vitest';
import { placeholdersOf } from '../../src/host/formatter.ts';
import { sentences as common } from '../../src/host/sentences/en/all.ts';
import type { Phrase, PlaybookSentences } from '../../src/model/sentences.ts';
import { PLAYBOOKS, SUPPORTED_PAIRS } from '../../src/playbooks/registry.ts';

const WITH_SENTENCES = PLAYBOOKS.flatMap(({ name, gates = {}, sentences }) =>
  sentences ? [{ name, gates, sentences }] : [],
);

/** Key → placeholders of its phrases. */
const shapeOf = ({ failures, gates, outcomes, texts, words }: PlaybookSentences) => {
  const each = (part: { readonly [key: string]: unknown }, phrases: (value: never) => readonly Phrase[]) =>
    Object.entries(part)
      .map(([key, value]) => [key, ...new Set(phrases(value as never).flatMap(placeholdersOf))])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return {
    failures: each(failures, ({ title, why, fix }: PlaybookSentences['failures'][string]) => [title, why, ...fix]),
    gates: each(gates, ({ question, options = {} }: PlaybookSentences['gates'][string]) => [
      question,
      ...Object.keys(options),
    ]),
    outcomes: each(outcomes, (phrase: Phrase) => [phrase]),
    texts: each(texts, (phrase: Phrase) => [phrase]),
    words: Object.keys(words).sort(),
  };
};

test.each(WITH_SENTENCES)(
  '$name says the same in both languages, under keys of its own',
  async ({ name, gates, sentences }) => {
    const [en, de] = [await sentences.en(), await sentences.de()];
    expect(shapeOf(de)).toEqual(shapeOf(en));
    const own = [...Object.keys(en.failures), ...Object.keys(en.gates), ...Object.keys(en.outcomes)];
    expect(own.filter((key) => !key.startsWith(`${name}-`))).toEqual([]);
    expect(Object.keys(en.texts).filter((key) => !key.startsWith(`${name}.`))).toEqual([]);
    expect(Object.keys(en.words).filter((key) => Object.hasOwn(common.words, key))).toEqual([]);
    for (const [subject, { options }] of Object.entries(gates))
      for (const id of options)
        expect([subject, id, en.gates[subject]?.options?.[id] ?? common.options[id]]).not.toContain(undefined);
  },
);

test('every list works with every machine, except where one of them exists only for the other', () => {
  const pairs = SUPPORTED_PAIRS.flatMap((pair) =>
    typeof pair === 'string' ? [] : [`${pair.backlog} × ${pair.machine}`],
  );
  expect(pairs.sort()).toEqual([
    'delivery × delivery',
    'features × features',
    'features × mission',
    'features × tasks',
    'mission × features',
    'mission × mission',
    'mission × tasks',
    'tasks × features',
    'tasks × mission',
    'tasks × tasks',
    'workflow × workflow',
  ]);
});
