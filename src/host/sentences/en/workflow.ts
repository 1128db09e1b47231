// English: a workflow from its beginning to its end: its questions, what it refuses, and what a person sees of it.
import type { FailureSection, GateWords } from '../shape.ts';

/** Of machine and set-up alike (reference 004, AskUserQuestion). */
export const workflowSubjects = {
  // {lines}: of CLAUDE.md; '' where there is none
  'workflow-conventions': {
    header: 'Conventions',
    question:
      'No CLAUDE.md says enough about how this project is written[[ (it has {lines} lines)]]. Shall an agent read the code and write down its conventions (data, interfaces, files, tests)? The plan then follows them.',
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
  // {file, preview}
  'workflow-spec': {
    header: 'Spec',
    question:
      'The specification is in {file}. Look through it: building it costs the larger part of the tokens.[[\n{preview}]]\nIs this to be built?',
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
      'A fix is proposed[[ by {model}]] (confidence: {#confidence})[[: {summary}]].[[\nIt changes:\n{paths}]]\nShall it be applied?',
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
  // {branch, files}
  'workflow-commit': {
    header: 'Commit',
    question: 'The work is done[[ on {branch}]][[ ({files} files)]]. How should it be finished?',
    options: {
      'code-only': {
        label: 'Commit code',
        description: 'Commit the code and what a specification leaves for good; the other notes of the workflow go.',
      },
      all: { label: 'Commit all', description: 'Commit everything, the notes of the workflow too.' },
      none: { label: 'No commit', description: 'Clean up the workflow’s own files; the work stays in the work tree.' },
    },
  },
} as const satisfies { readonly [subject: string]: GateWords };

export const workflow = {
  // {file}
  'workflow-missing': {
    title: 'No workflow is under way here.',
    why: 'There is no {file}, or the session in it has ended.',
    mend: ['harness workflow "TASK"'],
  },
  // {file}
  'workflow-unfinished': {
    title: 'The workflow has not been set up to the end.',
    why: '{file} has no phase yet.',
    mend: ['harness workflow'],
  },
  // {file, skill}
  'workflow-foreign': {
    title: '{file} belongs to a session of /{skill}.',
    why: 'Nothing of it is touched without your word.',
    mend: ['End that session first, or let it be deleted: harness workflow "TASK"'],
  },
  // {step, first, files}
  'workflow-too-early': {
    title: 'It is too early to {step}: run {first} first.',
    why: '[[{files} is not there.]]',
    mend: ['harness workflow {first}'],
  },
  // {path}
  'workflow-docs-path': {
    title: 'The folder of the session is not one that may be used: {path}',
    why: 'It stands in state.json as docs_path, and it would lead out of its place.',
    mend: ['Correct docs_path in .harness/state.json, or begin anew: harness workflow "TASK"'],
  },
  // {branch, at}
  'workflow-branch': {
    title: 'The workflow works on branch {branch}, and here is {at}.',
    why: 'Its work would land on another branch than was said.',
    mend: ['git switch {branch}'],
  },
  'workflow-one-task': {
    title: 'A workflow has one task.',
    why: 'There is no list in which items could be added, left out or marked.',
    mend: ['harness gates', 'harness workflow "TASK"'],
  },
  // {stage}
  'workflow-no-session': {
    title: 'No session is next: {stage}.',
    why: 'The harness itself, or a person, goes on there.',
    mend: ['harness run', 'harness gates'],
  },
} as const satisfies FailureSection;
