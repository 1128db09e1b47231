// Classifies a changed file: tests, test configuration, files that users must review, source, or the rest. Pure; by common
// conventions, those of every test runner, and the files that reports named.
import { isInTestFolder, isTestProgram, TEST_NAMES as COMMON_NAMES } from '../../model/test-names.ts';
import { RUNNERS } from '../runners/all.ts';

export type FileKind =
  /** Holds tests. */
  | 'test'
  /** In a folder of tests, or used by them: helpers, fixtures, snapshots. */
  | 'support'
  /** Determines how tests are run and which. */
  | 'runner'
  /** Determines what is installed, checked out or run outside tests: a user reviews it. */
  | 'guarded'
  | 'source'
  | 'docs';

/** Matches what any of the patterns does. */
const union = (...patterns: readonly (RegExp | undefined)[]): RegExp =>
  new RegExp(patterns.flatMap((one) => one?.source ?? []).join('|'));

const RUNNER_FILES = union(
  /^(?:tox\.ini|noxfile\.py|\.nycrc(?:\.\w+)?|\.npmrc|\.yarnrc(?:\.yml)?|\.babelrc(?:\.\w+)?|babel\.config\.\w+|karma\.conf\.\w+|ava\.config\.\w+|sitecustomize\.py|usercustomize\.py|[Mm]akefile|GNUmakefile|justfile|Taskfile\.ya?ml)$/,
  ...RUNNERS.map(({ files }) => files?.config),
);
/** Files that determine it in one part; their other parts are unrelated to tests. */
const PARTLY_RUNNER = /^(?:package\.json|pyproject\.toml|setup\.cfg)$/;
const LOCK_FILES =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|Pipfile\.lock|uv\.lock|pdm\.lock|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock)$/;
const CI_FILES =
  /^(?:\.github\/workflows\/|\.gitlab-ci\.ya?ml$|\.circleci\/|\.travis\.ya?ml$|azure-pipelines\.ya?ml$|Jenkinsfile$|\.buildkite\/)/;
const TEST_NAMES = union(COMMON_NAMES, ...RUNNERS.map(({ files }) => files?.tests));
const SNAPSHOT = /\.(?:snap|snapshot)$/;
const DOCS = /(?:\.(?:md|markdown|rst|adoc)|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CHANGELOG)[^/]*)$/i;

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const isLock = (path: string): boolean => LOCK_FILES.test(nameOf(path));
export const isPartlyRunner = (path: string): boolean => PARTLY_RUNNER.test(nameOf(path));

/** `tests`: files that are known to hold tests, whatever their names. `scripts`: start or reset the environment. `rules`: decide what passes. */
export function kindOf(
  path: string,
  known: {
    readonly tests: ReadonlySet<string>;
    readonly scripts: ReadonlySet<string>;
    readonly rules?: ReadonlySet<string>;
  },
): FileKind {
  const name = nameOf(path);
  if (known.tests.has(path)) return 'test';
  if (known.rules?.has(path) === true) return 'runner';
  if (RUNNER_FILES.test(name)) return 'runner';
  if (known.scripts.has(path) || isLock(path) || name === '.gitattributes' || CI_FILES.test(path)) return 'guarded';
  if (SNAPSHOT.test(name)) return 'support';
  if (TEST_NAMES.test(name)) return 'test';
  if (isInTestFolder(path)) return isTestProgram(path) ? 'test' : 'support';
  return DOCS.test(path) ? 'docs' : 'source';
}

/** Scripts that commands run as a check: shell scripts, and programs whose name says that they check something. */
export function scriptsNamedIn(commands: readonly string[]): ReadonlySet<string> {
  const words = commands.flatMap((line) => line.split(/[\s;&|<>()'"`]+/)).map((word) => word.replace(/^(?:\.\/)+/, ''));
  return new Set(words.filter((word) => /\.(?:sh|bash)$|(?:^|\/)[^/]*(?:check|verif|valid)[^/]*\.\w+$/i.test(word)));
}

/** Scripts of package.json that commands run. */
const packageScriptsIn = (commands: readonly string[]): ReadonlySet<string> =>
  new Set(
    commands.flatMap((line) =>
      [...line.matchAll(/\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?(?:-\S+\s+)*([\w:.-]+)/g)].map(
        (m) => m[1] ?? '',
      ),
    ),
  );

/** Keys of package.json that determine how tests are run. */
const PACKAGE_KEYS = RUNNERS.flatMap(({ files }) => files?.packageKey ?? []);
const RUNNER_KEYS = ['scripts', 'ava', 'nyc', 'c8', 'babel', 'node-options', ...PACKAGE_KEYS];
const RUNS_TESTS = new RegExp(String.raw`\b(?:test|ava|tape|${PACKAGE_KEYS.join('|')})\b`);

/**
 * The text with the parts that determine how tests run taken from another version of the file. For a file that does so as a
 * whole, it is the other version. null: the file does not exist.
 */
export function ruledBy(path: string, text: string | null, rules: string | null): string | null {
  if (!isPartlyRunner(path)) return rules;
  if (text === null || rules === null) return text === null ? null : withoutRules(path, text);
  return nameOf(path) === 'package.json' ? mixedPackage(text, rules) : mixedSections(text, rules);
}

/** Whether two versions of a file run tests differently. `commands`: what is run; scripts that they call count too. */
export function rulesDiffer(
  path: string,
  before: string | null,
  after: string | null,
  commands: readonly string[] = [],
): boolean {
  if (!isPartlyRunner(path)) return before !== after;
  const called = packageScriptsIn(commands);
  return rulesOf(path, before, called) !== rulesOf(path, after, called);
}

function rulesOf(path: string, text: string | null, called: ReadonlySet<string>): string {
  if (text === null) return '';
  if (nameOf(path) !== 'package.json') return ruleSections(text).join('\n');
  const parsed = parsePackage(text);
  if (parsed === null) return text;
  const kept = RUNNER_KEYS.filter((key) => Object.hasOwn(parsed, key) && key !== 'scripts').map((key) => [
    key,
    parsed[key],
  ]);
  return JSON.stringify([...kept, ...testScripts(parsed, called)]);
}

/** Scripts that tests may run through; one that starts or releases the program is none. */
function testScripts(
  parsed: { readonly [key: string]: unknown },
  called: ReadonlySet<string>,
): readonly (readonly [string, unknown])[] {
  const scripts = parsed['scripts'];
  if (typeof scripts !== 'object' || scripts === null) return [];
  return Object.entries(scripts)
    .filter(
      ([name, line]) => called.has(name) || /test|check|spec|verify|ci/.test(name) || RUNS_TESTS.test(String(line)),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function withoutRules(path: string, text: string): string {
  return nameOf(path) === 'package.json' ? mixedPackage(text, '{}') : mixedSections(text, '');
}

function mixedPackage(text: string, rules: string): string {
  const [own, other] = [parsePackage(text), parsePackage(rules)];
  if (own === null || other === null) return rules;
  const kept = Object.fromEntries(Object.entries(own).filter(([key]) => !RUNNER_KEYS.includes(key)));
  const ruling = Object.fromEntries(Object.entries(other).filter(([key]) => RUNNER_KEYS.includes(key)));
  return `${JSON.stringify({ ...kept, ...ruling }, null, 2)}\n`;
}

function parsePackage(text: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

const SECTIONS = RUNNERS.flatMap(({ files }) => files?.section ?? []).join('|');
const RULING_SECTION = new RegExp(
  String.raw`^\[+\s*(?:tool[.:]\s*"?(?:${SECTIONS}|tox|nox|coverage)|${SECTIONS}|tox\b)`,
);

/** The sections of an INI or TOML file, each with its heading; the text before the first heading is the first. */
const sections = (text: string): string[] => text.split(/^(?=\[)/m);
const ruleSections = (text: string): string[] =>
  sections(text)
    .filter((s) => RULING_SECTION.test(s))
    .map((s) => s.trimEnd());
const mixedSections = (text: string, rules: string): string =>
  [...sections(text).filter((s) => !RULING_SECTION.test(s)), ...ruleSections(rules)]
    .map((s) => s.trimEnd())
    .join('\n\n');
