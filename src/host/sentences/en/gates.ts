// English: questions to people, the options they have, and answers that cannot be taken.
import type { FailureSection, GateSentences, OptionSentences } from '../shape.ts';

export const gates = {
  // {gate, open}
  'gate-unknown': {
    title: 'There is no gate {gate}.',
    why: '[[Waiting for an answer: {open}.]]',
    mend: ['harness gates'],
  },
  // {gate, matches}
  'gate-ambiguous': {
    title: '{gate} could be more than one gate: {matches}.',
    why: '',
    mend: ['harness gates'],
  },
  // {gate, option, allowed}
  'gate-option-unknown': {
    title: 'Gate {gate} has no option {option}.',
    why: 'Allowed: {allowed}.',
    mend: ['harness gates show {gate}'],
  },
  // {gate, option, by, at}
  'gate-already-answered': {
    title: 'Gate {gate} is already answered: {option}, by {by} at {at}.',
    why: 'The first answer holds.',
    mend: ['harness gates   (what still waits)'],
  },
  // {gate, why, at, next}
  'gate-withdrawn': {
    title: 'Gate {gate} no longer waits for an answer: it was withdrawn at {at}.',
    why: '[[{why}. ]][[The question is asked again as {next}.]]',
    mend: ['harness gates   (what still waits)'],
  },
} as const satisfies FailureSection;

/** Subjects of questions (reference 000, Escalation Triggers). {item} is the item's id. */
export const subjects = {
  // {sessions}
  'feature-stuck': {
    header: 'Stuck',
    question: 'Item {item} has not been completed in {sessions} sessions. How should it go on?',
  },
  // {detail}
  'verification-failed': {
    header: 'Not verified',
    question: 'The agent said item {item} is done, but the harness could not verify it.[[ {detail}]] What now?',
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
        description: 'You repair the environment; the run goes on when you say so.',
      },
    },
  },
  // {scope, spentUsd, limitUsd}
  'budget-exceeded': {
    header: 'Budget',
    question: 'It has cost {spentUsd}, the limit is {limitUsd}[[ ({scope})]]. How should it go on?',
  },
  // {cycle}
  'dependency-cycle': {
    header: 'Circle',
    question: 'Items depend on each other in a circle: {cycle}. None of them can be started. What now?',
    options: { skip: { label: 'Skip them', description: 'Leave out the items of the circle; what needs them waits.' } },
  },
  // {done, total, count}
  'false-positives': {
    header: 'Tests fail',
    question: {
      one: 'Every item is marked as done, but {count} test that held before fails[[ ({items})]]. What now?',
      other: 'Every item is marked as done, but {count} tests that held before fail[[ ({items})]]. What now?',
    },
    options: {
      reset: {
        label: 'Reset them',
        description: 'Mark the items whose tests fail as not done, and work on them again.',
      },
    },
  },
  // {steps, limit}
  'large-feature': {
    header: 'Large item',
    question:
      'Item {item} is larger than one session should take[[: {steps} verification steps, at most {max} are recommended]][[: {files} files]][[: about {lines} lines]]. How should it go on?',
    options: {
      proceed: { label: 'Go on anyway', description: 'Work on it as it is, and do not ask again for this item.' },
    },
  },
  // {detail}
  tampering: {
    header: 'Tampering',
    question: 'Files that belong to the harness were changed during session {session}.[[ {detail}]] What now?',
  },
  // {title, passed, checks, steps, files}
  'manual-verification': {
    header: 'Look at it',
    question:
      'Item {item} ({title}) is built; whatever can be run holds[[ ({passed} tests pass)]]. The rest only a person can see; the work stands in the work tree. Does it hold?[[\nTo check:\n{checks}]][[\nSteps:\n{steps}]][[\nShown in:\n{files}]]',
    options: {
      verified: { label: 'It holds', description: 'The item lands, with your name on it.' },
      failed: {
        label: 'It does not',
        description: 'The work is kept as an attempt and rolled back; the next session is told what you say (-m).',
      },
    },
  },
  // {count}; the doubts stand below
  'doubtful-proof': {
    header: 'Doubt',
    question: 'Every check of item {item} holds, but what they prove is in doubt. Should it land?',
    options: {
      land: { label: 'Land', description: 'You looked at it: the work lands, and the commit says who decided.' },
      reject: {
        label: 'Reject',
        description: 'The work is rolled back and kept as an attempt; the next session is told why.',
      },
    },
  },
  // {item, title}
  unproved: {
    header: 'No proof',
    question: 'Nothing says whether item {item} is done: it names no command that proves it. Should the work land?',
    options: {
      land: { label: 'Land', description: 'The work lands on your word, and the commit says so.' },
      reject: {
        label: 'Reject',
        description: 'The work is rolled back and kept as an attempt; the item is tried again.',
      },
      skip: { label: 'Leave out', description: 'The work is kept as an attempt; the item is not worked on any more.' },
    },
  },
  // {reason, provider, rests}
  'agent-unavailable': {
    header: 'No agent',
    question:
      'The agent[[ {provider}]] cannot be had: {#reason}. The run has rested {rests} times for it. How should it go on?',
    options: {
      retry: { label: 'Try again', description: 'Begin another session now; the count of rests begins anew.' },
    },
  },
} as const satisfies { readonly [subject: string]: GateSentences };

/** A question whose subject has no words of its own. */
export const otherSubject: GateSentences = {
  header: 'Decision',
  question: 'A decision is needed: {subject}[[ (item {item})]].',
};

export const options = {
  split: { label: 'Split', description: 'You split the item into smaller ones in the backlog; then it goes on.' },
  manual: { label: 'Do it myself', description: 'The harness keeps away from the item until you hand it back.' },
  'manual-verify': { label: 'Verify myself', description: 'You look at the work and say whether it holds.' },
  verified: { label: 'Verified', description: 'A person looked at it, and it holds.' },
  failed: { label: 'Failed', description: 'A person looked at it, and it does not hold.' },
  skip: { label: 'Skip', description: 'Leave this item out and go on with the next; what depends on it waits.' },
  abort: { label: 'End the run', description: 'Nothing more is started; everything done so far is saved.' },
  retry: { label: 'Try again', description: 'One more session for this item, told what failed.' },
  rollback: {
    label: 'Roll back',
    description: 'Back to the state before the session; its work is kept as an attempt.',
  },
  keep: { label: 'Keep', description: 'Keep the work as it stands.' },
  increase: {
    label: 'Raise limit',
    description: 'As much again may be spent, on top of the configured limit; then it goes on.',
  },
  pause: { label: 'Pause', description: 'Everything is saved and waits until: harness resume' },
  edit: { label: 'Edit backlog', description: 'You correct the backlog; then it goes on.' },
  reset: { label: 'Reset', description: 'Mark what does not hold as not done.' },
  investigate: { label: 'Look into it', description: 'Nothing is changed; a person finds out what broke.' },
  proceed: { label: 'Go on', description: 'Go on as it is.' },
  accept: { label: 'Accept', description: 'Take the work as it is.' },
  reject: { label: 'Reject', description: 'Do not take the work; it is kept as an attempt.' },
  continue: { label: 'Continue', description: 'Go on with the next step.' },
} as const satisfies { readonly [id: string]: OptionSentences };
