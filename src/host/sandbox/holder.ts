// A box that stays: what environment scripts start lives on in it, sees the scripts that come later and is seen by them
// (a script that stops a server by its process number). Commands enter it with nsenter; ending it ends everything inside.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Variables } from '../environment.ts';

export type Holder = {
  /** The command as one that runs inside; `error`: why nothing can. */
  enter(argv: readonly string[], cwd: string): readonly string[];
  readonly error: string | null;
};

type Programs = { readonly nsenter: string | null; readonly setpriv: string | null };

/** Says when it stands: `--info-fd` is written before the mounts are made. */
export const HOLDER_COMMAND: readonly string[] = ['/bin/sh', '-c', 'echo ready; exec sleep 2147483647'];

/** Inside, never by `nsenter --wd`: that opens the folder before it enters, and what is below it stays as open as outside. */
const IN_FOLDER: readonly string[] = ['/bin/sh', '-c', 'cd "$0" && exec "$@"'];

/** Never rejects. The holder dies with this process, or when its marker is hunted (`HARNESS_BOX`, `HARNESS_TOKEN`). */
export async function openHolder(argv: readonly string[], env: Variables, programs: Programs): Promise<Holder> {
  const broken = (error: string): Holder => ({ error, enter: () => [] });
  const { nsenter, setpriv } = programs;
  if (nsenter === null || setpriv === null) return broken('nsenter and setpriv (util-linux) were not found');
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const [, out, errors, info] = child.stdio as unknown as [null, Readable, Readable, Readable];
  const said = { ready: '', errors: '', info: '' };
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said.errors += error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  });
  const stands = Promise.all([
    until(out, (text) => (said.ready += text).includes('ready')),
    until(info, (text) => (said.info += text).includes('}')),
  ]);
  errors.setEncoding('utf8').on('data', (text: string) => (said.errors = (said.errors + text).slice(-2_000)));
  await Promise.race([stands, ended]);
  letGo(child, [out, errors, info]);
  const pid = /"child-pid": (\d+)/.exec(said.info)?.[1];
  if (pid === undefined || !said.ready.includes('ready')) return broken(said.errors.trim() || 'it ended at once');
  const inside = ['-t', pid, '-U', '--preserve-credentials', '-m', '-p', '-i', '-u'];
  const rights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'];
  return {
    error: null,
    enter: (command, cwd) => [nsenter, ...inside, '--', setpriv, ...rights, '--', ...IN_FOLDER, cwd, ...command],
  };
}

const until = (stream: Readable, seen: (text: string) => boolean): Promise<void> =>
  new Promise((resolve) => {
    stream.setEncoding('utf8').on('data', (text: string) => (seen(text) ? resolve() : undefined));
  });

/** The program may end while the holder stands: nothing waits for it. */
function letGo(child: ChildProcess, streams: readonly Readable[]): void {
  child.unref();
  for (const stream of streams) if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
