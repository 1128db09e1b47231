// Running some tests again and not all: what a command becomes so that it runs these ids, or at least their files.
import type { RunnerName } from '../../model/config.ts';
import { fileOfTest, type TestId } from '../../model/report.ts';
import { CARGO_TEST } from './cargo.ts';
import { GO_TEST } from './go.ts';
import { quoteWord, segments } from './shell.ts';

export type Selection = {
  /** To be run one after the other; together they run every id. */
  readonly commands: readonly string[];
  /** What is run of the suite: just these tests, the files they are in, or all of it. */
  readonly by: 'ids' | 'files' | 'command';
};

/** More files than this are run by the whole command: it starts the runner once. */
const MOST_FILES = 20;

/** `ofFile`: how one file is tested here, with `{test_file}`; null: nobody said. */
export function select(
  runner: RunnerName | null,
  command: string,
  ofFile: string | null,
  ids: readonly TestId[],
): Selection {
  const single = runner === null ? null : (SINGLE[runner]?.(command, ofFile, ids.map(partsOf)) ?? null);
  if (single !== null) return { commands: [single], by: 'ids' };
  const files = [...new Set(ids.map(fileOfTest))];
  const byFile = ofFile?.includes('{test_file}') === true && runner !== 'go' && runner !== 'cargo';
  if (!byFile || files.includes('') || files.length > MOST_FILES) return { commands: [command], by: 'command' };
  return { commands: files.map((file) => ofFile.replaceAll('{test_file}', () => quoteWord(file))), by: 'files' };
}

type Parts = { readonly file: string; readonly suite: readonly string[]; readonly name: string };

/** A title that holds ` > ` or `|` comes out wrong: then the test is not found, and whoever asks runs more. */
function partsOf(id: TestId): Parts {
  const [, file = '', suite = '', ...rest] = id.split('|');
  return { file, suite: suite === '' ? [] : suite.split(' > '), name: rest.join('|') };
}

/** null: not in this case. */
type Single = (command: string, ofFile: string | null, ids: readonly Parts[]) => string | null;

const SINGLE: { readonly [R in RunnerName]?: Single } = {
  pytest(_command, ofFile, ids) {
    if (ofFile === null || !ofFile.includes('{test_file}') || ids.some(({ file }) => file === '')) return null;
    const words = ids.map(({ file, suite, name }) => quoteWord([file, ...suite, name].join('::')));
    return ofFile.replaceAll('{test_file}', () => words.join(' '));
  },
  go(command, _ofFile, ids) {
    const tops = [...new Set(ids.map(({ suite, name }) => suite[0] ?? name))];
    if (/\s-{1,2}(?:run|bench|skip)[=\s]/.test(command) || tops.some((top) => !/^[\w\p{L}]+$/u.test(top))) return null;
    if (command.search(GO_TEST) < 0) return null;
    return command.replace(GO_TEST, (hit) => `${hit} -run '^(${tops.join('|')})$'`);
  },
  cargo(command, _ofFile, ids) {
    const [only, ...more] = segments(command) ?? [];
    if (only === undefined || more.length > 0 || only.text.search(CARGO_TEST) < 0) return null;
    if (/\s--\s|[<>]/.test(command) || ids.some(({ suite }) => suite[0]?.endsWith(' doc') === true)) return null;
    const names = ids.map(({ suite, name }) => quoteWord([...suite.slice(1), name.replace(/#\d+$/, '')].join('::')));
    return `${command} -- --exact ${[...new Set(names)].join(' ')}`;
  },
};
