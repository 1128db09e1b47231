// Paths as the file system sees them: what is there, links resolved, and whether one path is inside another.
import { type BigIntStats, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { codeOf } from './error-code.ts';

/**
 * What is at a path itself, links not followed; null: nothing. Throws where that cannot be known, as in a folder that may not be entered.
 */
export const statsOf = (path: string): Stats | null => foundAt(() => lstatSync(path, UNLESS_MISSING));

/** The same, with times in nanoseconds. */
export const exactStatsOf = (path: string): BigIntStats | null =>
  foundAt(() => lstatSync(path, { ...UNLESS_MISSING, bigint: true }));

/** What is at a path, links followed; null: nothing, or a link that leads to nothing. Throws as `statsOf` does. */
export const targetStatsOf = (path: string): Stats | null => foundAt(() => statSync(path, UNLESS_MISSING));

/** The same, with times in nanoseconds. */
export const exactTargetStatsOf = (path: string): BigIntStats | null =>
  foundAt(() => statSync(path, { ...UNLESS_MISSING, bigint: true }));

/** An exception takes ten times as long as a look. */
const UNLESS_MISSING = { throwIfNoEntry: false } as const;

function foundAt<T>(look: () => T | undefined): T | null {
  try {
    return look() ?? null;
  } catch (error) {
    // Nothing is below a file.
    if (codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** The path with its links resolved, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), path.slice(dirname(path).length));
  }
}

/** Whether the path is the folder or inside it, by its text alone. */
export function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside));
}

export const isLink = (path: string): boolean => statsOf(path)?.isSymbolicLink() === true;

/** A folder itself, not a link to one. */
export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() === true;
