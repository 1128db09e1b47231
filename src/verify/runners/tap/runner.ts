// TAP, from what a command prints or from `{report}`.
import { reportsToFile, type TestRunner } from '../runner.ts';
import { withReport } from '../shell.ts';

export const tap = {
  name: 'tap',
  reporting: {
    extension: 'tap',
    instrument: (command, reportPath) =>
      reportsToFile(withReport(command, reportPath)) ?? { command, env: {}, from: 'stdout' },
    load: () => import('./report.ts'),
  },
  files: { config: /^\.taprc$/, packageKey: 'tap' },
} satisfies TestRunner;
