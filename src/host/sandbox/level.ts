// The levels of the sandbox as data: what a box is given, and what it makes of a command. Every level has a file of its own that only
// builds an argv; box.ts starts and ends commands.
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Variables } from '../environment.ts';
import { isBelow, realPath } from '../paths.ts';

/** Strongest first: `auto` takes the first that holds. */
export const LEVELS = ['bwrap', 'srt', 'pidns', 'none'] as const;
export type BoxLevel = (typeof LEVELS)[number];

/** What is the same for every command of a box. All paths are real ones. */
export type BoxSettings = {
  readonly root: string;
  /** The path at which commands find the root; another one than its own only where the level can mount. */
  readonly at: string;
  /** Paths that can be read inside, over what is hidden. */
  readonly shown: readonly string[];
  /** The box's own temporary folder, on the disk. */
  readonly temporary: string;
  /** A folder that only the harness writes and that cannot be seen in the box. */
  readonly notes: string;
  /** What cannot be read in the box: the harness's private folder. */
  readonly hidden: readonly string[];
  /** What environment scripts reach although the box hides it: sockets of services. */
  readonly sockets: readonly string[];
  /** The user's home; null where there is none to hide. */
  readonly home: string | null;
  /** PATH of the commands. */
  readonly path: string;
  /** Folders outside the root that agents write: no program from there is started outside the box. */
  readonly untrusted: readonly string[];
};

/** What one command may access. */
export type CommandAccess = {
  readonly cwd: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly network: boolean;
  /** Mounted last; left out: none. */
  readonly masks?: readonly Mask[];
};

/** A path of the machine, and what is seen in its place, read-only unless it may be written. Both exist and are of one kind. */
export type Mask = { readonly path: string; readonly by: string; readonly isWritable?: true };

export type BoxedCommand = {
  readonly argv: readonly string[];
  /** Added to the environment. */
  readonly env: Variables;
  /** Names removed from the environment: they point at sockets that do not exist inside. */
  readonly without: readonly string[];
  /** Waits, after the command has exited, until nothing that it started is left. False: the box was never open, and nothing ran in it. */
  readonly settled?: () => Promise<boolean>;
  /** The kernel ends everything that the command started, with the command or before `settled`: it has a PID namespace of its own. */
  readonly endsWhole?: true;
};

/** What an interactive program, an agent, is started behind. An empty argv: it is started as it is. */
export type Enclosure = {
  /** The words before the program and its arguments. */
  readonly argv: readonly string[];
  readonly env: Variables;
  readonly without: readonly string[];
};
export const NO_ENCLOSURE: Enclosure = { argv: [], env: {}, without: [] };

/** A program behind an enclosure: its whole argv and environment. Undefined: no box. */
export function inBox(
  box: Enclosure | undefined,
  argv: readonly string[],
  env: Variables,
): { readonly argv: readonly string[]; readonly env: Variables } {
  const enclosure = box ?? NO_ENCLOSURE;
  return { argv: [...enclosure.argv, ...argv], env: boxedEnvironment(env, enclosure) };
}

export function boxedEnvironment(
  env: Variables,
  { without, env: added }: Pick<BoxedCommand, 'env' | 'without'>,
): Variables {
  const kept = Object.entries(env).filter(([name]) => !without.includes(name));
  return { ...Object.fromEntries(kept), ...added };
}

type Trust = Pick<BoxSettings, 'root' | 'untrusted'>;

/** The program with this name, absolute, from the folders of PATH that no agent writes; null: there is none. */
export function findProgram(name: string, settings: Trust & Pick<BoxSettings, 'path'>): string | null {
  for (const folder of settings.path.split(delimiter)) {
    const program = join(folder, name);
    if (isAbsolute(folder) && existsSync(program) && isTrusted(folder, settings) && isTrusted(program, settings))
      return program;
  }
  return null;
}

/** Whether neither the path nor what it links to is in a folder that agents write. */
export const isTrusted = (path: string, { root, untrusted }: Trust): boolean =>
  [root, ...untrusted].every((folder) => !isBelow(path, folder) && !isBelow(realPath(path), folder));
