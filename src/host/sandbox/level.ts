// The rungs of the sandbox ladder as data: what a level is given, and what it makes of a command.
// Each level has a file of its own that only builds an argv; starting and ending is box.ts's.
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Variables } from '../environment.ts';

/** Strongest first: `auto` takes the first that holds. */
export const LEVELS = ['bwrap', 'srt', 'pidns', 'none'] as const;
export type BoxLevel = (typeof LEVELS)[number];

/** What stays the same for every command of one box. All paths are real ones. */
export type Place = {
  readonly root: string;
  /** The box's own temporary folder, on the disk. */
  readonly temporary: string;
  /** A folder that only the harness writes and nobody in the box sees. */
  readonly notes: string;
  /** What nobody in the box reads: the harness's private folder. */
  readonly hidden: readonly string[];
  /** The person's home; null where there is none worth the name. */
  readonly home: string | null;
  /** PATH of the commands. */
  readonly path: string;
  /** Beside the root: folders that agents write, so that no program is started from there outside of the box. */
  readonly untrusted: readonly string[];
};

/** What one command asks for. */
export type Entry = {
  readonly cwd: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly network: boolean;
};

export type Wrapped = {
  readonly argv: readonly string[];
  /** Added to the environment. */
  readonly env: Variables;
  /** Names taken out of it: they point at sockets that are not there inside. */
  readonly without: readonly string[];
  /** Waits, once the command has ended, until nothing that it started is left. */
  readonly settled?: () => Promise<void>;
};

/** What a program is started behind that somebody goes on talking to. No words: it runs as it is. */
export type Enclosure = {
  /** The words before the program and its arguments. */
  readonly argv: readonly string[];
  readonly env: Variables;
  readonly without: readonly string[];
};
export const NO_ENCLOSURE: Enclosure = { argv: [], env: {}, without: [] };

/** A command as it is started behind an enclosure: its whole argv and environment. Undefined: no box. */
export function inBox(
  box: Enclosure | undefined,
  argv: readonly string[],
  env: Variables,
): { readonly argv: readonly string[]; readonly env: Variables } {
  if (box === undefined) return { argv, env };
  const kept = Object.entries(env).filter(([name]) => !box.without.includes(name));
  return { argv: [...box.argv, ...argv], env: { ...Object.fromEntries(kept), ...box.env } };
}

/** The program of this name, absolute, from folders of PATH that no agent writes; null: there is none. */
export function findProgram(name: string, place: Pick<Place, 'path' | 'root' | 'untrusted'>): string | null {
  for (const folder of place.path.split(delimiter)) {
    const program = join(folder, name);
    if (isAbsolute(folder) && existsSync(program) && isTrusted(folder, place) && isTrusted(program, place))
      return program;
  }
  return null;
}

/** Neither it nor what it is a link to. */
export const isTrusted = (path: string, { root, untrusted }: Pick<Place, 'root' | 'untrusted'>): boolean =>
  [root, ...untrusted].every((folder) => !isBelow(path, folder) && !isBelow(realOf(path), folder));

export function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside));
}

/** As far as the path exists. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realOf(dirname(path)), path.slice(dirname(path).length));
  }
}
