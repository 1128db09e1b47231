// The configuration as JSON Schema in snake_case, as in a file: for editors, error messages and the reference page. Built on
// first use; a valid configuration does not need it.
import * as z from 'zod/mini';
import { KEYS, type Unsupported } from '../../model/config/values.ts';
import type { Json } from '../../model/json.ts';
import type { Path } from './mistake.ts';
import { configSchema } from './schema.ts';
import { isMap, snakeCase } from './written.ts';

/** With our own `x-allowed` (values the type does not express) and `x-unsupported` (a sentence). */
export type KeyDescription = z.core.JSONSchema.JSONSchema;

let described: KeyDescription | null = null;
export const describeConfig = (): KeyDescription =>
  (described ??= z.toJSONSchema(configSchema, {
    io: 'input',
    unrepresentable: 'any',
    metadata: KEYS,
    override({ zodSchema, jsonSchema }) {
      const { allowed, unsupported } = KEYS.get(zodSchema) ?? {};
      delete jsonSchema['allowed'];
      delete jsonSchema['unsupported'];
      if (allowed !== undefined) jsonSchema['x-allowed'] = allowed;
      if (unsupported !== undefined) jsonSchema['x-unsupported'] = sentenceOf(unsupported);
      const { properties } = jsonSchema;
      if (properties === undefined) return;
      jsonSchema.properties = Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [snakeCase(key), inner]),
      );
    },
  }));

function sentenceOf({ effect, except }: Unsupported): string {
  const but = except.length === 0 ? '' : `, but for ${except.map((value) => JSON.stringify(value)).join(', ')}`;
  return `${effect === 'refused' ? 'Refused' : 'Does not act'} in this version${but}.`;
}

/** The JSON Schema (draft 2020-12) for editors and `harness config schema`. Our own sentences are part of the description. */
export function configJsonSchema(): { readonly [key: string]: Json } {
  const published = JSON.stringify(describeConfig(), (_name, part: unknown) => {
    if (!isMap(part)) return part;
    const { 'x-allowed': _, 'x-unsupported': sentence, ...rest } = part;
    return sentence === undefined ? rest : { ...rest, description: [rest['description'], sentence].join(' ') };
  });
  const schema: { readonly [key: string]: Json } = JSON.parse(published);
  const title = 'Configuration of harness';
  return { ...schema, title, description: 'Content of .harness.yaml or harness.config.json.' };
}

/** `true | false`, `refuse | stash`, `integer 0…20`, `number > 0`, `text`, `[text, …]`, `{ … }`. */
export function allowedBy(node: KeyDescription): string {
  const { type, properties } = node;
  const allowed = node['x-allowed'];
  if (typeof allowed === 'string') return allowed;
  if (node.anyOf !== undefined) return node.anyOf.map(allowedBy).join(' | ');
  if (node.enum !== undefined) return node.enum.join(' | ');
  if (Array.isArray(type)) return type.map((one) => allowedBy({ type: one })).join(' | ');
  if (type === 'array') return `[${allowedBy(partOf(node.items))}, …]`;
  if (type === 'integer' || type === 'number') return `${type} ${limitsOf(node)}`.trim();
  if (type !== 'object') return SCALARS[type ?? 'undefined'];
  if (properties === undefined) return `{ name: ${allowedBy(partOf(node.additionalProperties))} }`;
  const names = Object.keys(properties);
  return `{ ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''} }`;
}

const SCALARS = { boolean: 'true | false', string: 'text', null: 'null', undefined: 'anything' };

function limitsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: KeyDescription): string {
  const limits = Object.entries({ '≥': minimum, '>': exclusiveMinimum, '≤': maximum, '<': exclusiveMaximum });
  return (
    limits
      // Integers without a limit have that of safe integers.
      .filter(([, limit]) => typeof limit === 'number' && Math.abs(limit) !== Number.MAX_SAFE_INTEGER)
      .map(([sign, limit]) => `${sign} ${limit}`)
      .join(', ')
      .replace(/^≥ (\S+), ≤ (\S+)$/, '$1…$2')
  );
}

const partOf = (part: KeyDescription | boolean | (KeyDescription | boolean)[] | undefined): KeyDescription =>
  typeof part === 'object' && !Array.isArray(part) ? part : {};

/** The names a map may have; none if they are free. */
export const namesIn = (node: KeyDescription): readonly string[] =>
  node.anyOf === undefined ? Object.keys(node.properties ?? {}) : node.anyOf.flatMap(namesIn);

/** The schema node at a path, and the path as a file spells it. Null: no such key. In a union the first member that has it. */
export function locate(path: Path): { readonly node: KeyDescription | null; readonly path: Path } {
  let node: KeyDescription | null = describeConfig();
  const spelled: (string | number)[] = [];
  for (const name of path) {
    const key: string = snakeCase(String(name));
    const owner: KeyDescription | undefined =
      node === null ? undefined : [node, ...(node.anyOf ?? [])].find((one) => Object.hasOwn(one.properties ?? {}, key));
    spelled.push(owner === undefined ? name : key);
    const inner: unknown = owner?.properties?.[key] ?? node?.items ?? node?.additionalProperties;
    node = isMap(inner) ? inner : null;
  }
  return { node, path: spelled };
}

export type KeyRow = {
  readonly key: string;
  readonly allowed: string;
  readonly description: string;
  readonly standard: unknown;
  /** What of it, or of its section, is not supported; '': everything is. */
  readonly unsupported: string;
  readonly isSection: boolean;
};

/** Every key, sections before their keys; `*` is a free name, `[]` a list entry. */
export function allKeys(node: KeyDescription = describeConfig(), prefix = '', unsupported = ''): readonly KeyRow[] {
  const at = (name: string): string => (prefix === '' ? name : `${prefix}.${name}`);
  if (node.anyOf !== undefined) return node.anyOf.flatMap((one) => allKeys(one, prefix, unsupported));
  if (node.items !== undefined) return allKeys(partOf(node.items), `${prefix}[]`, unsupported);
  if (isMap(node.additionalProperties)) return allKeys(node.additionalProperties, at('*'), unsupported);
  return Object.entries(node.properties ?? {}).flatMap(([name, part]) => {
    const inner = partOf(part);
    const sentence = typeof inner['x-unsupported'] === 'string' ? inner['x-unsupported'] : unsupported;
    const inside = allKeys(inner, at(name), sentence);
    const { description = '', default: standard } = inner;
    const row = { key: at(name), allowed: allowedBy(inner), description, standard, unsupported: sentence };
    return [{ ...row, isSection: inside.length > 0 }, ...inside];
  });
}
