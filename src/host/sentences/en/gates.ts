// English: questions to people, the options they have, and answers that cannot be taken.
import type { FailureSection, GateSentences, OptionSentences } from '../shape.ts';

export const gates = {
  // {gate, open}
  'gate-unknown': {
    title: 'There is no gate {gate}.',
    why: '[[Open gates: {open}.]]',
    fix: ['harness gates'],
  },
  // {gate, matches}
  'gate-ambiguous': {
    title: '{gate} matches more than one gate: {matches}.',
    why: '',
    fix: ['harness gates'],
  },
  // {gate, option, allowed}
  'gate-option-unknown': {
    title: 'Gate {gate} has no option {option}.',
    why: 'Allowed: {allowed}.',
    fix: ['harness gates show {gate}'],
  },
  // {gate, option, by, at}
  'gate-already-answered': {
    title: 'Gate {gate} is already answered: {option}, by {by} at {at}.',
    why: 'The first answer counts.',
    fix: ['harness gates   (lists open gates)'],
  },
  // {gate, why, at, next}
  'gate-withdrawn': {
    title: 'Gate {gate} no longer waits for an answer: it was withdrawn at {at}.',
    why: '[[{#why}. ]][[The question is asked again as {next}.]]',
    fix: ['harness gates   (lists open gates)'],
  },
} as const satisfies FailureSection;

/** Subjects of questions. {item} is the item's id. */
export const subjects = {
  // {sessions}
  'feature-stuck': {
    header: 'Stuck',
    question: 'Item {item} has not been completed in {sessions} sessions. How should it continue?',
  },
  // {detail}
  'verification-failed': {
    header: 'Not verified',
    question: 'The agent reported item {item} as done, but the harness could not verify it.[[ {detail}]] What now?',
  },
  // {count, session, tests}
  regression: {
    header: 'Regression',
    question: {
      one: '{count} test that passed before fails after session {session}[[: {tests}]]. What now?',
      other: '{count} tests that passed before fail after session {session}[[: {tests}]]. What now?',
    },
  },
  // {attempts}
  'repeated-failures': {
    header: 'Fails again',
    question: 'Item {item} has failed verification {attempts} times. What now?',
  },
  // {check}
  'sanity-failed': {
    header: 'Broken app',
    question: 'The application is still broken after an attempt to repair it[[ ({check})]]. What now?',
  },
  // {command}
  'reset-failed': {
    header: 'Reset failed',
    question: 'A clean state could not be reached[[: {command} failed]]. The environment needs a person. What now?',
    options: {
      manual: {
        label: 'Repair it myself',
        description: 'You repair the environment; the run continues when you say so.',
      },
    },
  },
  // {scope}, and of one unit {spentUsd, limitUsd}, {spentTokens, limitTokens} or {spentMs, limitMs}
  'budget-exceeded': {
    header: 'Budget',
    question:
      '[[{spentUsd} is spent, the limit is {limitUsd}]][[{spentTokens} tokens are used, the limit is {limitTokens}]][[Agents have worked for {spentMs}, the limit is {limitMs}]][[ ({#scope})]]. How should it continue?',
  },
  // {cycle}
  'dependency-cycle': {
    header: 'Cycle',
    question: 'Items depend on each other in a cycle: {cycle}. None of them can be started. What now?',
    options: {
      skip: { label: 'Skip them', description: 'Skip the items of the cycle; items that depend on them wait.' },
    },
  },
  // {done, total, count}
  'false-positives': {
    header: 'Tests fail',
    question: {
      one: 'Every item is marked as done, but {count} test that passed before fails[[ ({items})]]. What now?',
      other: 'Every item is marked as done, but {count} tests that passed before fail[[ ({items})]]. What now?',
    },
    options: {
      reset: {
        label: 'Reset them',
        description: 'Mark the items whose tests fail as not done, and work on them again.',
      },
    },
  },
  // {steps, max, files, maxFiles, lines, maxLines}
  'large-feature': {
    header: 'Large item',
    question:
      'Item {item} is larger than recommended for one session[[ ({steps} verification steps, at most {max} are recommended)]][[ ({files} files, at most {maxFiles} are recommended)]][[ (about {lines} lines, at most {maxLines} are recommended)]]. How should it continue?',
    options: {
      proceed: { label: 'Continue anyway', description: 'Work on it as it is, and do not ask again for this item.' },
    },
  },
  // {detail}
  tampering: {
    header: 'Tampering',
    question: 'Files that belong to the harness were changed during session {session}.[[ {detail}]] What now?',
  },
  // {title, passed, checks, steps, files}
  'manual-verification': {
    header: 'Verify',
    question:
      'Item {item} ({title}) is implemented; its automated checks pass[[: {held}]][[ ({passed} tests pass)]].[[ Not possible: {notPossible}.]] The rest needs a person; the work is in the working tree. Does it work?[[\nTo check:\n{checks}]][[\nSteps:\n{steps}]][[\nShown in:\n{files}]]',
    options: {
      verified: { label: 'It works', description: 'The item lands, with your name on it.' },
      failed: {
        label: 'It does not',
        description: 'The work is kept as an attempt and rolled back; the next session receives your note (-m).',
      },
    },
  },
  // {count}; the doubts are listed below
  'doubtful-proof': {
    header: 'Doubt',
    question:
      'The checks of item {item} pass[[ ({held})]], but it is doubtful what they prove.[[ Not possible: {notPossible}.]] Should it land?',
    options: {
      land: { label: 'Land', description: 'You have reviewed it: the work lands, and the commit says who decided.' },
      reject: {
        label: 'Reject',
        description: 'The work is rolled back and kept as an attempt; the next session is given the reason.',
      },
    },
  },
  // {item, count, file}
  'landing-in-the-way': {
    header: 'Your files',
    question:
      'Item {item} is done, and landing it would change files that you are changing in your work tree. Are they committed or stashed now?',
    options: {
      retry: { label: 'Land it now', description: 'Your work tree follows; the proved work is not done again.' },
      reject: { label: 'Reject', description: 'The work is kept as an attempt; the item is tried again.' },
    },
  },
  // {item, title}
  unproved: {
    header: 'No proof',
    question: 'Nothing shows whether item {item} is done: it has no validation command. Should the work land?',
    options: {
      land: { label: 'Land', description: 'The work lands by your decision, and the commit says so.' },
      reject: {
        label: 'Reject',
        description: 'The work is rolled back and kept as an attempt; the item is tried again.',
      },
      skip: { label: 'Skip', description: 'The work is kept as an attempt; the item is not worked on any more.' },
    },
  },
  // {reason, provider, rests}
  'agent-unavailable': {
    header: 'No agent',
    question:
      'The agent[[ {provider}]] is not available: {#reason}. The run has waited {rests} times. How should it continue?',
    options: {
      retry: { label: 'Try again', description: 'Start another session now; the count of waits is reset.' },
    },
  },
} as const satisfies { readonly [subject: string]: GateSentences };

/** A question whose subject has no text of its own. */
export const otherSubject: GateSentences = {
  header: 'Decision',
  question: 'A decision is needed: {subject}[[ (item {item})]].',
};

export const options = {
  split: { label: 'Split', description: 'You split the item into smaller ones in the backlog; then work continues.' },
  manual: { label: 'Do it myself', description: 'The harness leaves the item alone until you hand it back.' },
  'manual-verify': { label: 'Verify myself', description: 'You check the work and decide whether it works.' },
  verified: { label: 'Verified', description: 'A person checked it, and it works.' },
  failed: { label: 'Failed', description: 'A person checked it, and it does not work.' },
  skip: { label: 'Skip', description: 'Skip this item and continue with the next; items that depend on it wait.' },
  abort: { label: 'End the run', description: 'Nothing more is started; everything done so far is saved.' },
  retry: { label: 'Try again', description: 'One more session for this item, with a report of what failed.' },
  rollback: {
    label: 'Roll back',
    description: 'Return to the state before the session; its work is kept as an attempt.',
  },
  keep: { label: 'Keep', description: 'Keep the work as it is.' },
  increase: {
    label: 'Raise limit',
    description: 'The configured amount may be spent once more; then work continues.',
  },
  pause: { label: 'Pause', description: 'Everything is saved until: harness resume' },
  edit: { label: 'Edit backlog', description: 'You correct the backlog; then work continues.' },
  reset: { label: 'Reset', description: 'Mark failing items as not done.' },
  investigate: { label: 'Investigate', description: 'Nothing is changed; a person finds the cause.' },
  proceed: { label: 'Proceed', description: 'Continue as it is.' },
  accept: { label: 'Accept', description: 'Accept the work as it is.' },
  reject: { label: 'Reject', description: 'Reject the work; it is kept as an attempt.' },
  continue: { label: 'Continue', description: 'Continue with the next step.' },
} as const satisfies { readonly [id: string]: OptionSentences };
