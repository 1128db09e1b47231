// vitest through its built-in json reporter, which keeps suite titles apart (its JUnit joins them).
// There is no environment variable for it: flags are written behind the command that runs vitest.
import { withFlags } from './flags.ts';
import { parseJestForm } from './jest-form.ts';
import type { Adapter, Instrumented } from './port.ts';
import type { Scripts } from './scripts.ts';
import { quoteWord, withReport } from './shell.ts';

export const vitest: Adapter = {
  runner: 'vitest',
  extension: 'json',
  instrument,
  parse: (text, root) => parseJestForm('vitest', text, root),
};

function instrument(command: string, reportPath: string, scripts: Scripts = {}): Instrumented | null {
  const replaced = withReport(command, reportPath);
  if (replaced !== null) return { command: replaced, env: {}, from: 'file' };
  const line = withFlags(command, 'vitest', scripts, (written) => {
    if (/--outputFile\b/.test(written)) return null;
    // A reporter on the command line replaces those of the configuration, so what people read is asked for too.
    const shown = /--reporter\b/.test(written) ? '' : '--reporter=default ';
    return `${shown}--reporter=json --outputFile.json=${quoteWord(reportPath)}`;
  });
  return line === null ? null : { command: line, env: {}, from: 'file' };
}
