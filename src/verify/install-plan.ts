// How the dependencies of a clean checkout are installed, by its lock files: what CI would run. Pure.
import { isLock, nameOf } from './strength/files.ts';
import { dependenciesIn, isManifest } from './strength/guarded.ts';

/** `npm ci` of one folder. `scripts`: runs the install scripts of packages, which `command` leaves out; null: `command` runs them. */
export type InstallStep = {
  /** Relative to the root; '' is the root. */
  readonly folder: string;
  readonly command: string;
  readonly scripts: string | null;
  /** The program that must be on PATH. */
  readonly program: string;
};

/** A file and its content, by the id that git has for it. */
export type FileId = { readonly path: string; readonly id: string };

const SETTINGS =
  /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|pip\.conf|uv\.toml|\.python-version|\.nvmrc|\.node-version)$/;

/** Whether the content of a file of this name decides what is installed. */
export const decidesInstallation = (path: string): boolean => {
  const name = nameOf(path);
  if (/(?:^|\/)node_modules\//.test(path)) return false;
  return isLock(path) || isManifest(name) || SETTINGS.test(name) || /(?:^|\/)patches\//.test(path);
};

/** What the content of such a file says about the installation, as a text that can be compared. */
export const installedBy = (path: string, text: string): string => dependenciesIn(path, text);

/** Files of which only a part decides; of the others the id is enough. */
export const decidesInPart = (path: string): boolean => nameOf(path) === 'package.json';

const step = (folder: string, command: string, scripts: string | null): InstallStep => ({
  folder,
  command,
  scripts,
  program: command.split(' ')[0] ?? '',
});

/** The steps for these files, one for each folder with a lock file. Empty: there is none that is known. */
export function installSteps(paths: readonly string[]): readonly InstallStep[] {
  const there = new Set(paths);
  const steps: InstallStep[] = [];
  for (const path of [...paths].sort()) {
    const name = nameOf(path);
    const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
    const at = (other: string): boolean => there.has(folder === '' ? other : `${folder}/${other}`);
    const isFirst = !steps.some((one) => one.folder === folder && isOfNode(one) === LOCKS_OF_NODE.has(name));
    const known = isFirst ? stepOf(name, folder, at) : null;
    if (known !== null) steps.push(known);
  }
  return steps;
}

const LOCKS_OF_NODE = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
]);
const isOfNode = ({ program }: InstallStep): boolean => ['npm', 'pnpm', 'yarn', 'bun'].includes(program);

function stepOf(name: string, folder: string, at: (other: string) => boolean): InstallStep | null {
  switch (name) {
    case 'package-lock.json':
    case 'npm-shrinkwrap.json':
      return step(folder, 'npm ci --ignore-scripts --no-audit --no-fund', 'npm rebuild --no-audit --no-fund');
    case 'pnpm-lock.yaml':
      return step(folder, 'pnpm install --frozen-lockfile --ignore-scripts', 'pnpm rebuild -r');
    case 'yarn.lock':
      return at('.yarnrc.yml')
        ? step(folder, 'yarn install --immutable', null)
        : step(
            folder,
            'yarn install --frozen-lockfile --ignore-scripts',
            'yarn install --frozen-lockfile --offline --force',
          );
    case 'bun.lock':
    case 'bun.lockb':
      return step(folder, 'bun install --frozen-lockfile', null);
    case 'uv.lock':
      return step(folder, 'uv sync --frozen', null);
    case 'poetry.lock':
      return step(folder, 'poetry install --no-interaction', null);
    default:
      return null;
  }
}
