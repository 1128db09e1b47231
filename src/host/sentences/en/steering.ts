// English: output of the commands that control a run, change the backlog by hand, or verify by hand.
import type { Phrase } from '../../../model/sentences.ts';

export const steering = {
  // {command, pid}
  'pause.now': 'Paused. Nothing was running.',
  'pause.already': 'It was already paused.',
  'pause.run': 'Pausing: {command} (pid {pid}) ends its session, keeps its work and starts no other.',
  'hold.pause': 'Item #{item} ({title}) is held: no run chooses it. Others continue.',
  'hold.handoff': 'Item #{item} ({title}) is yours: no run chooses it. Others continue.',
  'hold.rollback': 'The unfinished work on item #{item} ({title}) becomes an attempt; the item begins again.',
  'hold.rollback-none': 'There is no unfinished work on item #{item} ({title}): nothing was changed.',
  'hold.abort': 'The work on item #{item} ({title}) ends and becomes an attempt; no run chooses the item.',
  'hold.ending': 'Its session ends now, and its work is kept.',
  'hold.next-run': 'Its session was interrupted: the next run ends it first, and keeps its work.',
  'hold.work': 'Its work so far: git merge --squash {ref}',
  'hold.resume': 'Give it back with: harness resume {item}',
  'release.now': 'Item #{item} ({title}) may be chosen again.',
  'release.was': 'Item #{item} ({title}) was not held.',
  'message.at-work': 'Item #{item} ({title}): its agent receives it in its turn if it can, else with the next turn.',
  'message.next': 'Item #{item} ({title}): the next session begins with it.',
  'steer.untaken': '{command} (pid {pid}) has not read the message yet; it will when it continues.',
  'steer.other': '{command} (pid {pid}) is running and reads no messages; it ends by itself.',
  'steer.resume': 'Resume with: harness resume',
  'resume.now': 'Resumed.',
  'resume.was': 'It was not paused.',
  // {session, prompt}
  'resume.edits': 'Taken into the list: {file}',
  'resume.edits-queued': 'Queued, and taken into the list before the next item: {file}',
  'resume.no-edits': 'No edit of the list is kept.',
  'resume.next': 'Next: session {session}, item #{item} {title} ({prompt})   → harness run',
  'resume.done': 'No work is left.',
  // {count}
  'resume.stuck': {
    one: '{count} feature is left and cannot be started: it waits for others.   → harness items',
    other: '{count} features are left and none can be started: they wait for others.   → harness items',
  },
  // {gates}
  'resume.gates': 'Waiting for an answer: {gates}   → harness gates',
  'resume.live': '{command} (pid {pid}) is still running.',
  'freeze.now': 'Frozen. No run starts until: harness unfreeze',
  'freeze.already': 'It was already frozen. Lift it with: harness unfreeze',
  'freeze.run': '{command} (pid {pid}) stops now. Its session is resumed after: harness unfreeze',
  'unfreeze.now': 'The freeze is lifted; runs may start again.',
  'unfreeze.was': 'It was not frozen.',
  'unblock.done': '#{item} {title} stays skipped; items that depend on it may start.',
  'unblock.again': '#{item} {title} may be worked on again.',
  'unblock.not-skipped': '#{item} {title} is not skipped: it keeps no other item from starting.',
  'release.covered': '{tag} {words}: covered by {plans}',
  'release.open': '{tag} {words}: not covered',
  'release.mistake': '{file}:{line}: {what}',
  'release.ready': 'Ready: all {count} criteria of {file} are covered.',
  'release.not-ready': 'Not ready: {covered} of {count} criteria of {file} are covered.',
  'fidelity.score': 'Drift from {spec}: {score} of 100; up to {threshold} is allowed.',
  'serve.at': 'Serving {root} at {url}',
  'serve.page': 'Page: {url}',
  // {address}
  'serve.listens':
    'It listens on {address} without encryption: what has the token, or reads along, can do what you can.',
  'serve.end': 'Ctrl-C ends the server; a run that it started continues.',
  'serve.started': 'The server is running: {url} (pid {pid}).',
  'serve.already': 'The server was running already: {url} (pid {pid}).',
  'serve.stopped': 'The server is stopped (pid {pid}). A run continues without it.',
  'serve.none': 'No server is running for this repository. Start it with: harness daemon start',
  'serve.status': 'Serving at {url} (pid {pid}) since {since}.',
  'serve.token': 'The token is in {file}.',
  // {plan, run}
  'serve.at-plan': 'At work on plan {plan}[[, run {run}]].',
  'serve.at-look': 'It looks at what is new on the base branch.',
  'serve.at-fidelity': 'It compares the product with its specification.',
  // {until, reason}
  'serve.waits': 'It waits[[ until {until}]][[: {reason}]].',
  'serve.waits-off': 'It was not started to work, or was stopped: harness resume',
  'serve.waits-frozen': 'It is frozen: harness unfreeze',
  'serve.waits-handed-off': 'The work tree is handed off: harness takeback',
  'serve.waits-paused': 'It is paused: harness resume',
  'serve.waits-unfinished': 'A command was interrupted; call it again: harness status',
  'serve.waits-resting': 'It tries again[[ at {until}]], after a failure[[: {reason}]].',
  'serve.waits-unreachable': 'The remote cannot be asked[[ ({reason})]]: it tries again[[ at {until}]].',
  'serve.waits-rate-limited': 'No agent is available: it tries again[[ at {until}]].',
  'serve.waits-question': 'It waits for your answer: harness gates',
  'serve.waits-delayed': 'The plans that are left ended without getting anywhere: it tries again[[ at {until}]].',
  'serve.waits-nothing-ready': 'No plan is ready. It looks again[[ at {until}]].',
  'ui.opened': 'Opening the page in your browser.',
  'ui.open': 'Open it in your browser; the part after # is the key to it, so keep the address to yourself.',
  'stop.none': 'Nothing is running.',
  'stop.after': '{command} (pid {pid}) stops after its session.',
  'stop.now': '{command} (pid {pid}) stops now. Continue the session with: harness run',
  'handoff.begun': 'Ending the current work …',
  // {since}
  'handoff.done': 'Handed off: no work starts until it is taken back.',
  'handoff.already': 'Already handed off, since {since}.',
  'handoff.noted': 'Handed off, but not everything has ended yet:',
  // {command, pid}
  'handoff.ending': '{command} (pid {pid}) is still ending its session.',
  'handoff.again': 'Run harness handoff again to check that it has ended before you change anything.',
  // {item, title, session, reason}
  'handoff.item': 'Item #{item} ({title}) is in progress, not complete[[; session {session} ended]][[: {reason}]].',
  // {ref}
  'handoff.work': 'Its unfinished work is kept beside the branch. Into your work tree: git merge --squash {ref}',
  'handoff.nothing': 'Nothing is in progress.',
  // {landed, total, percent}
  'handoff.share': '{landed}/{total} features passing ({percent} %)',
  'handoff.then': 'When done, commit your work and run: harness takeback',
  'takeback.none': 'Nothing is handed off: there is nothing to take back.',
  // {count, since}
  'takeback.commits': {
    one: '{count} new commit since the handoff ({since})',
    other: '{count} new commits since the handoff ({since})',
  },
  // {branch, before}
  'takeback.branch': 'You are on the branch {branch}; the work was handed off on {before}. The harness continues here.',
  // {items}
  'takeback.claimed': 'Marked as passing by you, verified now: {items}',
  'takeback.no-item': 'No feature was in progress: everything that passed before is verified again.',
  'takeback.unproved': 'Nothing could be verified: no test is configured.',
  // {item}
  'takeback.question': 'Verified. Mark item #{item} as passes: true?',
  // {item, title}
  'takeback.marked': 'Marked item #{item} ({title}) as passes: true, done by hand and verified.',
  'takeback.unmarked':
    'Item #{item} is not marked: the next session continues it.   → harness override, harness manual-verify',
  // {item, items}
  'takeback.failing': 'Item #{item} fails: marked as failing, it is worked on first.[[ After it: {items}]]',
  // {count}
  'takeback.baseline': {
    one: 'Test baseline: {count} test must pass from now on.',
    other: 'Test baseline: {count} tests must pass from now on.',
  },
  'takeback.baseline-kept': 'Test baseline: unchanged.',
  'takeback.cut': 'The checks were interrupted. The work is still handed off.',
  // {item}
  'takeback.next': 'Taken back. Next: item #{item}   → harness run',
  'takeback.done': 'Taken back. No item is ready.   → harness items',
  'abort.what': 'This will:',
  'abort.stops': 'stop running work immediately',
  'abort.keeps': 'keep all commits, attempts, evidence, logs and costs',
  'abort.attempt': 'keep the work of an active session as an attempt, and restore the working tree from before it',
  'abort.clears': 'clear the current state of the harness: session state, position, open questions, pause, handoff',
  'abort.question': 'Are you sure?',
  // {command, pid}
  'abort.stopped': '{command} (pid {pid}) was stopped.',
  // {item, session, attempt}
  'abort.kept': 'Session {session} on #{item}: work kept as {attempt}   → harness attempts show {item}',
  'abort.session': 'Session {session} on #{item}: no changes.',
  'abort.left':
    'The working tree was left as it is: there are new commits since the session started, or the next run continues from it.   → git status',
  // {gates}
  'abort.gates': 'Withdrawn: {gates}',
  'abort.done': 'Harness stopped. The next run starts over   → harness run',
  // {commit}
  'change.commit': 'commit {commit}',
  'change.written': 'written to {file}',
  // {file}
  'change.edits': 'Your uncommitted changes of {file} are included in this commit.',
  // {command, pid}
  'change.queued-run': 'Queued: the current run applies it before its next item ({command}, pid {pid}).',
  'change.queued-command':
    '{command} (pid {pid}) is running. Queued: the next harness run applies it before anything else.',
  'change.queued-session':
    'Queued: a session has not ended (it was interrupted, or waits at a gate). Applied after it, by: harness run',
  'change.none': 'Nothing was changed.',
  // {item, title, reason, items}
  'retry.done': { one: 'Attempts given back: {items}', other: 'Attempts of {count} items given back: {items}' },
  'retry.already': { one: 'No attempt of {items} is counted.', other: 'No attempt is counted.' },
  'skip.done': 'Skipped item #{item} ({title}): {reason}',
  'skip.already': 'Item #{item} ({title}) is already skipped, for that reason.',
  'skip.landed': 'Item #{item} ({title}) has landed: there is nothing to skip.',
  'skip.blocks': 'Features that depend on it wait: {items}   (--unblock lets them start)',
  'skip.frees': 'Features that depend on it may start: {items}',
  // {item, title, passes, was, reason}
  'override.what': 'Item #{item} ({title}): changes passes from {was} to {passes}, without any check.',
  'override.dependents': 'Features that depend on it may then start: {items}',
  'override.visible': 'The reason stays visible on the feature: {reason}',
  'override.warning': 'WARNING: This bypasses verification. Are you sure?',
  'override.reason': 'Why? (the reason stays visible on the feature)',
  'override.done': 'Set item #{item} ({title}) to passes: {passes}.',
  'override.already': 'Item #{item} ({title}) already has passes: {passes}.',
  // {item, title, file, command}
  'manual.please': 'Please verify item #{item} by hand: {title}',
  'manual.file': 'Test file: {file}',
  'manual.no-file': 'It has no test file.',
  'manual.run': 'Run: {command}',
  'manual.check': 'Check: {check}',
  'manual.question': 'Did all tests pass?',
  'manual.done': 'Recorded: item #{item} ({title}) was verified by hand.',
  'manual.already': 'Item #{item} ({title}) passes already.',
  // {gate}
  'manual.say-why': 'harness answer {gate} failed -m "…"   (the next session receives the reason)',
  'manual.no': 'Not recorded: item #{item} does not pass.',
  // {item, title, file}
  'add.done': 'Added item #{item}: {title}',
  'import.item': 'Item #{item}: {title}[[   (test: {file})]]',
  'import.stub': 'Item #{item}: {title}   (a failing test: {file})',
  'import.known': 'Item #{item} exists already: {title}',
  'import.done': { one: '{count} item added to {file}.', other: '{count} items added to {file}.' },
  'ask-item.title': 'What is to be done, in one line?',
  'ask-item.test-file': 'Which test file proves it?',
  'ask-item.command': 'Which command proves it (empty: none)?',
  'ask-item.timeout': 'Its time limit, in seconds (empty: 300)?',
  'ask-item.level': 'Priority P0, P1 or P2 (empty: none)?',
  'ask-item.number': 'Priority, lower comes first: 1, 2, … (empty: none)?',
  // {items}
  'ask-item.depends-on': 'Which items does it depend on[[, of {items}]] (empty: none)?',
  'add.already': 'Item #{item} already exists: {title}',
  'add.already-kept': 'What else was given is not taken over: edit {file} to change the item.',
  'add.test': 'Test file: {file}',
  'add.no-test': 'Test file: {file}   (does not exist yet: the first session writes it)',
  // {flag, steps, max, count, estimate}
  'add.large': 'It may be too large for one session: {#flag}[[ ({steps} steps, at most {max})]].',
  'add.split': 'It could be split:',
  // {number, part}
  'add.part': '  {number}. {part}',
  // {item, title}
  'verify.item': 'Verifying item #{item} ({title})',
  'verify.all': 'Verifying everything that passed before',
  'verify.ok': 'ok',
  'verify.failed': 'FAILED',
  // {passed, total, skipped}
  'verify.counts': '{passed} of {total} tests pass[[, {skipped} skipped]]',
  'verify.not-run': '{name}: not run, because of the earlier failure',
  'verify.regressions': { one: '{count} regression:', other: '{count} regressions:' },
  'verify.flaky': {
    one: '{count} flaky test in quarantine, which proves nothing:',
    other: '{count} flaky tests in quarantine, which prove nothing:',
  },
  // {item}
  'verify.item-passed': 'Item #{item}: PASSED',
  'verify.item-failed': 'Item #{item}: FAILED',
  'verify.passed': 'PASSED',
  'verify.not-passed': 'FAILED',
  'verify.nothing-kept': 'No baseline yet: nothing to compare with.',
} as const satisfies { readonly [key: string]: Phrase };
