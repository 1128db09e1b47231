// English: the report of a run (`harness report`).
import type { Phrase } from '../../../model/sentences.ts';

export const reportTexts = {
  // {project, run}
  'report.title': '{project}: run {run}',
  // {landed, caught, unfinished, questions}
  'report.lead': '{landed} landed, {caught} caught, {unfinished} without a result, {questions} questions are open',
  'report.when': 'When',
  // {from, to, forMs}
  'report.time': '{from} to {to} UTC[[, {forMs}]]',
  // {from, forMs}
  'report.so-far': 'since {from} UTC[[, {forMs}]]',
  'report.end': 'End',
  'report.cost': 'Cost',
  // {money, tokens, cached}
  'report.spent': '{money} (an estimate), {tokens} tokens, {cached} of the input from a cache',
  'report.sessions': 'Sessions',
  'report.landed': 'Landed',
  'report.landed-order': 'What to look at first comes first.',
  'report.nothing-landed': 'Nothing landed.',
  'report.caught': 'Caught: refused, and not in your branch',
  'report.nothing-caught': 'Nothing was refused.',
  'report.unfinished': 'Without a result',
  'report.decisions': 'Decided',
  'report.no-decisions': 'No question was answered.',
  'report.questions': 'Open questions',
  'report.no-questions': 'No question is open.',
  'report.risk.unconfirmed': 'the repository does not confirm it',
  'report.risk.doubt': 'landed in spite of a doubt',
  'report.risk.unproved': 'no proof is named',
  'report.risk.person': 'a person’s word only',
  'report.risk.exit-code': 'exit codes only',
  'report.risk.warned': 'warnings',
  'report.risk.large': 'many lines',
  'report.tests': 'proved by tests',
  'report.taken-back': 'undone later in the run',
  // {files, added, removed}
  'report.diff': {
    one: '{files} file, +{added} −{removed} lines',
    other: '{files} files, +{added} −{removed} lines',
  },
  'report.diff-unknown': 'its size is not known',
  // {commit, session}
  'report.commit': 'commit {commit}, session {session}',
  // {count}
  'report.handed-back': {
    one: 'checks failed {count} time before, and the work was handed back',
    other: 'checks failed {count} times before, and the work was handed back',
  },
  // {evidence}
  'report.evidence': 'evidence: {evidence}',
  // {attempt}
  'report.attempt': 'kept: {attempt}',
  // {session}
  'report.session': 'session {session}',
  // {by, option, at}
  'report.answer': '{by}: {option} ({at} UTC)',
  // {subject, by, option}
  'report.let': '{by} answered {option} to {subject}',
  // {file}
  'report.written': 'written: {file}',
} as const satisfies { readonly [key: string]: Phrase };
