// The kinds of values of configuration keys, and the metadata of a key: its description, and which values are not supported.
// Most commands build the schema at start-up: zod/mini loads and builds in half the time of zod, instances are shared, and
// metadata is registered instead of copied into a new schema.
import * as z from 'zod/mini';
import { durationMs } from '../duration.ts';
import { isInsideRepository, isText } from './paths.ts';

/** A key, or some of its values, that is not supported yet. */
export type Unsupported = {
  /** refused: an error · ignored: accepted, and reported to the user as having no effect */
  readonly effect: 'refused' | 'ignored';
  /** The missing part of the program, in kebab-case. */
  readonly part: string;
  /** Values that are supported because they describe the current behaviour. */
  readonly except: readonly unknown[];
  /** Supported where another key, from the root and separated by dots, has one of these values. */
  readonly unless?: { readonly key: string; readonly in: readonly unknown[] };
};

export type KeyInfo = {
  readonly description?: string;
  /** The allowed values, if the type does not show them. */
  readonly allowed?: string;
  readonly unsupported?: Unsupported;
};

export const KEYS = z.registry<KeyInfo>();

/** The schema must be an instance of its own, as `optional`, `_default`, `prefault` and `pipe` make one. */
export function described<T extends z.core.$ZodType>(schema: T, description: string): T {
  KEYS.add(schema, { description });
  return schema;
}

/** Marks a key of which only the values in `except` are supported. */
export function limited<T extends z.core.$ZodType>(unsupported: Unsupported, schema: T): T {
  KEYS.add(schema, { ...KEYS.get(schema), unsupported });
  return schema;
}

/** A key that is validated and not read: it has no value in the configuration. */
export const unread = <T extends z.core.$ZodType>(schema: T, more: KeyInfo = {}) => {
  const pipe = z.pipe(
    schema,
    z.transform((_: z.output<T>): undefined => undefined),
  );
  KEYS.add(pipe, { ...KEYS.get(schema), ...more });
  return pipe;
};
/** Refused unless it has one of the values of `except`. */
export const refused = <T extends z.core.$ZodType>(part: string, except: readonly unknown[], schema: T) =>
  unread(schema, { unsupported: { effect: 'refused', part, except } });

const mapOf = <T extends z.core.$ZodLooseShape>(shape: T) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every key of a section is optional, so {} is an input of each
  z.prefault(z.strictObject(shape), {} as never);
/** A map of keys; every one of them may be left out, and so may the whole. */
export const section = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  described(mapOf(shape), description);
/** A section that the program reads in another form. */
export const sectionAs = <T extends z.core.$ZodLooseShape, O>(
  description: string,
  shape: T,
  read: (written: z.output<z.ZodMiniObject<T, z.core.$strict>>) => O,
) => described(z.pipe(mapOf(shape), z.transform(read)), description);

/** Text with at least one visible character and no NUL, which no program can be given. */
export const TEXT = z.string().check(z.minLength(1), z.refine(isText));
/** Environment variables by name. */
export const VARIABLES = z.record(
  z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)),
  z.union([z.string(), z.number(), z.boolean()]),
);
const BOOLEAN = z.boolean();
const TEXTS = z.array(TEXT);
const SHARE = z.number().check(z.gt(0), z.lte(1));
const BUDGET = z.nullable(z.number().check(z.gt(0)));
const TOKEN_BUDGET = z.nullable(z.int().check(z.gt(0)));
const PATH = z
  .string()
  .check(z.minLength(1), z.refine(isInsideRepository))
  .register(KEYS, { allowed: 'path-inside-repository' });
/** One week: longer than any session should be, and far below what a timer can hold. */
const MAX_MINUTES = 10_080;
const MINUTES = z.number().check(z.gt(0), z.lte(MAX_MINUTES));
const SECONDS = z.number().check(z.gt(0), z.lte(MAX_MINUTES * 60));
const COMMAND = z.nullable(TEXT);
/** `90s`, `30m`, `4h`, `2d`. */
export const DURATION = z
  .string()
  .check(z.refine((text) => durationMs(text) > 0))
  .register(KEYS, { allowed: '90s, 30m, 4h, 2d' });

/** Paths inside the repository. */
export const pathList = (description: string) => described(z._default(z.array(PATH), []), description);

/** A path inside the repository. null: none. */
export const pathOrNone = (description: string) => described(z._default(z.nullable(PATH), null), description);

/** Text that must be given. */
export const textNeeded = (description: string) => described(TEXT.check(), description);
export const text = (description: string) => described(z.optional(TEXT), description);
export const textOr = (standard: string, description: string) => described(z._default(TEXT, standard), description);
/** A shell line. null: none. Left out: derived from the project, where that is safe. */
export const command = (description: string) => described(z.optional(COMMAND), description);
const orNull = z.transform((line: string | null | undefined) => line ?? null);
/** A shell line that is never derived: none if left out. */
export const commandOrNone = (description: string) => described(z.pipe(z.optional(COMMAND), orNull), description);
export const flag = (description: string, standard: boolean) => described(z._default(BOOLEAN, standard), description);
export const choice = <const T extends readonly [string, ...string[]]>(
  description: string,
  values: T,
  standard: T[number],
) => described(z._default(z.enum(values), standard), description);
export const count = (description: string, [min, max]: readonly [number, number], standard: number) =>
  described(z._default(z.int().check(z.gte(min), z.lte(max)), standard), description);
/** A share of a whole, up to 1. */
export const share = (description: string, standard: number) => described(z._default(SHARE, standard), description);
/** US dollars, or minutes; null: no budget. */
export const budget = (description: string) => described(z._default(BUDGET, null), description);
/** Null: no budget. */
export const tokenBudget = (description: string) => described(z._default(TOKEN_BUDGET, null), description);
export const minutes = (description: string) => described(z.optional(MINUTES), description);
export const minutesOr = (standard: number, description: string) =>
  described(z._default(MINUTES, standard), description);
export const secondsOr = (standard: number, description: string) =>
  described(z._default(SECONDS, standard), description);
export const list = (description: string, standard: readonly string[] = []) =>
  described(z._default(TEXTS, [...standard]), description);
export const path = (description: string, standard: string) => described(z._default(PATH, standard), description);

export const mapValues = <V, O>(map: { readonly [name: string]: V }, change: (value: V) => O): { [name: string]: O } =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
