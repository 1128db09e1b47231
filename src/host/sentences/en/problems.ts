// English: why work does not hold. A person and the agent that must mend it read the same sentence, so each says what
// was found and what would make it hold. Ids of tests are listed below the sentence.
import type { Sentences } from '../shape.ts';

export const problems = {
  // {file, role}
  'output-missing': 'The file that you were sent for is not there, or is empty: {file}. Write it, whole.',
  // {role, line}
  'session-gave-up': 'The {role} says that it could not do it[[: {line}]].',
  // {path, rule}
  'docs-path-unsafe': 'The folder of the session may not be cleaned up: {path}[[ ({rule})]]. Nothing was removed.',
  // {item}
  'nothing-claimed':
    'No item was marked as done. If item {item} is complete, set its passes to true in the backlog; if not, go on with it.',
  // {claimed, allowed; ids: items}
  'too-many-claims':
    '{claimed} items were marked as done, but a session may complete at most {allowed}. Take back every claim that is not the task of this session:',
  // {item; ids: the claimed ones}
  'wrong-claim':
    'Other items than item {item}, the task of this session, were marked as done. Take back those claims and complete item {item}:',
  // {field, file}
  'backlog-edited':
    'The backlog[[ {file}]] was changed beyond the one claim that is allowed[[: {field}]]. Put everything else back as it was.',
  // {why, file}
  'backlog-unreadable':
    'The backlog[[ {file}]] can no longer be read[[: {#why}]]. Bring it back as it was before the session.',
  // {count; ids: items}
  'item-removed': {
    one: 'An item was removed from the backlog. Put it back exactly as it was:',
    other: '{count} items were removed from the backlog. Put them back exactly as they were:',
  },
  // {why, count; ids: items}
  'item-added': {
    one: 'An item was added to the backlog[[ ({#why})]]. Remove it; new items are added by people:',
    other: '{count} items were added to the backlog[[ ({#why})]]. Remove them; new items are added by people:',
  },
  // {field, got, count; ids: items}
  'item-edited': {
    one: '{field} of an item was changed in the backlog[[ to {got}]]. Put it back exactly as it was:',
    other: '{field} of {count} items was changed in the backlog[[ to {got}]]. Put it back exactly as it was:',
  },
  // {count; ids: items}
  'claim-withdrawn': {
    one: 'An item that was done is now marked as not done. Put its passes back; what landed is only taken back by people:',
    other:
      '{count} items that were done are now marked as not done. Put their passes back; what landed is only taken back by people:',
  },
  // {item, file}
  'claim-taken-back':
    'The harness has put {file} back as it was, so item {item} is not marked as done. When all of the above holds, set its passes to true again.',
  // {check, command, exit, tail}
  'check-failed': 'Check {check} failed[[: {command}]][[ (exit code {exit})]].[[ The end of its output:\n{tail}]]',
  // {check, command, seconds, limit (seconds), tail}
  'check-timed-out':
    'Check {check} was stopped[[ after {seconds} s]][[: {command}]][[ (limit {limit} s)]]. It hangs or takes too long; find what does.[[ The end of its output:\n{tail}]]',
  // {check, command, bytes, tail}
  'check-output-flood':
    'Check {check} printed too much and was stopped[[ after {bytes} bytes]][[: {command}]]. Find what prints without end.[[ The end of its output:\n{tail}]]',
  // {check, command, tail}
  'command-missing':
    'Check {check} could not be started[[: {command}]]. The program was not found or may not be executed.[[\n{tail}]]',
  // {check, command, tail}
  'no-tests-executed':
    'Check {check} executed no test[[: {command}]]. A pass needs at least one test that really ran; write it where the runner finds it.[[ The end of the output:\n{tail}]]',
  // {check, command, count}
  'all-tests-skipped':
    'Check {check} skipped all of its tests[[: {command}]]. A skipped test proves nothing; remove the skips and make the tests pass.',
  // {check, command, count, tail: what the tests say}
  'tests-failed': {
    one: '{count} test of check {check} failed[[: {command}]]. Mend the code; do not weaken the test.[[ It says:\n{tail}]]',
    other:
      '{count} tests of check {check} failed[[: {command}]]. Mend the code; do not weaken the tests.[[ They say:\n{tail}]]',
  },
  // {check, command, exit, tail}
  'report-missing':
    'Check {check} left no test report[[: {command}]][[ (exit code {exit})]]. The runner must run to its end and write its report; do not change how it reports.[[ The end of its output:\n{tail}]]',
  // {check, why, tail}
  'report-unreadable':
    'The test report of check {check} cannot be read[[: {#why}]]. Nothing but the runner may write it, the one that testing.runner names.[[ The end of the output:\n{tail}]]',
  // {check, count; ids: what is wrong with it}
  'report-incomplete':
    'The test report of check {check} is not complete.[[ It says:\n{tail}\n]] See that every test file loads and the run comes to its end:',
  // {check, command, exit, failed, tail}
  'exit-contradicts-report':
    'Check {check} ended with exit code {exit}, but its report has {failed} failed tests[[: {command}]]. Both must say the same; find what ends or fails the run beside the tests.[[ The end of its output:\n{tail}]]',
  // {count, tail: what the tests say}
  regression: {
    one: '{count} test that passed before now fails. Make it pass again without changing it.[[ It says:\n{tail}]]',
    other:
      '{count} tests that passed before now fail. Make them pass again without changing them.[[ They say:\n{tail}]]',
  },
  // {count, tail: which files did not load, and why}
  'tests-missing': {
    one: '{count} test that passed before is gone. Put it back.[[ These files did not load:\n{tail}]]',
    other: '{count} tests that passed before are gone. Put them back.[[ These files did not load:\n{tail}]]',
  },
  // {count}
  'tests-newly-skipped': {
    one: '{count} test that passed before is now skipped. Remove the skip and make it pass.',
    other: '{count} tests that passed before are now skipped. Remove the skips and make them pass.',
  },
  // {check, command, exit, tail}
  'suite-newly-failing':
    'The suite passed before and now fails[[: {command}]][[ (exit code {exit})]]. Make it pass again.[[\n{tail}]]',
  // {runs, count; ids: tests}
  'became-flaky': {
    one: '{count} test passed in every run of the tree before ({runs} runs), now it passes and fails by turns. Find what this change made unsteady:',
    other:
      '{count} tests passed in every run of the tree before ({runs} runs), now they pass and fail by turns. Find what this change made unsteady:',
  },
  // {runs, count; ids: tests}
  'flaky-unproved': {
    one: '{count} test that passed before passes and fails by turns, and nothing shows that it did so on the tree before. It counts as broken; make it steady:',
    other:
      '{count} tests that passed before pass and fail by turns, and nothing shows that they did so on the tree before. They count as broken; make them steady:',
  },
  // {held, cap, runs, count; ids: tests}
  'flaky-over-cap': {
    one: '{count} test was flaky before, but only {cap} may be in quarantine and {held} are. It counts as broken; mend flaky tests first:',
    other:
      '{count} tests were flaky before, but only {cap} may be in quarantine and {held} are. They count as broken; mend flaky tests first:',
  },
  // {check, command, count; ids: tests}
  'own-test-flaky': {
    one: 'The own test of this item passes alone, but fails among all others or is known to be flaky. A flaky test proves nothing; make it steady:',
    other:
      '{count} own tests of this item pass alone, but fail among all others or are known to be flaky. A flaky test proves nothing; make them steady:',
  },
  // {runs, count; ids: tests}
  'test-quarantined': {
    one: '{count} test passes and fails by turns on one and the same tree. It is in quarantine: it breaks nothing and proves nothing:',
    other:
      '{count} tests pass and fail by turns on one and the same tree. They are in quarantine: they break nothing and prove nothing:',
  },
  // {runs, count; ids: tests}
  'unsteady-tests': {
    one: '{count} test did not do the same in {runs} runs and is left out of the baseline; there are too many for the quarantine:',
    other:
      '{count} tests did not do the same in {runs} runs and are left out of the baseline; there are too many for the quarantine:',
  },
  // {file, change}
  'harness-file-edited': '{file} belongs to the harness and was {#change}. It was put back; leave it alone.',
  // {file, change}
  'config-edited': '{file} decides how work is checked and was {#change}. It was put back; only people change it.',
  // {detail}
  'history-rewritten':
    'Commits that were there before the session are gone from the branch[[ ({detail})]]. Do not amend, rebase or reset; the harness commits.',
  // {expected, found}
  'branch-switched':
    'The session began on the branch {expected} and ended on {found}. Stay on {expected}; the harness makes branches.',
  // {expected, found; ids: paths}
  'tree-changed-since-check':
    'Files changed after they were checked, so what was proved is not what is there. End every process that still writes, and it is checked again:',
  // {path}
  'nested-repository':
    '{path} was made a git repository of its own, so nothing in it could be landed. Write its files without running git init or git clone there, or let .gitignore leave it out.',
  // {by, note}
  'manual-failed': 'A person looked at the work and says that it does not hold.[[ They say:\n{note}]]',
  // {note}
  'said-by-person': 'A person says about this item:\n{note}',
  // {folder}
  'evidence-missing':
    'The evidence of the checks is gone[[ ({folder})]]: without it nothing lands. The work is kept and is checked again in the next session.',
  // {folder, what}
  'evidence-differs':
    'The evidence[[ {folder}]] is not that of the checks that were run ({what} differs): something wrote into the folder of the harness. The work is kept and is checked again in the next session.',
  // {item, commands}
  'tests-not-shown':
    'The agent claimed item {item}, but no test run of its own was observed (commands seen: {commands}).',
  // {item, runs}
  'tests-shown-too-early':
    'The agent claimed item {item}, but after its last change no test run of its own was observed.',
  // {item, command}
  'shown-tests-failed': 'The agent claimed item {item}, but its own last test run was seen to fail: {command}',
  // {item, command}
  'shown-command-not-seen': 'The agent shows a command for item {item} that it was never seen to run: {command}',
  // {item, shown, total}
  'shown-output-differs':
    'The agent shows {shown} passed tests for item {item}, but the harness counted {total} tests altogether.',
  'items-reordered': 'The items of the backlog were put into another order. Restore the order they had.',
  // {field, count; ids: items}
  'decision-forged': {
    one: '{field} of an item was set, which only a person may decide. Take it back:',
    other: '{field} of {count} items was set, which only a person may decide. Take it back:',
  },
  // {item, file}
  'canary-passed':
    'A test that must fail, put behind {file} where nobody could know it, came back as passed: what runs the tests does not tell the truth. Let tests run and report as they did before.',
  // {command, count; ids: tests}
  'failures-hidden':
    'Every test was made to fail from outside while this ran, and that is not what came out ({count} came back as passed): {command}. Something that is loaded with the tests changes what they say, or how the run ends. Take it out.',
  // {item, file}
  'canary-lost':
    'Tests that the harness put behind {file} never came back in the report: something ends the run early, leaves tests out, or writes the report by itself.',
  // {count; ids: places}
  'tests-disabled': {
    one: 'A test is switched off that was not before (only, skip, todo, xfail). Switch it on again:',
    other: '{count} more tests are switched off than before (only, skip, todo, xfail). Switch them on again:',
  },
  // {item, file, tried}
  'test-not-red':
    'The test {file} passes on the source as it was before the work too, and noticed none of {tried} small faults in the changed lines. It does not show that item {item} works.',
  // {item, file, tried}
  'test-notices-nothing':
    'The test {file} noticed none of {tried} small faults in the changed lines. It does not show that item {item} works.',
  // {item, file}
  'source-unchanged':
    'No source was changed for item {item}: its test {file} passes on what was there before. Either the behaviour existed, or the test does not ask for it.',
  // {item, file}
  'test-reads-text':
    'The test {file} fails as soon as a comment is added to the source: it asks for the text of the program, not for what item {item} does.',
  // {item, file}
  'copy-differs':
    'The test {file} passes in the work tree but not in a copy of the very same files: it depends on something that is not part of the work.',
  // {item, count; ids: tests}
  'frozen-tests-fail': {
    one: 'A test passes only because its text, or what runs it, was changed. As it was before, it fails over the new source[[ (item {item})]]:',
    other:
      '{count} tests pass only because their text, or what runs them, was changed. As they were before, they fail over the new source[[ (item {item})]]:',
  },
  // {count; ids: assertions}
  'assertions-weakened': {
    one: 'An old test demands less than before:',
    other: 'Old tests demand less than before, in {count} places:',
  },
  // {count; ids: files}
  'installed-changed': {
    one: 'What is installed but not kept in git was changed while the agent worked, and no lock file says so. Look at it; a rollback puts it back:',
    other:
      '{count} installed files that are not kept in git were changed while the agent worked, and no lock file says so. Look at them; a rollback puts them back:',
  },
  // {count; ids: paths}
  'guarded-file-changed': {
    one: 'A file was changed that decides what is installed, stored or run, and nothing else in the change explains it:',
    other:
      '{count} files were changed that decide what is installed, stored or run, and nothing else in the change explains it:',
  },
  // {item, file, killed, tried, percent}
  'mutants-survived':
    'The test {file} noticed {killed} of {tried} small faults in the changed lines ({percent} %). Assert more of what item {item} does.',
  // {file}
  'init-backlog-missing': '{file} was not written. Write it with every feature the specification asks for.',
  // {file, line, column, key, reason and the parameters of that reason}
  'init-backlog-invalid': '{file}:{line}:{column}[[ {key}]]: {detail} Correct it.',
  // {file}
  'init-backlog-empty': '{file} has no features. Write every feature the specification asks for.',
  // {item, flag, steps or files or lines, max}
  'init-feature-too-large':
    'Feature {item} is too large for one session: {#flag}[[ ({steps}, at most {max})]][[ ({files}, at most {max})]][[ ({lines}, at most {max})]]. Split it into features that each can be completed and proved alone.',
  // {count; ids: items}
  'init-feature-passing': {
    one: '{count} feature is marked as passing, but nothing is implemented yet. Set its passes to false:',
    other: '{count} features are marked as passing, but nothing is implemented yet. Set their passes to false:',
  },
  // {file}
  'init-script-missing':
    'The script {file} was not written. Write it; it must start from a fresh checkout and may be run any number of times.',
  // {file}
  'init-script-not-executable': 'The script {file} is not executable. Run: chmod +x {file}',
  // {file; ids: items}
  'init-test-missing':
    'The test file {file} does not exist. Write it with a placeholder test that is pending, for these features:',
  // {file}
  'init-progress-missing': 'The log {file} has no entry for this session. Write the first one.',
  // {line}
  'init-gitignore-missing': '.gitignore does not ignore {line}. Add that line.',
  'init-lint-config-missing': 'The linter has no configuration. Write one for the language of the project.',
  // {count; ids: tool, rule and what it was about}
  'tool-violation': {
    one: '{count} tool call did what the rules refuse, without asking or although it was refused. What it changed in the project was checked; look whether it left anything elsewhere:',
    other:
      '{count} tool calls did what the rules refuse, without asking or although they were refused. What they changed in the project was checked; look whether they left anything elsewhere:',
  },
  // {file, count, scope; ids: files}
  'out-of-scope': {
    one: '{file} was changed, but the scope of this task leaves it out[[: {scope}]]. Put it back as it was. If the task cannot be done without it, say so: a person sets the scope.',
    other:
      '{count} files were changed that the scope of this task leaves out[[: {scope}]]. Put them back as they were. If the task cannot be done without them, say so: a person sets the scope.',
  },
  // {count, max}
  'too-many-files':
    '{count} files were changed, but this task may change at most {max}. A reviewer can no longer see what belongs together. Take back what the task does not need.',
  'stub-passes':
    'The test of feature {item} ({file}) passes although nothing is implemented. A stub must fail until its feature is done.',
} as const satisfies Sentences['problems'];
