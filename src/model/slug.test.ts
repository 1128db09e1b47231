import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { slugOf } from './slug.ts';

test.each([
  ['A cart', 'a-cart'],
  ['Add OAuth 2.0 (PKCE) support', 'add-oauth-2-0-pkce-support'],
  ['snake_case & kebab-case', 'snake-case-kebab-case'],
  ['Größe ändern', 'grosse-andern'],
  ['Größe'.normalize('NFD'), 'grosse'],
  ['Ærø, Łódź', 'aero-lodz'],
  ['Добавить вход', 'dobavit-vkhod'],
  ['日本語 login', 'login'],
  ['--help', 'help'],
  ['a'.repeat(49) + ' b', 'a'.repeat(49)],
])('the title %j is called %s', (title, slug) => expect(slugOf(title, 'item')).toBe(slug));

test('a title of which no letter is left has a name of its own', () => {
  expect(slugOf('日本語', 'plan')).toMatch(/^plan-[0-9a-f]{8}$/);
  expect(slugOf('日本語', 'plan')).not.toBe(slugOf('日本', 'plan'));
  expect(slugOf('', 'item')).toMatch(/^item-[0-9a-f]{8}$/);
});

test('any title is one plain segment of a path, never empty, at most 50 characters, and the name of itself', () => {
  const titles = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.string({ unit: fc.constantFrom(...Array.from('aZ9 -_./ßöÄ\u0308é한ияβ日\n')), maxLength: 120 }),
  );
  fc.assert(
    fc.property(titles, (title) => {
      const slug = slugOf(title, 'item');
      expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(50);
      expect(slugOf(slug, 'item')).toBe(slug);
      expect(slugOf(title, 'item', { joins: true })).toMatch(/^[a-z0-9](?:[a-z0-9_-]{0,48}[a-z0-9])?$/);
    }),
    { numRuns: 500 },
  );
});
