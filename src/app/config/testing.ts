// The test commands of a target: what is written, else what can be worked out safely, said aloud with where it came from.
// What cannot be worked out is handed on as "needed before work can start", never guessed.
import type { Config, RunnerName } from '../../model/config.ts';
import type { TargetFiles } from './files.ts';
import { missing, type Mistake } from './mistake.ts';
import { runnerOf, runnersInFiles } from './runner.ts';
import type { Written } from './schema.ts';

/** A value nobody wrote, and what it was taken from. */
export type Inferred = { readonly key: string; readonly value: string; readonly from: string };

export function resolveTesting(
  written: Written['testing'],
  files: TargetFiles,
): {
  readonly testing: Config['testing'];
  readonly inferred: readonly Inferred[];
  readonly needed: readonly Mistake[];
} {
  const inferred: Inferred[] = [];
  const infer = (key: string, value: string, from: string): string => {
    inferred.push({ key, value, from });
    return value;
  };
  const commands = (['feature', 'full', 'e2e', 'unit'] as const).flatMap((name) => {
    const line = written[name];
    return typeof line === 'string' ? [{ key: `testing.${name}`, line }] : [];
  });

  const seen = commands
    .map(({ key, line }) => ({ from: key, runner: runnerOf(line, files) }))
    .find(({ runner }) => runner !== null);
  const inFiles = written.runner === undefined && commands.length === 0 ? runnersInFiles(files) : [];
  const guess = seen ?? (inFiles.length === 1 ? inFiles[0] : undefined);
  let runner: RunnerName = written.runner ?? 'command';
  if (written.runner === undefined && guess !== undefined && guess.runner !== null) {
    runner = guess.runner;
    infer('testing.runner', runner, guess.from);
  }

  const model = startOf(runner, commands, files);
  const feature =
    written.feature !== undefined
      ? written.feature
      : model === null
        ? null
        : infer('testing.feature', ONE_FILE[model.runner](model.start), model.from);
  const full =
    written.full !== undefined
      ? written.full
      : model === null
        ? null
        : infer('testing.full', EVERYTHING[model.runner](model.start), model.from);
  const quick = written.sanity.quick;
  const needed: Mistake[] = [];
  const [path, allowed] = [['testing', 'feature'], 'command with {test_file}'];
  if (feature === null)
    needed.push(
      inFiles.length > 1
        ? missing(path, allowed, 'several-runners', inFiles.map((one) => one.runner).join(', '))
        : missing(path, allowed, 'runner-unknown'),
    );
  return {
    testing: {
      runner,
      feature,
      full,
      sanity: {
        health: written.sanity.health ?? null,
        lint: written.sanity.lint ?? null,
        typeCheck: written.sanity.type_check ?? null,
        quick:
          quick === undefined && typeof written.unit === 'string'
            ? infer('testing.sanity.quick', written.unit, 'testing.unit')
            : (quick ?? null),
      },
      timeoutMinutes: written.timeout_minutes,
    },
    inferred,
    needed,
  };
}

/** Runners whose command for one file and for everything can be built from how they are called. */
type Callable = Exclude<RunnerName, 'junit' | 'tap' | 'command'>;

const ONE_FILE: { readonly [R in Callable]: (start: string) => string } = {
  pytest: (start) => `${start} {test_file}`,
  vitest: (start) => `${start} run {test_file}`,
  jest: (start) => `${start} --runTestsByPath {test_file}`,
  mocha: (start) => `${start} {test_file}`,
  node: (start) => `${start} {test_file}`,
  go: (start) => `${start} "./$(dirname {test_file})"`,
  cargo: (start) => `${start} --test "$(basename {test_file} .rs)"`,
};

const EVERYTHING: { readonly [R in Callable]: (start: string) => string } = {
  pytest: (start) => start,
  vitest: (start) => `${start} run`,
  jest: (start) => start,
  mocha: (start) => start,
  node: (start) => start,
  go: (start) => `${start} ./...`,
  cargo: (start) => start,
};

/** How a written command begins, up to the runner's own word: `poetry run pytest` of `poetry run pytest tests/e2e -x`. */
const START: { readonly [R in Callable]: RegExp } = {
  pytest: /^.*?\b(?:pytest|py\.test)(?=\s|$)/,
  vitest: /^.*?\bvitest(?=\s|$)/,
  jest: /^.*?\bjest(?=\s|$)/,
  mocha: /^.*?\bmocha(?=\s|$)/,
  node: /^.*?\bnode\s(?:.*?\s)?--test(?=\s|$)/,
  go: /^.*?\bgo\s+test(?=\s|$)/,
  cargo: /^.*?\bcargo\s+(?:\+\S+\s+)?test(?=\s|$)/,
};

type Start = { readonly runner: Callable; readonly start: string; readonly from: string };

/**
 * How the runner is called here: as a written command calls it, else as projects of its kind do. Null where a written
 * command calls it in a way that cannot be taken apart (`cd api && pytest`), or where there is no such runner.
 */
function startOf(
  runner: RunnerName,
  commands: readonly { key: string; line: string }[],
  files: TargetFiles,
): Start | null {
  if (runner === 'junit' || runner === 'tap' || runner === 'command') return null;
  for (const { key, line } of commands) {
    if (runnerOf(line, files) !== runner) continue;
    const start = START[runner].exec(line)?.[0];
    if (start === undefined) continue; // through a script of package.json: called directly below
    return /[;&|<>`\n]|\$\(/.test(start) ? null : { runner, start, from: key };
  }
  const { start, from } = usual(runner, files);
  return { runner, start, from };
}

function usual(runner: Callable, files: TargetFiles): { readonly start: string; readonly from: string } {
  const from = 'testing.runner';
  if (runner === 'node') return { start: 'node --test', from };
  if (runner === 'go' || runner === 'cargo') return { start: `${runner} test`, from };
  const [lock, through] = (runner === 'pytest' ? PYTHON_LOCKS : JS_LOCKS).find(([file]) => files.has(file)) ?? [
    from,
    runner === 'pytest' ? '' : 'npx ',
  ];
  return { start: `${through}${runner}`, from: lock };
}

const PYTHON_LOCKS: readonly (readonly [string, string])[] = [
  ['uv.lock', 'uv run '],
  ['poetry.lock', 'poetry run '],
];
const JS_LOCKS: readonly (readonly [string, string])[] = [
  ['pnpm-lock.yaml', 'pnpm exec '],
  ['yarn.lock', 'yarn '],
  ['bun.lock', 'bunx '],
];
