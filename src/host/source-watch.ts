// Collects what an answer is made of (sources.ts). While a watch lasts, node:fs itself notes every path that any code of this process asks
// for, so that no reader can be forgotten. What no fact of a path describes spoils the watch, and the answer is not kept: the clock, other
// processes, writing, and every call of node:fs that is not known here.
import { constants } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { factOf, type SourceFact, type SourceKind, type Sources } from './sources.ts';

type Watch = {
  readonly from: number;
  readonly noted: Map<string, SourceFact>;
  until: number | null;
  isSpoiled: boolean;
};
type Callable = (...args: readonly unknown[]) => unknown;

let watch: Watch | null = null;
/** Above 0: what happens now is described otherwise, or is the watch's own. */
let exempt = 0;
const now: () => number = Date.now;

/** Reads the clock for an answer that ends at `until` (milliseconds; infinite: never). Any other look at the clock spoils a watch. */
export function readClock<T>(read: (now: number) => { readonly value: T; readonly until: number }): T {
  const { value, until } = read(now());
  if (watch === null || until === Number.POSITIVE_INFINITY) return value;
  if (Number.isFinite(until)) watch.until = Math.min(watch.until ?? until, until);
  else spoil();
  return value;
}

/** For a process whose answer follows from what was read before, where the answer is `isWhole`. */
export async function covered<T>(run: () => Promise<T>, isWhole: (value: T) => boolean): Promise<T> {
  exempt += 1;
  let value: T;
  try {
    value = await run();
  } finally {
    exempt -= 1;
  }
  if (!isWhole(value)) spoil();
  return value;
}

/** `end` gives what the answer depends on; null: not all of it is known, or it changed meanwhile. One at a time. */
export function watchSources(): { end(): Sources | null } {
  const mine: Watch = { from: now(), noted: new Map(), until: null, isSpoiled: false };
  watch = mine;
  const files = process.getBuiltinModule('node:fs');
  const undo = [
    replace(files, noteCall),
    replace(files.promises, spoil),
    replace(process.getBuiltinModule('node:child_process'), spoil),
    replace(process, spoil, ['kill']),
    replaceClock(),
  ];
  const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');
  syncBuiltinESMExports(); // named imports too
  return {
    end() {
      watch = null;
      for (const back of undo) back();
      syncBuiltinESMExports();
      const list = [...mine.noted.values()];
      const isSame = !mine.isSpoiled && list.every(({ kind, path, fact }) => factOf(kind, path) === fact);
      return isSame ? { list, from: mine.from, until: mine.until } : null;
    },
  };
}

function spoil(): void {
  if (watch !== null && exempt === 0) watch.isSpoiled = true;
}

/** Before the reading: what is changed between the two is noticed at the end. */
function note(kind: SourceKind, path: unknown): void {
  if (watch === null || exempt > 0) return;
  const at = pathOf(path);
  if (at === null || OF_THE_SYSTEM.test(at)) return spoil();
  if (watch.noted.has(`${kind} ${at}`)) return;
  exempt += 1;
  const fact = factOf(kind, at);
  exempt -= 1;
  if (fact === null) spoil();
  else watch.noted.set(`${kind} ${at}`, { kind, path: at, fact });
}

/** Files that change without a difference in their facts. In /dev/shm are ordinary ones. */
const OF_THE_SYSTEM = /^\/(?:proc|sys|dev(?!\/shm\/))\//;

/** Modules of the program itself are read by their address. */
function pathOf(value: unknown): string | null {
  if (typeof value === 'string') return isAbsolute(value) ? value : resolve(value);
  return value instanceof URL && value.protocol === 'file:' ? fileURLToPath(value) : null;
}

/** Of an open file, whose path was noted when it was opened. */
const OF_OPEN_FILES = new Set(['closeSync', 'fstatSync', 'readSync', 'readvSync']);
const KINDS = new Map<string, SourceKind>([
  ['existsSync', 'presence'],
  ['realpathSync', 'place'],
  ['lstatSync', 'link'],
  ['readlinkSync', 'link'],
  ['statSync', 'whole'],
  ['readdirSync', 'whole'],
  ['accessSync', 'whole'],
  ['readFileSync', 'text'],
]);

function noteCall(name: string, [path, how]: readonly unknown[]): void {
  const kind = name === 'openSync' ? kindOfOpening(how) : KINDS.get(name);
  const isRecursive = typeof how === 'object' && how !== null && 'recursive' in how && how.recursive === true;
  if (OF_OPEN_FILES.has(name) || (name === 'readFileSync' && typeof path === 'number')) return;
  if (kind === undefined || isRecursive) spoil();
  else note(kind, path);
}

function kindOfOpening(flags: unknown): SourceKind | undefined {
  if (flags === undefined || flags === 'r') return 'text';
  if (typeof flags !== 'number') return undefined;
  const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) !== 0) return undefined;
  return (flags & O_NOFOLLOW) === 0 ? 'text' : 'link';
}

/** Calls `before` ahead of each function of a module. What is replaced may be kept by others: after the watch it only passes calls on. */
function replace(
  owner: object,
  before: (name: string, args: readonly unknown[]) => void,
  only?: readonly string[],
): () => void {
  const functions = (only ?? Object.keys(owner)).flatMap((name) => {
    const { value, writable = false }: PropertyDescriptor = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    return isCallable(value) && writable ? [[name, value] as const] : [];
  });
  for (const [name, call] of functions) {
    const watched = new Proxy(call, {
      apply(target, self, args: readonly unknown[]) {
        if (watch !== null && exempt === 0) before(name, args);
        return Reflect.apply(target, self, args);
      },
      construct(target, args, made) {
        spoil();
        const created: object = Reflect.construct(target, args, made);
        return created;
      },
      get(target, key) {
        if (key === 'native') spoil(); // a function of its own: realpathSync.native
        return Reflect.get(target, key) as unknown;
      },
    });
    Reflect.set(owner, name, watched);
  }
  return () => functions.forEach(([name, call]) => Reflect.set(owner, name, call));
}

const isCallable = (value: unknown): value is Callable => typeof value === 'function';

/** `Date` without a time, and the monotonic clock, which those who wait for another process look at. */
function replaceClock(): () => void {
  const real = globalThis.Date;
  globalThis.Date = new Proxy(real, {
    apply: (target) => (spoil(), target()),
    construct(target, args, made) {
      if (args.length === 0) spoil();
      const time: object = Reflect.construct(target, args, made);
      return time;
    },
    get(target, key) {
      if (key === 'now') spoil();
      return Reflect.get(target, key) as unknown;
    },
  });
  const elapsed = performance.now.bind(performance);
  performance.now = () => (spoil(), elapsed());
  return () => {
    globalThis.Date = real;
    performance.now = elapsed;
  };
}
