// Which test runner a project has: from the text of its commands, else from the files in its root.
import type { RunnerName } from '../../model/config.ts';
import type { TargetFiles } from './files.ts';

const WORDS: readonly (readonly [RunnerName, RegExp])[] = [
  ['pytest', /\bpytest\b|\bpy\.test\b/],
  ['vitest', /\bvitest\b/],
  ['jest', /\bjest\b/],
  ['mocha', /\bmocha\b/],
  ['node', /\bnode\b[^;&|]*\s--test(?=\s|$)/],
  ['go', /\bgo\s+test\b/],
  ['cargo', /\bcargo\s+(?:\+\S+\s+)?(?:test|nextest)\b/],
];

/** What `npm init` writes where there are no tests. */
const PLACEHOLDER = /no test specified/;

/** The runner a shell line calls, through a script of package.json where it names one; null: none that is known. */
export function runnerOf(command: string, files: TargetFiles, depth = 0): RunnerName | null {
  const script = depth < 3 ? scriptOf(command, files) : null;
  if (script !== null) return runnerOf(script, files, depth + 1);
  return WORDS.find(([, word]) => word.test(command))?.[0] ?? null;
}

function scriptOf(command: string, files: TargetFiles): string | null {
  const name = /^\s*(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?(?:-\S+\s+)*([\w:.-]+)/.exec(command)?.[1];
  return name === undefined ? null : (packageJson(files).scripts[name === 't' ? 'test' : name] ?? null);
}

/** Runners that the files in the root speak for: none, one, or several where nobody can say which is meant. */
export function runnersInFiles(files: TargetFiles): readonly { readonly runner: RunnerName; readonly from: string }[] {
  const found: { runner: RunnerName; from: string }[] = [];
  const { scripts, packages } = packageJson(files);
  const test = scripts['test'];
  const scripted = test === undefined || PLACEHOLDER.test(test) ? null : runnerOf(test, files);
  const installed = (['vitest', 'jest', 'mocha'] as const).find((name) => packages.includes(name));
  const js = scripted ?? installed;
  if (js !== undefined && js !== null) found.push({ runner: js, from: 'package.json' });
  const python = PYTEST_FILES.find(([file, word]) => word.test(files.read(file) ?? '\0'));
  if (python !== undefined) found.push({ runner: 'pytest', from: python[0] });
  if (files.has('go.mod')) found.push({ runner: 'go', from: 'go.mod' });
  if (files.has('Cargo.toml')) found.push({ runner: 'cargo', from: 'Cargo.toml' });
  return found.filter(({ runner }, i) => found.findIndex((other) => other.runner === runner) === i);
}

/** A file and what in it speaks for pytest; a file that is not there reads as one NUL. */
const PYTEST_FILES: readonly (readonly [string, RegExp])[] = [
  ['pytest.ini', /^[^\0]*$/],
  ['conftest.py', /^[^\0]*$/],
  ['pyproject.toml', /\bpytest\b/],
  ['setup.cfg', /^\[tool:pytest\]/m],
  ['tox.ini', /\bpytest\b/],
  ['requirements-dev.txt', /^pytest\b/m],
  ['requirements.txt', /^pytest\b/m],
];

function packageJson(files: TargetFiles): {
  readonly scripts: { readonly [name: string]: string };
  readonly packages: readonly string[];
} {
  const text = files.read('package.json');
  if (text === null) return { scripts: {}, packages: [] };
  try {
    const json: unknown = JSON.parse(text);
    return {
      scripts: Object.fromEntries(
        entriesOf(json, 'scripts').filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      ),
      packages: ['devDependencies', 'dependencies'].flatMap((part) => entriesOf(json, part).map(([name]) => name)),
    };
  } catch {
    return { scripts: {}, packages: [] }; // not JSON: the project's own tools will say so
  }
}

export function packageName(files: TargetFiles): string | null {
  try {
    const json: unknown = JSON.parse(files.read('package.json') ?? 'null');
    const name = typeof json === 'object' && json !== null && 'name' in json ? json.name : null;
    return typeof name === 'string' && name.trim() !== '' ? name : null;
  } catch {
    return null;
  }
}

function entriesOf(json: unknown, part: string): [string, unknown][] {
  if (typeof json !== 'object' || json === null) return [];
  const map = (json as Record<string, unknown>)[part];
  return typeof map === 'object' && map !== null ? Object.entries(map) : [];
}
