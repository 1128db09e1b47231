// English: a workflow from its beginning to its end: its questions, what it refuses, and what a person sees of it.
import type { PlaybookSentences } from '../../../model/sentences.ts';

const gates = {
  // {lines}: from so many on a CLAUDE.md says enough
  'workflow-conventions': {
    header: 'Conventions',
    question:
      'No CLAUDE.md[[ of {lines} lines or more]] says how this project is written. Shall an agent read the code and write down its conventions (data, interfaces, files, tests)? The plan then follows them.',
    options: {
      scan: { label: 'Scan', description: 'One short session that reads the code and writes the conventions down.' },
      skip: { label: 'Skip', description: 'Plan without them; this is not asked again.' },
    },
  },
  // {file}
  'workflow-scan': {
    header: 'Scan failed',
    question: 'The scan for conventions ended, but {file} is not there. Shall it be tried again?',
    options: {
      retry: { label: 'Try again', description: 'Run the scan once more.' },
      skip: { label: 'Skip', description: 'Plan without conventions.' },
    },
  },
  // {file, summary, preview}
  'workflow-spec': {
    header: 'Spec',
    question:
      'The specification is in {file}[[: {summary}]]. Look through it: building it costs the larger part of the tokens.[[\n{preview}]]\nIs this to be built?',
    options: {
      proceed: { label: 'Build it', description: 'Begin the implementation as the specification says.' },
      modify: {
        label: 'Change it',
        description: 'Say what is to be different (-m), or edit the file; it is shown again.',
      },
      stop: { label: 'Stop', description: 'Nothing is built; the session stays as it is and can be resumed.' },
    },
  },
  // {summary, report, retries}
  'workflow-verify': {
    header: 'Verify',
    question:
      'The checks still fail after {retries} attempts to mend it[[: {summary}]].[[ All of it: {report}.]] How should it go on?',
    options: {
      'auto-fix': {
        label: 'Propose a fix',
        description: 'A strong model looks into the failure and proposes a small patch; once in a session.',
      },
      continue: { label: 'Evaluate', description: 'Leave the failing checks as they are and go on to the evaluation.' },
      stop: { label: 'Stop', description: 'It ends here for a person to look into it; it can be resumed.' },
    },
  },
  // {confidence, summary, model, paths}
  'workflow-auto-fix': {
    header: 'Auto-fix',
    question:
      'A fix is proposed[[ by {model}]] (confidence: {#confidence})[[: {summary}]].[[\nIt changes: {paths}]]\nShall it be applied?',
    options: {
      apply: {
        label: 'Apply it',
        description: 'The patch goes in and all checks run again; attempts so far stay counted.',
      },
      reject: {
        label: 'Reject it',
        description: 'The patch is dropped; the question before comes again, without a proposal.',
      },
      stop: { label: 'Stop', description: 'Nothing is applied; it ends here for a person to look into it.' },
    },
  },
  // {summary, report, layer, round, max}
  'workflow-qa': {
    header: 'QA',
    question:
      'The evaluation says FAIL (layer {layer}, round {round} of {max})[[: {summary}]].[[ All of it: {report}.]] How should it go on?',
    options: {
      fix: { label: 'Fix', description: 'Another round, told what failed.' },
      accept: { label: 'Accept', description: 'Finish with the work as it is.' },
    },
  },
  // {branch, folder, files}
  'workflow-commit': {
    header: 'Commit',
    question:
      'The work is done[[ on {branch}]][[ ({files} files)]][[; the notes of the workflow are in {folder}]]. How should it be finished?',
    options: {
      'code-only': {
        label: 'Commit code',
        description: 'Commit the code and what a specification leaves for good; the other notes of the workflow go.',
      },
      all: { label: 'Commit all', description: 'Commit everything, the notes of the workflow too.' },
      none: { label: 'No commit', description: 'Clean up the workflow’s own files; the work stays in the work tree.' },
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
    title: 'The workflow has not been set up to the end.',
    why: '{file} has no phase yet.',
    fix: ['harness workflow'],
  },
  // {file, path, count}
  'workflow-uncommitted': {
    title: 'The workflow is completed, and nothing of it is committed.',
    why: '{file} says completed, and no question is open. {count} files are not committed, {path} for one.',
    fix: [
      'git add … && git commit',
      '"phase": "evaluate_done" in {file}, then harness run   (asks again how it is to be finished)',
    ],
  },
  // {file, skill}
  'workflow-foreign': {
    title: '{file} belongs to a session of /{skill}.',
    why: 'Nothing of it is touched without your word.',
    fix: ['End that session first, or let it be deleted: harness workflow "TASK"'],
  },
  // {branch, at}
  'workflow-branch': {
    title: 'The workflow works on branch {branch}, and here is {at}.',
    why: 'Its work would land on another branch than was said.',
    fix: ['git switch {branch}'],
  },
  'workflow-one-task': {
    title: 'A workflow has one task.',
    why: 'There is no list in which items could be added, left out or marked.',
    fix: ['harness gates', 'harness workflow "TASK"'],
  },
  // {stage}
  'workflow-no-session': {
    title: 'No session is next: {stage}.',
    why: 'The harness itself, or a person, goes on there.',
    fix: ['harness run', 'harness gates'],
  },
  // {item}
  'workflow-verifies-itself': {
    title: 'A workflow is verified by its own step.',
    why: 'Its commands are its own: build, tests, linter and type-check, as .harness/state.json names them.',
    fix: ['harness workflow verify', 'harness evidence verify {item}   (what landed)'],
  },
  // {step, first, missing}
  'workflow-step-first': {
    title: 'harness workflow {step} cannot begin: {first} has not been done yet.',
    why: '[[Missing: {missing}.]]',
    fix: ['harness workflow {first}'],
  },
  // {path, rule, part}
  'workflow-docs-path': {
    title: 'The folder of artifacts {path} cannot be used: {#rule}[[ ({part})]].',
    why: 'What is written and deleted there would not be the workflow’s own.',
    fix: ['harness workflow --on-session restart   (begins anew)', 'Correct docs_path in .harness/state.json.'],
  },
  // {task, phase}
  'workflow-under-way': {
    title: 'A session is under way here ({phase}), and nobody can be asked what becomes of it.',
    why: '[[Its task: {task}\n]]Nothing is deleted without an answer.',
    fix: [
      'harness workflow --on-session resume',
      'harness workflow "TASK" --on-session restart',
      'harness workflow --on-session stop',
    ],
  },
  // {skill}
  'workflow-conflict': {
    title: 'A session of /{skill} is under way here, and nobody can be asked what becomes of it.',
    why: 'Nothing is deleted without an answer.',
    fix: ['harness workflow "TASK" --on-conflict delete', 'harness workflow --on-conflict cancel'],
  },
  // {file}
  'workflow-moved': {
    title: '{file} was changed while you were asked.',
    why: 'Your answer was about what stood there before.',
    fix: ['harness workflow'],
  },
} satisfies PlaybookSentences['failures'];

const texts = {
  // What a session says of itself: labels in small letters, then codes of values.
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
  'workflow.session-resume': 'go on from here: {phase}',
  'workflow.session-restart': 'delete the files of this session and begin anew',
  'workflow.session-stop': 'delete the files of this session and begin nothing',
  'workflow.conflict': 'A session of /{skill} is under way here. Delete it and begin a workflow? ({options})',
  'workflow.conflict-delete': 'delete the files of that session and begin',
  'workflow.conflict-cancel': 'keep it; nothing is begun',
  'workflow.mode': 'Which mode? ({options}; Enter: {recommended})',
  'workflow.mode-standard': 'two specialists propose, one joins what they found; about half as much again in tokens',
  'workflow.mode-single': 'one agent: fast and cheap, for simple tasks',
  'workflow.mode-multi':
    'three specialists who also criticise each other; about twice to two and a half times the tokens',
  'workflow.models': 'Which models? ({options}; or executor:MODEL,advisor:MODEL,evaluator:MODEL; Enter: {recommended})',
  'workflow.models-default': 'whatever each agent has by itself',
  'workflow.models-all-opus': 'opus everywhere: the best work',
  'workflow.models-balanced': 'sonnet builds, opus advises and evaluates: good work for its price',
  'workflow.models-economy': 'haiku builds, sonnet advises and evaluates: the cheapest',
  'workflow.models-wrong': 'Not understood: {wrong}. Allowed: {allowed}.',
  'workflow.started': '[harness] Task started!',
  'workflow.resumed-set-up': 'An unfinished set-up is taken up again.',
  'workflow.assumed': 'Nobody was asked: {names} as recommended.',
  'workflow.branch-other': 'The branch {wanted} is there already with other work: this session is on {branch}.',
  'workflow.verifier-dear': '⚠ The verifier is {model}: dear for a mechanical check. haiku usually does.',
  'workflow.docs-path-invalid': '⚠ The docs_path of the session cannot be used: {path}. It is begun anew.',
  'workflow.next': 'Next: harness workflow[[ {step}]]',
  'workflow.halted': 'Nothing was begun; the session is as it was.',
  'workflow.stopped':
    'The files of the session are deleted; nothing was begun. Logs, costs and the work in the tree are as they were.',
} satisfies PlaybookSentences['texts'];

/** Why a path is refused, by the rule that refuses it. */
const words = {
  'path-empty': 'it is empty',
  'path-malformed': 'it is not valid text',
  'path-control': 'it has control characters',
  'path-invisible': 'it has characters that nobody sees',
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
  'path-not-composed': 'its letters are written in pieces',
  'path-blank-or-dot-at-the-edge': 'a name in it begins or ends with a blank or a dot',
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
  'path-out-of-scope': 'it is outside of the scope',
  'path-unknown': 'nobody knows what is there',
  'path-link-out': 'a link in it leads out of the repository',
  'path-link-lost': 'a link in it leads nowhere',
  'path-below-a-file': 'a part of it is no folder',
  'path-link-itself': 'it is a link',
  'path-link-in-diff': 'it goes through a link',
  'path-link-to-refused': 'a link in it leads where it may not',
  'path-other-spelling': 'it is there in another spelling',
  'path-no-file': 'there is no plain file',
  'path-no-folder': 'there is something that is no folder',
  'path-hard-linked': 'the file has other names',
} satisfies PlaybookSentences['words'];

const outcomes = {
  'workflow-phase-done': 'the phase is over; the next one is begun by harness run',
  'workflow-kept': 'done, and left uncommitted as was asked for',
  'workflow-accepted': 'committed as a person accepted it: not everything passed',
} satisfies PlaybookSentences['outcomes'];

export const sentences: PlaybookSentences = { failures, gates, outcomes, words, texts };
