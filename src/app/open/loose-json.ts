// JSON that is only displayed: read without a schema, which is fast, and a damaged file counts as missing.

export type Plain = { readonly [key: string]: unknown };

/** An object, or null for anything else. */
export function plainObject(text: string | null): Plain | null {
  if (text === null) return null;
  try {
    return asPlain(JSON.parse(text));
  } catch {
    return null;
  }
}

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
