// Rules for the fields of an entry, from which the formats of backlogs are built.

/** What a field may hold. `allowed` is a type expression, the same in every language. */
export type FieldRule = {
  readonly name: string;
  readonly required: boolean;
  readonly allowed: string;
  fits(value: unknown): boolean;
};

export const isText = (v: unknown): boolean => typeof v === 'string';
export const isFilled = (v: unknown): boolean => typeof v === 'string' && v.trim() !== '';
export const isList = (item: (v: unknown) => boolean) => (v: unknown) => Array.isArray(v) && v.every(item);
export const isObject = (v: unknown): v is { [key: string]: unknown } =>
  typeof v === 'object' && v !== null && !Array.isArray(v);
export const isOneOf = (values: readonly string[]) => (v: unknown) => typeof v === 'string' && values.includes(v);
export const quoted = (values: readonly string[]): string => values.map((v) => `"${v}"`).join(' | ');

export const rule = (name: string, allowed: string, fits: (v: unknown) => boolean, required = false): FieldRule => ({
  name,
  required,
  allowed,
  fits,
});
