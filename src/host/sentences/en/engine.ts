// English: the harness's own state, and why an item or a run ended as it did.
import type { FailureSection, Sentences } from '../shape.ts';

export const engine = {
  // {file, why, detail}
  'state-unreadable': {
    title: 'The state in {file} cannot be read[[: {#why}]].',
    why: '[[{detail}. ]]What was recorded there is not guessed at.',
    mend: ['Correct the file, put a copy back (.harness/checkpoints/ has some), or move it away: then it begins anew.'],
  },
  // {file, found, supported}
  'state-newer': {
    title: '{file} was written by a newer harness (schema {found}; this one knows {supported}).',
    why: 'An older program could destroy what it does not understand.',
    mend: ['Update the harness.'],
  },
  // {file, found, supported}
  'state-older': {
    title: '{file} was written by an older harness (schema {found}; this one needs {supported}).',
    why: '',
    mend: ['Use the harness that wrote it, or move the file away: then it begins anew.'],
  },
  // {file, line, detail}
  'journal-broken': {
    title: 'The journal {file} is damaged[[ at line {line}]].',
    why: '[[{detail}\n]]A cut end is normal after a crash and is repaired; a damaged middle is not, and is not guessed at.',
    mend: ['Restore the file from a backup, or move it away to start from the state files.'],
  },
  // {file}
  'edited-in-window': {
    title: '{file} was changed while an agent could write.',
    why: 'Whether a person or the agent did it cannot be told, so the version before was put back.',
    mend: ['Make the edit again while no run is live, if it was yours.'],
  },
} as const satisfies FailureSection;

export const outcomes: Sentences['outcomes'] = {
  verified: 'every check passed, and the harness ran them itself',
  landed: 'verified and committed',
  unproved: 'committed without proof: no check was configured for it',
  'nothing-left': 'every item has landed',
  'nothing-ready': 'no item can be started: those that are left wait for others',
  'verification-failed': 'it was claimed to be done, but the checks did not pass',
  regression: 'tests that passed before failed afterwards',
  partial: 'the session ended before the work was done; the next one continues it',
  'nothing-claimed': 'the session ended without a claim that anything is done',
  tampering: 'files that belong to the harness were changed during the session',
  'waiting-at-gate': 'a question waits for an answer',
  'agent-failed': 'the agent failed',
  'limit-reached': 'a limit was reached',
  'budget-exhausted': 'the budget is used up',
  aborted: 'a person ended it',
  skipped: 'a person left it out',
  paused: 'a person paused it',
  stopped: 'a person stopped it',
  incomplete: 'the session ended before the work was done; the next one continues it',
  timeout: 'the session ran into its time limit; its work is kept and continued',
  context_limit: 'the context was full; the work is kept and continued',
  user_pause: 'a person paused it; the work is kept and continued',
  'output-limit': 'the agent talked without end and was stopped (session.max_output_bytes)',
  'session-lost': 'the session was begun by another version and cannot be resumed',
  'max-sessions': 'as many sessions as were asked for',
  'max-items': 'as many items as were asked for',
  asked: 'a person asked for it',
  'decided-split': 'a person will split it',
  'decided-manual': 'a person will do it by hand',
  'decided-abort': 'a person ended it',
  'decided-skip': 'a person left it out',
  gate: 'a question waits for an answer',
  'session-interrupted': 'an interrupted session has to be finished first: harness run',
  applied: 'what was asked for is done',
  initialised: 'the project is set up',
  'tests-failed': 'the harness ran its tests and they fail',
  'init-rejected': 'what the initializer made is not valid',
  'tree-changed-since-check': 'files changed after they were checked',
};
