// English: why work does not hold. A person and the agent that must mend it read the same sentence, so each says what
// was found and what would make it hold. Ids of tests are listed below the sentence.
import type { Sentences } from '../shape.ts';

export const problems = {
  // {item}
  'nothing-claimed':
    'No item was marked as done. If item {item} is complete, set its passes to true in the backlog; if not, go on with it.',
  // {count, items, limit}
  'too-many-claims':
    '{count} items were marked as done[[ ({items})]], but a session may complete at most {limit}. Take back the claims that are not the task of this session.',
  // {item, claimed}
  'wrong-claim':
    'Item {claimed} was marked as done, but the task of this session is item {item}. Take back that claim and complete item {item}.',
  // {file, detail}
  'backlog-edited':
    'The backlog {file} was changed beyond the one claim that is allowed[[: {detail}]]. Put everything else back as it was.',
  // {file, detail}
  'backlog-unreadable': 'The backlog {file} can no longer be read[[: {detail}]]. Restore its syntax.',
  // {item, file}
  'item-removed': 'Item {item} was removed from the backlog. Put it back exactly as it was.',
  // {item, file}
  'item-added': 'Item {item} was added to the backlog. Remove it; new items are added by people.',
  // {item, field}
  'item-edited': 'Item {item} was changed in the backlog[[ ({field})]]. Put it back exactly as it was.',
  // {item}
  'claim-withdrawn':
    'Item {item} was done before and is now marked as not done. Put its passes back; what landed is only taken back by people.',
  // {check, command, exit, tail}
  'check-failed': 'Check {check} failed: {command} ended with exit code {exit}.[[ The end of its output:\n{tail}]]',
  // {check, command, limitMs}
  'check-timed-out':
    'Check {check} did not end in time: {command} was stopped[[ after {limitMs}]]. Find what hangs or takes too long.',
  // {check, command, limitBytes}
  'check-output-flood':
    'Check {check} printed too much and was stopped: {command}[[ (limit {limitBytes} bytes)]]. Find what prints without end.',
  // {check, command}
  'command-missing': 'Check {check} could not be started: {command}. The program was not found or may not be executed.',
  // {check, command, file}
  'no-tests-executed':
    'Check {check} executed no test: {command}. A pass needs at least one test that really ran; write it where the runner finds it.',
  // {check, command, count}
  'all-tests-skipped':
    'Check {check} skipped all of its tests: {command}. A skipped test proves nothing; remove the skips and make the tests pass.',
  // {check, command, count}
  'tests-failed': {
    one: '{count} test of check {check} failed: {command}. Mend the code; do not weaken the test.',
    other: '{count} tests of check {check} failed: {command}. Mend the code; do not weaken the tests.',
  },
  // {check, command, file}
  'report-missing':
    'Check {check} left no test report: {command}. The runner must run to its end and write its report; do not change how it reports.',
  // {check, detail}
  'report-unreadable':
    'The test report of check {check} cannot be read[[: {detail}]]. Nothing but the runner may write it.',
  // {check, detail}
  'report-incomplete':
    'The test report of check {check} is not complete[[: {detail}]]. See that every test file loads and the run comes to its end.',
  // {check, exit}
  'exit-contradicts-report':
    'Check {check} ended with exit code {exit}, which contradicts its test report. Something else ended or failed the run; find it.',
  // {count}
  regression: {
    one: '{count} test that passed before now fails. Make it pass again without changing it.',
    other: '{count} tests that passed before now fail. Make them pass again without changing them.',
  },
  // {count}
  'tests-missing': {
    one: '{count} test that passed before is gone. Put it back.',
    other: '{count} tests that passed before are gone. Put them back.',
  },
  // {count}
  'tests-newly-skipped': {
    one: '{count} test that passed before is now skipped. Remove the skip and make it pass.',
    other: '{count} tests that passed before are now skipped. Remove the skips and make them pass.',
  },
  // {check, command, exit}
  'suite-newly-failing':
    'The suite passed before and now fails: {command} ended with exit code {exit}. Make it pass again.[[\n{tail}]]',
  // {file}
  'harness-file-edited': '{file} belongs to the harness and was changed. It was put back; do not write to it.',
  // {file}
  'config-edited': '{file} decides how work is checked and was changed. Put it back; changes of it are made by people.',
  // {detail}
  'history-rewritten':
    'Commits that were there before the session are gone from the branch[[ ({detail})]]. Do not amend, rebase or reset; the harness commits.',
  // {expected, found}
  'branch-switched':
    'The session began on the branch {expected} and ended on {found}. Stay on {expected}; the harness makes branches.',
  // {expected, found}
  'tree-changed-since-check':
    'Files changed after they were checked, so what was proved is not what is there. End every process that still writes, and it is checked again.',
} as const satisfies Sentences['problems'];
