// Level `bwrap`: bubblewrap. The root and what is asked for can be written, everything else is read-only or hidden; own
// processes, own temporary folders, own home, no way to new rights; no network unless the command asks for it.
import { randomUUID } from 'node:crypto';
import { existsSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '../environment.ts';
import { gitFolders } from './git-folders.ts';
import { namespaceGone } from './gone.ts';
import { isBelow, realOf, type Enclosure, type Entry, type Place, type Wrapped } from './level.ts';
import { EMPTIED, emptiedPath, isEmptied, isLink, linkedModules, SECRETS_OF_ROOT, SHOWN, SOCKETS } from './shown.ts';

/** At most so much memory for what is written to an emptied folder. */
const EMPTIED_BYTES = 1024 * 1024 * 1024;

/** `.git`, and `.harness-engine` that stands for it, is read-only: git must not try to refresh its index on a mere look. */
const ENV: Variables = { GIT_OPTIONAL_LOCKS: '0' };

export type Bwrap = {
  readonly program: string;
  /** Older ones (before 0.8) cannot forbid new user namespaces inside. */
  readonly canDisableUserns: boolean;
  /** Mounts of the person's home (home.ts). */
  readonly home: readonly string[];
};

export function wrapInBwrap(bwrap: Bwrap, place: Place, entry: Entry, argv: readonly string[]): Wrapped {
  const note = join(place.notes, randomUUID());
  return {
    argv: [
      ...WITH_NOTE,
      note,
      bwrap.program,
      '--info-fd',
      '3',
      ...namespaces(entry.network),
      ...(bwrap.canDisableUserns ? ['--disable-userns'] : []),
      ...mounts(bwrap, place, entry, ['--dev', '/dev']),
      '--chdir',
      entry.cwd,
      '--',
      ...argv,
    ],
    env: ENV,
    without: SOCKETS,
    settled: () => namespaceGone(note),
  };
}

/** Bubblewrap ends with its command, a moment before the kernel has killed whatever else was in there: so that is waited for. */
const WITH_NOTE: readonly string[] = ['/bin/sh', '-c', 'exec "$@" 3>"$0"'];

/**
 * One long-lived box that other commands enter (holder.ts). Its devices are bound one by one: for `--dev` an ordinary
 * user's bubblewrap nests two user namespaces, and into the inner one there is no way from outside.
 */
export function holderInBwrap(bwrap: Bwrap, place: Place, entry: Entry, argv: readonly string[]): Wrapped {
  const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].flatMap((name) => [
    '--dev-bind-try',
    `/dev/${name}`,
    `/dev/${name}`,
  ]);
  const streams = ['stdin', 'stdout', 'stderr'].flatMap((name, n) => [
    '--symlink',
    `/proc/self/fd/${n}`,
    `/dev/${name}`,
  ]);
  const dev = ['--tmpfs', '/dev', ...devices, '--symlink', '/proc/self/fd', '/dev/fd', ...streams, '--dir', '/dev/shm'];
  return {
    argv: [
      bwrap.program,
      ...namespaces(entry.network),
      ...mounts(bwrap, place, entry, dev),
      '--chdir',
      entry.cwd,
      '--info-fd',
      '3',
      '--',
      ...argv,
    ],
    env: ENV,
    without: SOCKETS,
  };
}

/**
 * For an agent's program: the network is open, and so is the way to a sandbox of its own. It gets signals as the others of
 * its group do, so that it can end in its own way; who kills the group or its marker ends the whole namespace.
 */
export function agentInBwrap(bwrap: Bwrap, place: Place, entry: Entry): Enclosure {
  return {
    argv: [
      bwrap.program,
      ...spaces(true),
      '--cap-drop',
      'ALL',
      ...mounts(bwrap, place, entry, ['--dev', '/dev']),
      '--chdir',
      entry.cwd,
      '--',
    ],
    env: { ...ENV, TMPDIR: '/tmp' },
    without: SOCKETS,
  };
}

const namespaces = (network: boolean): readonly string[] => [
  ...spaces(network),
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
];

const spaces = (network: boolean): readonly string[] => [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  ...(network ? [] : ['--unshare-net']),
];

function mounts({ home }: Bwrap, place: Place, entry: Entry, dev: readonly string[]): readonly string[] {
  const { root, temporary, hidden } = place;
  const git = gitFolders(root);
  const ro = (path: string): readonly string[] => ['--ro-bind-try', path, path];
  const rw = (path: string): readonly string[] => ['--bind', path, path];
  const isFresh = (path: string): boolean => isEmptied(path) || (place.home !== null && isBelow(path, place.home));
  // A root that lies in the private folder (a throw-away copy) must be laid over it, any other comes first.
  const isOver = (folder: string): boolean => isBelow(root, folder);
  const hide = (folders: readonly string[]): readonly string[] =>
    folders.filter((folder) => existsSync(folder)).flatMap((folder) => ['--tmpfs', folder]);
  return [
    '--ro-bind',
    '/',
    '/',
    ...dev,
    '--proc',
    '/proc',
    ...EMPTIED.flatMap((folder) => ['--size', String(EMPTIED_BYTES), '--tmpfs', folder]),
    ...SHOWN.flatMap(ro),
    ...SECRETS_OF_ROOT.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...(entry.network ? resolver() : []),
    ...home,
    ...emptiedPath(place).flatMap(ro),
    ...linkedModules(place).flatMap(ro),
    ...git.elsewhere.filter((folder) => !isBelow(folder, root)).flatMap(ro),
    ...entry.readable.flatMap((path) => (isFresh(path) && isLink(path) ? linked(path) : ro(path))),
    ...hide(hidden.filter(isOver)),
    ...rw(temporary),
    ...rw(root),
    ...(git.entry === null ? [] : ro(git.entry)),
    ...(git.own === null ? [] : ro(git.own)),
    ...git.elsewhere.filter((folder) => isBelow(folder, root)).flatMap(ro),
    ...hide(hidden.filter((folder) => !isOver(folder))),
    ...entry.writable.flatMap(rw),
  ];
}

/** As a link again: a program looks beside the file it really is. */
const linked = (path: string): readonly string[] => [
  '--symlink',
  readlinkSync(path),
  path,
  '--ro-bind-try',
  realOf(path),
  realOf(path),
];

/** Name service is configured by a link into /run on many systems. */
function resolver(): readonly string[] {
  const real = realOf('/etc/resolv.conf');
  return isEmptied(real) ? ['--ro-bind-try', real, real] : [];
}
