// Level `bwrap`: bubblewrap. The root and what is asked for can be written, everything else is read-only or hidden. It has processes,
// temporary folders and a home of its own, no way to new privileges, and no network unless the command asks for it.
import { randomUUID } from 'node:crypto';
import { existsSync, readlinkSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Variables } from '../environment.ts';
import { textOrEmpty } from '../files.ts';
import { isBelow, isLink, realPath } from '../paths.ts';
import { liveStartOf } from '../process-table.ts';
import { waitWhile } from '../process-tree.ts';
import { gitFolders } from './git-folders.ts';
import type { BoxedCommand, BoxSettings, CommandAccess, Enclosure } from './level.ts';
import { EMPTIED, emptiedPath, isEmptied, linkedModules, SECRETS_OF_ROOT, SHOWN, SOCKETS } from './visible-paths.ts';

/** At most this much memory for what is written to an emptied folder. */
const EMPTIED_BYTES = 1024 * 1024 * 1024;

/** `.git`, or `.harness-engine` in its place, is read-only: git must not refresh its index when it only reads. */
const ENV: Variables = { GIT_OPTIONAL_LOCKS: '0' };

export type Bwrap = {
  readonly program: string;
  /** Versions before 0.8 cannot forbid new user namespaces inside. */
  readonly canDisableUserns: boolean;
  /** Mounts of the user's home (visible-paths.ts). */
  readonly home: readonly string[];
  /** Mounts of kernel settings (kernel-settings.ts). */
  readonly kernel: readonly string[];
};

export function wrapInBwrap(
  bwrap: Bwrap,
  settings: BoxSettings,
  access: CommandAccess,
  argv: readonly string[],
): BoxedCommand {
  const note = join(settings.notes, randomUUID());
  return {
    argv: [
      ...WITH_NOTE,
      note,
      bwrap.program,
      '--info-fd',
      '3',
      ...namespaces(access.network),
      ...(bwrap.canDisableUserns ? ['--disable-userns'] : []),
      ...mounts(bwrap, settings, access, ['--dev', '/dev']),
      '--chdir',
      seenIn(settings, access.cwd),
      '--',
      ...argv,
    ],
    env: ENV,
    without: SOCKETS,
    settled: () => namespaceEnded(note),
    endsWhole: true,
  };
}

const WITH_NOTE: readonly string[] = ['/bin/sh', '-c', 'exec "$@" 3>"$0"'];

/**
 * Bubblewrap exits with its command, a moment before the kernel has killed everything else in the box. Only then is the first process of
 * the namespace gone. `note`: what bubblewrap wrote about itself. False: it did not get that far, and started nothing.
 */
export async function namespaceEnded(note: string): Promise<boolean> {
  const init = Number(/"child-pid": (\d+)/.exec(textOrEmpty(note))?.[1] ?? 0);
  rmSync(note, { force: true });
  const start = init === 0 ? null : liveStartOf(init);
  await waitWhile(() => start !== null && liveStartOf(init) === start);
  return init !== 0;
}

/**
 * One long-lived box that other commands enter (holder.ts). Its devices are bound one by one: with `--dev`, bubblewrap of an ordinary
 * user nests two user namespaces, and the inner one cannot be entered from outside.
 */
export function holderInBwrap(
  bwrap: Bwrap,
  settings: BoxSettings,
  access: CommandAccess,
  argv: readonly string[],
): BoxedCommand {
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
      ...namespaces(access.network),
      ...mounts(bwrap, settings, access, dev),
      '--chdir',
      seenIn(settings, access.cwd),
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
 * For an agent's program: the network is open, and the program may make a sandbox of its own. It gets the signals of its process group,
 * so that it can exit in its own way; killing the group or the marked processes ends the whole namespace.
 */
export function agentInBwrap(bwrap: Bwrap, settings: BoxSettings, access: CommandAccess): Enclosure {
  return {
    argv: [
      bwrap.program,
      ...unshared(true),
      '--cap-drop',
      'ALL',
      ...mounts(bwrap, settings, access, ['--dev', '/dev']),
      '--chdir',
      seenIn(settings, access.cwd),
      '--',
    ],
    env: { ...ENV, TMPDIR: '/tmp' },
    without: SOCKETS,
  };
}

const namespaces = (network: boolean): readonly string[] => [
  ...unshared(network),
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
];

const unshared = (network: boolean): readonly string[] => [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  ...(network ? [] : ['--unshare-net']),
];

function mounts(
  { home, kernel }: Bwrap,
  settings: BoxSettings,
  access: CommandAccess,
  dev: readonly string[],
): readonly string[] {
  const { root, at, shown, temporary, hidden } = settings;
  const git = gitFolders(root);
  const inside = (path: string): string => seenIn(settings, path);
  const ro = (path: string): readonly string[] => ['--ro-bind-try', path, path];
  const rw = (path: string): readonly string[] => ['--bind', path, inside(path)];
  const isFresh = (path: string): boolean =>
    isEmptied(path) || (settings.home !== null && isBelow(path, settings.home));
  // A root inside the private folder (a throw-away copy) has to be mounted over it; any other root comes first.
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
    ...kernel,
    ...EMPTIED.flatMap((folder) => ['--size', String(EMPTIED_BYTES), '--tmpfs', folder]),
    ...SHOWN.flatMap(ro),
    ...SECRETS_OF_ROOT.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...(access.network ? resolver() : []),
    ...home,
    ...emptiedPath(settings).flatMap(ro),
    ...linkedModules(settings).flatMap(ro),
    ...git.elsewhere.filter((folder) => !isBelow(folder, root)).flatMap(ro),
    ...access.readable.flatMap((path) => (isFresh(path) && isLink(path) ? linked(path) : ro(path))),
    ...hide(hidden.filter(isOver)),
    ...shown.filter((path) => !isBelow(path, at)).flatMap(ro),
    ...rw(temporary),
    ...rw(root),
    ...(git.entry === null ? [] : ['--ro-bind', git.entry, inside(git.entry)]),
    ...(git.own === null ? [] : ro(git.own)),
    ...git.elsewhere.filter((folder) => isBelow(folder, root)).flatMap(ro),
    ...shown.filter((path) => isBelow(path, at)).flatMap((path) => ['--ro-bind', path, path]),
    ...hide(hidden.filter((folder) => !isOver(folder))),
    ...access.writable.flatMap(rw),
    ...(access.masks ?? []).flatMap(({ path, by, isWritable }) => [
      isWritable === true ? '--bind' : '--ro-bind',
      by,
      path,
    ]),
  ];
}

/** Where a path of the root is found inside. */
const seenIn = ({ root, at }: Pick<BoxSettings, 'root' | 'at'>, path: string): string =>
  isBelow(path, root) ? join(at, relative(root, path)) : path;

/** A link stays a link: a program looks for its files next to its real path. */
const linked = (path: string): readonly string[] => [
  '--symlink',
  readlinkSync(path),
  path,
  '--ro-bind-try',
  realPath(path),
  realPath(path),
];

/** Name resolution is configured by a link into /run on many systems. */
function resolver(): readonly string[] {
  const real = realPath('/etc/resolv.conf');
  return isEmptied(real) ? ['--ro-bind-try', real, real] : [];
}
