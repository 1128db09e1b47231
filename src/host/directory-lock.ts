// The directory lock of agents that follow reference 003 to the letter: held beside the kernel lock (lock.ts), which is the truth
// and keeps one harness from another. Owns its names, taking it, telling a dead owner from a living one, letting go, sweeping.
//
// Each name is a link to a folder that was finished before: link and `mkdir` refuse each other, a shell reads `<name>/pid` through
// it, and it never is there without its pid, as a made folder is for a moment in which the snippet takes it for a stale one.
// The folder's name says whose it is: `<name>.owner.<pid>.<start>.<chance>`; what is taken away is `<name>.stale.` and the same.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { codeOf, sha256 } from './files.ts';
import { locked, sleepSync, unavailable } from './lock.ts';
import { readRegular } from './regular.ts';
import { belongsToLiveProcess, liveStartOf } from './process-table.ts';

/** `pid` null: it had not said. What is logged as `WARN Removed stale lock from pid=…`. */
export type Reclaimed = { readonly name: string; readonly pid: number | null };

export type DirectoryLocks = {
  /** Of owners that had died. */
  readonly reclaimed: readonly Reclaimed[];
  /** False: somebody took one away since, as the snippet may that looked at the owner before us and acts on what it saw. */
  areOurs(): boolean;
  /** Safe to call twice; leaves what is not ours any more. Happens by itself at the end of the process, but not when it is killed. */
  release(): void;
};

type Taken = { readonly name: string; readonly folder: string };
type Found =
  | { readonly is: 'gone' }
  /** Somebody is between making it and writing his number, or died there: its age will tell. */
  | { readonly is: 'nameless' }
  | { readonly is: 'living'; readonly pid: number }
  | { readonly is: 'stale'; readonly pid: number | null };

/** So long it is waited for the number of an owner, and for those who reclaim at the same time. */
const WAIT_MS = 500;
/** An owner without a number for longer than this is dead: the snippet writes it within milliseconds. */
const NAMELESS_MS = 10_000;
/** From looking at an owner to moving its lock away the snippet starts two programs: so long a reclaimed name is watched. */
const SETTLE_MS = 250;

/**
 * The names that the snippet can compute of the path of a work tree, as `pwd` prints it: the one that is meant, and the one of
 * machines with `shasum`, whose output never gets to `cut`. (Where there is none it hashes its own input: no name of any tree.)
 */
export function directoryLocksOf(root: string, tmp = '/tmp'): readonly [meant: string, literal: string] {
  // $(pwd) loses line ends.
  const hash = sha256(root.replace(/\n+$/, ''));
  return [join(tmp, `harness-${hash.slice(0, 8)}.lock`), join(tmp, `harness-${hash}  -.lock`)];
}

/**
 * Takes both, or none. Only for the holder of the kernel lock, until just before it lets go of that. Fails with `locked` (`pid` of the
 * living owner, stopped or not; "?" where it does not say) or `lock-unavailable`.
 */
export function takeDirectoryLocks(root: string, { tmp = '/tmp' } = {}): Result<DirectoryLocks> {
  const reclaimed: Reclaimed[] = [];
  const taken: Taken[] = [];
  const release = (): void => {
    process.off('exit', release);
    for (const one of taken.splice(0)) letGo(one);
  };
  const areOurs = (): boolean => taken.length > 0 && taken.every(isOurs);
  for (const name of directoryLocksOf(root, tmp)) {
    const one = take(name, reclaimed);
    if (!one.ok) {
      release();
      return one;
    }
    taken.push(one.value);
  }
  if (reclaimed.length > 0) sleepSync(SETTLE_MS);
  const lost = taken.find((one) => !isOurs(one));
  if (lost !== undefined) {
    release();
    const by = look(lost.name);
    return err(held(lost.name, by.is === 'living' ? by.pid : null));
  }
  // Before the kernel lock's own: the next owner of that finds nothing to reclaim.
  process.prependOnceListener('exit', release);
  return ok({ reclaimed, areOurs, release });
}

function take(name: string, reclaimed: Reclaimed[]): Result<Taken> {
  const mine = { name, folder: `${name}.owner.${marks()}` };
  const refused = (failure: Failure): Result<never> => {
    discard(mine.folder);
    return err(failure);
  };
  try {
    sweep(name);
    mkdirSync(mine.folder);
    writeFileSync(join(mine.folder, 'pid'), `${process.pid}\n`);
    for (const until = performance.now() + WAIT_MS; ;) {
      if (link(basename(mine.folder), name)) return ok(mine);
      const found = look(name);
      if (found.is === 'stale' && takeAway(name)) reclaimed.push({ name, pid: found.pid });
      else if (found.is === 'living') return refused(held(name, found.pid));
      else if (performance.now() > until) return refused(held(name, null));
      else if (found.is === 'nameless') sleepSync(5);
    }
  } catch (error) {
    return refused(unavailable(name, error));
  }
}

const held = (name: string, pid: number | null): Failure => ({
  ...locked({ pid, startedAt: null, command: null, run: null }),
  at: { file: name },
});

/** Who is the owner of what lies at a path. */
function look(path: string): Found {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return { is: 'gone' };
  const maker = facts.isSymbolicLink() ? makerOf(linkAt(path)) : null;
  if (maker !== null && liveStartOf(maker.pid) === maker.start) return { is: 'living', pid: maker.pid };
  // Through a link of ours, too: a snippet that was long about it has written its own number there.
  const pid = facts.isDirectory() || maker !== null ? numberAt(join(path, 'pid')) : null;
  if (pid !== null && pid !== maker?.pid && belongsToLiveProcess(join(path, 'pid'), pid)) return { is: 'living', pid };
  if (pid !== null || maker !== null) return { is: 'stale', pid: pid ?? maker?.pid ?? null };
  return Math.abs(Date.now() - facts.mtimeMs) > NAMELESS_MS ? { is: 'stale', pid: null } : { is: 'nameless' };
}

/** Takes a stale one out of the way; false: it was not there any more, or another one was, who has it back. */
function takeAway(name: string): boolean {
  const moved = `${name}.stale.${marks()}`;
  try {
    renameSync(name, moved);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  return settle(moved, name);
}

/** Of what was taken away: a stale one goes, another goes back, if its name is free. Whether it was stale. */
function settle(moved: string, name: string): boolean {
  const found = look(moved);
  const target = linkAt(moved);
  if (found.is === 'stale') discard(moved);
  else if (target === null && look(name).is === 'gone') tryTo(() => renameSync(moved, name));
  else if (target !== null && link(target, name)) discard(moved);
  return found.is === 'stale';
}

/** What dead owners of ours have left beside a name, wherever in the middle of something they died. */
function sweep(name: string): void {
  for (const entry of readdirSync(dirname(name))) {
    const path = join(dirname(name), entry);
    const maker = entry.startsWith(`${basename(name)}.`) ? makerOf(entry) : null;
    if (maker === null || liveStartOf(maker.pid) === maker.start) continue;
    if (maker.what === 'stale') settle(path, name);
    else if (look(path).is !== 'living') discard(path);
  }
}

const isOurs = ({ name, folder }: Taken): boolean =>
  linkAt(name) === basename(folder) && numberAt(join(name, 'pid')) === process.pid;

/** Only a link is removed, as what a snippet puts in its place is a folder; and none that shows another's number by now. */
function letGo({ name, folder }: Taken): void {
  const isLinked = linkAt(name) === basename(folder);
  if (isLinked && ![process.pid, null].includes(numberAt(join(name, 'pid')))) return;
  if (isLinked) tryTo(() => unlinkSync(name));
  discard(folder);
}

/** False: there is something by that name. */
function link(target: string, name: string): boolean {
  try {
    symlinkSync(target, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null: no link. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** The number in a `pid` file; null: none yet, or something else. */
function numberAt(path: string): number | null {
  const read = readRegular(path, 64);
  const [, digits] = read.kind === 'file' ? (/^\s*([1-9]\d{0,9})\s*$/.exec(read.bytes.toString('latin1')) ?? []) : [];
  return digits === undefined ? null : Number(digits);
}

const marks = (): string =>
  `${process.pid}.${liveStartOf(process.pid) ?? 0}.${Math.random().toString(16).slice(2).padEnd(4, '0')}`;

function makerOf(name: string | null): { readonly what: string; readonly pid: number; readonly start: string } | null {
  const [, what, pid, start] = /\.(owner|stale)\.(\d+)\.(\d+)\.[0-9a-f]+$/.exec(name ?? '') ?? [];
  return what === undefined || start === undefined ? null : { what, pid: Number(pid), start };
}

/** In nobody's way where it cannot be done; the next start tries again. */
const discard = (path: string): void => tryTo(() => rmSync(path, { recursive: true, force: true }));

function tryTo(run: () => void): void {
  try {
    run();
  } catch {
    // another user's, or changed meanwhile
  }
}
