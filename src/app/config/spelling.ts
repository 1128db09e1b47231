// Two spellings of one key: snake_case is ours, camelCase is accepted for it. Free names (variables, models, servers) stay as they are.
import type * as z from 'zod/mini';

export const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A key that a map has in both spellings. */
export type Twice = { readonly path: readonly (string | number)[]; readonly first: string; readonly second: string };

/** The same value with every key of the schema in our spelling; keys given in both are told through `twice`. */
export function oneSpelling(
  schema: z.core.$ZodType,
  value: unknown,
  twice: Twice[],
  path: readonly (string | number)[] = [],
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return oneSpelling(def.innerType, value, twice, path);
    case 'array':
      if (!Array.isArray(value)) return value;
      return value.map((item, i) => oneSpelling(def.element, item, twice, [...path, i]));
    case 'record':
      return mapValues(value, (item, key) => [key, oneSpelling(def.valueType, item, twice, [...path, key])]);
    case 'object':
      return mapValues(value, (item, written) => {
        const key = Object.hasOwn(def.shape, written) ? written : snakeCase(written);
        const inner = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
        if (inner === undefined) return [written, item];
        if (key !== written && Object.hasOwn(value, key))
          twice.push({ path: [...path, written], first: key, second: written });
        return [key, oneSpelling(inner, item, twice, [...path, key])];
      });
    default:
      return value;
  }
}

function mapValues(value: object, change: (item: unknown, key: string) => readonly [string, unknown]): unknown {
  if (Array.isArray(value)) return value;
  const next: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const [name, changed] = change(item, key);
    Object.defineProperty(next, name, { value: changed, enumerable: true, configurable: true, writable: true });
  }
  return next;
}
