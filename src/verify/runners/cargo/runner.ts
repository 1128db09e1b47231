// cargo through what `cargo test` prints: names of test programs come on stderr, so both streams are read as one. Without
// `--no-fail-fast` the first program that fails would hide those after it.
import { shellWord } from '../../../model/shell-quote.ts';
import { reportsToFile, type Instrumented, type TestRunner } from '../runner.ts';
import { segments, withEnd, withReport } from '../shell.ts';

export const cargo = {
  name: 'cargo',
  invocation: {
    pattern: /\bcargo\s+(?:\+\S+\s+)?(?:test|nextest)\b/,
    start: /^.*?\bcargo\s+(?:\+\S+\s+)?test(?=\s|$)/,
    usual: () => ({ start: 'cargo test', from: null }),
    oneFile: (start) => `${start} --test "$(basename {test_file} .rs)"`,
    everything: (start) => start,
    usedIn: (files) => (files.has('Cargo.toml') ? 'Cargo.toml' : null),
  },
  reporting: { extension: 'txt', instrument, load: () => import('./report.ts') },
  selectTests(command, _ofFile, tests) {
    const [only, ...more] = segments(command) ?? [];
    if (only === undefined || more.length > 0 || only.text.search(CARGO_TEST) < 0) return null;
    if (/\s--\s|[<>]/.test(command) || tests.some(({ suite }) => suite[0]?.endsWith(' doc') === true)) return null;
    const names = tests.map(({ suite, name }) => shellWord([...suite.slice(1), name.replace(/#\d+$/, '')].join('::')));
    return `${command} -- --exact ${[...new Set(names)].join(' ')}`;
  },
  testsPackages: true,
} satisfies TestRunner;

/** `cargo test` as words of a line. */
const CARGO_TEST = /(^|[\s;&|(])((?:\S*\/)?cargo\s+(?:\+\S+\s+)?(?:test|t))(?=\s|$|[;&|)])/g;

function instrument(command: string, reportPath: string): Instrumented | null {
  const replaced = reportsToFile(withReport(command, reportPath));
  if (replaced !== null) return replaced;
  if (command.search(CARGO_TEST) < 0) return null;
  const line = command.includes('--no-fail-fast')
    ? command
    : command.replace(CARGO_TEST, (_hit, front: string, words: string) => `${front}${words} --no-fail-fast`);
  return { command: withEnd(line, 'merged'), env: {}, from: 'stdout' };
}
