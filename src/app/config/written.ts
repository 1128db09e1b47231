// Reads a value before the schema has checked it, and normalises its keys: files use snake_case, the schema camelCase, and both
// are accepted. Names chosen by the user (variables, models, servers) stay as they are.
import type * as z from 'zod/mini';
import type { Path } from './mistake.ts';

export const isMap = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** undefined: no such path. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return at[Number(name)];
    return isMap(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, value);

export const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The definition of a schema without its optional, default and transform wrappers. */
export function coreOf(schema: z.core.$ZodType): Exclude<z.core.$ZodTypes, Wrapper>['_zod']['def'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every schema is one of these classes, which the base type does not say
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return coreOf(def.innerType);
    case 'pipe':
      return coreOf(def.in);
    default:
      return def;
  }
}
type Wrapper = z.core.$ZodOptional | z.core.$ZodNullable | z.core.$ZodDefault | z.core.$ZodPrefault | z.core.$ZodPipe;

/** A key written in both spellings. `path` ends with the second. */
export type Duplicate = { readonly path: Path; readonly first: string; readonly second: string };

/** The value with every key as the schema spells it; keys in both spellings are added to `duplicates`. */
export function inOneSpelling(
  schema: z.core.$ZodType,
  value: unknown,
  duplicates: Duplicate[],
  path: Path = [],
): unknown {
  const def = coreOf(schema);
  if (def.type === 'array' && Array.isArray(value))
    return value.map((item, i) => inOneSpelling(def.element, item, duplicates, [...path, i]));
  if ((def.type !== 'record' && def.type !== 'object') || !isMap(value)) return value;
  const spelled: Record<string, unknown> = {};
  const put = (name: string, item: unknown): void => {
    // Defined, not assigned: __proto__ is a normal key here.
    Object.defineProperty(spelled, name, { value: item, enumerable: true, configurable: true, writable: true });
  };
  for (const [written, item] of Object.entries(value)) {
    if (def.type === 'record') {
      put(written, inOneSpelling(def.valueType, item, duplicates, [...path, written]));
      continue;
    }
    const key = Object.hasOwn(def.shape, written) ? written : camelCase(written);
    const inner = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
    const name = snakeCase(key);
    if (inner === undefined) put(written, item);
    else put(key, inOneSpelling(inner, item, duplicates, [...path, name]));
    if (inner !== undefined && written !== name && Object.hasOwn(value, name))
      duplicates.push({ path: [...path, written], first: name, second: written });
  }
  return spelled;
}
