// TAP, from what a command prints or from `{report}`.
import { npmInvocation } from '../npm.ts';
import { reportsToFile, type TestRunner } from '../runner.ts';
import { withReport } from '../shell.ts';

export const tap = {
  name: 'tap',
  // The program that prints TAP and nothing else; it resolves patterns itself.
  invocation: npmInvocation('tape', {
    oneFile: (start) => `${start} {test_file}`,
    everything: (start) => `${start} 'test/**/*.js'`,
  }),
  reporting: {
    extension: 'tap',
    instrument: (command, reportPath) =>
      reportsToFile(withReport(command, reportPath)) ?? { command, env: {}, from: 'stdout' },
    load: () => import('./report.ts'),
  },
  files: { config: /^\.taprc$/, packageKey: 'tap' },
} satisfies TestRunner;
