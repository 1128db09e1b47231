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
    fix: ['git log --all -- {paths}   (did it exist?)', 'harness init   (makes an empty one)'],
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
  'install-failed': {
    title: 'The dependencies of a clean checkout could not be installed: {command} failed[[ ({exit})]].',
    why: '[[{tail}\n]]What lands is proved in a clean checkout, as in CI.',
    fix: [
      'Run {command} in a fresh clone until it works, then try again.',
      'environment.install: another command, in the configuration',
    ],
  },
  // {path, code}
  'proof-folder-unwritable': {
    title: 'The folder for clean checkouts cannot be written: {path} ({code}).',
    why: 'Every result is proved in a clean checkout there. Nothing was changed, and no agent was started.',
    fix: ['Free space or make the folder writable.', 'XDG_STATE_HOME=DIR harness run   (another place)'],
  },
  // {command, tail}
  'tests-not-runnable': {
    title: 'The tests cannot be run: {command}',
    why: '[[{tail}\n]]The command started no test: its runner is not installed, or it does not find the tests.',
    fix: [
      'Install the runner and commit its manifest and lock file, then try again.',
      'harness config show   (testing.full, testing.runner)',
    ],
  },
  // {count, tests, files, command, tail}
  'passes-only-here': {
    title: {
      one: '{count} test passes in your work tree, but not in a clean checkout.',
      other: '{count} tests pass in your work tree, but not in a clean checkout.',
    },
    why: '[[{tests}\n]][[In a clean checkout, {command} ends with:\n{tail}\n]][[Files that git ignores, and that only your work tree has:\n{files}\n]]What lands must pass in a clean checkout.',
    fix: [
      'lanes_share: [FILE, …]   (ignored files that a clean checkout needs)',
      'testing.build: COMMAND   (builds what tests need)',
      'environment.install: COMMAND   (installs what they need)',
    ],
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
  // {scope}, and of one unit {spentUsd, limitUsd}, {spentTokens, limitTokens} or {spentMs, limitMs}; scope is a code of words.ts
  'budget-exhausted': {
    title:
      'The budget is used up[[: {spentUsd} of {limitUsd}]][[: {spentTokens} of {limitTokens} tokens]][[: {spentMs} of {limitMs}]][[ ({#scope})]].',
    why: 'Work done so far is saved.',
    fix: ['Raise the limit under costs: or limits: in the configuration.', 'harness status   (what was used)'],
  },
} as const satisfies FailureSection;
