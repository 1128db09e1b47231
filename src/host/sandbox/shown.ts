// What a box hides of the machine and what it shows again, the same at every level that can hide.
import { existsSync, lstatSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isBelow, realOf, type Place } from './level.ts';

/** Empty inside, however full outside: sockets of agents, of desktops, of daemons, and what other programs left. */
export const EMPTIED: readonly string[] = ['/tmp', '/var/tmp', '/run'].filter((folder) => isFolder(folder));
/** Where tools of some systems really lie, below what is emptied. */
export const SHOWN: readonly string[] = ['/run/current-system', '/run/wrappers'].filter((path) => existsSync(path));
/** Root can read these; nobody needs them for a test. */
export const SECRETS_OF_ROOT: readonly string[] = (
  process.getuid?.() === 0 ? ['/etc/shadow', '/etc/gshadow'] : []
).filter((path) => existsSync(path));

/** Variables that point at sockets, which are not there inside. */
export const SOCKETS: readonly string[] = [
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'SSH_AGENT_PID',
  'SSH_AUTH_SOCK',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
];

export const isEmptied = (path: string): boolean => EMPTIED.some((folder) => isBelow(path, folder));

/** Programs of PATH, and our own Node, that lie below what is emptied. */
export const emptiedPath = ({ path }: Place): readonly string[] =>
  [...path.split(delimiter), dirname(process.execPath)].filter((folder) => isAbsolute(folder) && isEmptied(folder));

/** Where a `node_modules` that is a link to another one leads (work trees share it). Any other link an agent could have planted. */
export function modulesBehind(root: string): readonly string[] {
  const link = join(root, 'node_modules');
  if (!isLink(link)) return [];
  const real = realOf(resolve(link));
  return real.endsWith('/node_modules') && existsSync(real) ? [real] : [];
}

/** The same where it would be hidden. */
export const linkedModules = ({ root, home }: Place): readonly string[] =>
  modulesBehind(root).filter((real) => isEmptied(real) || (home !== null && isBelow(real, home)));

export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
