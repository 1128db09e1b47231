// English: what is looked at before a session starts.
import type { FailureSection } from '../shape.ts';

export const preflight = {
  // {path, expected}
  'wrong-directory': {
    title: '{path} is not the project this was set up for.',
    why: '[[Expected: {expected}.]]',
    mend: ['cd to the project', 'harness -C DIR …'],
  },
  // {file (the first), files (all of them)}
  'harness-file-missing': {
    title: { one: '{file} is missing.', other: '{count} files are missing: {files}.' },
    why: 'A session needs it, and guessing what was in it would be worse than stopping.',
    mend: ['git log --all -- {file}   (was it there?)', 'harness init'],
  },
  // {files (with blanks between)}
  'not-executable': {
    title: { one: '{files} is not executable.', other: 'These files are not executable: {files}.' },
    why: '',
    mend: ['chmod +x {files}'],
  },
  // {command, exit, tail}
  'init-failed': {
    title: 'The environment could not be started: {command} failed[[ with exit code {exit}]].',
    why: '[[{tail}]]',
    mend: ['Run {command} by hand until it works, then start again.'],
  },
  // {command, exit, tail}
  'reset-failed': {
    title: 'The environment could not be reset: {command} failed[[ with exit code {exit}]].',
    why: '[[{tail}\n]]A clean state could not be reached without help.',
    mend: ['Run {command} by hand until it works, then start again.'],
  },
  // {command, exit, tail}
  unhealthy: {
    title: 'The application does not answer its health check[[: {command} failed with exit code {exit}]].',
    why: '[[{tail}]]',
    mend: ['Run the health check by hand, repair what it names, then start again.'],
  },
  // {count, tests}
  'baseline-failing': {
    title: {
      one: '{count} test that is known to pass fails before anything was changed.',
      other: '{count} tests that are known to pass fail before anything was changed.',
    },
    why: '[[{tests}\n]]New work cannot be judged on a broken base.',
    mend: ['Repair them, then start again.', 'harness verify   (shows what fails)'],
  },
  // {file, why, detail}
  'baseline-unreadable': {
    title: 'The record of passing tests {file} cannot be read[[: {#why}]].',
    why: '[[{detail}]]',
    mend: ['Remove {file}; the next accepted session writes it again.'],
  },
  // {scope, spentUsd, limitUsd}
  'budget-exhausted': {
    title: 'The budget is used up: {spentUsd} of {limitUsd}[[ ({#scope})]].',
    why: 'Work done so far is saved.',
    mend: ['Raise the limit under costs: in the configuration.', 'harness status   (what was spent)'],
  },
} as const satisfies FailureSection;
