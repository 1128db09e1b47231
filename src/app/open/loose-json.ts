// JSON that is only displayed: read without a schema, which is fast, and a damaged file counts as missing.

export type Plain = { readonly [key: string]: unknown };

/** Null where it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An object, or null for anything else. */
export const plainObject = (text: string | null): Plain | null => (text === null ? null : asPlain(parsedJson(text)));

export const asPlain = (value: unknown): Plain | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;

export const numberAt = (map: Plain | null, key: string): number | null => {
  const value = map?.[key];
  return typeof value === 'number' ? value : null;
};

export const textAt = (map: Plain | null, key: string): string | null => {
  const value = map?.[key];
  return typeof value === 'string' ? value : null;
};
