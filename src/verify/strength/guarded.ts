// Files that determine what is installed, how bytes are stored and what others run: whether the rest of the change explains a change
// of one, or a user must review it. Pure.
import { isLock, nameOf } from './files.ts';

export type TextChange = { readonly path: string; readonly before: string | null; readonly after: string | null };

const MANIFESTS =
  /^(?:package\.json|pyproject\.toml|requirements[\w.-]*\.txt|Pipfile|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|Gemfile|composer\.json|pnpm-workspace\.yaml)$/;
export const isManifest = (name: string): boolean => MANIFESTS.test(name);
/** Attributes without effect on the checks. */
const HARMLESS = /^(?:binary|text|text=auto|-diff|linguist-[\w-]+(?:=\w+)?|eol=lf)$/;

/** True if the other changed files explain this change. `all`: all changed files. */
export function isExplained(one: TextChange, all: readonly TextChange[]): boolean {
  const name = nameOf(one.path);
  if (isLock(one.path)) return isLockExplained(one, all);
  if (name === '.gitattributes')
    return addedLines(one).every((line) =>
      line
        .split(/\s+/)
        .slice(1)
        .every((word) => HARMLESS.test(word)),
    );
  // Additions to CI files are allowed; removals are reviewed.
  if (/^\.github\/|^\.circleci\/|^\.gitlab-ci|^\.buildkite\//.test(one.path))
    return one.before === null || removedLines(one).length === 0;
  return false;
}

function isLockExplained(one: TextChange, all: readonly TextChange[]): boolean {
  const manifests = all.filter(
    ({ path, before, after }) =>
      MANIFESTS.test(nameOf(path)) && dependenciesIn(path, before) !== dependenciesIn(path, after),
  );
  if (manifests.length === 0) return false;
  if (one.before === null || one.after === null || nameOf(one.path) !== 'package-lock.json') return true;
  const [was, is] = [packagesIn(one.before), packagesIn(one.after)];
  // The same version must have the same content and origin; a package from a registry must stay one.
  return [...was].every(([path, { version, rest, isLocal }]) => {
    const now = is.get(path);
    if (now === undefined) return true;
    if (now.isLocal !== isLocal) return false;
    return now.version !== version || now.rest === rest;
  });
}

const DEPENDENCY_KEYS = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'overrides',
  'workspaces',
  'resolutions',
];

/** The dependencies of a package.json; the whole text of other manifests. */
export function dependenciesIn(path: string, text: string | null): string {
  if (text === null || nameOf(path) !== 'package.json') return text ?? '';
  const value = parsed(text);
  return value === null ? text : JSON.stringify(DEPENDENCY_KEYS.map((key) => value[key] ?? null));
}

/** `isLocal`: the package is a local folder. */
type Locked = { readonly version: unknown; readonly rest: string; readonly isLocal: boolean };

function packagesIn(text: string): ReadonlyMap<string, Locked> {
  const packages = parsed(text)?.['packages'];
  if (!isRecord(packages)) return new Map();
  return new Map(
    Object.entries(packages).flatMap(([path, entry]) => {
      if (path === '' || !isRecord(entry)) return [];
      const { version, integrity, resolved, link } = entry;
      const isLocal = link === true || (typeof resolved === 'string' && !/^(?:https?|git)/.test(resolved));
      return [[path, { version, rest: JSON.stringify([integrity, resolved]), isLocal }] as const];
    }),
  );
}

type Fields = { readonly [key: string]: unknown };
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const linesOf = (text: string | null): readonly string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
};
export const addedLines = (c: TextChange): readonly string[] => without(linesOf(c.after), linesOf(c.before));
const removedLines = (c: TextChange): readonly string[] => without(linesOf(c.before), linesOf(c.after));

/** Installed files of changed packages that no changed line of a manifest or lock file names. */
export function unexplainedOf(installed: readonly string[], files: readonly TextChange[]): readonly string[] {
  const lines = files
    .filter(({ path }) => isLock(path) || isManifest(nameOf(path)))
    .flatMap(addedLines)
    .map(plain);
  if (lines.length === 0) return installed;
  return installed.filter((path) => {
    const name = packageOf(path);
    return name !== null && !lines.some((line) => line.includes(plain(name)));
  });
}

const plain = (text: string): string => text.toLowerCase().replace(/[-_.]+/g, '-');

/** The package of an installed file; null: a program link, whose package is unknown. */
function packageOf(path: string): string | null {
  const parts = path.split('/');
  const at = Math.max(parts.lastIndexOf('node_modules'), parts.lastIndexOf('site-packages'));
  const [first = '', second = ''] = parts.slice(at < 0 ? 1 : at + 1);
  if (first === '.bin' || first === 'bin') return null;
  if (first.startsWith('@')) return `${first}/${second}`;
  return first.replace(/-\d[\w.]*\.dist-info$/, '').replace(/\.\w+$/, '');
}
