// A table says nothing about names that it does not have.
import { expect, test } from 'vitest';
import { entryOf } from './entry.ts';

test('what every object answers to is in no table', () => {
  const table: { readonly [name: string]: number } = { one: 1 };
  const names = Object.getOwnPropertyNames(Object.prototype);
  expect(names).toContain('constructor');
  expect(names.filter((name) => entryOf(table, name) !== undefined)).toEqual([]);
  expect([entryOf(table, 'one'), entryOf({ constructor: 2 }, 'constructor')]).toEqual([1, 2]);
});
