// Which test files load a changed file, by the import statements of the files between them. Where a statement cannot be followed with
// certainty the test file counts as one that does: it is proved once more than needed, never once less.
import { posix } from 'node:path';

export type ReachDeps = {
  /** The text of a file, repository-relative; null: there is none. */
  readonly read: (path: string) => string | null;
  /** Whether a package of this name is installed from outside of the repository. */
  readonly isPackage: (name: string) => boolean;
};

const CODE = /\.[cm]?[jt]sx?$/;
/** Whether its import statements can be followed. */
export const isCode = (path: string): boolean => CODE.test(path);
/** Loads what its arguments say at run time, or code that is no file. */
const UNCERTAIN =
  /\b(?:createRequire|require\s*\.\s*(?:resolve|cache|main)|registerHooks|import\s*\.\s*meta\s*\.\s*(?:glob|resolve)|runInContext|runInThisContext|runInNewContext|vm|Module)\b|\beval\s*\(|\bnew\s+Function\b|\b(?:import|require)\s*\(\s*(?!\s*['"`][^'"`$]*['"`]\s*[,)])/;
const SPECIFIERS =
  /\b(?:from|import)\s*(?:\(\s*)?(['"`])([^'"`\n]+)\1|\b(?:require|mock|doMock|unmock|importActual|requireActual)\s*(?:<[^>]*>)?\(\s*(['"`])([^'"`\n]+)\3/g;

/** Of `tests` those that load one of the changed files, or may. */
export function testsThatLoad(
  changed: ReadonlySet<string>,
  tests: readonly string[],
  deps: ReachDeps,
): readonly string[] {
  const known = new Map<string, readonly string[] | null>();
  return tests.filter((test) => reaches(test, changed, deps, known));
}

/** `known`: what a file imports, by path; null: unknown. */
function reaches(
  test: string,
  changed: ReadonlySet<string>,
  deps: ReachDeps,
  known: Map<string, readonly string[] | null>,
): boolean {
  const seen = new Set([test]);
  for (const path of seen) {
    if (changed.has(path)) return true;
    if (!CODE.test(path)) continue;
    let next = known.get(path);
    if (next === undefined) {
      next = importsOf(path, deps);
      known.set(path, next);
    }
    if (next === null) return true;
    for (const one of next) seen.add(one);
  }
  return false;
}

/** Files of the repository that this file imports; null: that cannot be said. */
function importsOf(path: string, deps: ReachDeps): readonly string[] | null {
  const text = deps.read(path);
  if (text === null || UNCERTAIN.test(text)) return null;
  const found: string[] = [];
  for (const [, , imported, , required] of text.matchAll(SPECIFIERS)) {
    const name = imported ?? required ?? '';
    if (name.startsWith('node:')) continue;
    if (!/^\.{1,2}(?:\/|$)/.test(name)) {
      if (!isOutside(name, deps)) return null;
      continue;
    }
    const file = resolved(posix.join(posix.dirname(path), name.replace(/[?#].*$/, '')), deps);
    if (file === null) return null;
    found.push(file);
  }
  return found;
}

const BUILTIN = new Set(
  (
    'assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns ' +
    'dns/promises events fs fs/promises http http2 https inspector net os path path/posix path/win32 perf_hooks process ' +
    'punycode querystring readline readline/promises stream stream/consumers stream/promises stream/web string_decoder sys ' +
    'test timers timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib'
  ).split(' '),
);

function isOutside(name: string, { isPackage }: ReachDeps): boolean {
  if (BUILTIN.has(name)) return true;
  const parts = name.split('/');
  return isPackage(name.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? ''));
}

const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json'];

/** As bundlers and TypeScript look for it. */
function resolved(path: string, { read }: ReachDeps): string | null {
  if (path.startsWith('..')) return null;
  const written = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
  const candidates = [
    ...ENDINGS.map((ending) => path + ending),
    written,
    `${written}x`,
    ...ENDINGS.slice(1).map((ending) => `${path}/index${ending}`),
  ];
  return candidates.find((one) => (one !== path || /\.\w+$/.test(path)) && read(one) !== null) ?? null;
}
