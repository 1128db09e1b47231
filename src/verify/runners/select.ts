// Running some tests again and not all: the commands that run these ids, or at least their files.
import { fileOfTest, type TestId } from '../../model/report.ts';
import { shellWord } from '../../model/shell-quote.ts';
import { runnerNamed } from './all.ts';
import type { TestTitle } from './runner.ts';

export type TestSelection = {
  /** To be run one after the other; together they run every id. */
  readonly commands: readonly string[];
  /** What is run of the suite: just these tests, the files they are in, or all of it. */
  readonly by: 'ids' | 'files' | 'command';
};

/** More files than this are run by the whole command: it starts the runner once. */
const MAX_FILES = 20;

/** `ofFile`: the command that tests one file, with `{test_file}`; null: none is configured. */
export function select(
  runnerName: string | null,
  command: string,
  ofFile: string | null,
  ids: readonly TestId[],
): TestSelection {
  const runner = runnerNamed(runnerName);
  const single = runner?.selectTests?.(command, ofFile, ids.map(titleOf)) ?? null;
  if (single !== null) return { commands: [single], by: 'ids' };
  const files = [...new Set(ids.map(fileOfTest))];
  const byFile = ofFile?.includes('{test_file}') === true && runner?.testsPackages !== true;
  if (!byFile || files.includes('') || files.length > MAX_FILES) return { commands: [command], by: 'command' };
  return { commands: files.map((file) => ofFile.replaceAll('{test_file}', () => shellWord(file))), by: 'files' };
}

/** A title that contains ` > ` or `|` comes out wrong: then the test is not found, and the caller runs more. */
function titleOf(id: TestId): TestTitle {
  const [, file = '', suite = '', ...rest] = id.split('|');
  return { file, suite: suite === '' ? [] : suite.split(' > '), name: rest.join('|') };
}
