// Test commands that print anything but what was asked of them. Each is an answer, not a failure of the harness: the work
// does not hold, and the answer says why, by which check and command, and how to fix it.
import type { BadInput } from './case.ts';
import { configWith } from './fixture-project.ts';

type Runner = 'tap' | 'junit' | 'command';

/** `script`: what the test file of the feature does, as a shell script; its first argument is where a report is wanted. */
const report = (
  name: string,
  [runner, script]: readonly [Runner, string],
  code: string,
  ...says: readonly string[]
): BadInput => ({
  name,
  files: {
    '.harness.yaml': configWith('runner: tap', `runner: ${runner}`).replace(
      '{test_file}',
      runner === 'junit' ? '{test_file} {report}' : '{test_file}',
    ),
    'tests/open.sh': `${script}\n`,
  },
  call: ['verify', '1'],
  exit: 9,
  code,
  isProblem: true,
  says: ['heck feature', ...says],
  readers: ['program'],
});
const inWords = (bad: BadInput): BadInput => ({ ...bad, readers: ['person', 'program'] });
const within = (minutes: number, bad: BadInput): BadInput => ({
  ...bad,
  files: { ...bad.files, '.harness.yaml': `${String(bad.files?.['.harness.yaml'])}  timeout_minutes: ${minutes}\n` },
});

const xml = (text: string): readonly ['junit', string] => ['junit', `printf '${text}' > "$1"`];
const GREEN = '<testsuite name="s"><testcase name="a"/></testsuite>';
const RED = '<testsuite name="s"><testcase name="a"><failure message="no"/></testcase></testsuite>';

export const REPORTS: readonly BadInput[] = [
  inWords(
    report('a report that is garbage', ['tap', 'echo "everything is fine, trust me"'], 'report-unreadable', 'no TAP'),
  ),
  inWords(report('no report at all', ['junit', 'exit 0'], 'report-missing', 'exit code 0', 'must finish')),
  report('a report of XML that is cut off', xml('<testsuite><testcase name="a">'), 'report-unreadable', 'testcase'),
  report('a report of XML about something else', xml('<html/>'), 'report-unreadable', '<html>'),
  report('an empty report', xml(''), 'report-unreadable', 'empty'),
  report('a report that is a link to another file', ['junit', 'ln -s /etc/passwd "$1"'], 'report-unreadable', 'a link'),
  report('a report that is a folder', ['junit', 'mkdir "$1"'], 'report-unreadable', 'not a file'),
  report('a report that is binary', ['junit', 'head -c 3000 /dev/urandom > "$1"'], 'report-unreadable'),
  report('a report of no test', xml('<testsuite/>'), 'no-tests-executed', 'At least one test'),
  report('a plan of no tests', ['tap', 'echo 1..0'], 'no-tests-executed', 'At least one test'),
  report('every test is skipped', ['tap', `printf '1..1\\nok 1 - a # SKIP later\\n'`], 'all-tests-skipped', 'skips'),
  report(
    'a red end that no test explains',
    ['junit', `${xml(GREEN)[1]}; exit 3`],
    'exit-contradicts-report',
    'exit code 3',
    '0 failed tests',
  ),
  report('a green end of red tests', xml(RED), 'tests-failed, exit-contradicts-report', '1 test'),
  report(
    'fewer tests than were planned',
    ['tap', `printf '1..3\\nok 1 - a\\n'`],
    'report-incomplete',
    'planned 3, found 1',
  ),
  report(
    'tests that bail out',
    ['tap', `printf 'TAP version 13\\nBail out! no database\\n'`],
    'no-tests-executed, report-incomplete',
  ),
  report('a test command that fails without a word', ['command', 'exit 1'], 'check-failed', 'exit code 1'),
  inWords(report('a test program that is not installed', ['tap', 'no-such-program'], 'command-missing', 'not found')),
  report('a test program that may not be run', ['command', 'exit 126'], 'check-failed', 'exit code 126'),
  report('a test command that is killed', ['command', 'kill -9 $$'], 'check-failed', '137'),
  report(
    'more output than anybody can read',
    ['tap', 'yes "not a test" | head -c 80000000'],
    'check-output-flood',
    'prints so much',
  ),
  inWords(
    within(
      0.01,
      report('a test command that never ends', ['tap', 'sleep 600'], 'check-timed-out', 'limit 0.6 s', 'hangs'),
    ),
  ),
];
