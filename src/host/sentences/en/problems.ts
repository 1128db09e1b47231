// English: why work is rejected. A person and the agent that must fix it read the same sentence, so each says what was
// found and what to do. Ids of tests are listed below the sentence.
import type { Sentences } from '../shape.ts';

export const problems = {
  // {file, role}
  'output-missing': 'The requested file is missing or empty: {file}. Write it completely.',
  // {role, path, count}
  'verdict-void':
    'The {role} changed the work that it judged ({path}[[ and more, {count} files in all]]), so its verdict is void. The change is taken back and kept as an attempt.',
  // {severity, title, path, quote, why}
  'finding-open': '{severity}[[ in {path}]]: {title}[[\n{quote}]][[\n{why}]]',
  // {name, summary}
  'ci-failed': 'The check {name} of the pull request failed[[:\n{summary}]].',
  // {words}
  'review-comment': 'A reviewer ({author}) wrote on the pull request[[, at {place}]]: {words}',
  'merge-refused': 'The pull request does not merge[[: {words}]].',
  // {role}
  'return-unread':
    '1-line return parse failed: the answer of the {role} does not begin with "KEYWORD — SUMMARY". It counts as confidence Unknown.',
  // {path, rule}
  'path-excluded': 'Path validation failed: {path}: {#rule}. The proposer is not pointed to it.',
  'no-path-left': 'No valid file path is left: the proposer begins without one.',
  // {role, line}
  'session-gave-up': 'The {role} reported that it could not do its task[[: {line}]].',
  // {file}
  'plan-contract-missing':
    'The validation contract is missing: {file}. Write one line for each assertion: VAL-AREA-NNN: what can be verified.',
  // {file, line, id, why}
  'plan-contract-invalid': 'Assertion {id} ({file}, line {line}): {#why}.',
  // {claim, item}
  'plan-claim-unresolved': 'Feature {item} claims {claim}, which the validation contract does not spell out.',
  // {claim}
  'plan-assertion-unclaimed': 'No feature claims {claim}: nothing would make it true.',
  // {ids: features}
  'plan-without-claims': 'These features claim nothing, so that nothing could be validated:',
  // {ids: features}
  'plan-without-test': 'These features have no test_file, so that the harness could not prove them:',
  // {reasons}
  'plan-rejected': 'The reviewer rejected the plan:\n{reasons}',
  'plan-draft-missing':
    'No plan was written. Write one file for each piece of work: .harness/plan/NNNN-what-it-is-about.md',
  // {file, line, why, what}
  'plan-draft-invalid': '{file}[[, line {line}]]: {#why}[[: {what}]].',
  // {tag, what}
  'plan-tag-uncovered': 'No plan has the tag {tag}: nothing would make it true[[ ({what})]].',
  // {file}
  'acceptance-missing':
    'There are no acceptance criteria in {file}. Write one line for each: - REQ-1: what a user can observe.',
  // {file}
  'site-draft-missing':
    'No statement that was seen, with a tag, is in {file}. Write one line for each: - CART-1: what a user can do. (/page: "words that were seen")',
  // {line, why, what}
  'site-statement-unproved': 'Line {line}: {#why}[[: {what}]].',
  // {claim, role, why, quote}
  'review-finding': 'The {role} found that {claim} does not hold: {why}[[\n{quote}]]',
  // {claim, role, path, quote}
  'review-unquoted':
    'The {role} passed {claim} without a quote that can be found[[ in {path}]][[: {quote}]]. A pass needs one line of the code, or of the output of the checks, word for word.',
  // {claim, role, why}
  'review-unclear': 'The {role} cannot decide whether {claim} holds: {why}',
  // {role, why, claim}
  'review-unanswered':
    'The answer of the {role} could not be read[[ ({#why})]][[: {claim}]]. End with the answer in exactly the form that is described.',
  // {command, url, exit, tail}
  'pages-server-ended':
    'The development server at {url} ended by itself (exit {exit}): {command}\nIt has to stay in the foreground, listen on the port in PORT, and survive each request.[[\n{tail}]]',
  // {command, url, afterMs, tail}
  'pages-server-silent': 'The development server did not answer at {url} within {afterMs}: {command}[[\n{tail}]]',
  // {path, rule}
  'docs-path-unsafe': 'The folder of the session may not be cleaned up: {path}[[ ({rule})]]. Nothing was removed.',
  // {item}
  'nothing-claimed':
    'No item was marked as done. If item {item} is complete, set its passes to true in the backlog; if not, continue with it.',
  // {claimed, allowed; ids: items}
  'too-many-claims':
    '{claimed} items were marked as done, but a session may complete at most {allowed}. Withdraw every claim other than the task of this session:',
  // {item; ids: the claimed ones}
  'wrong-claim':
    'Items other than item {item}, the task of this session, were marked as done. Withdraw those claims and complete item {item}:',
  // {field, file}
  'backlog-edited':
    'The backlog[[ {file}]] was changed beyond the one claim that is allowed[[: {field}]]. Restore everything else.',
  // {why, file}
  'backlog-unreadable':
    'The backlog[[ {file}]] can no longer be read[[: {#why}]]. Restore it as it was before the session.',
  // {count; ids: items}
  'item-removed': {
    one: 'An item was removed from the backlog. Restore it exactly as it was:',
    other: '{count} items were removed from the backlog. Restore them exactly as they were:',
  },
  // {why, count; ids: items}
  'item-added': {
    one: 'An item was added to the backlog[[ ({#why})]]. Remove it; only people add items:',
    other: '{count} items were added to the backlog[[ ({#why})]]. Remove them; only people add items:',
  },
  // {field, got, count; ids: items}
  'item-edited': {
    one: '{field} of an item was changed in the backlog[[ to {got}]]. Restore it exactly as it was:',
    other: '{field} of {count} items was changed in the backlog[[ to {got}]]. Restore it exactly as it was:',
  },
  // {count; ids: items}
  'claim-withdrawn': {
    one: 'An item that was done is now marked as not done. Restore its passes; only people take back what has landed:',
    other:
      '{count} items that were done are now marked as not done. Restore their passes; only people take back what has landed:',
  },
  // {item, file}
  'claim-taken-back':
    'The harness has restored {file}, so item {item} is not marked as done. When all of the above is fixed, set its passes to true again.',
  // {command, exit, tail}
  'install-failed':
    'The changed dependencies cannot be installed in a clean checkout: {command} failed[[ ({exit})]]. The manifest and the lock file must fit each other.[[ The end of its output:\n{tail}]]',
  // {count, files}
  'ignored-work':
    'The checks run on what git keeps, in a clean checkout. These files are ignored by git and were not there: {files}. If the work needs them, change .gitignore or put them elsewhere.',
  'files-left-out':
    'These files were changed while you worked, and none of your calls names them or ran at that time: they were taken for an edit of the user, and left out of the checks: {files}. If they are your work, write them once more.',
  // {check, command, exit, tail}
  'check-failed': 'Check {check} failed[[: {command}]][[ (exit code {exit})]].[[ The end of its output:\n{tail}]]',
  // {check, command, count, tail}
  'lint-errors-added': {
    one: 'Check {check} reports {count} error that was not there before this change[[: {command}]]. Fix it. Errors that were there before do not count.[[\n{tail}]]',
    other:
      'Check {check} reports {count} errors that were not there before this change[[: {command}]]. Fix them. Errors that were there before do not count.[[\n{tail}]]',
  },
  // {check, command, seconds, limit (seconds), tail}
  'check-timed-out':
    'Check {check} was stopped[[ after {seconds} s]][[: {command}]][[ (limit {limit} s)]]. It hangs or takes too long; find the cause.[[ The end of its output:\n{tail}]]',
  // {check, command, bytes, tail}
  'check-output-flood':
    'Check {check} printed too much and was stopped[[ after {bytes} bytes]][[: {command}]]. Find what prints so much.[[ The end of its output:\n{tail}]]',
  // {check, command, tail}
  'command-missing':
    'Check {check} could not be started[[: {command}]]. The program was not found or is not executable.[[\n{tail}]]',
  // {check, command, tail}
  'no-tests-executed':
    'Check {check} executed no test[[: {command}]]. At least one test must really run; write it where the runner finds it.[[ The end of the output:\n{tail}]]',
  // {check, command, count}
  'all-tests-skipped':
    'Check {check} skipped all of its tests[[: {command}]]. A skipped test proves nothing; remove the skips and make the tests pass.',
  // {check, command, count, tail: what the tests say}
  'tests-failed': {
    one: '{count} test of check {check} failed[[: {command}]]. Fix the code; do not weaken the test.[[ Its output:\n{tail}]]',
    other:
      '{count} tests of check {check} failed[[: {command}]]. Fix the code; do not weaken the tests.[[ Their output:\n{tail}]]',
  },
  // {check, command, exit, tail}
  'report-missing':
    'Check {check} wrote no test report[[: {command}]][[ (exit code {exit})]]. The runner must finish and write its report; do not change how it reports.[[ The end of its output:\n{tail}]]',
  // {check, why, tail}
  'report-unreadable':
    'The test report of check {check} cannot be read[[: {#why}]]. Only the runner that testing.runner names may write it.[[ The end of the output:\n{tail}]]',
  // {check, count; ids: what is wrong with it}
  'report-incomplete':
    'The test report of check {check} is not complete.[[ It says:\n{tail}\n]] Make sure that every test file loads and the run finishes:',
  // {check, command, exit, failed, tail}
  'exit-contradicts-report':
    'Check {check} ended with exit code {exit}, but its report has {failed} failed tests[[: {command}]]. Both must agree; find what else ends or fails the run.[[ The end of its output:\n{tail}]]',
  // {count, tail: what the tests say}
  regression: {
    one: '{count} test that passed before now fails. Make it pass again without changing it.[[ Its output:\n{tail}]]',
    other:
      '{count} tests that passed before now fail. Make them pass again without changing them.[[ Their output:\n{tail}]]',
  },
  // {item, title, dependents, test: only if it fails without the work too}
  'broke-item':
    'This broke #{item}[[ ({title})]][[, which {dependents} need]].[[ Its test {test} fails without this work too: #{item} is marked as failing and is next.]]',
  // {count, tail: which files did not load, and why}
  'tests-missing': {
    one: '{count} test that passed before is missing. Restore it.[[ These files did not load:\n{tail}]]',
    other: '{count} tests that passed before are missing. Restore them.[[ These files did not load:\n{tail}]]',
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
    one: '{count} test passed in every run before this change ({runs} runs) and is now flaky. Find what made it unstable:',
    other:
      '{count} tests passed in every run before this change ({runs} runs) and are now flaky. Find what made them unstable:',
  },
  // {runs, count; ids: tests}
  'flaky-unproved': {
    one: '{count} test that passed before is flaky, and nothing shows that it was flaky before this change. It counts as broken; make it stable:',
    other:
      '{count} tests that passed before are flaky, and nothing shows that they were flaky before this change. They count as broken; make them stable:',
  },
  // {held, cap, runs, count; ids: tests}
  'flaky-over-cap': {
    one: '{count} test was flaky before, but only {cap} may be in quarantine and {held} are. It counts as broken; fix flaky tests first:',
    other:
      '{count} tests were flaky before, but only {cap} may be in quarantine and {held} are. They count as broken; fix flaky tests first:',
  },
  // {check, command, count; ids: tests}
  'own-test-flaky': {
    one: 'This item’s own test passes alone, but fails in the whole suite or is known to be flaky. A flaky test proves nothing; make it stable:',
    other:
      '{count} of this item’s own tests pass alone, but fail in the whole suite or are known to be flaky. A flaky test proves nothing; make them stable:',
  },
  // {runs, count; ids: tests}
  'test-quarantined': {
    one: '{count} test both passes and fails on the same tree. It is in quarantine: it blocks nothing and proves nothing:',
    other:
      '{count} tests both pass and fail on the same tree. They are in quarantine: they block nothing and prove nothing:',
  },
  // {runs, count; ids: tests}
  'unsteady-tests': {
    one: '{count} test gave different results in {runs} runs and is not in the baseline; the quarantine has no room for it:',
    other:
      '{count} tests gave different results in {runs} runs and are not in the baseline; the quarantine has no room for them:',
  },
  // {file, change}
  'harness-file-edited': '{file} belongs to the harness and was {#change}. It was restored; do not change it.',
  // {file, change}
  'config-edited': '{file} determines how work is checked and was {#change}. It was restored; only people change it.',
  // {file, kept, count; ids: files}
  'git-files-edited': {
    one: 'A file that git obeys was changed during the session. Only people change configuration, hooks and rules of git, between sessions. It was put back[[; what was there instead is kept in {kept}]]:',
    other:
      '{count} files that git obeys were changed during the session. Only people change configuration, hooks and rules of git, between sessions. They were put back[[; what was there instead is kept in {kept}]]:',
  },
  // {detail}
  'history-rewritten':
    'Commits from before the session are missing from the branch[[ ({detail})]]. Do not amend, rebase or reset; the harness makes the commits.',
  // {expected, found}
  'branch-switched':
    'The session started on the branch {expected} and ended on {found}. Stay on {expected}; the harness makes branches.',
  // {expected, found; ids: paths}
  'tree-changed-since-check':
    'Files changed after they were checked, so the verified state is not the current one. End every process that still writes; then the work is checked again:',
  // {commit; ids: paths}
  'branch-moved':
    'The branch got other commits meanwhile ({commit}), and the work was not proved together with them. The next session starts from the newest commit.',
  'landing-conflict':
    'The branch got other commits meanwhile ({commit}) that change the same lines, so the work cannot be landed as it is. The next session starts from the newest commit. In conflict:',
  // {count; ids: paths}
  'landing-in-the-way':
    'The work would change files that a person is changing in their work tree, so it did not land; the branch stays. Commit or stash these, then start again:',
  // {path}
  'nested-repository':
    '{path} was turned into a separate git repository, so nothing in it can land. Write its files without running git init or git clone there, or add it to .gitignore.',
  // {file, line, name, count; ids: places}
  'secret-in-change': {
    one: 'The change adds the value of a secret variable of this environment. Nothing that holds it is committed. Take it out, and read it from the environment instead:',
    other:
      'The change adds values of secret variables of this environment in {count} places. Nothing that holds one is committed. Take them out, and read them from the environment instead:',
  },
  // {by, note}
  'manual-failed': 'A person checked the work and reports that it does not work.[[ Their note:\n{note}]]',
  // {note}
  'said-by-person': 'A person’s comment on this item:\n{note}',
  // {folder}
  'evidence-missing':
    'The evidence of the checks is missing[[ ({folder})]]: without it nothing lands. The work is kept and checked again in the next session.',
  // {folder, what}
  'evidence-differs':
    'The evidence[[ {folder}]] does not match the checks that were run ({what} differs): something wrote into the harness’s folder, or the power failed. The work is kept and checked again in the next session.',
  // {item}
  'claim-not-made':
    'The landing does not change item {item} from open to done in the list, so nothing proves that it is finished. The work is kept.',
  // {item, command}
  'tests-not-run':
    'You claimed item {item}, but no run of its test was seen in this session. Run it and show the command with its whole output[[: {command}]]. If it passes, leave the claim as it is; if not, fix the work first.',
  // {item, commands}
  'tests-not-shown':
    'The agent claimed item {item}, but no test run of its own was observed (commands seen: {commands}).',
  // {item, runs}
  'tests-shown-too-early':
    'The agent claimed item {item}, but after its last change no test run of its own was observed.',
  // {item, command}
  'shown-tests-failed': 'The agent claimed item {item}, but its own last test run failed: {command}',
  // {item, command}
  'shown-command-not-seen': 'The agent shows a command for item {item} that it did not run: {command}',
  // {item, shown, total}
  'shown-output-differs':
    'The agent shows {shown} passed tests for item {item}, but the harness counted {total} tests in total.',
  'items-reordered': 'The items of the backlog were reordered. Restore the original order.',
  // {field, count; ids: items}
  'decision-forged': {
    one: '{field} of an item was set, which only a person may decide. Undo it:',
    other: '{field} of {count} items was set, which only a person may decide. Undo it:',
  },
  // {item, file}
  'canary-passed':
    'A test that must fail, added by the harness after {file}, was reported as passed: the test runner does not report truthfully. Make tests run and report as they did before.',
  // {command, count; ids: tests}
  'failures-hidden':
    'During this run the harness made every test fail, but the report differs ({count} reported as passed): {command}. Something loaded with the tests changes their results or how the run ends. Remove it.',
  // {item, file}
  'canary-lost':
    'Tests that the harness added after {file} are missing from the report: something ends the run early, skips tests, or writes the report itself.',
  // {count; ids: places}
  'tests-disabled': {
    one: 'A test that ran before is disabled (only, skip, todo, xfail). Enable it again:',
    other: '{count} more tests are disabled than before (only, skip, todo, xfail). Enable them again:',
  },
  // {item, file, tried}
  'test-not-red':
    'The test {file} passes on the source from before the work too, and detected none of {tried} small faults in the changed lines. It does not show that item {item} works.',
  // {item, file, tried}
  'test-notices-nothing':
    'The test {file} detected none of {tried} small faults in the changed lines. It does not show that item {item} works.',
  // {item, file}
  'source-unchanged':
    'No source was changed for item {item}: its test {file} passes on the existing source. Either the behaviour already existed, or the test does not check it.',
  // {item, file}
  'test-reads-text':
    'The test {file} fails as soon as a comment is added to the source: it checks the text of the program, not what item {item} does.',
  // {item, file}
  'copy-differs':
    'The test {file} passes in the working tree but not in a copy of the same files: it depends on something that is not part of the work.',
  // {item, count; ids: tests}
  'frozen-tests-fail': {
    one: 'A test passes only because its text, or what runs it, was changed. In its earlier form it fails with the new source[[ (item {item})]]:',
    other:
      '{count} tests pass only because their text, or what runs them, was changed. In their earlier form they fail with the new source[[ (item {item})]]:',
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
    'The test {file} detected {killed} of {tried} small faults in the changed lines ({percent} %). Assert more of what item {item} does.',
  // {file}
  'init-backlog-missing': '{file} was not written. Write it with every feature the specification asks for.',
  // {file, line, column, key, reason and the parameters of that reason}
  'init-backlog-invalid': '{file}:{line}:{column}[[ {key}]]: {detail} Correct it.',
  // {file}
  'init-backlog-empty': '{file} has no features. Write every feature the specification asks for.',
  // {item, flag, steps or files or lines, max}
  'init-feature-too-large':
    'Feature {item} is too large for one session: {#flag}[[ ({steps}, at most {max})]][[ ({files}, at most {max})]][[ ({lines}, at most {max})]]. Split it into features that can each be completed and verified alone.',
  // {count; ids: items}
  'init-feature-passing': {
    one: '{count} feature is marked as passing, but nothing is implemented yet. Set its passes to false:',
    other: '{count} features are marked as passing, but nothing is implemented yet. Set their passes to false:',
  },
  // {file}
  'init-script-missing':
    'The script {file} was not written. Write it; it must work in a fresh checkout and be safe to run repeatedly.',
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
    one: '{count} tool call violated the rules, without asking or despite a refusal. Its changes in the project were checked; check whether it left anything elsewhere:',
    other:
      '{count} tool calls violated the rules, without asking or despite a refusal. Their changes in the project were checked; check whether they left anything elsewhere:',
  },
  // {file, count, scope; ids: files}
  'out-of-scope': {
    one: '{file} was changed, but is outside the scope of this task[[: {scope}]]. Restore it. If the task cannot be done without it, say so: a person sets the scope.',
    other:
      '{count} files outside the scope of this task were changed[[: {scope}]]. Restore them. If the task cannot be done without them, say so: a person sets the scope.',
  },
  // {count, max}
  'too-many-files':
    '{count} files were changed, but this task may change at most {max}. Such a change is hard to review. Undo what the task does not need.',
  // {section}
  'memory-section-missing':
    'The section "## {section}" is missing or empty. Write the whole file again, with the sections Summary, Memory and Promote.',
  // {section}
  'memory-section-twice': 'The section "## {section}" is there more than once. Write each section once.',
  // {section, lines, tokens, mostLines, mostTokens}
  'memory-too-long':
    'The section "## {section}" has {lines} lines and about {tokens} tokens, but {mostLines} lines and {mostTokens} tokens are allowed. Shorten it: keep what the next sessions need.',
  'stub-passes':
    'The test of feature {item} ({file}) passes although nothing is implemented. A stub must fail until its feature is done.',
} as const satisfies Sentences['problems'];
