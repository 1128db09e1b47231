// jest through its built-in json: what people read goes on to stderr. `--ci` keeps it from writing snapshots that are not
// there yet, also where a command takes CI out of the environment.
import { withFlags } from './flags.ts';
import { parseJestForm } from './jest-form.ts';
import type { Adapter, Instrumented } from './port.ts';
import type { Scripts } from './scripts.ts';
import { quoteWord, withReport } from './shell.ts';

export const jest: Adapter = {
  runner: 'jest',
  extension: 'json',
  instrument,
  parse: (text, root) => parseJestForm('jest', text, root),
};

function instrument(command: string, reportPath: string, scripts: Scripts = {}): Instrumented | null {
  const replaced = withReport(command, reportPath);
  if (replaced !== null) return { command: replaced, env: {}, from: 'file' };
  const line = withFlags(command, 'jest', scripts, (written) =>
    /--outputFile\b/.test(written) ? null : `--ci --json --outputFile=${quoteWord(reportPath)}`,
  );
  return line === null ? null : { command: line, env: {}, from: 'file' };
}
