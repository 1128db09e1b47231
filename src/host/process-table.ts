// What this machine shows about its processes: which are alive, their parents and groups, and the markers in their environment.
// Reads only; process-tree.ts ends processes. The kernel reuses pids, so a pid names one process only together with its start time.
import { Buffer } from 'node:buffer';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { targetStatsOf } from './paths.ts';
import { codeOf } from './error-code.ts';

/** One process for good: no other process ever has both. */
export type ProcessId = {
  readonly pid: number;
  /** Start time in kernel ticks since boot, as text. */
  readonly startTicks: string;
};
export type ProcessRow = ProcessId & { readonly parent: number; readonly group: number };

/** Whether this machine lists processes with their environment (Linux). Elsewhere every search finds nothing, which proves nothing. */
export const CAN_LIST_PROCESSES: boolean = process.platform === 'linux';

const MAX_ROUNDS = 100;

/** Every live process of a program. Zombies have ended. */
export const processTable = (): readonly ProcessRow[] => mapProcesses(processRow);

/**
 * Applies `read` to every process and keeps the results that are not null. Lists again until there are no new pids: a chain of
 * processes that fork and exit at once must not slip between the listing and the reading.
 */
export function mapProcesses<T>(read: (pid: number) => T | null): readonly T[] {
  const known = new Set<number>();
  const results: T[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const added = processIds().filter((pid) => !known.has(pid));
    if (added.length === 0) break;
    for (const pid of added) {
      known.add(pid);
      const result = read(pid);
      if (result !== null) results.push(result);
    }
  }
  return results;
}

const processIds = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** The live process with this pid; null if there is none, or only a zombie or a thread of the kernel. */
export function processRow(pid: number): ProcessRow | null {
  const stat = statOf(pid);
  return stat === null || stat.state === 'Z' || stat.state === 'X' || stat.isKernelThread ? null : stat;
}

/** Zombies included: a child that has exited keeps its pid and start time until its parent collects it. */
function statOf(pid: number): (ProcessRow & { readonly state: string; readonly isKernelThread: boolean }) | null {
  const stat = readProc(pid, 'stat')?.toString('latin1');
  if (stat === undefined) return null;
  // The second field is the program's name in parentheses and may itself contain blanks and parentheses.
  const [state = '', parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isKernelThread = (Number(rest[3]) & KERNEL_THREAD) !== 0;
  return { pid, state, parent: Number(parent), group: Number(group), startTicks: rest[16] ?? '', isKernelThread };
}
/** `PF_KTHREAD` of the kernel's `include/linux/sched.h`. */
const KERNEL_THREAD = 0x00200000;

/** What names the process with this pid, running or a zombie; null where there is none or it cannot be read. */
export function processId(pid: number): ProcessId | null {
  const startTicks = statOf(pid)?.startTicks;
  return startTicks === undefined ? null : { pid, startTicks };
}

/** What a process shows of the environment it was started with; null: it has ended, or belongs to another user. */
export const environmentOf = (pid: number): Buffer | null => readProc(pid, 'environ');

/**
 * Whether the environment of a process has this variable with exactly this value, or with a path below it (`value/…`). Null: it shows
 * no environment, because it was started with none or is in the middle of an exec.
 */
export function hasMarker(environment: Buffer | null, variable: string, value: string): boolean | null {
  if (environment === null) return false;
  if (environment.length === 0) return null;
  const text = `${variable}=${value}`;
  const isBase = /[#/]$/.test(value);
  for (let at = environment.indexOf(text); at >= 0; at = environment.indexOf(text, at + 1)) {
    const isVariable = at === 0 || environment[at - 1] === 0;
    const next = environment[at + Buffer.byteLength(text)] ?? 0;
    if (isVariable && (isBase || next === 0 || next === SLASH)) return true;
  }
  return false;
}
const SLASH = 47;

/** Whether a process shows no command line yet, as in the middle of an exec. */
export const isStarting = (pid: number): boolean => processRow(pid) !== null && readProc(pid, 'cmdline')?.length === 0;

/** The pid of a process in the innermost PID namespace that it belongs to; null where that cannot be read. */
export function innermostPid(pid: number): number | null {
  const line = /^NSpid:(.*)$/m.exec(readProc(pid, 'status')?.toString('latin1') ?? '')?.[1];
  return line === undefined ? null : Number(line.trim().split(/\s+/).at(-1));
}

/** The children of a process with one thread; null where the kernel does not list them. */
export function childrenOf(pid: number): readonly number[] | null {
  const listed = readProc(pid, `task/${pid}/children`)?.toString('latin1');
  return listed === undefined ? null : listed.split(' ').filter(Boolean).map(Number);
}

/** The command line, at most 200 characters; '' where it cannot be read. */
export const commandLineOf = (pid: number): string =>
  readProc(pid, 'cmdline')?.toString('utf8').replaceAll('\0', ' ').trim().slice(0, 200) ?? '';

/** Null: the process has ended, or belongs to another user. */
function readProc(pid: number, name: string): Buffer | null {
  try {
    const file = openSync(`/proc/${pid}/${name}`, 'r');
    try {
      return wholeOf(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** These files do not say how long they are, so `readFileSync` allocates 64 KB for each and copies them: a look at all processes reads hundreds. */
let space = Buffer.allocUnsafeSlow(64 * 1024);
function wholeOf(file: number): Buffer {
  let length = 0;
  for (let read = -1; read !== 0; length += read) {
    if (length === space.length) space = Buffer.concat([space, Buffer.allocUnsafeSlow(space.length)]);
    read = readSync(file, space, length, space.length - length, null);
  }
  return Buffer.from(space.subarray(0, length));
}

/** True if a process with this pid is alive, of any user. Zombies count where they cannot be distinguished. */
export const isAlive = (pid: number): boolean => isSignalable(pid) && (!CAN_LIST_PROCESSES || processRow(pid) !== null);

/** Whether the kernel knows a process (or, for a negative number, a group) to signal. Zombies count. */
export function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * The start time of the live process with this pid, only fit for comparing: pid and start time together name one process. Null: there
 * is no such process. Where start times cannot be read every process starts at "0", so any live process with this pid matches.
 */
export const liveStartOf = (pid: number): string | null =>
  CAN_LIST_PROCESSES ? (processRow(pid)?.startTicks ?? null) : isAlive(pid) ? '0' : null;

/**
 * True if the file or folder belongs to another live process with this pid. Our own pid never counts: our writes are synchronous,
 * so such a file is left over from an earlier process with our pid.
 */
export function belongsToLiveProcess(path: string, pid: number): boolean {
  const writtenMs = pid === process.pid ? undefined : targetStatsOf(path)?.mtimeMs;
  return writtenMs !== undefined && isAliveSince(pid, writtenMs);
}

/**
 * Whether a live process with this pid already ran at that time (milliseconds since 1970): a busy machine reuses pids within
 * minutes. Where start times cannot be read, any live process with this pid counts.
 */
function isAliveSince(pid: number, atMs: number): boolean {
  if (!isAlive(pid)) return false;
  const row = CAN_LIST_PROCESSES ? processRow(pid) : null;
  const boot = row === null ? undefined : /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
  if (row === null || boot === undefined) return true;
  return Number(boot) * 1_000 + Number(row.startTicks) * TICK_MS <= atMs + ROUNDED_MS;
}

/** The unit of times in /proc, on every Linux. */
const TICK_MS = 10;
/** The boot time is only known to the second. */
const ROUNDED_MS = 2_000;

/**
 * Whether a process with this program name (`comm`) has its working folder in one of these folders (absolute, without links). Null:
 * this machine does not show it. Processes of other users are not seen.
 */
export function isProgramRunningIn(name: string, folders: readonly string[]): boolean | null {
  if (!CAN_LIST_PROCESSES) return null;
  const isInside = (folder: string): boolean => folders.some((one) => folder === one || folder.startsWith(`${one}/`));
  return processIds().some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name && isInside(readlinkSync(`/proc/${pid}/cwd`));
    } catch {
      return false; // it has ended meanwhile, or belongs to another user
    }
  });
}
