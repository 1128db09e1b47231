// Go through `go test -json`, printed to stdout. `-count=1`: results from Go's cache, which an agent can write, are not accepted.
import { reportsToFile, type Instrumented, type TestRunner } from '../runner.ts';
import { withEnd, withReport } from '../shell.ts';

export const go = {
  name: 'go',
  invocation: {
    pattern: /\bgo\s+test\b/,
    start: /^.*?\bgo\s+test(?=\s|$)/,
    usual: () => ({ start: 'go test', from: null }),
    oneFile: (start) => `${start} "./$(dirname {test_file})"`,
    everything: (start) => `${start} ./...`,
    usedIn: (files) => (files.has('go.mod') ? 'go.mod' : null),
  },
  reporting: { extension: 'jsonl', instrument, load: () => import('./report.ts') },
  selectTests(command, _ofFile, tests) {
    const tops = [...new Set(tests.map(({ suite, name }) => suite[0] ?? name))];
    if (/\s-{1,2}(?:run|bench|skip)[=\s]/.test(command) || tops.some((top) => !/^[\w\p{L}]+$/u.test(top))) return null;
    if (command.search(GO_TEST) < 0) return null;
    return command.replace(GO_TEST, (hit) => `${hit} -run '^(${tops.join('|')})$'`);
  },
  testsPackages: true,
  files: { tests: /_test\.go$/ },
} satisfies TestRunner;

/** `go test` as words of a line, also after an assignment, and behind a path to the program. */
const GO_TEST = /(^|[\s;&|(])((?:\S*\/)?go\s+test)(?=\s|$|[;&|)])/g;

function instrument(command: string, reportPath: string): Instrumented | null {
  const replaced = reportsToFile(withReport(command, reportPath));
  if (replaced !== null) return replaced;
  if (command.search(GO_TEST) < 0) return null;
  const flags = [
    ...(/\s-{1,2}json\b/.test(command) ? [] : ['-json']),
    ...(/\s-{1,2}count[=\s]/.test(command) ? [] : ['-count=1']),
  ];
  const line = command.replace(GO_TEST, (_hit, front: string, words: string) => [front + words, ...flags].join(' '));
  return { command: withEnd(line, 'apart'), env: {}, from: 'stdout' };
}
