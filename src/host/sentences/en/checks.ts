// English: checks that could not be run or not be read. What they found wrong is in problems.ts.
import type { FailureSection } from '../shape.ts';

export const checks = {
  // {check, command}
  'command-missing': {
    title: 'The command of check {check} cannot be started: {command}',
    why: 'The program was not found, or may not be executed.',
    mend: ['Install it, or correct the command under testing: in the configuration.'],
  },
  // {check, file}
  'report-missing': {
    title: 'Check {check} left no test report[[ at {file}]].',
    why: 'Without a report an exit code alone would have to be believed.',
    mend: ['Set testing.runner to the runner in use, or put {report} into the command.'],
  },
  // {runner, why}
  'report-unreadable': {
    title: 'A test report cannot be read[[ ({runner})]].',
    why: '[[{why}]]',
    mend: ['Set testing.runner to the runner in use.'],
  },
} as const satisfies FailureSection;
