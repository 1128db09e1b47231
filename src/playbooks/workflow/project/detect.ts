// Language and commands of a project, by the files in its root: three tables, whose first row that fits counts. Options of the command line take
// precedence. Pure.
import { z } from 'zod';
import type { WorkflowState } from '../file/state.ts';

export type ProjectFacts = {
  /** Names of the files and folders in the root of the repository. */
  readonly files: readonly string[];
  /** package.json as parsed; null: there is none, or it cannot be read. */
  readonly packageJson: unknown;
  /** Names of the tables of pyproject.toml: `tool.ruff`; null: there is none. */
  readonly pyproject: readonly string[] | null;
};

/** The names of the tables of a TOML text, in their order. Only table headers are read. */
export const tablesOf = (toml: string): readonly string[] =>
  [...toml.matchAll(/^[ \t]*\[{1,2}([^\][\n]+)\]{1,2}[ \t]*(?:#.*)?\r?$/gm)].map(([, name = '']) =>
    name.replace(/["'\s]/g, ''),
  );

/** Whether a project has this. */
type Sign = (facts: ProjectFacts) => boolean;
/** `*`: any text. */
const file =
  (...patterns: readonly string[]): Sign =>
  ({ files }) =>
    patterns.some((pattern) => {
      const [head = '', tail] = pattern.split('*');
      return files.some((name) =>
        tail === undefined
          ? name === pattern
          : name.startsWith(head) && name.endsWith(tail) && name.length >= head.length + tail.length,
      );
    });
/** `[tool.x]`, or a table below it. */
const tool =
  (name: string): Sign =>
  ({ pyproject }) =>
    (pyproject ?? []).some((table) => table === `tool.${name}` || table.startsWith(`tool.${name}.`));
const script =
  (name: string): Sign =>
  ({ packageJson }) =>
    scriptOf(packageJson, name) !== '';
const either =
  (...signs: readonly Sign[]): Sign =>
  (facts) =>
    signs.some((sign) => sign(facts));

const withScripts = z.looseObject({ scripts: z.record(z.string(), z.unknown()) });
function scriptOf(packageJson: unknown, name: string): string {
  const scripts = withScripts.safeParse(packageJson).data?.scripts ?? {};
  const command = Object.hasOwn(scripts, name) ? scripts[name] : '';
  return typeof command === 'string' ? command.trim() : '';
}

type LanguageRow = {
  readonly sign: Sign;
  readonly lang: string;
  readonly test_cmd: string | null;
  readonly build_cmd: string | null;
};
export const LANGUAGES: readonly LanguageRow[] = [
  {
    sign: file('build.gradle', 'build.gradle.kts'),
    lang: 'java',
    test_cmd: './gradlew test',
    build_cmd: './gradlew build',
  },
  { sign: file('pom.xml'), lang: 'java', test_cmd: 'mvn test', build_cmd: 'mvn compile' },
  { sign: file('pyproject.toml', 'setup.py'), lang: 'python', test_cmd: 'pytest', build_cmd: null },
  { sign: file('package.json'), lang: 'typescript', test_cmd: 'npm test', build_cmd: 'npm run build' },
  { sign: file('*.csproj'), lang: 'csharp', test_cmd: 'dotnet test', build_cmd: 'dotnet build' },
  { sign: file('go.mod'), lang: 'go', test_cmd: 'go test ./...', build_cmd: 'go build ./...' },
  { sign: file('Cargo.toml'), lang: 'rust', test_cmd: 'cargo test', build_cmd: 'cargo build' },
];
const UNKNOWN = { lang: 'unknown', test_cmd: null, build_cmd: null };

type CommandRow = { readonly sign: Sign; readonly command: string | null };
export const LINTERS: readonly CommandRow[] = [
  { sign: script('lint'), command: 'npm run lint' },
  { sign: file('.eslintrc*', 'eslint.config.*'), command: 'npx eslint .' },
  { sign: tool('ruff'), command: 'ruff check .' },
  { sign: either(file('.pylintrc'), tool('pylint')), command: 'pylint {scope}' },
  { sign: file('.golangci.yml', '.golangci.yaml'), command: 'golangci-lint run' },
  { sign: file('Cargo.toml'), command: 'cargo clippy' },
];
export const TYPE_CHECKERS: readonly CommandRow[] = [
  { sign: file('tsconfig.json'), command: 'npx tsc --noEmit' },
  { sign: either(file('mypy.ini'), tool('mypy')), command: 'mypy .' },
  { sign: either(file('pyrightconfig.json'), tool('pyright')), command: 'pyright' },
  { sign: file('*.csproj', 'go.mod', 'Cargo.toml'), command: null }, // the build checks types
];

export type CommandFlags = {
  /** `--lint-cmd`, `--type-check-cmd`; null: not given, '': there is none. */
  readonly lint_cmd: string | null;
  readonly type_check_cmd: string | null;
};
export type Detected = Pick<WorkflowState, 'lang' | 'test_cmd' | 'build_cmd' | 'lint_cmd' | 'type_check_cmd'>;

/** A command that is null is skipped in Layer 1. `{scope}` in a command is replaced when it is run (layer-1.ts). */
export function detected(facts: ProjectFacts, flags: CommandFlags): Detected {
  const { lang, test_cmd, build_cmd } = LANGUAGES.find(({ sign }) => sign(facts)) ?? UNKNOWN;
  const found = (rows: readonly CommandRow[]): string | null => rows.find(({ sign }) => sign(facts))?.command ?? null;
  const given = (flag: string | null, rows: readonly CommandRow[]): string | null =>
    flag === null ? found(rows) : flag.trim() || null;
  const isReadable = lang === 'typescript' && facts.packageJson !== null;
  return {
    lang,
    test_cmd: isReadable && !hasTests(facts) ? null : test_cmd,
    build_cmd: isReadable && !script('build')(facts) ? null : build_cmd,
    lint_cmd: given(flags.lint_cmd, LINTERS),
    type_check_cmd: given(flags.type_check_cmd, TYPE_CHECKERS),
  };
}

/** A missing script would fail in every session, so it is no command; nor is the one that `npm init` writes. */
const hasTests = ({ packageJson }: ProjectFacts): boolean => {
  const command = scriptOf(packageJson, 'test');
  return command !== '' && !command.includes('no test specified');
};
