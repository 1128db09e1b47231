// A small shell that starts commands: how it is opened and discarded. starter.ts says what for, starter-script.ts what it is given to read.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { holdProcess } from './hold-process.ts';
import { isProgram } from './installed-program.ts';
import { spareProcess } from './process-tree.ts';
import { preamble } from './starter-script.ts';
import { makeOwnFolder } from './temporary-folders.ts';

/** A shell that is not ready by then is given up, and commands are started without one; milliseconds. */
const READY_MS = 5_000;

type Programs = { readonly setpriv: string; readonly setsid: string; readonly mkfifo: string };
export type StarterShell = {
  readonly child: ChildProcess;
  readonly setsid: string;
  /** Both pipes, open for reading: what a command prints is read from a second opening, which ends when its last writer has gone. */
  readonly pipes: readonly [number, number];
  /** A file without a name, open for both, for the input of its commands. */
  readonly input: number;
  /** Takes the next lines of the shell. */
  take: (line: string) => void;
  isBroken: boolean;
};

/** Where a program was found, by its name and the PATH: each command asks, and nearly all are git. */
const found = new Map<string, string>();

/**
 * A program that can be started by this name. A relative path would be looked for in the folder of the command: it is not looked for at all. One that
 * is still where it was is not looked for in the other folders again.
 */
export function findProgram(name: string, path: string): string | null {
  const key = `${name}\0${path}`;
  const known = found.get(key);
  if (known !== undefined && isProgram(known)) return known;
  const files = name.includes('/')
    ? [name]
    : path.split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, name)]));
  const file = files.find((one) => isAbsolute(one) && isProgram(one)) ?? null;
  if (file !== null) found.set(key, file);
  return file;
}

let programs: Programs | null | undefined;

/** null: this machine lacks a program for it, or the shell did not come up. Throws where the temporary folder has no room. */
export async function openShell(place: string, path: string): Promise<StarterShell | null> {
  programs ??= findPrograms(path);
  if (programs === null) return null;
  const { setpriv, setsid, mkfifo } = programs;
  const folder = makeOwnFolder('pipes');
  try {
    const [out, errors] = [join(folder, 'out'), join(folder, 'err')];
    const input = openSync(join(folder, 'in'), 'wx+', 0o600);
    const child = spawn(setpriv, ['--pdeathsig', 'KILL', '/bin/sh'], {
      cwd: '/',
      env: { HARNESS_TOKEN: `${place}start` },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ready = Promise.withResolvers<boolean>();
    const shell: StarterShell = {
      child,
      setsid,
      pipes: [-1, -1],
      input,
      take: (line) => ready.resolve(line === 'ready'),
      isBroken: false,
    };
    child.on('error', () => ready.resolve(false));
    child.once('exit', () => {
      ready.resolve(false);
      discard(shell);
    });
    child.stdin?.on('error', () => undefined);
    eachLine(child.stdout, (line) => shell.take(line));
    if (child.pid === undefined) {
      discard(shell);
      return null;
    }
    spareProcess(child);
    child.stdin?.write(preamble(mkfifo, out, errors, inputPath(input)));
    const late = setTimeout(() => ready.resolve(false), READY_MS);
    const isReady = await ready.promise;
    clearTimeout(late);
    const pipes = isReady ? readersOf([out, errors]) : null;
    if (pipes !== null) return Object.assign(shell, { pipes });
    discard(shell);
    return null;
  } finally {
    // The pipes and the file are open where they are needed: nothing is left on the disk, whatever ends this process afterwards.
    rmSync(folder, { recursive: true, force: true });
  }
}

export function findPrograms(path: string): Programs | null {
  const folders = ['/usr/bin', '/bin', path].join(delimiter);
  const [setpriv, setsid, mkfifo] = ['setpriv', 'setsid', 'mkfifo'].map((name) => findProgram(name, folders));
  return setpriv && setsid && mkfifo ? { setpriv, setsid, mkfifo } : null;
}

/** Both opened for reading; null: too many files are open. */
export function readersOf(paths: readonly [string, string]): readonly [number, number] | null {
  const opened: number[] = [];
  try {
    for (const path of paths) opened.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  } catch {
    for (const file of opened) closeSync(file);
  }
  const [first, second] = opened;
  return first === undefined || second === undefined ? null : [first, second];
}

/** By which another process of this user opens a file of this one, which has no name any more. */
export const inputPath = (file: number): string => `/proc/${process.pid}/fd/${file}`;

/** It ends by itself at the end of its input; it is not used again. */
export function discard(shell: StarterShell): void {
  if (shell.isBroken) return;
  shell.isBroken = true;
  shell.child.stdin?.end();
  holdProcess(shell.child, false);
  for (const file of [...shell.pipes, shell.input]) if (file >= 0) closeSync(file);
}

function eachLine(stream: Readable | null, use: (line: string) => void): void {
  let rest = '';
  stream?.on('error', () => undefined);
  stream?.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) use(line);
  });
}
