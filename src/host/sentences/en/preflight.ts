// English: checks before a session starts.
import type { FailureSection } from '../shape.ts';

export const preflight = {
  // {missing}
  'wrong-directory': {
    title: 'This folder is not the project that the harness was set up for: {missing} is missing.',
    why: '',
    fix: ['cd to the project', 'harness -C DIR …'],
  },
  // {count, files, paths}
  'harness-file-missing': {
    title: { one: '{files} is missing.', other: '{files} are missing.' },
    why: 'A session needs it, and its content cannot be guessed.',
    fix: ['git log --all -- {paths}   (did it exist?)', 'harness init'],
  },
  // {count, files, paths}
  'not-executable': {
    title: { one: '{files} is not executable.', other: '{files} are not executable.' },
    why: '',
    fix: ['chmod +x {paths}', 'git commit -am "scripts are executable"'],
  },
  // {command, exit, tail}
  'init-failed': {
    title: 'The environment could not be started: {command} failed[[ with exit code {exit}]].',
    why: '[[{tail}]]',
    fix: ['Run {command} by hand until it works, then try again.'],
  },
  // {command, exit, tail}
  'reset-failed': {
    title: 'The environment could not be reset: {command} failed[[ with exit code {exit}]].',
    why: '[[{tail}\n]]A clean state cannot be reached automatically.',
    fix: ['Run {command} by hand until it works, then try again.'],
  },
  // {command, exit, tail}
  unhealthy: {
    title: 'The application fails its health check[[: {command} failed with exit code {exit}]].',
    why: '[[{tail}]]',
    fix: ['Run the health check by hand, repair what it reports, then try again.'],
  },
  // {count, tests, command, tail}; without tests the runner reports no names
  'baseline-failing': {
    title: {
      one: '{count} test of the baseline fails before anything was changed.',
      other: 'Tests of the baseline fail before anything was changed[[ ({count})]].',
    },
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]New work cannot be verified on a broken baseline.',
    fix: ['Repair them, then try again.', 'harness verify   (shows what fails)'],
  },
  // {file, why, detail}
  'baseline-unreadable': {
    title: 'The test baseline {file} cannot be read[[: {#why}]][[ ({#detail})]].',
    why: '',
    fix: ['Remove {file}; the next accepted session writes it again.'],
  },
  // {scope, spentUsd, limitUsd}; scope is a code of words.ts
  'budget-exhausted': {
    title: 'The budget is used up: {spentUsd} of {limitUsd}[[ ({#scope})]].',
    why: 'Work done so far is saved.',
    fix: ['Raise the limit under costs: in the configuration.', 'harness status   (what was spent)'],
  },
} as const satisfies FailureSection;
