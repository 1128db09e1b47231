// The test commands of a target: as written, else inferred where that is safe, with their source. What cannot be inferred is
// reported as missing.
import type { Config, WrittenConfig } from '../../model/config.ts';
import type { TargetFiles } from '../../model/target-files.ts';
import { runnerNamed } from '../../verify/runners/all.ts';
import { commandStart, runnerOf, runnersInFiles } from '../../verify/runners/detect.ts';
import { missing, type ConfigMistake } from './mistake.ts';

/** An inferred value and its source. */
export type Inferred = { readonly key: string; readonly value: string; readonly from: string };

export function resolveTesting(
  { runner: name, feature, full, unit, e2e, sanity, ...rest }: WrittenConfig['testing'],
  files: TargetFiles,
): {
  readonly testing: Config['testing'];
  readonly inferred: readonly Inferred[];
  readonly needed: readonly ConfigMistake[];
} {
  const inferred: Inferred[] = [];
  const infer = (key: string, value: string, from: string): string => {
    inferred.push({ key, value, from });
    return value;
  };
  const commands = Object.entries({ feature, full, e2e, unit }).flatMap(([name, line]) =>
    typeof line === 'string' ? [{ key: `testing.${name}`, line }] : [],
  );

  const called = commands.flatMap(({ key, line }) => {
    const runner = runnerOf(line, files);
    return runner === null ? [] : [{ runner, from: key }];
  });
  const inFiles = name === undefined && commands.length === 0 ? runnersInFiles(files) : [];
  const [found] = called.length > 0 || inFiles.length === 1 ? [...called, ...inFiles] : [];
  const runner = name === undefined ? (found?.runner ?? runnerNamed('command')) : runnerNamed(name);
  if (name === undefined && found !== undefined) infer('testing.runner', found.runner.name, found.from);

  const start = commandStart(runner, commands, files);
  const build = (key: 'oneFile' | 'everything'): string | null => start?.invocation[key](start.start) ?? null;
  const orInferred = (key: string, line: string | null | undefined, value: string | null, from = ''): string | null =>
    line !== undefined || value === null ? (line ?? null) : infer(key, value, from);
  const testing = {
    runner: runner.name,
    feature: orInferred('testing.feature', feature, build('oneFile'), start?.from),
    full: orInferred('testing.full', full, build('everything'), start?.from),
    sanity: { ...sanity, quick: orInferred('testing.sanity.quick', sanity.quick, unit ?? null, 'testing.unit') },
    ...rest,
  };
  const [path, allowed] = [['testing', 'feature'], 'command with {test_file}'];
  const several = inFiles.map((one) => one.runner.name).join(', ');
  const why =
    inFiles.length > 1 ? missing(path, allowed, 'several-runners', several) : missing(path, allowed, 'runner-unknown');
  return { testing, inferred, needed: testing.feature === null ? [why] : [] };
}
