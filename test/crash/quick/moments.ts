// Every durable call of a run as a moment of a possible crash, kept as a copy of everything there is: before the call, and
// in its middle. What comes after a call is what comes before the next one.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Io } from '../../../src/host/io.ts';
import { losingIo } from '../../support/losing-io.ts';
import { quickIo } from '../../support/quick-io.ts';
import type { FixtureProject } from '../fixture-project.ts';

export type Fault = 'before' | 'torn' | 'undeleted';
export type Moment = { readonly at: number; readonly call: string; readonly fault: Fault; readonly folder: string };

/** No process has this pid: a file that a dead process left is distinguished from one that the live process is writing. */
const DEAD_PID = 2 ** 22 + 1;

const LEFT_BY_GIT = [
  'index.lock',
  'HEAD.lock',
  `index.stash.${DEAD_PID}`,
  'objects/5f/tmp_obj_nNcJP0',
  'objects/pack/tmp_pack_ih1Gjy',
  'objects/tmp_objdir-bulk-fsync-VWVrhM/5f/tmp_obj_nNcJP0',
];

export type Recorder = {
  readonly io: Io;
  readonly calls: readonly string[];
  readonly moments: readonly Moment[];
  midway(): void;
};

/** `wanted`: of which calls, numbered from 1, the moments are kept, and which. */
export function recorder(shop: FixtureProject, top: string, wanted: (at: number) => readonly Fault[]): Recorder {
  // A crash is a power failure, too: lines of journals that nothing waits for are in no copy before the next one that is waited for.
  const real = losingIo(quickIo(), (path) => path.endsWith('.jsonl') && /\/(?:procedures|items)\//.test(path));
  const calls: string[] = [];
  const moments: Moment[] = [];
  /** What was removed last and whose folder was not synced since: it may be there again after a loss of power. */
  let removed: { readonly path: string; readonly copy: string } | null = null;
  const keep = (fault: Fault, torn?: (folder: string) => void): void => {
    const at = calls.length;
    const folder = join(top, `moment-${at}-${fault}`);
    cpSync(shop.top, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    torn?.(folder);
    moments.push({ at, call: (calls.at(-1) ?? '').replaceAll(shop.top, ''), fault, folder });
  };
  const inside = (folder: string, path: string): string => join(folder, path.slice(shop.top.length));
  const hit = (name: string, torn: (folder: string) => void): void => {
    calls.push(name);
    const faults = wanted(calls.length);
    if (faults.includes('before')) keep('before');
    if (faults.includes('torn')) keep('torn', torn);
    const last = removed;
    if (last !== null && faults.includes('undeleted'))
      keep('undeleted', (folder) => {
        mkdirSync(dirname(inside(folder, last.path)), { recursive: true });
        cpSync(last.copy, inside(folder, last.path), { recursive: true, preserveTimestamps: true });
      });
  };
  const synced = (path: string): void => {
    if (removed !== null && dirname(path) === dirname(removed.path)) removed = null;
  };
  const half = (path: string, text: string | Uint8Array, flag: 'a' | 'w') => (folder: string) => {
    const file = inside(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.slice(0, text.length >> 1), { flag });
  };
  const io: Io = {
    append(path, text, how) {
      hit(`append ${path}`, half(path, text, 'a'));
      const isNew = !existsSync(path);
      real.append(path, text, how);
      if (isNew) synced(path);
    },
    replace(path, text) {
      hit(`replace ${path}`, half(`${path}.${DEAD_PID}.tmp`, text, 'w'));
      real.replace(path, text);
      synced(path);
    },
    replaceAll: (files) => files.forEach(({ path, text }) => io.replace(path, text)),
    remove(path, how) {
      hit(`remove ${path}`, () => undefined);
      const copy = join(top, 'removed');
      if (path.startsWith(shop.top) && existsSync(path)) {
        rmSync(copy, { recursive: true, force: true });
        cpSync(path, copy, { recursive: true, preserveTimestamps: true });
        removed = { path, copy };
      }
      real.remove(path);
      if (how === 'for-good') synced(path);
    },
    async effect(name, run) {
      // A git that is killed leaves its locks and what it was writing, and nothing else that anybody sees.
      hit(`effect ${name}`, (folder) => {
        const at = inside(folder, join(shop.root, '.git'));
        for (const left of name.startsWith('git') ? LEFT_BY_GIT : []) {
          mkdirSync(dirname(join(at, left)), { recursive: true });
          writeFileSync(join(at, left), '');
        }
      });
      return run();
    },
  };
  return {
    io,
    calls,
    moments,
    // Not a call of the harness: the agent has written, and its turn has no outcome.
    midway: () => {
      calls.push('agent midway');
      if (wanted(calls.length).length > 0) keep('before');
    },
  };
}
