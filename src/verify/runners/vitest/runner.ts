// vitest through its built-in json reporter, which keeps suite titles apart (its JUnit reporter joins them).
// It has no environment variable for that: flags are added to the command that runs vitest.
import { join } from 'node:path';
import { shellWord } from '../../../model/shell-quote.ts';
import { appended, npmInvocation, stubIn, THROW, threeTests, withFlags } from '../npm.ts';
import { reportsToFile, type TestRunner } from '../runner.ts';
import { scriptBehind } from '../scripts.ts';
import { withReport } from '../shell.ts';

/** One that vitest brings or knows, made for each test file; others are modules of the project. */
const OWN_ENVIRONMENT = /\benvironment\s*[:=]\s*(["']?)(?:node|jsdom|happy-dom|edge-runtime)\1(?=[\s,}]|$)/g;

export const vitest = {
  name: 'vitest',
  invocation: npmInvocation('vitest', {
    oneFile: (start) => `${start} run {test_file}`,
    everything: (start) => `${start} run`,
  }),
  reporting: {
    extension: 'json',
    instrument(command, reportPath, scripts = {}) {
      const added = (written: string): string | null => {
        if (/--outputFile\b/.test(written)) return null;
        // A reporter on the command line replaces those of the configuration, so the one for people is added too.
        const shown = /--reporter\b/.test(written) ? '' : '--reporter=default ';
        return `${shown}--reporter=json --outputFile.json=${shellWord(reportPath)}`;
      };
      return reportsToFile(withReport(command, reportPath) ?? withFlags(command, 'vitest', scripts, added));
    },
    load: async () => (await import('../jest-json.ts')).jestJsonReader('vitest'),
  },
  // Every worker loads the module of `--diff` before the first test file; what it exports says how differences are shown.
  runsFilesApart: ({ command, scripts, config }) =>
    !/setupFiles|globalSetup|isolate|singleThread|singleFork|maxWorkers|poolOptions|\bpool\b|\brunner\b|environment|NODE_OPTIONS|--(?:import|require|config)\b/i.test(
      `${command} ${scriptBehind(command, scripts)} ${config}`.replace(OWN_ENVIRONMENT, ''),
    ),
  failEveryTest({ command, folder, word, scripts }) {
    const name = `${word}.mjs`;
    const line = withFlags(command, 'vitest', scripts, () => `--diff=${shellWord(join(folder, name))}`);
    const text = `import * as vitest from 'vitest';
const before4 = ['vitest', 'runners'].join('/'); // not resolved where it does not exist
const Runner = vitest.TestRunner ?? (await import(/* @vite-ignore */ before4)).VitestTestRunner;
Runner.prototype.onBeforeTryTask = () => { ${THROW} };
export default {};
`;
    return line === null ? null : { command: line, name, text };
  },
  canary: (_file, _text, word) =>
    appended(
      `import { test as t_${word}, expect as e_${word} } from 'vitest';\n${threeTests(`t_${word}`, `e_${word}(1).toBe(2)`, word)}`,
    ),
  newTest: { path: 'test/{slug}.test.js', stub: stubIn('test', 'vitest') },
  files: { config: /^(?:vitest\.config|vitest\.workspace|vite\.config)\.\w+$/, packageKey: 'vitest' },
} satisfies TestRunner;
