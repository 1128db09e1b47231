// A long-lived box: what environment scripts start keeps running in it, sees the scripts that come later and is seen by them (a script may
// stop a server by its pid). Commands enter it with nsenter; ending it ends everything inside.
import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Variables } from '../environment.ts';

export type Holder = {
  /** The command as one that runs inside. */
  enter(argv: readonly string[], cwd: string): readonly string[];
  /** Why nothing can run inside; null: it can. */
  readonly error: string | null;
};

type Programs = { readonly nsenter: string | null; readonly setpriv: string | null };

/** Reports when the box is ready: `--info-fd` is written before the mounts are made. */
export const HOLDER_COMMAND: readonly string[] = ['/bin/sh', '-c', 'echo ready; exec sleep 2147483647'];

/** Inside, never by `nsenter --wd`: that opens the folder before it enters, so everything below it would stay as open as outside. */
const IN_FOLDER: readonly string[] = ['/bin/sh', '-c', 'cd "$0" && exec "$@"'];

/** Never rejects. The holder ends with this process, or with the processes of its marker (`HARNESS_BOX`, `HARNESS_TOKEN`). */
export async function openHolder(argv: readonly string[], env: Variables, programs: Programs): Promise<Holder> {
  const broken = (error: string): Holder => ({ error, enter: () => [] });
  const { nsenter, setpriv } = programs;
  if (nsenter === null || setpriv === null) return broken('nsenter and setpriv (util-linux) were not found');
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const received = { ready: '', errors: '', info: '' };
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      received.errors += error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  });
  const streams = child.stdio.filter((stream) => stream instanceof Readable);
  const [out, errors, info] = streams;
  const ready = Promise.all([
    receive(out, (text) => (received.ready += text).includes('ready')),
    receive(info, (text) => (received.info += text).includes('}')),
  ]);
  void receive(errors, (text) => {
    received.errors = (received.errors + text).slice(-2_000);
    return false;
  });
  await Promise.race([ready, ended]);
  // This process may exit while the holder runs: neither the child nor its streams keep it alive.
  for (const one of [child, ...streams]) if ('unref' in one && typeof one.unref === 'function') one.unref();
  const pid = /"child-pid": (\d+)/.exec(received.info)?.[1];
  if (pid === undefined || !received.ready.includes('ready'))
    return broken(received.errors.trim() || 'it ended at once');
  const inside = ['-t', pid, '-U', '--preserve-credentials', '-m', '-p', '-i', '-u'];
  const rights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'];
  return {
    error: null,
    enter: (command, cwd) => [nsenter, ...inside, '--', setpriv, ...rights, '--', ...IN_FOLDER, cwd, ...command],
  };
}

/** Resolves when `isComplete`, called with every piece of text, first returns true. */
const receive = (stream: Readable | undefined, isComplete: (text: string) => boolean): Promise<void> =>
  new Promise((resolve) => {
    stream?.setEncoding('utf8').on('data', (text: string) => (isComplete(text) ? resolve() : undefined));
  });
