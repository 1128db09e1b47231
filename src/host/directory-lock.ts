// The directory lock of other agents that work on a task list: a shell snippet in their instructions makes a folder in /tmp with its pid.
// It is held in addition to the kernel lock (lock.ts), which decides between two processes of the harness.
//
// Each name is a link to a folder that was completed before. `ln` and `mkdir` refuse an existing name, a shell reads `<name>/pid` through
// the link, and there is never a lock without its pid, which the snippet would take for a stale one. The folder's name says whose it is:
// `<name>.owner.<pid>.<start time>.<random>`; a lock that is moved away is called `<name>.stale.` and the same.
import {
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
import { statsOf } from './paths.ts';
import type { Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { codeOf } from './error-code.ts';
import { readRegular, sha256 } from './files.ts';
import { locked, sleepSync, unavailable } from './lock.ts';
import { belongsToLiveProcess, liveStartOf } from './process-table.ts';

/** A lock that was taken over from an owner that had ended. `pid` null: it had not written its pid. */
export type Reclaimed = { readonly name: string; readonly pid: number | null };

export type DirectoryLocks = {
  readonly reclaimed: readonly Reclaimed[];
  /** False: another agent has taken one of them away, as the snippet may that looked at the previous owner before we took the lock. */
  areOurs(): boolean;
  /** Safe to call twice; leaves what is not ours any more. Happens automatically when the process exits, but not when it is killed. */
  release(): void;
};

type HeldLock = { readonly name: string; readonly folder: string };
type LockState =
  | { readonly is: 'gone' }
  /** Its owner has not written its pid yet, or was killed before it did: the age will decide. */
  | { readonly is: 'nameless' }
  | { readonly is: 'live'; readonly pid: number }
  | { readonly is: 'stale'; readonly pid: number | null };

/** How long to wait for the pid of an owner, and for others that reclaim at the same time. */
const WAIT_MS = 500;
/** An owner without a pid for longer than this has ended: the snippet writes the pid within milliseconds. */
const NAMELESS_MS = 10_000;
/** Between checking the owner and moving its lock away the snippet starts two programs: a reclaimed name is watched this long. */
const SETTLE_MS = 250;

/**
 * The two names that the snippet computes from the path of a work tree as `pwd` prints it: the intended one, and the one it computes on
 * machines with `shasum`, whose output does not reach `cut`. (Without `shasum` it hashes its own input: a name of no work tree.)
 */
export function directoryLocksOf(root: string, tmp = '/tmp'): readonly [intended: string, literal: string] {
  // $(pwd) drops line ends.
  const hash = sha256(root.replace(/\n+$/, ''));
  return [join(tmp, `harness-${hash.slice(0, 8)}.lock`), join(tmp, `harness-${hash}  -.lock`)];
}

/**
 * Takes both, or none. Only for the holder of the kernel lock, which has to release these first. Fails with `locked` (`pid` of the live
 * owner, suspended or not; "?" where it has not written it) or `lock-unavailable`.
 */
export function takeDirectoryLocks(root: string, { tmp = '/tmp' } = {}): Result<DirectoryLocks> {
  const reclaimed: Reclaimed[] = [];
  const held: HeldLock[] = [];
  const release = (): void => {
    process.off('exit', release);
    for (const one of held.splice(0)) releaseLock(one);
  };
  const areOurs = (): boolean => held.length > 0 && held.every(isOurs);
  for (const name of directoryLocksOf(root, tmp)) {
    const one = take(name, reclaimed);
    if (!one.ok) {
      release();
      return one;
    }
    held.push(one.value);
  }
  if (reclaimed.length > 0) sleepSync(SETTLE_MS);
  const lost = held.find((one) => !isOurs(one));
  if (lost !== undefined) {
    release();
    const by = stateOf(lost.name);
    return err(lockedBy(lost.name, by.is === 'live' ? by.pid : null));
  }
  // Before the kernel lock's own handler: the next owner of that lock finds nothing to reclaim.
  process.prependOnceListener('exit', release);
  return ok({ reclaimed, areOurs, release });
}

function take(name: string, reclaimed: Reclaimed[]): Result<HeldLock> {
  const own = { name, folder: `${name}.owner.${ownSuffix()}` };
  const refused = (failure: Failure): Result<never> => {
    discard(own.folder);
    return err(failure);
  };
  try {
    sweep(name);
    mkdirSync(own.folder);
    writeFileSync(join(own.folder, 'pid'), `${process.pid}\n`);
    for (const until = performance.now() + WAIT_MS; ;) {
      if (link(basename(own.folder), name)) return ok(own);
      const state = stateOf(name);
      if (state.is === 'stale' && moveAway(name)) reclaimed.push({ name, pid: state.pid });
      else if (state.is === 'live') return refused(lockedBy(name, state.pid));
      else if (performance.now() > until) return refused(lockedBy(name, null));
      else if (state.is === 'nameless') sleepSync(5);
    }
  } catch (error) {
    return refused(unavailable(name, error));
  }
}

const lockedBy = (name: string, pid: number | null): Failure => ({
  ...locked({ pid, startedAt: null, command: null, run: null }),
  at: { file: name },
});

/** Whose lock it is that is at this path. */
function stateOf(path: string): LockState {
  const facts = statsOf(path);
  if (facts === null) return { is: 'gone' };
  const maker = facts.isSymbolicLink() ? makerOf(targetOf(path)) : null;
  if (maker !== null && liveStartOf(maker.pid) === maker.start) return { is: 'live', pid: maker.pid };
  // Also through a link of ours: a slow snippet may have written its own pid there.
  const pid = facts.isDirectory() || maker !== null ? pidAt(join(path, 'pid')) : null;
  if (pid !== null && pid !== maker?.pid && belongsToLiveProcess(join(path, 'pid'), pid)) return { is: 'live', pid };
  if (pid !== null || maker !== null) return { is: 'stale', pid: pid ?? maker?.pid ?? null };
  return Math.abs(Date.now() - facts.mtimeMs) > NAMELESS_MS ? { is: 'stale', pid: null } : { is: 'nameless' };
}

/** Moves a stale lock out of the way. False: it was gone, or another lock was there, which is restored. */
function moveAway(name: string): boolean {
  const moved = `${name}.stale.${ownSuffix()}`;
  try {
    renameSync(name, moved);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  return settle(moved, name);
}

/** Decides about a lock that was moved away: a stale one is removed, any other one is restored if its name is free. True: it was stale. */
function settle(moved: string, name: string): boolean {
  const state = stateOf(moved);
  const target = targetOf(moved);
  if (state.is === 'stale') discard(moved);
  else if (target === null && stateOf(name).is === 'gone') tryTo(() => renameSync(moved, name));
  else if (target !== null && link(target, name)) discard(moved);
  return state.is === 'stale';
}

/** Cleans up next to a name after processes of the harness that were killed, at whatever point. */
function sweep(name: string): void {
  for (const entry of readdirSync(dirname(name))) {
    const path = join(dirname(name), entry);
    const maker = entry.startsWith(`${basename(name)}.`) ? makerOf(entry) : null;
    if (maker === null || liveStartOf(maker.pid) === maker.start) continue;
    if (maker.what === 'stale') settle(path, name);
    else if (stateOf(path).is !== 'live') discard(path);
  }
}

const isOurs = ({ name, folder }: HeldLock): boolean =>
  targetOf(name) === basename(folder) && pidAt(join(name, 'pid')) === process.pid;

/** Removes only a link, because the snippet puts a folder in its place; and no link that shows the pid of another process by now. */
function releaseLock({ name, folder }: HeldLock): void {
  const isLinked = targetOf(name) === basename(folder);
  if (isLinked && ![process.pid, null].includes(pidAt(join(name, 'pid')))) return;
  if (isLinked) tryTo(() => unlinkSync(name));
  discard(folder);
}

/** False: the name exists. */
function link(target: string, name: string): boolean {
  try {
    symlinkSync(target, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null: not a link. */
function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** The pid in a `pid` file; null: there is none yet, or something else. */
function pidAt(path: string): number | null {
  const read = readRegular(path, 64);
  const [, digits] = read.kind === 'file' ? (/^\s*([1-9]\d{0,9})\s*$/.exec(read.bytes.toString('latin1')) ?? []) : [];
  return digits === undefined ? null : Number(digits);
}

const ownSuffix = (): string =>
  `${process.pid}.${liveStartOf(process.pid) ?? 0}.${Math.random().toString(16).slice(2).padEnd(4, '0')}`;

function makerOf(name: string | null): { readonly what: string; readonly pid: number; readonly start: string } | null {
  const [, what, pid, start] = /\.(owner|stale)\.(\d+)\.(\d+)\.[0-9a-f]+$/.exec(name ?? '') ?? [];
  return what === undefined || start === undefined ? null : { what, pid: Number(pid), start };
}

/** What cannot be removed is harmless; the next start tries again. */
const discard = (path: string): void => tryTo(() => rmSync(path, { recursive: true, force: true }));

function tryTo(run: () => void): void {
  try {
    run();
  } catch {
    // it belongs to another user, or has changed meanwhile
  }
}
