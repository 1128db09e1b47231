import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { userLanguage } from './language.ts';

const saying = (text: string | null): string => {
  const root = mkdtempSync(join(tmpdir(), 'language-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, '.harness'));
  if (text !== null) writeFileSync(join(root, '.harness/state.json'), text);
  return root;
};

test.each<[string | null, string | null]>([
  ['{"version":"2.0","task":"x","user_lang":"de"}', 'de'],
  ['{"skill":"workflow","user_lang":"ja"}', 'ja'],
  ['{"phase":"gen_ready","user_lang":"fr"}', 'fr'],
  ['{"skill":"spec","user_lang":"de"}', null],
  ['{"version":"2.0","task":"x"}', null],
  ['{"user_lang":7}', null],
  ['{"user_lang":" "}', null],
  ['null', null],
  ['[', null],
  [null, null],
])('the language of state.json %j: %s', (text, lang) => {
  expect(userLanguage(saying(text))).toBe(lang);
});

test('a missing folder has no language', () => {
  expect(userLanguage('/nowhere/at/all')).toBeNull();
});
