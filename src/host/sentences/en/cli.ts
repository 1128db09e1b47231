// English: confirmations, and the command line's own texts.
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const cli = {
  // {path, rule, part}
  'output-dir-refused': {
    title: '--output-dir cannot be {path}: {#rule}[[ ({part})]].',
    why: 'It must be a folder of its own inside the repository; below docs/ only docs/harness/.',
    fix: ['harness workflow "TASK" --output-dir docs/harness', 'harness workflow "TASK" --output-dir out/notes'],
  },
  // {action, detail}
  'confirmation-needed': {
    title: '{action} needs confirmation, and there is no terminal to ask in.',
    why: '[[{detail}]]',
    fix: ['Run it in a terminal, or add --yes.'],
  },
  // {command}
  'reason-needed': {
    title: '{command} needs a reason.',
    why: 'The reason stays visible on the item.',
    fix: ['--reason "why"'],
  },
  // {}
  paused: {
    title: 'This repository is paused.',
    why: '"harness pause" was run; no work starts until it is resumed.',
    fix: ['harness resume'],
  },
  // {}
  frozen: {
    title: 'This repository is frozen.',
    why: '"harness freeze" was run; no run starts until it is lifted.',
    fix: ['harness unfreeze'],
  },
  // {item} {title}
  'item-not-skipped': {
    title: 'Item {item} is not skipped.',
    why: 'It keeps no other item from starting.',
    fix: ['harness items'],
  },
  // {session}
  'session-unknown': {
    title: 'There is no session {session}.',
    why: '',
    fix: ['harness items show ITEM   (lists its sessions)'],
  },
  // {run} {known}
  'run-unknown': {
    title: 'There is no run {run}.',
    why: '[[The last ones are {known}.]]',
    fix: ['harness runs'],
  },
  // {what}
  'diff-unknown': {
    title: 'There is no difference to show for {what}.',
    why: 'The commit, or what the session began with, is not in the repository.',
    fix: ['git log'],
  },
  // {pid} {url}
  'serve-running': {
    title: 'A server for this repository is running already: {url} (pid {pid}).',
    why: 'One server is enough; it serves any number of pages.',
    fix: ['harness ui', 'harness daemon stop'],
  },
  // {address}
  'serve-address-absent': {
    title: 'This machine has no address {address}.',
    why: '',
    fix: ['harness serve'],
  },
  // {file}
  'serve-no-token': {
    title: 'There is no token yet, and without one no other machine may ask.',
    why: 'Whatever has the token may answer questions and start runs. It is made by the first start on this machine alone, in {file}.',
    fix: ['harness daemon start, then harness daemon stop'],
  },
  // {port}
  'serve-port-taken': {
    title: 'Port {port} is in use by another program.',
    why: 'Each repository that is served at the same time needs a port of its own.',
    fix: ['harness serve --port 0   (any free port)'],
  },
  // {file, words}
  'serve-unavailable': {
    title: 'The server did not start.',
    why: '[[It ended with:\n{words}\n]]All of its words are in {file}.',
    fix: ['harness serve   (in the foreground, to see why)'],
  },
  // {}
  'handed-off': {
    title: 'The work is handed off to a person.',
    why: '"harness handoff" was run; no work starts until it is taken back.',
    fix: ['harness takeback'],
  },
  // {item}
  'session-at-gate': {
    title: 'A session on item {item} is waiting for an answer, and its work is in the working tree.',
    why: 'Changes made there now could not be distinguished from the verified work.',
    fix: ['harness gates', 'harness abort   (keeps its work as an attempt and starts over)'],
  },
  // {}
  'abort-unfinished': {
    title: 'An abort was interrupted.',
    why: 'The state is only partly cleared; no work starts until the abort is finished.',
    fix: ['harness abort'],
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
  'notice.inert': 'Configured, but without effect in this version: {keys}',
  // {provider}
  'notice.unconfigured':
    'No configuration file: the agent is {provider}, and the defaults apply (harness config show).',
  // {key, value, from}
  'notice.inferred': 'Not configured, derived from {from}: {key} = {value}',
  // {agent, why, keys}
  'notice.blind': 'These limits cannot act with {agent}: {keys}. {#why}.',
  'dry.nothing': 'Nothing would be run: no item is ready.',
  'dry.would': 'Would run session {session} with:',
  'dry.role': 'Prompt',
  'dry.item': 'Feature',
  'dry.test': 'Test file',
  'dry.prompt': 'The agent would receive:',
  'dry.unchanged': 'No changes made.',
  // {from, to}
  'say.migrating': 'Migrating the state from schema {from} to {to}',
  // {backup}
  'say.migrated': 'The state is migrated[[; the old one is kept in {backup}/]]',
  'say.migrated-without':
    'The state is migrated; no copy of the old one is kept (compatibility.backup_before_migrate is false)',
  // {found, supported, backup}
  'say.newer-state':
    'The state was written by a newer harness (schema {found}; this one knows {supported}). Continuing anyway, as configured[[; a copy is kept in {backup}/]].',
  'say.item': 'Session {session}: item #{item}',
  'say.session': '    agent at work ({role}, {provider})',
  // {role, said, why}: the first line of a session's answer; why: the harness's objection to it
  'say.said': '    {role}: {said}',
  'say.said-not': '    {role}[[: {said}]] — {why}',
  // {why, until, attempt, of}
  'say.wait': '    waiting: {#why}. Next try at {until}[[ ({attempt} of {of})]]',
  // {count, used, window}: the notices about session limits that the agent received
  'say.limit-context-warning': '    the context is filling ({used} of {window} tokens): the agent was notified',
  'say.limit-context-wrap-up': '    the context is nearly full ({used} of {window} tokens): the agent has to wrap up',
  'say.limit-stuck': '    no progress: the agent was notified',
  'say.limit-stuck-wrap-up': '    still no progress: the agent has to wrap up',
  'say.limit-same-error': '    the same error keeps occurring: the agent was notified',
  'say.limit-time-warning': '    the session’s time is nearly over: the agent was notified',
  'say.limit-budget-wrap-up': '    the budget is nearly used up: the agent has to wrap up',
  'say.limit-quota-wrap-up': '    the quota of its account is nearly used up: the agent has to wrap up',
  'say.limit-quota-limit': '    the quota of its account is used up: the session was ended',
  'say.limit-context-limit': '    the context is full ({used} of {window} tokens): the session was ended',
  'say.limit-stuck-ended': '    no progress: the session was ended',
  'say.limit-budget-limit': '    the budget is used up: the session was ended',
  'say.limit-wall-limit': '    the session’s time is over: it was ended',
  'say.limit-idle-limit': '    the agent was silent for too long: its turn was ended',
  'say.limit-output-limit': '    the agent produced too much output: its turn was ended',
  // {for, agent, window, percent, until}
  'say.stands-in':
    '    {for} is at its quota limit ({window}: {percent} % used[[, until {until}]]): {agent} takes over',
  'say.blind-money':
    '    a budget is set, but the cost of this agent is unknown: set costs.prices to enforce the budget',
  'say.blind-tokens':
    '    a limit of tokens is set, but this agent reported none: limits in minutes act with every agent',
  // {recommended}
  'attend.done': 'What next? (m: maintenance · a: add an item · Enter: end)',
  'attend.maintains':
    'Maintenance: the project is checked every hour, and what breaks is the next item. Add items with harness add; harness stop, or Ctrl-C, ends it.',
  'attend.work-on-it': 'Work on it now?',
  'attend.which': 'Which? (an option, optionally followed by a note; recommended: {recommended}; Enter: later)',
  'say.proof': '    proofs: {proofs}',
  'say.back': '    rolled back: {why}',
  'say.installed-back': '    restored installed packages: {count} files',
  'say.installed-left': '    too many installed files were changed to restore them: {count}. Install them again.',
  'say.landed': '    landed #{item} as {commit}',
  'say.undone':
    '    session {session} was interrupted: its changes are kept as an attempt, and it starts again[[\n    commits it made are in the attempt: {commits}]][[\n    → harness attempts take {item} {number}]]',
  'say.commits-kept':
    '    session {session} made commits itself: they are kept as an attempt and taken off the branch: {commits}[[\n    if they are yours → harness attempts take {item} {number}]]',
  // {file}
  'say.uncommitted': '{file} has changes that are not committed: what is committed counts   → git commit {file}',
  // {file}
  'say.planned-again': 'The last plan was rejected: it is planned again with the reasons ({file}).',
  'say.users-files-landed': '    changed by you, not by the agent: left in your work tree, not in the commit: {files}',
  'say.users-files-kept': '    changed by you, not by the agent: left in your work tree: {files}',
  'say.unclear-files': '    in the commit, and perhaps changed by you (no edit of the agent explains it): {files}',
  // {file, why}
  'say.memory-repaired':
    'A file of the memory was not as it should be ({why}): {file}. It was fixed where that was possible; the original is beside it as *.broken.',
  'say.set-aside':
    '    work of an earlier session on #{item} does not fit the newest commits: kept as an attempt\n    → harness attempts take {item} {number}',
  'say.notice-failed': 'notify.{channel} does not work: {why}. The run continues; the message is tried again later.',
  // {project, item}
  'notice.question': '{project}: a question waits[[ (item {item})]]',
  // {project, kind}
  'notice.ended': '{project}: {#kind}',
  'notice.test': 'harness: a test message',
  'notice.test-text': 'Messages of harness arrive here.',
  'notice.landed': { one: '{count} item landed in this run.', other: '{count} items landed in this run.' },
  // {files}
  'say.continues-beside':
    'your uncommitted changes stay as they are ({files}); the run continues in a work tree of its own',
  'say.unsigned':
    '    commits are not signed: commit.gpgsign is set, but signing failed, probably because it needs a passphrase or a touch\n    → unlock the key first (git commit-tree -S), or unset commit.gpgsign here',
  'say.unplayable': '    turn {turn} of session {session} cannot be replayed: {#why}',
  // {url}
  'say.site': 'A browser looks at {url} and the pages that it links to',
  'say.suite':
    'The test suite runs in a clean checkout and, if it fails there, in your work tree: {command}   (--no-suite: without)',
  'say.installing': '    installing for the clean checkout: {command}',
  // {command, tail}
  'say.install-copied': '    {command} failed: the clean checkout gets a copy of what is installed here\n{tail}',
  'say.ignored-back': {
    one: '    the agent deleted a file that git ignores; it is there again: {files}',
    other: '    the agent deleted {count} files that git ignores; they are there again: {files}',
  },
  'say.list-broken':
    '{file}:{line}:{column} is not JSON: the copy of before its last write is used. Your text is kept as {kept}; correct it there, then: harness resume --accept-edits',
  'say.list-edited-all': 'You changed {file} while the agent worked: the change is taken.',
  'say.list-edited-part':
    'You changed {file} while the agent worked: new tasks, titles, priorities and dependencies are taken. The rest is kept as {kept}   → harness resume --accept-edits',
  'say.list-edited-nothing':
    '{file} was changed during the session and is as before. The changed text is kept as {kept}   → harness resume --accept-edits   (takes it)',
  'say.parked': '    #{item} waits for an answer: its work is kept at refs/harness/parked, other items continue',
  'say.landing-waits': '    #{item} waits to land, behind #{behind}',
  'say.taken-back': '    #{item}: its work is kept as attempt {number}, and it begins again',
  'say.message-passed': '    #{item}: your message reached its agent',
  'say.unparked': '    #{item} continues: its work is in the work tree again',
  'say.run-branch-gone':
    '{branch} was deleted before it was merged: its items are open again.   → git branch {branch} {commit}',
  'say.stashed': "    your uncommitted work is in git's stash: git stash pop",
  'say.behind': '    {remote} has commits that are missing here; nothing is force-pushed',
  'say.unwound': '  #{item} is skipped: its unfinished work is reverted ({commit}) and stays in the history',
  'say.not-unwound': '  #{item} is skipped, but its unfinished work stays: {why}',
  'say.merged': '    commits of {remote} are merged ({count}); the result is checked before it is pushed',
  'say.push': '    nothing was pushed to {remote}; the work is landed here',
  'say.denied': '    refused ({rule}): {tool}[[ {about}]]',
  'say.violation': '    rule violated without asking ({rule}): {tool}[[ {about}]]',
  'say.tampering': '    the agent changed {file}, which belongs to the harness: restored',
  'say.git-tampering':
    '    {file} was changed during the session, and git obeys it: restored[[; what was there instead is kept in {kept}]]',
  // {held, notPossible}: names of checks and proofs
  'proof.tests': 'by test report: {held}[[; not possible: {notPossible}]]',
  'proof.exit-code': 'by exit code only: {held}[[; not possible: {notPossible}]]',
  'proof.person': 'on a person’s word[[; checked: {held}]][[; not possible: {notPossible}]]',
  'run.session': 'session {session}',
  'run.commit': 'commit {commit}',
  'run.recorded': { one: 'recorded {count} turn: {file}', other: 'recorded {count} turns: {file}' },
  'run.replayed': { one: 'replayed {file} ({count} turn)', other: 'replayed {file} ({count} turns)' },
  'run.evidence': 'evidence {evidence}',
  'run.cost': 'Cost: {tokens} tokens, {money}',
  'cost.unknown': 'cost unknown (the provider reports none)',
  'cost.usd': 'about ${usd} (an estimate)',
  'run.left': 'Left aside, until you have done what they need: {items}   → harness run',
  'run.branch': {
    one: '{count} commit to merge is on {branch}; your branch is as it was.',
    other: '{count} commits to merge are on {branch}; your branch is as it was.',
  },
  'run.branch-behind': {
    one: 'Your branch has {count} commit of its own since: the next run begins with both.',
    other: 'Your branch has {count} commits of its own since: the next run begins with both.',
  },
  'run.next': 'Next: #{item} ({prompt})   → harness run',
  // {count}
  'plan.made': { one: '{count} plan was added:', other: '{count} plans were added:' },
  // {id, title, depends, test}
  'plan.line': '  {id} {title}[[ (after {depends})]][[   {test}]]',
  // {commit, branch}
  'plan.commit': 'One commit: {commit}[[, on {branch} of the remote]]',
  'plan.next': 'Read them, change what is wrong, then: harness run',
  // {file, count}
  'site.spec': {
    one: '{file}: {count} statement, with the page it was seen on',
    other: '{file}: {count} statements, each with the page it was seen on',
  },
  // {file, count}
  'site.acceptance': { one: '{file}: {count} acceptance criterion', other: '{file}: {count} acceptance criteria' },
  // {count, most, folder}
  'site.pages': {
    one: '{count} page was looked at[[, at most {most} was asked for   → --pages]]   (pictures: {folder})',
    other: '{count} pages were looked at[[, at most {most} were asked for   → --pages]]   (pictures: {folder})',
  },
  // {count}
  'site.not-seen': {
    one: '{count} statement is not shown by what was seen: section "Not seen"',
    other: '{count} statements are not shown by what was seen: section "Not seen"',
  },
  // {file}
  'site.next': 'Nothing is committed. Read both, correct them, commit them, then: harness plan {file}',
  'plan.rejected': 'No plan was added: {reason}.',
  'site.rejected': 'No specification was written: {reason}.',
  'init.made': { one: 'Created {count} file:', other: 'Created {count} files:' },
  'init.commit': 'One commit: {commit}',
  'init.skill-there': 'The skills are already installed and up to date.',
  'init.suite-fails': 'The test suite fails; a run starts only when it passes.',
  'init.ready': 'Ready for: harness run',
  'init.ready-empty':
    'The list is empty. What should be built?   → harness add "TITLE" --verify PROOF, then: harness run',
  // {file}
  'init.ready-spec': 'There is no plan yet. Describe in {file} what to build, and commit it   → harness run',
  'run.said': 'the agent said last: {words}',
  'run.empty': 'The list is empty: there was nothing to do.   → harness add "TITLE" --verify PROOF',
  'init.rejected': 'The project was not set up: {reason}.',
  'init.undone': 'Nothing in the repository has changed; what the agent wrote is kept: harness attempts',
  'demo.begin': 'A real repository with real git, and scripted agents: {root}',
  'demo.verdict':
    '{landed} features landed, each proved by the harness. {caught} sessions were caught and rolled back: one claimed what it never wrote, one broke an older test.',
  'demo.look': 'Where to look:',
  'demo.next': 'On your own repository: harness init --spec FILE, then harness run --until-done',
  'status.pending': 'pending',
  'status.ready': 'ready',
  'status.active': 'in progress',
  'status.waiting': 'waiting',
  'status.landed': 'landed',
  'status.sessions': 'Sessions',
  'status.counted': '{count} of at most {max}[[, the last {last}]]',
  'status.each': 'Each',
  // {count}
  'status.more': '… and {count} more   → harness items',
  'status.log': 'Log',
  'status.unproved': 'landed without proof',
  'status.failed': 'failed',
  'status.blocked': 'blocked',
  'status.skipped': 'skipped',
  // {item, reason}
  'result.landed': 'Item {item} landed: {reason}.',
  'result.partial': 'Item {item} is partly done: {reason}.',
  'result.phase': 'Item {item}: {reason}.',
  'result.failed': 'Item {item} failed: {reason}.',
  'result.rejected': 'Item {item} was rejected: {reason}.',
  'result.skipped': 'Item {item} was skipped: {reason}.',
  'result.gate': 'Item {item} waits at a gate: {reason}.',
  'result.gate-of-run': 'The run waits at a gate: {reason}.',
  'result.aside': 'Item {item} is left aside: {reason}.',
  'result.blocked': 'Blocked: {reason}.',
  'result.done': 'Done: {reason}.',
  'result.done-maintain':
    '  → harness run --maintain   (checks the project from time to time; what breaks is the next item)',
  'result.done-add': '  → harness add "TITLE"   (more work)',
  'result.limit': 'Stopped at a limit: {reason}.',
  'result.paused': 'Paused: {reason}.',
  // {gate, header, item}
  'gate.waits': 'Gate {gate} "{header}" is waiting for an answer[[ for item {item}]]. Nothing is spent meanwhile.',
  'gate.recommended': 'recommended',
  'gate.none': 'No gate is waiting for an answer.',
  // {gate, option}
  'gate.answered': 'Gate {gate} answered: {option}.',
  // {count}
  'ids.more': { one: '… and {count} more', other: '… and {count} more' },
  // {question}
  'confirm.question': '{question} Type "yes" to continue: ',
} as const satisfies { readonly [key: string]: Phrase };
