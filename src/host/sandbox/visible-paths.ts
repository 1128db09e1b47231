// What a box hides of the machine and what it shows again, the same at every level that can hide. The home becomes an empty folder at the
// same path. Shown in it, read-only, is what programs are started from; a dotfile only where it is known to hold tools and no secrets,
// so that the list can only be too short, never too long.
import { existsSync, readdirSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isBelow, isFolder, isLink, realPath } from '../paths.ts';
import type { BoxSettings } from './level.ts';

/** Empty inside: sockets of agents, desktops and daemons, and what other programs left there. */
export const EMPTIED: readonly string[] = ['/tmp', '/var/tmp', '/run'].filter(isFolder);
/** Where some systems keep their tools, below what is emptied. */
export const SHOWN: readonly string[] = ['/run/current-system', '/run/wrappers'].filter((path) => existsSync(path));
/** Root can read these; no test needs them. */
export const SECRETS_OF_ROOT: readonly string[] = (
  process.getuid?.() === 0 ? ['/etc/shadow', '/etc/gshadow'] : []
).filter((path) => existsSync(path));

/** Variables that point at sockets, which do not exist inside. */
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

/** Folders of PATH, and that of our own Node, which are below what is emptied. */
export const emptiedPath = ({ path }: Pick<BoxSettings, 'path'>): readonly string[] =>
  [...path.split(delimiter), dirname(process.execPath)].filter((folder) => isAbsolute(folder) && isEmptied(folder));

/** The target of a `node_modules` that links to another one (work trees share it). Any other link could have been made by an agent. */
export function modulesBehind(root: string): readonly string[] {
  const link = join(root, 'node_modules');
  if (!isLink(link)) return [];
  const real = realPath(resolve(link));
  return real.endsWith('/node_modules') && existsSync(real) ? [real] : [];
}

/** The same where the target would be hidden. */
export const linkedModules = ({ root, home }: Pick<BoxSettings, 'root' | 'home'>): readonly string[] =>
  modulesBehind(root).filter((real) => isEmptied(real) || (home !== null && isBelow(real, home)));

/** Tools and their downloads, relative to the home. */
const TOOLS: readonly string[] = [
  '.asdf',
  '.bun',
  '.cache/Cypress',
  '.cache/ms-playwright',
  '.cache/node',
  '.cache/puppeteer',
  '.cache/uv',
  '.cargo/bin',
  '.cargo/config.toml',
  '.cargo/git',
  '.cargo/registry',
  '.deno',
  '.dotnet',
  '.fnm',
  '.gem',
  '.goenv',
  '.gradle/caches',
  '.gradle/wrapper',
  '.jenv',
  '.local/bin',
  '.local/lib',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/pnpm',
  '.local/share/uv',
  '.local/share/virtualenvs',
  '.m2/repository',
  '.nix-profile',
  '.nodenv',
  '.nuget/packages',
  '.nvm',
  '.pnpm-store',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.rvm',
  '.sdkman',
  '.volta',
];

type Home = Pick<BoxSettings, 'home' | 'path'>;

/** Arguments of bubblewrap, in order: the empty home, then what is shown in it. */
export const homeMounts = (settings: Home): readonly string[] =>
  settings.home === null
    ? []
    : ['--tmpfs', settings.home, ...visibleInHome(settings).flatMap((path) => ['--ro-bind-try', path, path])];

/** Paths that exist. */
export function visibleInHome({ home, path }: Home): readonly string[] {
  if (home === null) return [];
  const visible = new Set<string>();
  for (const name of namesIn(home)) if (!name.startsWith('.')) visible.add(join(home, name));
  for (const tool of TOOLS) visible.add(join(home, tool));
  for (const entry of [...path.split(delimiter), dirname(process.execPath)])
    for (const folder of [entry, realPath(entry)]) if (isBelow(folder, home)) visible.add(prefixOf(folder, home));
  return [...visible].filter((one) => one !== home && existsSync(one));
}

/** What is installed with a `bin` folder has `lib` and `share` next to it; in a shared prefix, only the folder itself counts. */
function prefixOf(folder: string, home: string): string {
  const prefix = dirname(folder);
  const isShared = prefix === home || ['.local', '.config', '.cache', '.cargo'].includes(prefix.slice(home.length + 1));
  return basename(folder) === 'bin' && !isShared ? prefix : folder;
}

/** None where the folder cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
