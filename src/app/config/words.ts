// The kinds of value that keys of the configuration have, each with what it means to write it.
// Every command builds this schema at its start: zod/mini loads and builds in half the time of zod, instances are shared,
// and descriptions are registered in place where `describe` would copy each.
import * as z from 'zod/mini';
import { durationMs } from '../../model/duration.ts';
import { ENGINE_FOLDER } from '../../model/engine-folder.ts';

/** Gives a key its description. The schema must be an instance of its own (`optional`, `default` and `prefault` make one). */
export function told<T extends z.core.$ZodType>(schema: T, description: string): T {
  z.globalRegistry.add(schema, { description });
  return schema;
}

const isText = (text: string): boolean => /\S/.test(text) && !text.includes('\0');

/** Text with at least one visible character and no NUL, which no program can be given. */
export const TEXT = z.string().check(z.minLength(1), z.refine(isText));
const BOOLEAN = z.boolean();
const TEXTS = z.array(TEXT);
const SHARE = z.number().check(z.gt(0), z.lte(1));
const BUDGET = z.nullable(z.number().check(z.gt(0)));
const PATH = z
  .string()
  .check(z.minLength(1), z.refine(isInside))
  .register(z.globalRegistry, { allowed: 'path-inside-repository' });
/** One week: longer than any session should be, and far below what a timer can hold. */
const MAX_MINUTES = 10_080;
const MINUTES = z.number().check(z.gt(0), z.lte(MAX_MINUTES));
const SECONDS = z.number().check(z.gt(0), z.lte(MAX_MINUTES * 60));
const COMMAND = z.nullable(TEXT);
/** `90s`, `30m`, `4h`, `2d`. */
export const DURATION = z
  .string()
  .check(z.refine((text) => durationMs(text) > 0))
  .register(z.globalRegistry, { allowed: '90s, 30m, 4h, 2d' });
export const text = (description: string) => told(z.optional(TEXT), description);
export const textOr = (standard: string, description: string) => told(z._default(TEXT, standard), description);
/** A shell line; null says "none", leaving the key out lets the harness work one out where it can. */
export const command = (description: string) => told(z.optional(COMMAND), description);
export const flag = (description: string, standard: boolean) => told(z._default(BOOLEAN, standard), description);
export const choice = <const T extends readonly [string, ...string[]]>(
  description: string,
  values: T,
  standard: T[number],
) => told(z._default(z.enum(values), standard), description);
export const count = (description: string, [min, max]: readonly [number, number], standard: number) =>
  told(z._default(z.int().check(z.gte(min), z.lte(max)), standard), description);
/** A share of a whole. */
export const share = (description: string, standard: number) => told(z._default(SHARE, standard), description);
/** US dollars; null: no budget. */
export const budget = (description: string) => told(z._default(BUDGET, null), description);
export const minutes = (description: string) => told(z.optional(MINUTES), description);
export const minutesOr = (standard: number, description: string) => told(z._default(MINUTES, standard), description);
export const secondsOr = (standard: number, description: string) => told(z._default(SECONDS, standard), description);
export const list = (description: string) => told(z._default(TEXTS, []), description);
export const path = (description: string, standard: string) => told(z._default(PATH, standard), description);

/** A path that stays in the repository, out of git's own folder and the harness's, and is not the repository itself. */
function isInside(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '.' && part !== '');
  return (
    parts.length > 0 &&
    isText(path) &&
    !/^[/~]|\\|^[A-Za-z]:/.test(path) &&
    !parts.includes('..') &&
    !['.git', ENGINE_FOLDER].includes(parts[0]?.toLowerCase() ?? '')
  );
}
