// Ends processes for good: the group of a child, the tree below a program, and the orphans of a crashed run. The one place that sends signals
// to other processes. None goes to a process that has got a reused pid: a process is known by pid and start time, a group by its leader.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Bug } from '../model/bug.ts';
import { settlesWithin } from './clock.ts';
import {
  CAN_LIST_PROCESSES,
  childrenOf,
  commandLineOf,
  environmentOf,
  hasMarker,
  innermostPid,
  isAlive,
  isSignalable,
  isStarting,
  mapProcesses,
  processId,
  processRow,
  processTable,
  type ProcessId,
  type ProcessRow,
} from './process-table.ts';

/** A process that the kernel cannot end (blocked in a device) is given up this long after KILL; milliseconds. */
const GIVE_UP_MS = 10_000;
const POLL_MS = 2;

/** Resolves when the condition no longer holds, at the latest after `withinMs` (default 10 seconds). For processes that were killed or are about to end. */
export async function waitWhile(condition: () => boolean, withinMs = GIVE_UP_MS): Promise<void> {
  for (const until = performance.now() + withinMs; condition() && performance.now() < until;) await pause(POLL_MS);
}

export type ProcessGroup = {
  /** Does nothing where the group has ended. */
  signal(signal: NodeJS.Signals): void;
  /**
   * TERM, then KILL where the leader has not exited after `graceMs`. Resolves with the signal that was needed; null: the leader is
   * still there 10 seconds after KILL.
   */
  end(leaderExit: Promise<unknown>, graceMs: number): Promise<'SIGTERM' | 'SIGKILL' | null>;
  /**
   * Resolves when no process of the group is alive. The first process of a PID namespace stays alive until the kernel has killed
   * all others in it, which takes a while where there are many.
   */
  empty(): Promise<void>;
};

/** `parent`: of a process that a shell started for this one (starter.ts). It makes its group itself, a moment after its start, or leads none. */
export type GroupLeader = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'> & { readonly parent?: number };

/** The group of a child that was started with `detached`, or by a shell. */
export function processGroup(child: GroupLeader): ProcessGroup {
  const { pid, parent } = child;
  // The kernel reuses a pid only when its process has been collected and no group has this number. So once the child has exited, a
  // process with its pid is another one, and the group has ended.
  const exists = (group: number): boolean =>
    isSignalable(-group) && ((child.exitCode === null && child.signalCode === null) || !isAlive(group));
  const hasMembers = (): boolean =>
    pid !== undefined && exists(pid) && (!CAN_LIST_PROCESSES || processTable().some((row) => row.group === pid));
  const signal = (name: NodeJS.Signals): void => {
    if (pid === undefined) return;
    if (exists(pid)) send(-pid, name);
    else if (parent !== undefined && processRow(pid)?.parent === parent) send(pid, name);
  };
  return {
    signal,
    async end(leaderExit, graceMs) {
      signal('SIGTERM');
      if (await settlesWithin(graceMs, leaderExit)) return 'SIGTERM';
      signal('SIGKILL');
      return (await settlesWithin(GIVE_UP_MS, leaderExit)) ? 'SIGKILL' : null;
    },
    empty: () => waitWhile(hasMembers),
  };
}

/** Sends nothing where the process has ended and its pid belongs to another one. */
export function signalProcess({ pid, startTicks }: ProcessId, signal: NodeJS.Signals): void {
  if (processRow(pid)?.startTicks === startTicks) send(pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, which was wanted, or belongs to another user, which the next look reports as left.
  }
}

/** Every process of the harness carries its token in `HARNESS_TOKEN`, and the id of its command or box in the other two. */
export type Marker = {
  readonly variable: 'HARNESS_TOKEN' | 'HARNESS_CALL' | 'HARNESS_BOX';
  /** Matches this value and every path below it (`value/…`); one that ends in `#` or `/` matches all that begins with it. */
  readonly value: string;
};

export type TreeProcess = ProcessId & {
  /** `marked`: carries the marker itself. The others cleared their environment, but descend from a marked one or share its group. */
  readonly why: 'marked' | 'descendant' | 'group';
  readonly command: string;
};

/** `left`: processes that could not be ended (another user's, blocked in the kernel). Normally empty. */
export type EndedTree = { readonly ended: readonly TreeProcess[]; readonly left: readonly TreeProcess[] };

/**
 * The processes that carry a marker or descend from a program, with everything they started. Never this process, and never the
 * program itself. Linux only: elsewhere it is empty (`CAN_LIST_PROCESSES`), and the caller has to say so. Not found: a process that
 * cleared its environment *and* left its group *and* lost its parent, and one that overwrote its environment, as some servers do to
 * change their title.
 */
export type ProcessTree = {
  /** The live processes of the tree. They are remembered: once its parent has exited, an unmarked one leaves no other trace. */
  find(): readonly TreeProcess[];
  /** TERM, then KILL for what is left after `graceMs` (default 500), until nothing of the tree is found any more. */
  end(graceMs?: number): Promise<EndedTree>;
  /** Finds the first process of the box, which `boxEnded` waits for, without a look at every process of the machine. False: it is not found so. */
  findBox(): boolean;
  /**
   * Below a box: waits, at most so long, until its PID namespace has ended, and with it everything that was started inside. True: it has, and nothing
   * else that was found is alive. False also where the namespace was not found.
   */
  boxEnded(withinMs: number): Promise<boolean>;
};

/** This process and children that start others for it (starter.ts): they are in no tree. */
const own = new Set([process.pid]);

export function spareProcess(child: Pick<ChildProcess, 'pid' | 'once'>): void {
  const { pid } = child;
  if (pid === undefined) return;
  own.add(pid);
  child.once('exit', () => own.delete(pid));
}

const GRACE_MS = 500;
const PAUSE_MS = 20;
/** An exec takes microseconds, or as long as its process has to wait for a processor. */
const EXEC_MS = 1_000;
const MAX_ROUNDS = 100;
/** This many looks in a row have to find nothing: new ones may have been started meanwhile. */
const CALM_LOOKS = 4;

/** The program at the top of a tree. */
export type TreeRoot = ProcessId & {
  /** It is bubblewrap with a PID namespace, and the program runs inside. */
  readonly isBox?: boolean;
};

/** `below`: a running program whose descendants belong to the tree too. */
export function processTree(marker: Marker, below: TreeRoot | null = null): ProcessTree {
  if (marker.value === '') throw new Bug('an empty marker would end every marked process of this machine');
  const seen = new Map<number, TreeProcess>();
  /** The first process of the box. */
  let first: ProcessId | null = null;
  const since = sinceOf(below);
  const look = (scan: Scan): Look => {
    const now = members(marker, below, seen, scan);
    for (const one of now.found) seen.set(one.pid, one);
    first ??= now.first;
    return now;
  };
  const findNext = async (): Promise<readonly TreeProcess[]> => look(await nextScan(since)).found;
  const findSettled = async (): Promise<readonly TreeProcess[]> => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const { found, bare } = look(await nextScan(since));
      if (found.length > 0 || !(await isMissed(marker, bare))) return found;
    }
    return [];
  };
  return {
    find: () => look(scanNow(since)).found,
    findBox() {
      first ??= below?.isBox === true ? firstOf(below) : null;
      return first !== null;
    },
    async end(graceMs = GRACE_MS) {
      let left = await findSettled();
      if (left.length === 0) return { ended: [...seen.values()], left };
      if (graceMs > 0) for (const one of left) signalProcess(one, 'SIGTERM');
      // Those that were found are looked at by themselves: to look at every process of the machine takes milliseconds.
      const until = performance.now() + graceMs;
      while (left.length > 0 && performance.now() < until) {
        await pause(POLL_MS);
        left = left.filter(isLeft);
        if (left.length === 0) left = await findNext();
      }
      for (let round = 0, calm = left.length === 0 ? 1 : 0; round < MAX_ROUNDS && calm < CALM_LOOKS; round += 1) {
        left = await findNext();
        calm = left.length === 0 ? calm + 1 : 0;
        // All are stopped before the first is killed, so that none forks while the others are being killed.
        for (const one of left) signalProcess(one, 'SIGSTOP');
        for (const one of left) signalProcess(one, 'SIGKILL');
        await pause(PAUSE_MS);
      }
      const stays = new Set(left.map((one) => one.pid));
      return { ended: [...seen.values()].filter((one) => !stays.has(one.pid)), left };
    },
    async boxEnded(withinMs) {
      if (first === null) return false;
      const box = first;
      await waitWhile(() => isLeft(box), withinMs);
      return ![box, ...seen.values()].some(isLeft);
    },
  };
}

const isLeft = ({ pid, startTicks }: ProcessId): boolean => processRow(pid)?.startTicks === startTicks;

/**
 * Whether one of the processes that showed no environment is marked after all. Waits for those in the middle of an exec, and looks at
 * these processes alone: to look at every process of the machine takes milliseconds.
 */
async function isMissed({ variable, value }: Marker, bare: readonly number[]): Promise<boolean> {
  let pids = bare;
  const until = performance.now() + EXEC_MS;
  for (let looks = 1; pids.length > 0 && performance.now() < until; looks += 1) {
    await pause(POLL_MS);
    if (pids.some((pid) => hasMarker(environmentOf(pid), variable, value) === true)) return true;
    if (looks >= CALM_LOOKS) pids = pids.filter(isStarting);
  }
  return false;
}

/** The processes of this machine at one moment, with what they showed of their environment. */
type Scan = readonly (ProcessRow & { readonly environment: Buffer | null })[];

/** `since`: the start of the oldest process that may belong to a tree. What older ones show is not read. */
const scanNow = (since: number): Scan =>
  CAN_LIST_PROCESSES
    ? mapProcesses((pid) => {
        const row = processRow(pid);
        // At once: a chain of processes that fork and exit must not slip between the two.
        return row === null ? null : { ...row, environment: isOlder(row, since) ? null : environmentOf(pid) };
      })
    : [];

const isOlder = ({ startTicks }: ProcessRow, since: number): boolean => Number(startTicks) < since;
/** No process of a program is older than it. */
const sinceOf = (below: TreeRoot | null): number => (below === null ? 0 : Number(below.startTicks));

let next: { since: number; readonly scan: Promise<Scan> } | null = null;
/**
 * One that begins after this call. All that ask at the same time get the same: the boxes of all lanes end together, each with several looks, and
 * to look at every process of the machine takes milliseconds.
 */
function nextScan(since: number): Promise<Scan> {
  if (next !== null) next.since = Math.min(next.since, since);
  next ??= {
    since,
    scan: new Promise((resolve) => {
      setImmediate(() => {
        const from = next?.since ?? 0;
        next = null;
        resolve(scanNow(from));
      });
    }),
  };
  return next.scan;
}

/** `bare`: processes that showed no environment. `first`: the first process of the box; null: there is no box, or it was not found. */
type Look = {
  readonly found: readonly TreeProcess[];
  readonly bare: readonly number[];
  readonly first: ProcessId | null;
};

function members(
  { variable, value }: Marker,
  below: TreeRoot | null,
  seen: ReadonlyMap<number, TreeProcess>,
  table: Scan,
): Look {
  const bare: number[] = [];
  const marked = new Set<number>();
  const since = sinceOf(below);
  for (const row of table) {
    if (isOlder(row, since)) continue;
    const is = hasMarker(row.environment, variable, value);
    if (is === null) bare.push(row.pid);
    if (is === true) marked.add(row.pid);
  }
  // The usual case: no process is marked, so there are no children and groups to look for.
  if (below === null && seen.size === 0 && [...marked].every((pid) => own.has(pid)))
    return { found: [], bare, first: null };
  const root = table.find((row) => row.pid === below?.pid && row.startTicks === below.startTicks);
  const box = root === undefined || below?.isBox !== true ? NO_BOX : inside(root, table);
  const programs = [root, box.first, box.program].filter((row) => row !== undefined);
  const kept = [...table.filter((row) => own.has(row.pid)), ...programs];
  const isKept = (pid: number): boolean => kept.some((row) => row.pid === pid);
  const found = new Map<number, TreeProcess['why']>();
  for (const row of table)
    if (isKept(row.pid)) continue;
    else if (marked.has(row.pid)) found.set(row.pid, 'marked');
    else if (seen.get(row.pid)?.startTicks === row.startTicks) found.set(row.pid, seen.get(row.pid)?.why ?? 'marked');
    else if (row.parent === root?.pid) found.set(row.pid, 'descendant');
  // To a fixed point: a child may lead a group, a group member may have children. The groups of kept processes are left alone.
  for (let hasGrown = true; hasGrown;) {
    const groups = new Set(table.filter((row) => found.has(row.pid)).map((row) => row.group));
    for (const row of kept) groups.delete(row.group);
    const added = table.filter(
      (row) => !found.has(row.pid) && !isKept(row.pid) && (found.has(row.parent) || groups.has(row.group)),
    );
    for (const row of added) found.set(row.pid, found.has(row.parent) ? 'descendant' : 'group');
    hasGrown = added.length > 0;
  }
  const rows = table.flatMap(({ pid, startTicks }) => {
    const why = found.get(pid);
    return why === undefined ? [] : [{ pid, startTicks, why, command: commandLineOf(pid) }];
  });
  return { found: rows, bare, first: box.first ?? null };
}

type Inside = { readonly first?: ProcessRow | undefined; readonly program?: ProcessRow | undefined };
const NO_BOX: Inside = {};
/** The first two processes of the namespace: bubblewrap again, which collects orphans, and the program. */
function inside(box: ProcessRow, table: readonly ProcessRow[]): Inside {
  const first = table.find((row) => row.parent === box.pid && innermostPid(row.pid) === 1);
  const program = table.find((row) => row.parent === first?.pid && innermostPid(row.pid) === 2);
  return { first, program };
}

function firstOf({ pid, startTicks }: ProcessId): ProcessId | null {
  const found = childrenOf(pid)?.find((child) => innermostPid(child) === 1);
  // Read before: the pid was still that of the box.
  return found === undefined || processRow(pid)?.startTicks !== startTicks ? null : processId(found);
}

/** Every live process that was started under this token, with its descendants and groups: after a crash, the orphans of the run. */
export const findOrphans = (token: string): readonly TreeProcess[] => orphans(token).find();

/**
 * Ends every process that `findOrphans` finds. Own children with such a token are ended too: call it before the first is started,
 * or with the token of an earlier run.
 */
export const endOrphans = (token: string, graceMs?: number): Promise<EndedTree> => orphans(token).end(graceMs);

const orphans = (token: string): ProcessTree => processTree({ variable: 'HARNESS_TOKEN', value: token });
