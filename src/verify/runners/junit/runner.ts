// Any runner whose command writes JUnit XML to `{report}`.
import { reportsToFile, type TestRunner } from '../runner.ts';
import { withReport } from '../shell.ts';

export const junit = {
  name: 'junit',
  reporting: {
    extension: 'xml',
    instrument: (command, reportPath) => reportsToFile(withReport(command, reportPath)),
    load: () => import('./report.ts'),
  },
} satisfies TestRunner;
