// mocha through its built-in json reporter, written to a file (mocha 9.2 and later).
import { join } from 'node:path';
import { shellWord } from '../../../model/shell-quote.ts';
import { appended, npmInvocation, stubIn, THROW, threeTests, withFlags } from '../npm.ts';
import { withHiddenFlags } from '../hidden-flags.ts';
import { reportsToFile, type TestRunner } from '../runner.ts';
import { withReport } from '../shell.ts';

export const mocha = {
  name: 'mocha',
  invocation: npmInvocation('mocha', { oneFile: (start) => `${start} {test_file}`, everything: (start) => start }),
  reporting: {
    extension: 'json',
    instrument(command, reportPath, scripts = {}) {
      // Of several reporters mocha takes the last; options of another one would be mixed with ours.
      const added = (written: string): string | null =>
        /--reporter-options?\b|\s-O\b/.test(written)
          ? null
          : `--reporter=json ${shellWord(`--reporter-option=output=${reportPath}`)}`;
      const written = reportsToFile(withReport(command, reportPath));
      const flags = ['--reporter=json', `--reporter-option=output=${reportPath}`];
      return written ?? withHiddenFlags(withFlags(command, 'mocha', scripts, added), flags, reportPath);
    },
    load: () => import('./report.ts'),
  },
  failEveryTest({ command, folder, word, scripts }) {
    const name = `${word}.cjs`;
    const line = withFlags(command, 'mocha', scripts, () => `--require ${shellWord(join(folder, name))}`);
    return line === null
      ? null
      : { command: line, name, text: `exports.mochaHooks = { beforeEach() { ${THROW} } };\n` };
  },
  canary: (_file, _text, word) => appended(threeTests('it', `if (1 + 1 === 2) throw new Error('differs')`, word)),
  newTest: { path: 'test/{slug}.js', stub: stubIn('it', null) },
  files: { config: /^\.mocharc(?:\.\w+)?$/, packageKey: 'mocha' },
} satisfies TestRunner;
