// Keys that say how the work runs and when it counts: project, environment, testing, session, verification and what stands beside them.
import * as z from 'zod/mini';
import { MUTATION_RULES } from '../../model/config.ts';
import { RUNNER_NAMES } from '../../verify/runners/all.ts';
import {
  choice,
  command,
  count,
  flag,
  minutes,
  minutesOr,
  path,
  secondsOr,
  share,
  text,
  textOr,
  told,
  DURATION,
} from './words.ts';
import { STANDARD_PATHS } from './paths.ts';

export const section = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  told(z.prefault(z.strictObject(shape), {} as never), description);

export const project = section('Who the project is.', {
  name: text('Shown in reports and told to agents. Without it: the name of the package, else of the folder.'),
  github_repo: text('`owner/name` of the repository whose issues mirror the features.'),
});

export const environment = section('How the project is started. Shell lines, run in the root of the repository.', {
  init: command(
    'Starts the development environment; must be safe to run again. Without it: `./init.sh` if that file is there.',
  ),
  reset: command('Forces a clean state when init fails. Without it: `./reset.sh` if that file is there.'),
  health_check: command('Exit code 0 says that the environment is up.'),
  stop: command('Stops the environment.'),
  timeout_minutes: minutesOr(10, 'Longest time for each of these commands.'),
});

export const testing = section('How tests are run. Shell lines, run in the root of the repository.', {
  runner: told(
    z.optional(z.enum(RUNNER_NAMES)),
    'Whose results the commands print. Without it: seen from the commands, else from the files in the root.',
  ),
  feature: command(
    'Runs the test file of one item; `{test_file}` is replaced by it. Without it: worked out from the other commands and the runner.',
  ),
  full: command('Runs every test, to find regressions. Without it: worked out from the runner; `null`: none.'),
  unit: command('The quick tests, run before work begins unless `testing.sanity.quick` says otherwise.'),
  e2e: command('The tests of features; `testing.feature` is worked out from it.'),
  sanity: section('Short checks before work begins.', {
    health: command('Exit code 0 says that the application answers.'),
    lint: command('Exit code 0 says that there are no lint errors.'),
    type_check: command('Exit code 0 says that types hold.'),
    quick: command('Tests that take seconds. Without it: `testing.unit`.'),
  }),
  timeout_minutes: minutesOr(30, 'Longest time for each of these commands.'),
});

export const context = section('What to do as the context window of an agent fills.', {
  window_tokens: count('Size of the context window.', [1_000, 100_000_000], 200_000),
  warn_threshold: share('Share of the window from which the agent is warned.', 0.75),
  force_threshold: share('Share of the window from which the agent must wrap up.', 0.9),
  on_limit: section('What happens when the window is full.', {
    auto_commit: flag('Keep the work so far as a commit.', true),
    commit_message_prefix: textOr('WIP: Context limit - ', 'Start of that commit’s subject.'),
    append_to_progress: flag('Note it in the progress file.', true),
  }),
});

export const session = section('Limits of one session.', {
  timeout_minutes: minutesOr(60, 'A session is stopped after so long; fractions are fine.'),
  timeout_warning_minutes: minutes(
    'The agent is warned after so long. Without it: 50, or five sixths of a shorter limit.',
  ),
  idle_seconds: secondsOr(300, 'A session that reports nothing for so long is stopped.'),
  max_output_bytes: count('A session that prints more than this is stopped.', [1_000, 10_000_000_000], 50_000_000),
  on_timeout: section('What happens to work that a limit cut off.', {
    auto_commit: flag('Keep the work so far as a commit.', true),
    message_prefix: textOr('WIP: Session timeout - ', 'Start of that commit’s subject.'),
  }),
});

export const progress = section('When an agent counts as stuck within a session.', {
  check_interval_tokens: count('Look for progress every so many tokens.', [1, 100_000_000], 50_000),
  stuck_warning: textOr('You appear stuck. Consider a different approach.', 'What a stuck agent is told.'),
  force_stop_after_stuck_checks: count('Stop the session after so many looks without progress.', [1, 1_000], 2),
  max_repeated_errors: count('The same error so often is named to the agent.', [1, 1_000], 5),
});

export const quality = section('Code quality beside the tests.', {
  lint_command: command('Run after a session; its findings warn and feed cleanup sessions.'),
  max_file_lines: count('Files with more lines are reported.', [1, 1_000_000], 500),
  cleanup_interval: count('A cleanup session after every so many features; 0: never.', [0, 100_000], 10),
  warn_on_lint_errors: flag('Lint errors warn and do not fail the work.', true),
});

export const verification = section('What must hold before work lands.', {
  require_evidence: flag(
    'What the agent showed of its tests is compared with what was observed; what does not fit is a warning.',
    true,
  ),
  harness_verify: flag('The harness runs the tests itself.', true),
  max_features_per_session: count('A session that claims more than this is refused.', [1, 100], 1),
  regression_check: flag('Run every test before work lands.', true),
  fix_turns: count(
    'How often a failed verification goes back into the same session before the work is rolled back.',
    [0, 20],
    2,
  ),
  flaky_reruns: count(
    'How often a test that held before and fails is run again, on each tree, to tell flaky from broken; 0: never.',
    [0, 20],
    3,
  ),
  baseline_runs: count('Of how many runs the first baseline is made, so that no flaky test is in it.', [1, 10], 2),
  mutation: choice(
    'Small faults are tried in the changed lines: `warn` tells where the item’s test notices few of them, `require` sends the work back, `off` tries none unless a proof needs one.',
    MUTATION_RULES,
    'warn',
  ),
  min_killed: share('Share of these faults that the item’s test must notice.', 0.5),
});

export const features = section('Rules for the feature list.', {
  max_verification_steps: count('Features with more steps are reported as too large.', [1, 1_000], 7),
  max_stuck_sessions: count(
    'A feature that so many sessions did not complete becomes a question to a person.',
    [1, 1_000],
    3,
  ),
  require_test_file: flag('Every feature needs a `test_file`.', true),
});

export const preflight = section('What is checked before an agent is started.', {
  checks: section('Each check can be left out.', {
    working_directory: flag('The folder is the root of the repository.', true),
    harness_files: flag('The files the playbook needs are there.', true),
    git_state: flag('The working tree is clean and on a branch.', true),
    environment: flag('Init runs and the health check passes.', true),
    baseline_tests: flag('Tests that are known to pass still pass.', true),
    budget: flag('There is money left.', true),
  }),
  on_failure: section('What happens when the environment does not start.', {
    auto_reset: flag('Run `environment.reset`, then init again.', true),
    max_reset_attempts: count('Give up after so many resets.', [0, 10], 2),
  }),
});

export const paths = section('Where the harness keeps its files, repository-relative.', {
  features: path('The feature list.', STANDARD_PATHS.features),
  progress: path('The progress log for people and agents.', 'claude-progress.txt'),
  state_dir: path('Runtime files; the folder ignores itself in git.', STANDARD_PATHS.stateDir),
});

export const compatibility = section('What happens to state that another version of the harness wrote.', {
  on_older_state: choice('State of an older version.', ['migrate', 'abort'], 'migrate'),
  on_newer_state: choice('State of a newer version.', ['abort', 'warn'], 'abort'),
  backup_before_migrate: flag('Keep a copy of the old state.', true),
});

export const gates = section('Questions to people that answer themselves.', {
  default: choice('What happens to a question nobody answers.', ['wait'], 'wait'),
  policies: told(
    z._default(
      z.record(
        z.string(),
        z.strictObject({
          answer: told(z.string().check(z.minLength(1)), 'The option; `wait`: none.'),
          after: told(z.optional(DURATION), 'How long somebody has to answer.'),
        }),
      ),
      {},
    ),
    'By kind of question: `answer` is the option that is taken `after` a time in which nobody answered; `answer: wait` only asks.',
  ),
});

export const logging = section('What is logged and how long it is kept.', {
  level: choice(
    'What is logged. `critical`: what is critical or important · `important`: one in ten of what is routine too · `routine`: all of that · `debug`: everything.',
    ['critical', 'important', 'routine', 'debug'],
    'routine',
  ),
  retention_days: count(
    'Most days that a line is kept: important ones 90, routine ones 30, debug ones 7, or fewer with this. What is critical stays.',
    [1, 100_000],
    90,
  ),
  structured_agent_output: flag('Read the prefixes in what an agent prints.', true),
  require_prefixes: flag('Refuse sessions without prefixes.', false),
  fallback_tracking: flag('Use tool events where prefixes are missing.', true),
  warn_on_missing_prefixes: flag('Warn about a session without prefixes.', true),
});
