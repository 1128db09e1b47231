// Language and commands of a project: each row of the three tables, their order, what flags override.
import { describe, expect, test } from 'vitest';
import {
  detected,
  LANGUAGES,
  LINTERS,
  tablesOf,
  TYPE_CHECKERS,
  type CommandFlags,
  type ProjectFacts,
} from './detect.ts';

const NO_FLAGS: CommandFlags = { lint_cmd: null, type_check_cmd: null };
const SCRIPTS = { test: 'vitest run', build: 'tsc' };
const facts = (files: readonly string[], more: Partial<ProjectFacts> = {}): ProjectFacts => ({
  files,
  packageJson: files.includes('package.json') ? { scripts: SCRIPTS } : null,
  pyproject: files.includes('pyproject.toml') ? [] : null,
  ...more,
});
const of = (files: readonly string[], more: Partial<ProjectFacts> = {}, flags = NO_FLAGS) =>
  detected(facts(files, more), flags);

describe('the language', () => {
  test.each([
    ['build.gradle', 'java', './gradlew test', './gradlew build'],
    ['build.gradle.kts', 'java', './gradlew test', './gradlew build'],
    ['pom.xml', 'java', 'mvn test', 'mvn compile'],
    ['pyproject.toml', 'python', 'pytest', null],
    ['setup.py', 'python', 'pytest', null],
    ['package.json', 'typescript', 'npm test', 'npm run build'],
    ['FixtureProject.Web.csproj', 'csharp', 'dotnet test', 'dotnet build'],
    ['go.mod', 'go', 'go test ./...', 'go build ./...'],
    ['Cargo.toml', 'rust', 'cargo test', 'cargo build'],
    ['README.md', 'unknown', null, null],
  ])('of a project with %s is %s', (file, lang, test_cmd, build_cmd) => {
    expect(of(['src', file])).toMatchObject({ lang, test_cmd, build_cmd });
  });

  test('is that of the first row that fits', () => {
    expect(of(['Cargo.toml', 'package.json', 'pyproject.toml']).lang).toBe('python');
    expect(of(['Cargo.toml', 'package.json']).lang).toBe('typescript');
    expect(of(['Cargo.toml', 'go.mod']).lang).toBe('go');
    expect(LANGUAGES.map(({ lang }) => lang).join(' ')).toBe('java java python typescript csharp go rust');
  });

  test('does not depend on similar names', () => {
    expect(of(['package.json.bak', 'xpom.xml', '.csproj.user', 'go.mod~']).lang).toBe('unknown');
  });
});

describe('a script that package.json does not have is not a command', () => {
  test.each([
    [{ scripts: SCRIPTS }, 'npm test', 'npm run build'],
    [{ scripts: { test: 'vitest' } }, 'npm test', null],
    [{ scripts: { test: 'echo "Error: no test specified" && exit 1' } }, null, null],
    [{ scripts: { test: '  ', build: 7 } }, null, null],
    [{ scripts: Object.create({ test: 'x' }) as object }, null, null],
    [{}, null, null],
    [[], null, null],
    [null, 'npm test', 'npm run build'], // it could not be read: nothing is known of it
  ])('%j', (packageJson, test_cmd, build_cmd) => {
    expect(of(['package.json'], { packageJson })).toMatchObject({ test_cmd, build_cmd });
  });
});

describe('the lint command', () => {
  test.each([
    [['package.json', '.eslintrc.json'], { packageJson: { scripts: { lint: 'eslint' } } }, 'npm run lint'],
    [['.eslintrc'], {}, 'npx eslint .'],
    [['.eslintrc.cjs', 'package.json'], {}, 'npx eslint .'],
    [['eslint.config.mjs'], {}, 'npx eslint .'],
    [['pyproject.toml'], { pyproject: ['project', 'tool.ruff'] }, 'ruff check .'],
    [['pyproject.toml'], { pyproject: ['tool.ruff.lint'] }, 'ruff check .'],
    [['pyproject.toml', '.pylintrc'], { pyproject: ['tool.ruffian'] }, 'pylint {scope}'],
    [['pyproject.toml'], { pyproject: ['tool.pylint.messages_control'] }, 'pylint {scope}'],
    [['.golangci.yml'], {}, 'golangci-lint run'],
    [['.golangci.yaml', 'Cargo.toml'], {}, 'golangci-lint run'],
    [['Cargo.toml'], {}, 'cargo clippy'],
    [['go.mod'], {}, null],
  ] as const)('of %j is %s', (files, more, command) => {
    expect(of(files, more).lint_cmd).toBe(command);
  });

  test('is found in the order of the table', () => {
    const all = ['package.json', '.eslintrc.js', 'pyproject.toml', '.pylintrc', '.golangci.yml', 'Cargo.toml'];
    const more = { packageJson: { scripts: { lint: 'x' } }, pyproject: ['tool.ruff', 'tool.pylint'] };
    expect(of(all, more).lint_cmd).toBe(LINTERS[0]?.command);
    const found = LINTERS.map((_, n) => LINTERS.findIndex(({ sign }, at) => at >= n && sign(facts(all, more))));
    expect(found).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('for pylint has a placeholder for the scope', () => {
    expect(of(['.pylintrc']).lint_cmd).toBe('pylint {scope}');
  });
});

describe('the type-check command', () => {
  test.each([
    [['tsconfig.json', 'mypy.ini'], {}, 'npx tsc --noEmit'],
    [['mypy.ini'], {}, 'mypy .'],
    [['pyproject.toml', 'pyrightconfig.json'], { pyproject: ['tool.mypy'] }, 'mypy .'],
    [['pyrightconfig.json'], {}, 'pyright'],
    [['pyproject.toml'], { pyproject: ['tool.pyright'] }, 'pyright'],
    [['App.csproj'], {}, null],
    [['go.mod'], {}, null],
    [['Cargo.toml'], {}, null],
    [['package.json'], {}, null],
  ] as const)('of %j is %s', (files, more, command) => {
    expect(of(files, more).type_check_cmd).toBe(command);
  });
  test('is that of the build for languages whose build checks types', () => {
    expect(TYPE_CHECKERS.at(-1)?.command).toBeNull();
  });
});

test('flags take precedence; an empty one means that there is no command', () => {
  const files = ['package.json', 'tsconfig.json', '.eslintrc'];
  expect(of(files, {}, { lint_cmd: 'biome check', type_check_cmd: 'vue-tsc' })).toMatchObject({
    lint_cmd: 'biome check',
    type_check_cmd: 'vue-tsc',
  });
  expect(of(files, {}, { lint_cmd: '', type_check_cmd: ' ' })).toMatchObject({ lint_cmd: null, type_check_cmd: null });
  expect(of([], {}, { lint_cmd: 'make {scope}', type_check_cmd: null }).lint_cmd).toBe('make {scope}');
});

test('tables of a TOML text are found by their headers', () => {
  const toml = `
[project]
name = "x" # [tool.none]
[tool.ruff]
line-length = 100
  [ tool . "pylint" . 'messages_control' ]  # here
[[tool.mypy.overrides]]\r
# [tool.pyright]
list = [
  "a",
]
`;
  expect(tablesOf(toml)).toEqual(['project', 'tool.ruff', 'tool.pylint.messages_control', 'tool.mypy.overrides']);
  expect(of(['pyproject.toml'], { pyproject: tablesOf(toml) })).toMatchObject({
    lint_cmd: 'ruff check .',
    type_check_cmd: 'mypy .',
  });
});
