// Plain English: fails on words that hide their meaning, in comments, sentences, names of tests and documentation.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Word = { readonly word: RegExp; readonly use: string; readonly except?: readonly RegExp[] };

/** `except`: the texts in which the word is right. Each has its reason beside it. */
const WORDS: readonly Word[] = [
  { word: /\bwhoever\b/gi, use: 'name them: the user, the process, the caller' },
  { word: /\bnobody\b/gi, use: 'no process, no user, no agent, nothing' },
  { word: /\b(?:what|whatever) (?:\w+ )?lies\b|\blies there\b/gi, use: 'name it: the file, the folder, what is there' },
  { word: /\b(?:un)?told\b/gi, use: 'notified, reported, passed, shown' },
  { word: /\btells\b/gi, use: 'reports, shows, distinguishes' },
  { word: /\bheard\b/gi, use: 'received' },
  { word: /\bmend(?:s|ed|ing)?\b/gi, use: 'fix', except: [/"mend"|\{[^}]*\bmend\b[^}]*\}/] }, // a key of the JSON of errors
  { word: /\banew\b/gi, use: 'again, from the start' },
  { word: /\bputs? down\b/gi, use: 'record, write' },
  {
    word: /\blives\b|\b(?:a|an?other|earlier|each|every|first|its|later|next|one|this|that) life\b/gi,
    use: 'process, run',
  },
  { word: /\bpapers?\b/gi, use: 'document', except: [/`[^`]*\bpaper\b[^`]*`/] }, // a key of the JSON of a question
  { word: /\bbooks\b/gi, use: 'run log, ledger' },
  { word: /\b(?:go|goes|going|gone|went) on\b/gi, use: 'continue' },
  {
    word: /\b(?:stands|stood)\b/gi,
    use: 'is, applies, exists',
    except: [/\bstands for\b/, /`agent-stands-in`/], // "means", and the name of an event
  },
  { word: /\breference 0\d\d\b/gi, use: 'the reason itself, or a page of docs/' },
];

type Passage = { readonly line: number; readonly text: string };

/** A trailing comment needs a space on both sides: `https://` is none. */
const COMMENT = /(?:^|\s)(?:\/\/|\/\*\*?)\s(.*)$|^\s*\*\s(.*)$/;
const comments = (text: string): readonly Passage[] =>
  text.split('\n').flatMap((row, i) => {
    const [, first, next] = COMMENT.exec(row) ?? [];
    const comment = first ?? next;
    return comment === undefined || comment.startsWith('oxlint-') ? [] : [{ line: i + 1, text: comment }];
  });

const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/;
const found = (text: string, pattern: RegExp): readonly Passage[] =>
  [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index + match[0].search(/['"`]/)).split('\n').length,
    text: match.slice(1).find((part) => part !== undefined) ?? '',
  }));
/** The sentences themselves, not their keys. A string without a space is a code. */
const strings = (text: string): readonly Passage[] =>
  found(text, new RegExp(STRING, 'g')).filter((passage) => passage.text.includes(' '));
/** `test('…'`, `describe('…'`, `test.each(…)('…'`. */
const testNames = (text: string): readonly Passage[] =>
  found(text, new RegExp(String.raw`(?:\b(?:test|it|describe)(?:\.\w+)*|[\])]\))\(\s*(?:${STRING.source})`, 'g'));

const prose = (text: string): readonly Passage[] => text.split('\n').map((row, i) => ({ line: i + 1, text: row }));

const OWN = 'test/house/words.test.ts';
const PLACES: readonly (readonly [what: string, files: string, passages: (text: string) => readonly Passage[]])[] = [
  ['comments of src', 'src/**/*.ts', comments],
  ['comments of test', 'test/**/*.ts', comments],
  ['sentences', 'src/{host,playbooks/*}/sentences/**/*.ts', strings],
  ['comments of the page', 'src/page/**/*.tsx', comments],
  ['texts of the command line', 'src/cli/**/*.ts', strings],
  ['names of tests', '{src,test}/**/*.test.ts', testNames],
  ['pages of the documentation', '{README.md,AGENTS.md,docs/*.md}', prose],
];

const misuses = (text: string): readonly string[] =>
  WORDS.flatMap(({ word, use, except = [] }) => {
    const rest = except.reduce((left, right) => left.replaceAll(new RegExp(right, 'gi'), ' '), text);
    return [...rest.matchAll(word)].map(([match]) => `"${match}": use ${use}`);
  });

test.each(PLACES)('%s are in plain English', (_, pattern, passages) => {
  const findings = globSync(pattern, { exclude: ['**/node_modules/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file !== OWN)
    .sort()
    .flatMap((file) =>
      passages(readFileSync(file, 'utf8')).flatMap(({ line, text }) =>
        misuses(text).map((misuse) => `${file}:${line} ${misuse}`),
      ),
    );
  expect(findings.length, `\n${findings.join('\n')}\n`).toBe(0);
});

test('the check finds a word wherever people read it, and only there', () => {
  const source = [
    '// told to the user',
    'const heard = told(1); // nobody knows',
    '/** Goes on. */',
    ' * it stands for more; and stands',
    "const url = 'https://told.example/';",
    "test('is told', () => {});",
  ].join('\n');
  const words = (passages: readonly Passage[]) =>
    passages.flatMap(({ line, text }) => misuses(text).map((one) => `${line} ${one.split(':')[0]}`));
  expect(words(comments(source))).toEqual(['1 "told"', '2 "nobody"', '3 "Goes on"', '4 "stands"']);
  expect(words(testNames(source))).toEqual(['6 "told"']);
  expect(words(prose('{ "mend": [] } and mend'))).toEqual(['1 "mend"']);
});
