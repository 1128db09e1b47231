// Test commands that print anything but what was asked of them. Each is an answer, not a failure of the harness: the work
// does not hold, and it is said why, by which check and command, and what would mend it.
import { configWith } from './shop.ts';
import type { BadInput } from './case.ts';

type Runner = 'tap' | 'junit' | 'node' | 'vitest' | 'pytest' | 'command';

/** `command`: what the configuration says; `script`: what stands in the file it runs. */
const report = (name: string, runner: Runner, script: string, code: string, ...says: readonly string[]): BadInput => ({
  name,
  files: {
    '.harness.yaml': configWith('runner: tap', `runner: ${runner}`).replace(
      '"sh {test_file}"',
      runner === 'junit' ? '"sh {test_file} {report}"' : '"sh {test_file}"',
    ),
    'tests/open.sh': `${script}\n`,
  },
  call: ['verify', '1'],
  exit: 9,
  code,
  isProblem: true,
  says: ['feature', 'FAILED', ...says],
});
const within = (bad: BadInput, minutes: number): BadInput => ({
  ...bad,
  files: { ...bad.files, '.harness.yaml': `${String(bad.files?.['.harness.yaml'])}  timeout_minutes: ${minutes}\n` },
});

const GREEN = `printf '<testsuite name="s"><testcase name="a"/></testsuite>' > "$1"`;

export const REPORTS: readonly BadInput[] = [
  report('a report that is garbage', 'tap', 'echo "everything is fine, trust me"', 'report-unreadable', 'no TAP'),
  report('no report at all', 'junit', 'exit 0', 'report-missing', 'exit code 0'),
  report(
    'a report of XML that is cut off',
    'junit',
    `printf '<testsuite><testcase name="a">' > "$1"`,
    'report-unreadable',
    'testcase',
  ),
  report('a report of XML about something else', 'junit', `printf '<html/>' > "$1"`, 'report-unreadable', 'html'),
  report('an empty report', 'junit', ': > "$1"', 'report-unreadable', 'empty'),
  report('a report that is a link to another file', 'junit', 'ln -s /etc/passwd "$1"', 'report-unreadable', 'link'),
  report('a report that is binary', 'junit', `head -c 3000 /dev/urandom > "$1"`, 'report-unreadable'),
  report('no test was executed', 'junit', `printf '<testsuite/>' > "$1"`, 'no-tests-executed', 'at least one test'),
  report('a plan of no tests', 'tap', 'echo 1..0', 'no-tests-executed', 'at least one test'),
  report('every test is skipped', 'tap', `printf '1..1\\nok 1 - a # SKIP later\\n'`, 'all-tests-skipped', 'skip'),
  report('a red end that no test explains', 'junit', `${GREEN}; exit 3`, 'exit-contradicts-report', 'exit code 3'),
  report(
    'fewer tests than were planned',
    'tap',
    `printf '1..3\\nok 1 - a\\n'`,
    'report-incomplete',
    'planned 3, found 1',
  ),
  report('a test command that fails without a word', 'command', 'exit 1', 'check-failed', 'exit code 1'),
  report('a test command that is not installed', 'tap', 'no-such-program-at-all', 'command-missing', 'not found'),
  report('a test file that may not be run', 'command', 'chmod 600 init.sh; exit 126', 'check-failed', '126'),
  report(
    'more output than anybody can read',
    'tap',
    'yes "not a test" | head -c 80000000',
    'check-output-flood',
    'without end',
  ),
  within(report('a test command that never ends', 'tap', 'sleep 600', 'check-timed-out', 'hangs'), 0.01),
  report('a test command that is killed', 'command', 'kill -9 $$', 'check-failed', '137'),
];
