// The kinds of value that keys of the configuration have, each with what it means to write it.
// `meta.allowed` names what a pattern cannot say; it is part of error messages and of the reference.
import * as z from 'zod';

const isText = (text: string): boolean => /\S/.test(text) && !text.includes('\0');

/** Text with at least one visible character and no NUL, which no program can be given. */
export const plainText = (): z.ZodString => z.string().min(1).refine(isText);
export const text = (describe: string) => plainText().optional().describe(describe);
/** A shell line; null says "none", leaving the key out lets the harness work one out where it can. */
export const command = (describe: string) => plainText().nullable().optional().describe(describe);
export const flag = (describe: string, standard: boolean) => z.boolean().default(standard).describe(describe);
export const choice = <const T extends readonly [string, ...string[]]>(
  describe: string,
  values: T,
  standard: T[number],
) => z.enum(values).default(standard).describe(describe);
export const count = (describe: string, [min, max]: readonly [number, number], standard: number) =>
  z.int().min(min).max(max).default(standard).describe(describe);
/** A share of a whole. */
export const share = (describe: string, standard: number) =>
  z.number().gt(0).max(1).default(standard).describe(describe);
/** US dollars; null: no budget. */
export const budget = (describe: string) => z.number().gt(0).nullable().default(null).describe(describe);
/** One week: longer than any session should be, and far below what a timer can hold. */
const MAX_MINUTES = 10_080;
export const minutes = (describe: string) => z.number().gt(0).max(MAX_MINUTES).describe(describe);
export const seconds = (describe: string) =>
  z
    .number()
    .gt(0)
    .max(MAX_MINUTES * 60)
    .describe(describe);
export const list = (describe: string) => z.array(plainText()).default([]).describe(describe);
export const path = (describe: string, standard: string) =>
  plainText().refine(isInside).meta({ allowed: 'path-inside-repository' }).default(standard).describe(describe);

/** A path that stays in the repository, out of git's own folder, and is not the repository itself. */
function isInside(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '.' && part !== '');
  return (
    parts.length > 0 && !/^[/~]|\\|^[A-Za-z]:/.test(path) && !parts.includes('..') && parts[0]?.toLowerCase() !== '.git'
  );
}
