// The keys as a whole: each has a meaning and a place in the document, and no row of the table of later keys is stale.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documentedKeys, withKeys } from '../../../scripts/configuration-reference.ts';
import { configJsonSchema } from './json-schema.ts';
import { LATER } from './later.ts';
import { configSchema } from './schema.ts';
import { allKeys, schemaAt } from './shape.ts';
import { snakeCase } from './spelling.ts';
import { nearest } from './suggest.ts';

const keys = allKeys(configSchema);

test('every key says what it means', () => {
  expect(keys.filter(({ describe }) => describe === '').map(({ key }) => key)).toEqual([]);
});

test('every key is in snake_case, so that camelCase can stand for it', () => {
  const own = keys.filter(({ key }) => !/^(agents\.roles|models)\./.test(key));
  expect(own.filter(({ key }) => !/^\$?[a-z0-9_.*[\]]+$/.test(key) || snakeCase(key) !== key)).toEqual([]);
});

test('every row of the table of later keys is about a key that can be written, and about one alone', () => {
  expect(LATER.filter(({ key }) => schemaAt(configSchema, key.split('.')) === null)).toEqual([]);
  const twice = LATER.filter((row) =>
    LATER.some((other) => other !== row && `${row.key}.`.startsWith(`${other.key}.`)),
  );
  expect(twice.map(({ key }) => key)).toEqual([]);
});

test('every value that is fine today is one the schema allows', () => {
  const refused = LATER.flatMap(({ key, today }) =>
    today.filter((value) => {
      const written = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      return !configSchema.safeParse(written).success;
    }),
  );
  expect(refused).toEqual([]);
});

describe('the document', () => {
  const document = readFileSync('docs/configuration.md', 'utf8');

  test('has the keys of the schema: `node scripts/configuration-reference.ts` writes them', () => {
    expect(document).toBe(withKeys(document));
  });

  test('names every key', () => {
    const named = documentedKeys().filter(({ key, isSection }) => !isSection && !document.includes(`\`${key}\``));
    expect(named).toEqual([]);
  });
});

test('the JSON Schema allows no key of nobody and says which keys do not act', () => {
  const schema = configJsonSchema() as {
    properties: { [key: string]: { description: string } };
    additionalProperties: boolean;
  };
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties)).toEqual(keys.filter(({ key }) => !key.includes('.')).map(({ key }) => key));
  expect(schema.properties['github']?.description).toContain('Does not act in this version');
  expect(schema.properties['lanes']?.description).toContain('Refused in this version, but for 1');
});

test.each([
  ['testng', 'testing'],
  ['tetsing', 'testing'],
  ['in_place', 'in-place'],
  ['Costs', 'costs'],
  ['zebra', ''],
])('%s is taken for "%s"', (written, meant) => {
  expect(nearest(written, ['testing', 'costs', 'in-place', 'session'])).toBe(meant);
});
