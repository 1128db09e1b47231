import { describe, expect, test } from 'vitest';
import { chooseLanguage, parseLanguage } from './language.ts';

describe('the language of what the user reads', () => {
  test.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['de_DE.UTF-8', 'de'],
    ['DE', 'de'],
    ['en_GB', 'en'],
    ['C.UTF-8', 'en'],
    ['POSIX', 'en'],
    ['fr', null],
    ['', null],
  ])('%s is read as %s', (text, lang) => expect(parseLanguage(text)).toBe(lang));

  const env = { HARNESS_LANG: 'de', LC_ALL: 'en_US.UTF-8', LANG: 'de_DE.UTF-8' };
  test('the flag comes before the configuration, the configuration before the environment', () => {
    expect(chooseLanguage({ flag: 'de', config: 'en', env: {} })).toBe('de');
    expect(chooseLanguage({ flag: null, config: 'en', env })).toBe('en');
    expect(chooseLanguage({ flag: null, config: null, env })).toBe('de');
  });
  test('HARNESS_LANG comes before LC_ALL, LC_ALL before LANG', () => {
    expect(chooseLanguage({ flag: null, config: null, env: { LC_ALL: 'C', LANG: 'de_DE' } })).toBe('en');
    expect(chooseLanguage({ flag: null, config: null, env: { LANG: 'de_DE' } })).toBe('de');
  });
  test('an empty setting counts as not set, and without any it is English', () => {
    expect(chooseLanguage({ flag: '', config: null, env: { HARNESS_LANG: ' ', LANG: 'de' } })).toBe('de');
    expect(chooseLanguage({ flag: null, config: null, env: {} })).toBe('en');
  });
});
