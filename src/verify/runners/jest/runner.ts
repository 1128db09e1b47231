// jest through its built-in json report; what people read goes to stderr. `--ci` keeps it from writing missing snapshots,
// also where a command removes CI from the environment.
import { join } from 'node:path';
import { shellWord } from '../../../model/shell-quote.ts';
import { appended, npmInvocation, stubIn, THROW, threeTests, withFlags } from '../npm.ts';
import { withHiddenFlags } from '../hidden-flags.ts';
import { reportsToFile, type TestRunner } from '../runner.ts';
import { withReport } from '../shell.ts';

/** A test file that imports jest's functions may have no types of the globals, or no globals at all. */
const IMPORTED = /^\s*import\b[^;]*\bfrom\s*['"]@jest\/globals['"]/m;

export const jest = {
  name: 'jest',
  invocation: npmInvocation('jest', {
    oneFile: (start) => `${start} --runTestsByPath {test_file}`,
    everything: (start) => start,
  }),
  reporting: {
    extension: 'json',
    instrument(command, reportPath, scripts = {}) {
      const added = (written: string): string | null =>
        /--outputFile\b/.test(written) ? null : `--ci --json ${shellWord(`--outputFile=${reportPath}`)}`;
      const written = reportsToFile(withReport(command, reportPath));
      const flags = ['--ci', '--json', `--outputFile=${reportPath}`];
      return written ?? withHiddenFlags(withFlags(command, 'jest', scripts, added), flags, reportPath);
    },
    load: () => import('./report.ts'),
  },
  failEveryTest({ command, folder, word, scripts }) {
    const name = `${word}.cjs`;
    const line = withFlags(command, 'jest', scripts, () => `--setupFilesAfterEnv=${shellWord(join(folder, name))}`);
    return line === null ? null : { command: line, name, text: `beforeEach(() => { ${THROW} });\n` };
  },
  canary(_file, text, word) {
    if (!IMPORTED.test(text)) return appended(threeTests('test', 'expect(1).toBe(2)', word));
    const names = `import { test as t_${word}, expect as e_${word} } from '@jest/globals';\n`;
    return appended(names + threeTests(`t_${word}`, `e_${word}(1).toBe(2)`, word));
  },
  newTest: { path: 'test/{slug}.test.js', stub: stubIn('test', null) },
  files: { config: /^(?:jest\.config|jest\.preset)\.\w+$/, packageKey: 'jest' },
} satisfies TestRunner;
