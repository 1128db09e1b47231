// English: what is looked at before a session starts.
import type { FailureSection } from '../shape.ts';

export const preflight = {
  // {missing}
  'wrong-directory': {
    title: 'This folder is not the project this was set up for: {missing} is not there.',
    why: '',
    mend: ['cd to the project', 'harness -C DIR …'],
  },
  // {count, files, paths}
  'harness-file-missing': {
    title: { one: '{files} is missing.', other: '{files} are missing.' },
    why: 'A session needs this, and guessing what was in it would be worse than stopping.',
    mend: ['git log --all -- {paths}   (was it there?)', 'harness init'],
  },
  // {count, files, paths}
  'not-executable': {
    title: { one: '{files} is not executable.', other: '{files} are not executable.' },
    why: '',
    mend: ['chmod +x {paths}', 'git commit -am "scripts are executable"'],
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
  // {count, tests, command, tail}; without tests the runner tells none by name
  'baseline-failing': {
    title: {
      one: '{count} test that is known to pass fails before anything was changed.',
      other: 'Tests that are known to pass fail before anything was changed[[ ({count})]].',
    },
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]New work cannot be judged on a broken base.',
    mend: ['Repair them, then start again.', 'harness verify   (shows what fails)'],
  },
  // {file, why, detail}
  'baseline-unreadable': {
    title: 'The record of passing tests {file} cannot be read[[: {#why}]][[ ({#detail})]].',
    why: '',
    mend: ['Remove {file}; the next accepted session writes it again.'],
  },
  // {scope, spentUsd, limitUsd}; scope is a code of words.ts
  'budget-exhausted': {
    title: 'The budget is used up: {spentUsd} of {limitUsd}[[ ({#scope})]].',
    why: 'Work done so far is saved.',
    mend: ['Raise the limit under costs: in the configuration.', 'harness status   (what was spent)'],
  },
} as const satisfies FailureSection;
