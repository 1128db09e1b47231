// The test commands of a target: what is written, else what can be worked out safely, said aloud with where it came from.
// What cannot be worked out is handed on as "needed before work can start", never guessed.
import type { Config } from '../../model/config.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import { runnerNamed } from '../../verify/runners/all.ts';
import { commandStart, runnerOf, runnersInFiles } from '../../verify/runners/detect.ts';
import { missing, type Mistake } from './mistake.ts';
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
  let runner = runnerNamed(written.runner ?? 'command');
  if (written.runner === undefined && guess !== undefined && guess.runner !== null) {
    runner = guess.runner;
    infer('testing.runner', runner.name, guess.from);
  }

  const model = commandStart(runner, commands, files);
  const feature =
    written.feature !== undefined
      ? written.feature
      : model === null
        ? null
        : infer('testing.feature', model.invocation.oneFile(model.start), model.from);
  const full =
    written.full !== undefined
      ? written.full
      : model === null
        ? null
        : infer('testing.full', model.invocation.everything(model.start), model.from);
  const quick = written.sanity.quick;
  const needed: Mistake[] = [];
  const [path, allowed] = [['testing', 'feature'], 'command with {test_file}'];
  if (feature === null)
    needed.push(
      inFiles.length > 1
        ? missing(path, allowed, 'several-runners', inFiles.map((one) => one.runner.name).join(', '))
        : missing(path, allowed, 'runner-unknown'),
    );
  return {
    testing: {
      runner: runner.name,
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
