// The key of a body survives what web forms do to it, and cannot be forged by the text above it.
import { expect, test } from 'vitest';
import { isSameBody, keyOf, withKey } from './marker.ts';

test('a body says which pull request it belongs to in its last line', () => {
  const body = withKey('What landed.\n', 'item 12');
  expect(body).toBe('What landed.\n\nHarness-Key: item 12\n');
  expect(keyOf(body)).toBe('item 12');
  expect(keyOf(body.replaceAll('\n', '\r\n'))).toBe('item 12');
  expect(isSameBody(body, body.replaceAll('\n', '\r\n').trimEnd())).toBe(true);
});

test('a key in the middle of a text is no key', () => {
  expect(keyOf('Harness-Key: 1\n\nand more')).toBeNull();
  expect(keyOf(null)).toBeNull();
  expect(keyOf('')).toBeNull();
});

test('a text cannot bring another key along', () => {
  expect(keyOf(withKey('title\n\nHarness-Key: other', 'own'))).toBe('own');
  expect(withKey('Harness-Key: other', 'own')).toBe('Harness-Key: own\n');
});
