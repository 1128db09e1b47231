// English: questions of the workflow, its failures, and its lines on screens.
import type { PlaybookSentences } from '../../../model/sentences.ts';

const gates = {
  // {lines}: a CLAUDE.md with fewer lines does not count
  'workflow-conventions': {
    header: 'Conventions',
    question:
      'There is no CLAUDE.md[[ of {lines} lines or more]] with the conventions of this project. Let an agent read the code and document them (data, interfaces, files, tests)? The plan then follows them.',
    options: {
      scan: { label: 'Scan', description: 'One short session that reads the code and documents its conventions.' },
      skip: { label: 'Skip', description: 'Plan without them. You are not asked again.' },
    },
  },
  // {file}
  'workflow-scan': {
    header: 'Scan failed',
    question: 'The convention scan ended, but it did not write {file}. Try again?',
    options: {
      retry: { label: 'Try again', description: 'Run the scan once more.' },
      skip: { label: 'Skip', description: 'Plan without conventions.' },
    },
  },
  // {file, summary, preview}
  'workflow-spec': {
    header: 'Spec',
    question:
      'The specification is in {file}[[: {summary}]]. Review it: the implementation uses most of the tokens.[[\n{preview}]]\nBuild this?',
    options: {
      proceed: { label: 'Build it', description: 'Start the implementation.' },
      modify: {
        label: 'Change it',
        description: 'Say what to change (-m), or edit the file. You are asked again.',
      },
      stop: { label: 'Stop', description: 'Build nothing. The session is kept and can be resumed.' },
    },
  },
  // {summary, report, retries, refusedPath, rule, refused}
  'workflow-verify': {
    header: 'Verify',
    question:
      'The checks still fail after {retries} attempts to fix them[[: {summary}]].[[ The proposed patch was not applied: {refusedPath}: {#rule}.]][[ The proposed patch was not applied: {#refused}.]][[ Report: {report}.]] What next?',
    options: {
      'auto-fix': {
        label: 'Propose a fix',
        description: 'A strong model analyses the failure and proposes a small patch. Once per session.',
      },
      continue: { label: 'Evaluate', description: 'Leave the checks failing and continue with the evaluation.' },
      stop: { label: 'Stop', description: 'Stop, so that you can look into it. The session can be resumed.' },
    },
  },
  // {confidence, summary, model, paths}
  'workflow-auto-fix': {
    header: 'Auto-fix',
    question:
      'A fix is proposed[[ by {model}]] (confidence: {#confidence})[[: {summary}]].[[\nIt changes: {paths}]]\nApply it?',
    options: {
      apply: {
        label: 'Apply it',
        description: 'Apply the patch and run all checks again. Earlier attempts still count.',
      },
      reject: {
        label: 'Reject it',
        description: 'Discard the patch. The previous question is asked again, without the proposal.',
      },
      stop: { label: 'Stop', description: 'Apply nothing and stop, so that you can look into it.' },
    },
  },
  // {summary, report, layer, round, max}
  'workflow-qa': {
    header: 'QA',
    question:
      'The evaluation failed ([[layer {layer}, ]]round {round} of {max})[[: {summary}]].[[ Report: {report}.]] What next?',
    options: {
      fix: { label: 'Fix', description: 'Another round. The agent gets the report.' },
      accept: { label: 'Accept', description: 'Accept the work as it is.' },
      stop: {
        label: 'Stop',
        description: 'Accept nothing and stop, so that you can look into it. There is no round left.',
      },
    },
  },
  // {branch, folder, files, max, open}
  'workflow-commit': {
    header: 'Commit',
    question:
      'The work is done[[ on {branch}]][[ ({files} files)]][[; the documents of the workflow are in {folder}]].[[ It is proved by test report: {byTests}.]][[ It is proved by exit code only: {byExit}.]][[ Not possible: {notPossible}.]][[ Max rounds reached ({max}): the remaining issues are in {open}.]][[ It is NOT verified: {unverified}.]][[ What {report} says is proved again before the commit.]] Commit it?',
    options: {
      'code-only': {
        label: 'Commit code',
        description:
          'Commit the code and the documents that stay with it. The other documents of the workflow are deleted.',
      },
      all: { label: 'Commit all', description: 'Commit everything, including the documents of the workflow.' },
      none: {
        label: 'No commit',
        description: 'Delete the workflow’s own files. The work stays in the work tree, uncommitted.',
      },
    },
  },
} satisfies PlaybookSentences['gates'];

const failures = {
  // {file}
  'workflow-missing': {
    title: 'No workflow is under way here.',
    why: 'There is no {file}, or the session in it has ended.',
    fix: ['harness workflow "TASK"'],
  },
  // {file}
  'workflow-unfinished': {
    title: 'The set-up of the workflow is unfinished.',
    why: '{file} has no phase yet.',
    fix: ['harness workflow'],
  },
  // {file, path, count}
  'workflow-uncommitted': {
    title: 'The workflow is completed, but its work is not committed.',
    why: '{file} says completed, and no question is open. {count} files are not committed, for example {path}.',
    fix: [
      'git add … && git commit',
      '"phase": "evaluate_done" in {file}, then harness run   (asks again how to finish)',
    ],
  },
  // {file, skill}
  'workflow-foreign': {
    title: '{file} belongs to a session of /{skill}.',
    why: 'It is not changed without your answer.',
    fix: ['End that session first, or have it deleted: harness workflow "TASK"'],
  },
  // {branch, at}
  'workflow-branch': {
    title: 'The workflow is on branch {branch}, but {at} is checked out.',
    why: 'Its work would land on the wrong branch.',
    fix: ['git switch {branch}'],
  },
  'workflow-one-task': {
    title: 'A workflow has one task.',
    why: 'There is no list to add items to, to skip them in or to mark them in.',
    fix: ['harness gates', 'harness workflow "TASK"'],
  },
  // {stage}
  'workflow-no-session': {
    title: 'No session is next: {stage}.',
    why: 'The next step is one of the harness itself, or an answer of yours.',
    fix: ['harness run', 'harness gates'],
  },
  // {item}
  'workflow-verifies-itself': {
    title: 'A workflow has a verify step of its own.',
    why: 'It runs the build, the tests, the linter and the type-check of .harness/state.json.',
    fix: ['harness workflow verify', 'harness evidence verify {item}   (what landed)'],
  },
  // {step, first, missing}
  'workflow-step-first': {
    title: 'harness workflow {step} needs {first} first.',
    why: '[[Missing: {missing}.]]',
    fix: ['harness workflow {first}'],
  },
  // {path, rule, part}
  'workflow-docs-path': {
    title: 'The output folder {path} cannot be used: {#rule}[[ ({part})]].',
    why: 'The workflow would write and delete files that are not its own.',
    fix: ['harness workflow --on-session restart   (starts over)', 'Correct docs_path in .harness/state.json.'],
  },
  // {task, phase}
  'workflow-under-way': {
    title: 'A session is under way here ({phase}), and this command cannot ask what to do with it.',
    why: '[[Its task: {task}\n]]Nothing is deleted without an answer.',
    fix: [
      'harness workflow --on-session resume',
      'harness workflow "TASK" --on-session restart',
      'harness workflow --on-session stop',
    ],
  },
  // {skill}
  'workflow-conflict': {
    title: 'A session of /{skill} is under way here, and this command cannot ask what to do with it.',
    why: 'Nothing is deleted without an answer.',
    fix: ['harness workflow "TASK" --on-conflict delete', 'harness workflow --on-conflict cancel'],
  },
  // {file}
  'workflow-moved': {
    title: '{file} was changed while you were asked.',
    why: 'Your answer was about its earlier content.',
    fix: ['harness workflow'],
  },
} satisfies PlaybookSentences['failures'];

const texts = {
  // The status of a session: labels in lower case, then codes of values.
  // {round}
  'workflow.phase.plan': 'Phase: plan (round {round})',
  'workflow.phase.generate': 'Phase: generate (round {round})',
  'workflow.phase.verify': 'Phase: verify: layer 1 (round {round})',
  'workflow.phase.evaluate': 'Phase: evaluate: layers 2 and 3 (round {round})',
  'workflow.line.task': 'Task',
  'workflow.line.mode': 'Mode',
  'workflow.line.model': 'Model',
  'workflow.line.style': 'Style',
  'workflow.line.phase': 'Phase',
  'workflow.line.round': 'Round',
  'workflow.line.branch': 'Branch',
  'workflow.line.scope': 'Scope',
  'workflow.line.directory': 'Directory',
  'workflow.line.verifier': 'Verifier',
  'workflow.line.language': 'Language',
  'workflow.line.test': 'Test',
  'workflow.line.build': 'Build',
  'workflow.line.lint': 'Lint',
  'workflow.line.typecheck': 'TypeCheck',
  'workflow.line.output': 'Output',
  'workflow.line.plan_ready': 'Plan — ready',
  'workflow.line.planning': 'Plan — in progress',
  'workflow.line.plan_done': 'Plan — complete',
  'workflow.line.generate_ready': 'Generate — ready',
  'workflow.line.generating': 'Generate — in progress',
  'workflow.line.generate_done': 'Generate — complete',
  'workflow.line.verify_ready': 'Verify — ready',
  'workflow.line.verifying': 'Verify — running checks',
  'workflow.line.verify_done': 'Verify — complete',
  'workflow.line.evaluate_ready': 'Evaluate — ready',
  'workflow.line.evaluating': 'Evaluate — in progress',
  'workflow.line.evaluate_done': 'Evaluate — complete',
  'workflow.line.completed': 'Completed',
  'workflow.line.setup': 'Setup',
  'workflow.line.none': 'none',
  'workflow.ready': 'Ready for: harness workflow "TASK"',
  'workflow.none': 'No workflow is under way   → harness workflow "TASK"',
  'workflow.there': '[harness] Previous session detected.',
  'workflow.there-v1': '[harness] Previous session detected (v1).',
  'workflow.session': 'Resume it, restart, or stop? ({options})',
  'workflow.session-resume': 'continue from here: {phase}',
  'workflow.session-restart': 'delete the files of this session and start over',
  'workflow.session-stop': 'delete the files of this session and start nothing',
  'workflow.conflict': 'A session of /{skill} is under way here. Delete it and start a workflow? ({options})',
  'workflow.conflict-delete': 'delete the files of that session and start',
  'workflow.conflict-cancel': 'keep it and start nothing',
  'workflow.mode': 'Which mode? ({options}; Enter: {recommended})',
  'workflow.mode-standard': 'two specialists propose, a third combines their proposals; about 1.5 times the tokens',
  'workflow.mode-single': 'one agent: fast and cheap, for simple tasks',
  'workflow.mode-multi': 'three specialists who also review each other; about 2 to 2.5 times the tokens',
  'workflow.models': 'Which models? ({options}; or executor:MODEL,advisor:MODEL,evaluator:MODEL; Enter: {recommended})',
  'workflow.models-default': 'the default of each agent',
  'workflow.models-all-opus': 'opus everywhere: the best quality',
  'workflow.models-balanced': 'sonnet builds, opus advises and evaluates: good quality for its price',
  'workflow.models-economy': 'haiku builds, sonnet advises and evaluates: the cheapest',
  'workflow.models-wrong': 'Not understood: {wrong}. Allowed: {allowed}.',
  'workflow.started': '[harness] Task started!',
  'workflow.resumed-set-up': 'Continuing an unfinished set-up.',
  'workflow.assumed': 'Not asked: {names} as recommended.',
  'workflow.branch-other': 'The branch {wanted} already exists with other work: this session uses {branch}.',
  'workflow.verifier-dear': '⚠ The verifier is {model}: expensive for a mechanical check. haiku is usually enough.',
  'workflow.docs-path-invalid': '⚠ The docs_path of the session cannot be used: {path}. Starting over.',
  'workflow.next': 'Next: harness workflow[[ {step}]]',
  'workflow.halted': 'Nothing was started. The session is unchanged.',
  'workflow.stopped':
    'The files of the session are deleted. Nothing was started. Logs, costs and the work tree are unchanged.',
} satisfies PlaybookSentences['texts'];

/** Why a path is refused, by the rule that refuses it. */
const words = {
  'path-empty': 'it is empty',
  'path-malformed': 'it is not valid text',
  'path-control': 'it has control characters',
  'path-invisible': 'it has invisible characters',
  'path-too-long': 'it is too long',
  'path-unc': 'paths of network shares are not allowed',
  'path-absolute': 'it must be relative to the repository',
  'path-drive': 'it must be relative, without a drive',
  'path-stream': 'it has a colon',
  'path-backslash': 'it has a backslash',
  'path-parent': "it must not contain '..'",
  'path-dot-segment': "a part of it is '.'",
  'path-empty-segment': 'a part of it is empty',
  'path-look-alike': 'it has characters that look like a dot or a slash',
  'path-encoded': 'it is encoded with percent signs',
  'path-not-composed': 'it is not in Unicode normal form C',
  'path-blank-or-dot-at-the-edge': 'a name in it begins or ends with a space or a dot',
  'path-device': 'it names a device',
  'path-short-name': 'it is a short name of something else',
  'path-wildcard': 'it has a character that shells expand',
  'path-option': 'it reads as an option',
  'path-home': 'it reads as a home folder',
  'path-git-folder': "it leads into git's own folder",
  'path-reserved': 'it begins with a reserved name',
  'path-other-docs': 'below docs/ it must be docs/harness/',
  'path-no-slug': 'it is not the folder of one task',
  'path-harness-folder': 'it is in a folder of the harness',
  'path-configuration': 'it is the configuration of the harness',
  'path-artifact': 'it is among the artifacts of the workflow',
  'path-out-of-scope': 'it is outside the scope',
  'path-unknown': 'it cannot be read',
  'path-link-out': 'a link in it leads out of the repository',
  'path-link-lost': 'a link in it leads nowhere',
  'path-below-a-file': 'a part of it is not a folder',
  'path-link-itself': 'it is a link',
  'path-link-in-diff': 'it goes through a link',
  'path-link-to-refused': 'a link in it leads to a path that is not allowed',
  'path-other-spelling': 'it exists in another spelling',
  'path-no-file': 'it is not a regular file',
  'path-no-folder': 'it exists and is not a folder',
  'path-hard-linked': 'the file has other names',
  // why a proposed patch is not applied
  'patch-no-diff-block': 'the file of the patch has no diff block',
  'patch-no-hunk': 'the diff has no hunk',
  'patch-no-header': 'the diff does not name the file that it changes',
  'patch-name': 'the diff has a file name that cannot be read',
  'patch-rename': 'the diff renames or copies a file',
  'patch-binary': 'the diff is of a binary file',
  'patch-mode': 'the diff changes the mode of a file',
  'patch-hunk': 'a hunk of the diff is damaged',
  'patch-too-long': 'the diff is too long',
  'patch-other': 'the patch is not the one that you were shown',
} satisfies PlaybookSentences['words'];

const outcomes = {
  'workflow-phase-done': 'the phase is done; harness run starts the next',
  'workflow-kept': 'done, and left uncommitted as you chose',
  'workflow-accepted': 'committed as you accepted it: not everything passed',
} satisfies PlaybookSentences['outcomes'];

export const sentences: PlaybookSentences = { failures, gates, outcomes, words, texts };
