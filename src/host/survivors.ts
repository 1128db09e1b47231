// Processes that outlived whoever started them, found by a marker in their environment and ended for good.
// Owns: the look at /proc, the hunt. Does not own: starting (process.ts).
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Bug } from '../model/bug.ts';
import { codeOf } from './files.ts';

export type Survivor = {
  readonly pid: number;
  /** Start time in kernel ticks since boot: with the pid it names one process for good, a pid alone does not. */
  readonly startTicks: string;
  /** `marked`: carries the marker itself. The others cleared their environment but descend from or group with one. */
  readonly why: 'marked' | 'descendant' | 'group';
  readonly command: string;
};

/** A variable of the environment whose value starts with `prefix`. */
export type Mark = { readonly variable: string; readonly prefix: string };

/** `left`: what could not be ended (another user's, stuck in the kernel). Empty is the promise kept. */
export type Ending = { readonly ended: readonly Survivor[]; readonly left: readonly Survivor[] };

/** Whether this machine shows the environment of processes. Elsewhere every search answers "none", which proves nothing. */
export const CAN_FIND_SURVIVORS: boolean = process.platform === 'linux';

const GRACE_MS = 500;
const PAUSE_MS = 20;
const ROUNDS = 100;

/**
 * Every live process whose HARNESS_TOKEN starts with `prefix`, with its descendants and its process group; never this
 * process. Linux only: elsewhere the answer is empty (CAN_FIND_SURVIVORS), and the caller has to say so.
 * Not seen: a process that cleared its environment *and* left its group *and* lost its parent, or wrote over the
 * environment it was given (some servers do, to change their title).
 */
export const findSurvivors = (prefix: string): readonly Survivor[] =>
  findMarked({ variable: 'HARNESS_TOKEN', prefix }, new Map());

/**
 * Ends every process `findSurvivors` finds: TERM, a short grace, then KILL until two looks in a row find none.
 * Own children with such a token are ended too: call it before starting any, or with the prefix of an earlier life.
 */
export const endSurvivors = (prefix: string, graceMs = GRACE_MS): Promise<Ending> =>
  endMarked({ variable: 'HARNESS_TOKEN', prefix }, graceMs);

/** The same for any marker. */
export async function endMarked(mark: Mark, graceMs = GRACE_MS): Promise<Ending> {
  // Remembered by pid and start: one that cleared its environment is an orphan without a trace once its parent is dead.
  const seen = new Map<number, Survivor>();
  const look = (): readonly Survivor[] => {
    const found = findMarked(mark, seen);
    for (const one of found) seen.set(one.pid, one);
    return found;
  };
  let left = look();
  if (left.length === 0) return { ended: [], left: [] };
  for (const one of left) signalOne(one, 'SIGTERM');
  for (const until = performance.now() + graceMs; left.length > 0 && performance.now() < until; left = look())
    await pause(PAUSE_MS);
  for (let round = 0, calm = left.length === 0 ? 1 : 0; round < ROUNDS && calm < (seen.size > 0 ? 4 : 2); round += 1) {
    left = look();
    calm = left.length === 0 ? calm + 1 : 0;
    // All are stopped before the first is killed: none can fork while its siblings die.
    for (const one of left) signalOne(one, 'SIGSTOP');
    for (const one of left) signalOne(one, 'SIGKILL');
    // One in the middle of its exec shows no environment: where there was anybody, the calm has to last.
    if (seen.size > 0) await pause(PAUSE_MS);
  }
  const stays = new Set(left.map((one) => one.pid));
  return { ended: [...seen.values()].filter((one) => !stays.has(one.pid)), left };
}

function findMarked({ variable, prefix }: Mark, seen: ReadonlyMap<number, Survivor>): readonly Survivor[] {
  if (prefix === '') throw new Bug('an empty prefix would end every marked process of this machine');
  if (!CAN_FIND_SURVIVORS) return [];
  const needle = `${variable}=${prefix}`;
  const marked = everyProcess((pid) => (isMarked(pid, needle) ? rowOf(pid) : null));
  // Nobody, as nearly always: then nobody's parents and groups are of interest.
  if (seen.size === 0 && marked.every(({ pid }) => pid === process.pid)) return [];
  const table = processTable();
  const own = table.find((row) => row.pid === process.pid)?.group;
  const found = new Map<number, Survivor['why']>();
  for (const row of table)
    if (isMarked(row.pid, needle)) found.set(row.pid, 'marked');
    else if (seen.get(row.pid)?.startTicks === row.startTicks) found.set(row.pid, seen.get(row.pid)?.why ?? 'marked');
  found.delete(process.pid);
  // To a fixed point: a child may lead a group, a group member may have children. Our own branch is never entered.
  for (let grown = true; grown;) {
    // One that was seen a moment ago and is gone since may have left others of its group.
    const known = [...marked, ...table.filter((row) => found.has(row.pid))];
    const groups = new Set(known.filter((row) => row.group !== own).map((row) => row.group));
    const news = table.filter(
      (row) => !found.has(row.pid) && row.pid !== process.pid && (found.has(row.parent) || groups.has(row.group)),
    );
    for (const row of news) found.set(row.pid, found.has(row.parent) ? 'descendant' : 'group');
    grown = news.length > 0;
  }
  return table.flatMap(({ pid, startTicks }) => {
    const why = found.get(pid);
    return why === undefined ? [] : [{ pid, startTicks, why, command: commandOf(pid) }];
  });
}

type Row = { readonly pid: number; readonly parent: number; readonly group: number; readonly startTicks: string };

const processIds = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Looked at until no new ones appear: a chain that forks and ends at once must not slip between the list and the look. */
function everyProcess<T>(of: (pid: number) => T | null): readonly T[] {
  const known = new Set<number>();
  const found: T[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const news = processIds().filter((pid) => !known.has(pid));
    if (news.length === 0) break;
    for (const pid of news) {
      known.add(pid);
      const one = of(pid);
      if (one !== null) found.push(one);
    }
  }
  return found;
}

/** Every live process; zombies are dead already. */
const processTable = (): readonly Row[] => everyProcess(rowOf);

function rowOf(pid: number): Row | null {
  const stat = readProc(pid, 'stat')?.toString('latin1');
  if (stat === undefined) return null;
  // The second field is the program's name in brackets and may itself hold blanks and brackets.
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  return { pid, parent: Number(parent), group: Number(group), startTicks: rest[16] ?? '' };
}

function isMarked(pid: number, needle: string): boolean {
  const environment = readProc(pid, 'environ');
  if (environment === null) return false;
  for (let at = environment.indexOf(needle); at >= 0; at = environment.indexOf(needle, at + 1))
    if (at === 0 || environment[at - 1] === 0) return true;
  return false;
}

const commandOf = (pid: number): string =>
  readProc(pid, 'cmdline')?.toString('utf8').replaceAll('\0', ' ').trim().slice(0, 200) ?? '';

/** Null: gone meanwhile, or not ours to read. */
function readProc(pid: number, name: string): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    return null;
  }
}

function signalOne(one: Survivor, signal: NodeJS.Signals): void {
  if (rowOf(one.pid)?.startTicks !== one.startTicks) return;
  try {
    process.kill(one.pid, signal);
  } catch {
    // gone between the look and the signal, or another user's: the next look tells
  }
}

/** Whether there is a process of this number, whoever's it is. One that is dead, and that nobody has looked after yet, is none. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return !CAN_FIND_SURVIVORS || rowOf(pid) !== null;
}

/** A process the kernel cannot end (stuck in a device) is given up so many milliseconds after KILL. */
export const LOST_MS = 10_000;
const LOOK_MS = 2;

/** Waits for somebody who was killed, or is about to end, to be no more. */
export async function untilGone(isThere: () => boolean): Promise<void> {
  for (const until = performance.now() + LOST_MS; isThere() && performance.now() < until;) await pause(LOOK_MS);
}

/**
 * Whether anybody of a process group lives. The first process of a namespace does until all others in it are dead, also where it was
 * killed long before them. Where zombies cannot be told from the living they count.
 */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return !CAN_FIND_SURVIVORS || processTable().some((row) => row.group === group);
}

/**
 * When the living process of this number began, fit for nothing but comparing: with the number it names one process for good. Null: there
 * is none. Where that cannot be seen every process began at "0", and whoever has the number now counts.
 */
export const startOf = (pid: number): string | null =>
  CAN_FIND_SURVIVORS ? (rowOf(pid)?.startTicks ?? null) : isAlive(pid) ? '0' : null;

/**
 * Whether what lies at a path is of a living process of this number, and not of this one: nobody starts twice, and our own writes are
 * over when they return, so one with our number is of somebody who had it before us.
 */
export function isOfLiving(path: string, pid: number): boolean {
  const writtenMs = pid === process.pid ? undefined : statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return writtenMs !== undefined && isAliveSince(pid, writtenMs);
}

/**
 * Whether a process of this number lives that was there at a time, in milliseconds since 1970: numbers are given again, on a busy
 * machine within minutes. Where that cannot be seen, whoever has the number now counts.
 */
function isAliveSince(pid: number, atMs: number): boolean {
  if (!isAlive(pid)) return false;
  const row = CAN_FIND_SURVIVORS ? rowOf(pid) : null;
  const boot = row === null ? undefined : /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
  if (row === null || boot === undefined) return true;
  return Number(boot) * 1_000 + Number(row.startTicks) * TICK_MS <= atMs + ROUNDED_MS;
}

/** The unit of times in /proc, on every Linux. */
const TICK_MS = 10;
/** The moment of the start of the machine is known to the second. */
const ROUNDED_MS = 2_000;
