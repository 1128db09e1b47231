// English: confirmations, and the words of the command line itself.
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const cli = {
  // {path, rule, part}
  'output-dir-refused': {
    title: '--output-dir cannot be {path}: {#rule}[[ ({part})]].',
    why: 'It must be a folder of its own inside the repository; below docs/ only docs/harness/.',
    mend: ['harness workflow "TASK" --output-dir docs/harness', 'harness workflow "TASK" --output-dir out/notes'],
  },
  // {action, detail}
  'confirmation-needed': {
    title: '{action} needs your consent, and nobody can be asked here.',
    why: '[[{detail}]]',
    mend: ['Run it in a terminal, or add --yes.'],
  },
  // {command}
  'reason-needed': {
    title: '{command} needs a reason.',
    why: 'The reason stays visible on the item.',
    mend: ['--reason "why"'],
  },
  // {}
  paused: {
    title: 'This repository is paused.',
    why: 'Somebody ran "harness pause"; nothing is worked until it is resumed.',
    mend: ['harness resume'],
  },
  // {}
  'handed-off': {
    title: 'The work is handed off to a person.',
    why: 'Somebody ran "harness handoff"; nothing is worked until it is taken back.',
    mend: ['harness takeback'],
  },
  // {item}
  'session-at-gate': {
    title: 'A session on item {item} waits for an answer, and its work lies in the work tree.',
    why: 'What is changed there now could not be told from what was proved.',
    mend: ['harness gates', 'harness abort   (keeps its work as an attempt and begins anew)'],
  },
  // {}
  'abort-unfinished': {
    title: 'An abort was cut off.',
    why: 'Half of the state is cleared; nothing works on it until all of it is.',
    mend: ['harness abort'],
  },
} as const satisfies FailureSection;

export const texts = {
  'choice.unknown': 'No such option: {option}.',
  'help.what':
    'harness drives AI coding agents over a git repository, proves every result itself, lands it or rolls it back.',
  'help.first': 'First time here: harness demo. On your repository: harness init --spec FILE, then harness run.',
  'error.word': 'error:',
  // {message}
  'bug.title': 'error: unexpected: {message}. This is a bug of the harness; nothing is lost, run the command again.',
  // {file}
  'bug.report': 'The crash report is in {file}: please attach it when you report this.',
  'interrupt.gentle': 'Ending after this step and saving … (Ctrl-C again stops now)',
  // {keys}
  'notice.inert': 'Configured, but not acting in this version: {keys}',
  // {key, value, from}
  'notice.inferred': 'Not configured, worked out from {from}: {key} = {value}',
  'dry.nothing': 'Nothing would be run: no item is ready.',
  'dry.would': 'Would run session {session} with:',
  'dry.role': 'Prompt',
  'dry.item': 'Feature',
  'dry.test': 'Test file',
  'dry.prompt': 'The agent would be told:',
  'dry.unchanged': 'No changes made.',
  // {from, to}
  'say.migrating': 'The state is brought from schema {from} to {to}',
  // {backup}
  'say.migrated': 'The state is migrated[[; the old one is kept in {backup}/]]',
  'say.migrated-without':
    'The state is migrated; no copy of the old one is kept (compatibility.backup_before_migrate is false)',
  // {found, supported, backup}
  'say.newer-state':
    'The state was written by a newer harness (schema {found}; this one knows {supported}). Going on all the same, as configured[[; a copy is kept in {backup}/]].',
  'say.item': 'Session {session}: item #{item}',
  'say.session': '    agent at work ({role}, {provider})',
  // {role, said, why}: the first line of a session's answer; why: what the harness holds against it
  'say.said': '    {role}: {said}',
  'say.said-not': '    {role}[[: {said}]] — {why}',
  // {why, until, attempt, of}
  'say.wait': '    waiting: {#why}. Next try at {until} ({attempt} of {of})',
  // {count, used, window}: what the agent was told of the limits of its session
  'say.limit-context-warning': '    the context is filling ({used} of {window} tokens): the agent was told',
  'say.limit-context-wrap-up': '    the context is nearly full ({used} of {window} tokens): the agent has to wrap up',
  'say.limit-stuck': '    no progress: the agent was told',
  'say.limit-stuck-wrap-up': '    still no progress: the agent has to wrap up',
  'say.limit-same-error': '    the same error again and again: the agent was told',
  'say.limit-time-warning': '    the session’s time is nearly over: the agent was told',
  'say.limit-budget-wrap-up': '    the money is nearly used up: the agent has to wrap up',
  'say.limit-quota-wrap-up': '    the quota of its account is nearly used up: the agent has to wrap up',
  'say.limit-quota-limit': '    the quota of its account is used up: the session was ended',
  'say.limit-context-limit': '    the context is full ({used} of {window} tokens): the session was ended',
  'say.limit-stuck-ended': '    no progress: the session was ended',
  'say.limit-budget-limit': '    the money is used up: the session was ended',
  'say.limit-wall-limit': '    the session’s time is over: it was ended',
  'say.limit-idle-limit': '    the agent has said nothing for too long: its turn was ended',
  'say.limit-output-limit': '    the agent talks without end: its turn was ended',
  // {for, agent, window, percent, until}
  'say.stands-in': '    {for} can take no more ({window}: {percent} % used[[, until {until}]]): {agent} stands in',
  // {model}
  'say.budget-blind':
    '    a budget is set, and nobody knows what this agent costs[[ (model {model})]]: costs.prices in the configuration would let it act',
  // {recommended}
  'attend.which': 'Which? (an option, with a note behind it if you like; {recommended} is recommended; Enter: later)',
  'say.proof': '    proofs: {proofs}',
  'say.back': '    rolled back: {why}',
  'say.installed-back': '    put back as it was installed: {count} files',
  'say.installed-left': '    installed files were changed and are too many to be kept: {count}. Install them anew.',
  'say.landed': '    landed #{item} as {commit}',
  'say.undone':
    '    session {session} was interrupted: what was written since it began is kept as an attempt, it begins again[[\n    commits made meanwhile are in the attempt: {commits}]][[\n    → harness attempts take {item} {number}]]',
  'say.unplayable': '    turn {turn} of session {session} cannot be replayed: {#why}',
  'say.stashed': "    your uncommitted work is in git's stash: git stash pop",
  'say.behind': '    {remote} has commits that are not here; nothing is forced',
  'say.unwound': '  #{item} is left out: its unfinished work is taken back ({commit}), and stays in the history',
  'say.not-unwound': '  #{item} is left out, but its unfinished work stays: {why}',
  'say.merged': '    commits of {remote} are merged ({count}); the whole is checked before it is pushed',
  'say.push': '    nothing was pushed to {remote}; the work is landed here',
  'say.denied': '    refused ({rule}): {tool}[[ {about}]]',
  'say.violation': '    against the rules, without asking ({rule}): {tool}[[ {about}]]',
  'say.tampering': "    the agent changed {file}, which is the harness's: put back",
  'run.session': 'session {session}',
  'run.commit': 'commit {commit}',
  'run.recorded': { one: 'recorded {count} turn: {file}', other: 'recorded {count} turns: {file}' },
  'run.replayed': { one: 'replayed {file} ({count} turn)', other: 'replayed {file} ({count} turns)' },
  'run.evidence': 'evidence {evidence}',
  'run.cost': 'Cost: {tokens} tokens, {money}',
  'cost.unknown': 'money not known (the provider reports none)',
  'cost.usd': 'about ${usd} (an estimate)',
  'run.next': 'Next: #{item} ({prompt})   → harness run',
  'init.made': 'Made {count} files:',
  'init.commit': 'One commit: {commit}',
  'init.skill-there': 'The skills are there already, as they should be.',
  'init.ready': 'Ready for: harness run',
  'init.rejected': 'The project was not set up: {reason}.',
  'init.undone': 'Nothing in the repository has changed; what the agent made is kept: harness attempts',
  'demo.begin': 'A real repository, a real git, agents that follow a rehearsal: {root}',
  'demo.verdict':
    '{landed} features landed, each proved by the harness. {caught} sessions were caught and rolled back: one claimed what it never wrote, one broke an older test.',
  'demo.look': 'Where to look:',
  'demo.next': 'On your own repository: harness init --spec FILE, then harness run --until-done',
  'status.pending': 'pending',
  'status.ready': 'ready',
  'status.active': 'at work',
  'status.waiting': 'waiting',
  'status.landed': 'landed',
  'status.sessions': 'Sessions',
  'status.counted': '{count} of at most {max}[[, the last {last}]]',
  'status.log': 'Log',
  'status.unproved': 'landed without proof',
  'status.failed': 'failed',
  'status.blocked': 'blocked',
  'status.skipped': 'skipped',
  // {item, reason}
  'result.landed': 'Item {item} landed: {reason}.',
  'result.partial': 'Item {item} is partly done: {reason}.',
  'result.failed': 'Item {item} failed: {reason}.',
  'result.rejected': 'Item {item} was rejected: {reason}.',
  'result.skipped': 'Item {item} is left out: {reason}.',
  'result.gate': 'Item {item} waits at a gate: {reason}.',
  'result.blocked': 'Nothing can go on: {reason}.',
  'result.done': 'Done: {reason}.',
  'result.limit': 'Stopped at a limit: {reason}.',
  'result.paused': 'Paused: {reason}.',
  // {gate, header, item}
  'gate.waits': 'Gate {gate} "{header}" wants an answer[[ for item {item}]]. It will wait; nothing is being spent.',
  'gate.recommended': 'recommended',
  'gate.none': 'No gate waits for an answer.',
  // {gate, option}
  'gate.answered': 'Gate {gate} is answered: {option}.',
  // {count}
  'ids.more': { one: '… and {count} more', other: '… and {count} more' },
  // {question}
  'confirm.question': '{question} Type "yes" to go on: ',
} as const satisfies { readonly [key: string]: Phrase };
