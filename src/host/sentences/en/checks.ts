// English: checks that could not be run or whose report could not be read. What checks found is in problems.ts.
import type { FailureSection } from '../shape.ts';

export const checks = {
  // {check, command}
  'command-missing': {
    title: 'The command of check {check} cannot be started: {command}',
    why: 'The program was not found or is not executable.',
    fix: ['Install it, or correct the command under testing: in the configuration.'],
  },
  // {check, file}
  'report-missing': {
    title: 'Check {check} wrote no test report[[ at {file}]].',
    why: 'An exit code alone does not prove that tests ran.',
    fix: ['Set testing.runner to the runner in use, or add {report} to the command.'],
  },
  // {runner, why}
  'report-unreadable': {
    title: 'A test report cannot be read[[ ({runner})]].',
    why: '[[{why}]]',
    fix: ['Set testing.runner to the runner in use.'],
  },
} as const satisfies FailureSection;
