// All configuration keys: each has a description and is documented, and no mark of an unsupported key is stale.
import { readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { documentedKeys, withKeys } from '../../../scripts/configuration-reference.ts';
import { KEYS, type Unsupported } from '../../model/config/values.ts';
import { allKeys, configJsonSchema } from './describe.ts';
import { configSchema } from './schema.ts';
import { nearest } from '../../model/nearest.ts';
import { coreOf } from './written.ts';

const keys = allKeys();

test('every key has a description', () => {
  expect(keys.filter(({ description }) => description === '').map(({ key }) => key)).toEqual([]);
});

test('every key is in snake_case, so that camelCase is unambiguous', () => {
  const own = keys.filter(({ key }) => !/^(agents\.roles|models)\./.test(key));
  expect(own.filter(({ key }) => !/^\$?[a-z0-9_.*[\]]+$/.test(key))).toEqual([]);
});

type Mark = { readonly path: readonly string[]; readonly mark: Unsupported };
function marksIn(schema: z.core.$ZodType, path: readonly string[] = []): readonly Mark[] {
  const mark = KEYS.get(schema)?.unsupported;
  const def = coreOf(schema);
  const inside = def.type === 'object' ? Object.entries(def.shape) : [];
  return [
    ...(mark === undefined ? [] : [{ path, mark }]),
    ...inside.flatMap(([name, inner]) => marksIn(inner, [...path, name])),
  ];
}
const marks = marksIn(configSchema);

test('no mark of an unsupported key is inside another one', () => {
  const keysOf = marks.map(({ path }) => path.join('.'));
  expect(keysOf.filter((key) => keysOf.some((other) => other !== key && key.startsWith(`${other}.`)))).toEqual([]);
  expect(keysOf).toContain('session.onTimeout.autoCommit');
});

test('every value that a mark allows is valid in the schema', () => {
  const refused = marks.flatMap(({ path, mark }) =>
    mark.except.filter((value) => {
      const written = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
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

test('the JSON Schema allows no unknown key and names keys without effect', () => {
  const schema = configJsonSchema() as {
    properties: { [key: string]: { description: string } };
    additionalProperties: boolean;
  };
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties)).toEqual(keys.filter(({ key }) => !key.includes('.')).map(({ key }) => key));
  expect(JSON.stringify(schema)).toContain('Does not act in this version');
  expect(schema.properties['recovery']?.description).toContain('Refused in this version');
});

test.each([
  ['testng', 'testing'],
  ['tetsing', 'testing'],
  ['in_place', 'in-place'],
  ['Costs', 'costs'],
  ['zebra', ''],
])('for %s the suggestion is "%s"', (written, meant) => {
  expect(nearest(written, ['testing', 'costs', 'in-place', 'session'])).toBe(meant);
});
