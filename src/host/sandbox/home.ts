// What a box shows of a person's home: a fresh, empty folder at the same path, with what programs are started from put
// back read-only. Dotfiles are hidden unless they are known to hold tools and no secrets: a list of what may be seen is
// never too short in the dangerous direction.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, basename, join } from 'node:path';
import { isBelow, realOf, type Place } from './level.ts';

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

/** Mounts in their order: the empty home, then what of it is shown. */
export const homeMounts = (place: Place): readonly string[] =>
  place.home === null
    ? []
    : ['--tmpfs', place.home, ...visibleInHome(place).flatMap((path) => ['--ro-bind-try', path, path])];

/** Paths that exist. */
export function visibleInHome({ home, path }: Place): readonly string[] {
  if (home === null) return [];
  const visible = new Set<string>();
  for (const name of namesIn(home)) if (!name.startsWith('.')) visible.add(join(home, name));
  for (const tool of TOOLS) visible.add(join(home, tool));
  for (const entry of [...path.split(delimiter), dirname(process.execPath)])
    for (const folder of [entry, realOf(entry)]) if (isBelow(folder, home)) visible.add(prefixOf(folder, home));
  return [...visible].filter((one) => one !== home && existsSync(one));
}

/** What is installed with a `bin` folder lies beside it (`lib`, `share`); where that is a shared place, only the folder. */
function prefixOf(folder: string, home: string): string {
  const prefix = dirname(folder);
  const isShared = prefix === home || ['.local', '.config', '.cache', '.cargo'].includes(prefix.slice(home.length + 1));
  return basename(folder) === 'bin' && !isShared ? prefix : folder;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
