// Sections about sessions, testing and git.
import * as z from 'zod/mini';
import { durationMs } from '../duration.ts';
import type { GatePolicy } from '../gate.ts';
import { NOTICE_KINDS } from '../notice.ts';
import { MUTATION_RULES } from './names.ts';
import {
  choice,
  command,
  commandOrNone,
  count,
  described,
  DURATION,
  flag,
  mapValues,
  minutes,
  minutesOr,
  refused,
  secondsOr,
  section,
  sectionAs,
  share,
  text,
  TEXT,
  textOr,
} from './values.ts';

export const project = section('The project.', {
  name: text('Shown in reports and to agents. Without it: the name of the package, else of the folder.'),
  githubRepo: text('`owner/name` of the repository whose issues mirror the items: another name of `github.repo`.'),
});

export const environment = section('How the project is started. Shell lines, run in the root of the repository.', {
  init: command('Starts the environment; must be safe to run again. Without it: `./init.sh` if that file exists.'),
  reset: command('Forces a clean state when init fails. Without it: `./reset.sh` if that file exists.'),
  healthCheck: commandOrNone('Exit code 0 means that the environment is up.'),
  stop: commandOrNone('Stops the environment.'),
  install: commandOrNone(
    'Installs the dependencies of a clean checkout, where proofs run. Without it: the command of the lock file (`npm ci` …); without a lock file: a copy of what is installed here.',
  ),
  timeoutMinutes: minutesOr(10, 'Time limit of each of these commands.'),
});

/** `runners`: the names of the test runners. */
export const testing = (runners: readonly string[]) =>
  section('How tests are run. Shell lines, run in the root of the repository.', {
    runner: described(
      z.optional(z.enum(runners)),
      'The test runner whose results the commands print. Without it: detected.',
    ),
    feature: command('Runs the test file of one item, `{test_file}`. Without it: derived from the other keys.'),
    full: command('Runs every test, to find regressions. Without it: derived from the runner; `null`: none.'),
    unit: command('The quick tests, run before work begins unless `testing.sanity.quick` says otherwise.'),
    e2e: command('The tests of features; `testing.feature` is derived from it.'),
    sanity: section('Short checks before work begins.', {
      health: commandOrNone('Exit code 0 means that the application responds.'),
      lint: commandOrNone('Exit code 0 means that there are no lint errors.'),
      typeCheck: commandOrNone('Exit code 0 means that there are no type errors.'),
      quick: command('Tests that take seconds. Without it: `testing.unit`.'),
    }),
    build: commandOrNone('Builds what the tests need, in a clean checkout before its first test.'),
    timeoutMinutes: minutesOr(30, 'Time limit of each of these commands.'),
  });

export const context = sectionAs(
  'Handling of an agent’s context window as it fills.',
  {
    windowTokens: count('Size of the context window.', [1_000, 100_000_000], 200_000),
    warnThreshold: share('Share of the window from which the agent is warned.', 0.75),
    forceThreshold: share('Share of the window from which the agent must wrap up.', 0.9),
    onLimit: section('What happens when the window is full.', {
      autoCommit: refused('session-limits', [true], flag('Keep the work so far as a commit.', true)),
      commitMessagePrefix: textOr('WIP: Context limit - ', 'Start of that commit’s subject.'),
      appendToProgress: refused('session-limits', [true], flag('Note it in the progress file.', true)),
    }),
  },
  ({ onLimit, ...rest }) => ({ ...rest, wipPrefix: onLimit.commitMessagePrefix }),
);

export const session = sectionAs(
  'Limits of one session.',
  {
    timeoutMinutes: minutesOr(60, 'A session is stopped after this time; may be a fraction.'),
    timeoutWarningMinutes: minutes(
      'The agent is warned after this time. Without it: 50, or five sixths of a shorter limit.',
    ),
    idleSeconds: secondsOr(300, 'A session that reports nothing for this time is stopped.'),
    maxOutputBytes: count('A session that prints more than this is stopped.', [1_000, 10_000_000_000], 50_000_000),
    onTimeout: section('What happens to work that a limit interrupted.', {
      autoCommit: refused('session-limits', [true], flag('Keep the work so far as a commit.', true)),
      messagePrefix: textOr('WIP: Session timeout - ', 'Start of that commit’s subject.'),
    }),
  },
  ({ timeoutMinutes, timeoutWarningMinutes, onTimeout, ...rest }) => ({
    timeoutMinutes,
    timeoutWarningMinutes: timeoutWarningMinutes ?? Math.min(50, (timeoutMinutes * 5) / 6),
    ...rest,
    wipPrefix: onTimeout.messagePrefix,
  }),
);

export const progress = section('When an agent counts as stuck within a session.', {
  checkIntervalTokens: count('Check for progress after this number of tokens.', [1, 100_000_000], 50_000),
  stuckWarning: textOr('You appear stuck. Consider a different approach.', 'The message to a stuck agent.'),
  forceStopAfterStuckChecks: count('Stop the session after this number of checks without progress.', [1, 1_000], 2),
  maxRepeatedErrors: count('After this number of identical errors the agent is notified.', [1, 1_000], 5),
});

export const quality = section('Code quality in addition to the tests.', {
  lintCommand: commandOrNone('Run after a session; its findings feed cleanup sessions.'),
  maxFileLines: count('Files with more lines are reported.', [1, 1_000_000], 500),
  cleanupInterval: count('Number of landed features between cleanup sessions; 0: never.', [0, 100_000], 10),
  warnOnLintErrors: flag('Lint errors warn. `false`: work that brings lint errors is refused.', true),
});

export const verification = section('Requirements before work lands.', {
  regressionCheck: flag('Run every test before work lands.', true),
  requireEvidence: flag(
    'A claim without a test run goes back to the agent once; warn if the results that it showed differ from what was observed.',
    true,
  ),
  maxFeaturesPerSession: count('A session that claims more features than this is rejected.', [1, 100], 1),
  fixTurns: count('How often failed work is returned to the same session before it is rolled back.', [0, 20], 2),
  flakyReruns: count(
    'Number of reruns of a newly failing test, to distinguish flaky from broken; 0: none.',
    [0, 20],
    3,
  ),
  baselineRuns: count('Number of runs for the first baseline, so that it contains no flaky test.', [1, 10], 2),
  mutation: choice(
    'Mutation tests of the changed lines, if the item’s test detects too few mutants: `warn` reports it, `require` rejects the work; `off`: none are tried unless a proof needs one.',
    MUTATION_RULES,
    'warn',
  ),
  minKilled: share('Share of the mutants that the item’s test must detect.', 0.5),
  harnessVerify: refused('harness-verification', [true], flag('The harness runs the tests itself.', true)),
});

export const features = section('Rules for the feature list.', {
  maxVerificationSteps: count('Features with more steps are reported as too large.', [1, 1_000], 7),
  maxStuckSessions: count('The user is asked about a feature after this number of unfinished sessions.', [1, 1_000], 3),
  requireTestFile: flag('Every feature needs a `test_file`.', true),
});

export const preflight = sectionAs(
  'Checks before an agent is started.',
  {
    checks: section('Each check can be left out.', {
      workingDirectory: flag('The folder is the root of the repository.', true),
      harnessFiles: flag('The files that the playbook needs exist.', true),
      gitState: flag('The working tree is clean and on a branch.', true),
      environment: flag('Init runs and the health check passes.', true),
      baselineTests: flag('The tests of the baseline still pass.', true),
      budget: flag('The budget is not used up.', true),
    }),
    onFailure: section('What happens when the environment does not start.', {
      autoReset: flag('Run `environment.reset`, then init again.', true),
      maxResetAttempts: count('Maximum number of resets.', [0, 10], 2),
    }),
  },
  ({ checks, onFailure }) => ({ ...checks, ...onFailure }),
);

const policy = z.strictObject({
  answer: described(z.string().check(z.minLength(1)), 'The option; `wait`: none.'),
  after: described(z.optional(DURATION), 'Time to answer.'),
});
/** `afterMs`: 0 if no time is given. */
const policyOf = ({ answer, after = '' }: z.output<typeof policy>): GatePolicy => ({
  answer: answer === 'wait' ? null : answer,
  afterMs: durationMs(after),
});

export const gates = sectionAs(
  'Questions that are answered automatically.',
  {
    default: choice('What happens to an unanswered question.', ['wait'], 'wait'),
    policies: described(
      z._default(z.record(z.string(), policy), {}),
      'By kind of question: the option `answer` is taken if there is no answer within `after`; `wait`: only ask.',
    ),
  },
  ({ policies }) => ({ policies: mapValues(policies, policyOf) }),
);

const address = (description: string) => described(z._default(z.nullable(TEXT), null), description);

export const notify = section('Messages to a person who is not there, each with the command that answers it.', {
  command: commandOrNone(
    'A shell line, run in the root of the repository: the message is JSON on its input and in `HARNESS_NOTICE_…`.',
  ),
  webhook: address('An address that gets the message as JSON. `${NAME}` in it is a variable of your environment.'),
  ntfy: address('A topic of ntfy.sh, or the address of one on another server.'),
  slack: address('The address of an incoming webhook of Slack, or of a service that understands it.'),
  desktop: flag('A notification on the desktop (`notify-send`, on macOS `osascript`).', false),
  on: described(
    z._default(z.array(z.enum(NOTICE_KINDS)), [...NOTICE_KINDS]),
    '`gate`: a question waits · `stuck`: an item or the run cannot continue without you · `done`: the run has ended · `budget`: one is used up · `login`: an agent is not logged in.',
  ),
});

export const telemetry = section('Traces and metrics of runs for OpenTelemetry.', {
  endpoint: address(
    'The address of an OTLP/HTTP receiver, such as `http://127.0.0.1:4318`. `OTEL_EXPORTER_OTLP_ENDPOINT` overrides it.',
  ),
});

export const logging = sectionAs(
  'What is logged and how long it is kept.',
  {
    level: choice(
      '`critical`: critical and important lines · `important`: also one routine line in ten · `routine`: all of these · `debug`: everything.',
      ['critical', 'important', 'routine', 'debug'],
      'routine',
    ),
    retentionDays: count(
      'Days that important lines are kept; routine at most 30, debug at most 7; critical lines are never deleted.',
      [1, 100_000],
      90,
    ),
    structuredAgentOutput: flag('Read the prefixes in an agent’s output.', true),
    requirePrefixes: refused('structured-output', [false], flag('Reject sessions without prefixes.', false)),
    fallbackTracking: flag('Use tool events if prefixes are missing.', true),
    warnOnMissingPrefixes: flag('Warn about a session without prefixes.', true),
  },
  ({ level, retentionDays, ...more }) => ({
    level,
    retentionDays,
    structured: more.structuredAgentOutput,
    fallback: more.fallbackTracking,
    warnMissing: more.warnOnMissingPrefixes,
  }),
);
