// Which test runner a project uses and how it is called: from the text of its commands, or from the files in its root.
import type { TargetFiles } from '../../model/target-files.ts';
import { RUNNERS } from './all.ts';
import type { Invocation, TestRunner } from './runner.ts';

/** What npm writes into a new package.json, where there are no tests. */
const PLACEHOLDER = /no test specified/;

/** The runner that a shell line calls, also through a script of package.json; null: none that is known. */
export function runnerOf(command: string, files: TargetFiles, depth = 0): TestRunner | null {
  const script = depth < 3 ? scriptOf(command, files) : null;
  if (script !== null) return runnerOf(script, files, depth + 1);
  return RUNNERS.find(({ invocation }) => invocation?.pattern.test(command) === true) ?? null;
}

function scriptOf(command: string, files: TargetFiles): string | null {
  const name = /^\s*(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?(?:-\S+\s+)*([\w:.-]+)/.exec(command)?.[1];
  return name === undefined ? null : (packageJson(files).scripts.get(name === 't' ? 'test' : name) ?? null);
}

export type UsedRunner = { readonly runner: TestRunner; readonly from: string };

/** Runners that files in the root show to be used. Several: the files do not say which of them is meant. */
export function runnersInFiles(files: TargetFiles): readonly UsedRunner[] {
  const { scripts, packages } = packageJson(files);
  const test = scripts.get('test');
  const scripted = test === undefined || PLACEHOLDER.test(test) ? null : runnerOf(test, files);
  const installed = RUNNERS.find(
    ({ invocation }) => invocation?.npmPackage !== undefined && packages.has(invocation.npmPackage),
  );
  const ofPackage = scripted ?? installed;
  const used: UsedRunner[] = ofPackage === undefined ? [] : [{ runner: ofPackage, from: 'package.json' }];
  for (const runner of RUNNERS) {
    const from = runner.invocation?.usedIn?.(files) ?? null;
    if (from !== null && runner !== ofPackage) used.push({ runner, from });
  }
  return used;
}

export type WrittenCommand = { readonly key: string; readonly line: string };

/** The start of a command that calls the runner, how the rest of it is built, and the key or file it is taken from. */
export type CommandStart = { readonly invocation: Invocation; readonly start: string; readonly from: string };

/**
 * How the runner is called in this project: as a written command calls it, otherwise as is usual. null: a written command
 * calls it in a way that cannot be taken apart (`cd api && pytest`), or the runner has no usual command.
 */
export function commandStart(
  { name, invocation }: TestRunner,
  commands: readonly WrittenCommand[],
  files: TargetFiles,
): CommandStart | null {
  if (invocation === undefined) return null;
  for (const { key, line } of commands) {
    if (runnerOf(line, files)?.name !== name) continue;
    const start = invocation.start.exec(line)?.[0];
    if (start === undefined) continue; // through a script of package.json: called directly below
    return /[;&|<>`\n]|\$\(/.test(start) ? null : { invocation, start, from: key };
  }
  const { start, from } = invocation.usual(files);
  return { invocation, start, from: from ?? 'testing.runner' };
}

function packageJson(files: TargetFiles): {
  readonly scripts: ReadonlyMap<string, string>;
  readonly packages: ReadonlySet<string>;
} {
  const json = jsonOf(files.read('package.json'));
  const scripts = entriesIn(json, 'scripts').filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const packages = ['devDependencies', 'dependencies'].flatMap((part) => entriesIn(json, part).map(([name]) => name));
  return { scripts: new Map(scripts), packages: new Set(packages) };
}

/** undefined: not JSON. The project's own tools report that. */
function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

function entriesIn(json: unknown, part: string): [string, unknown][] {
  const map = Object.entries(json ?? {}).find(([name]) => name === part)?.[1] as unknown;
  return typeof map === 'object' && map !== null ? Object.entries(map) : [];
}
