// English: the screens of commands that look: status, items, gates, configuration, attempts, versions, logs.
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const attempts = {
  // {item, number, known}
  'attempt-unknown': {
    title: 'There is no attempt[[ {number}]] of item {item}.',
    why: '[[Kept are: {known}.]]',
    mend: ['harness attempts'],
  },
  // {branch}
  'branch-exists': {
    title: 'There is a branch {branch} already, and it stands elsewhere.',
    why: 'A branch that somebody works on is never moved.',
    mend: ['Name another: --branch NAME'],
  },
} as const satisfies FailureSection;

export const screens = {
  'status.project': 'Project',
  'status.items': 'Items',
  'status.now': 'Now',
  'status.last': 'Last',
  'status.next': 'Next',
  'status.stuck': 'Stuck',
  'status.cost': 'Cost',
  'status.gates': 'Gates',
  'status.flaky': 'Quarantine',
  'status.push': 'Push',
  'status.unpushed': '{why} ({at})',
  'status.paused': 'Paused',
  'status.waits': 'Waiting',
  // {why, until, attempt, of}
  'status.quota': 'Quota',
  // {provider, window, percent, until}
  'status.window': '{provider}: {percent} % of {window} used[[; begins anew at {until}]]',
  'status.wait': '{#why}; next try at {until} ({attempt} of {of})',
  // {used, window, percent}
  'status.context': ' · context {percent} % ({used} of {window} tokens, {#source})',
  // {landed, total, percent}
  'status.share': '{landed}/{total} landed ({percent} %)',
  'status.none': 'none yet',
  // {session, item, stage, forMs, pid}
  'status.lane': 'session {session} works on #{item}: {#stage}[[ for {forMs}]][[ (pid {pid})]]',
  // {command, pid}
  'status.held': 'at work: {command}[[ (pid {pid})]]',
  // {session, item}
  'status.asked': 'nobody; #{item} waits for an answer',
  'status.left': 'nobody; session {session} on #{item} was interrupted   → harness run   (goes on with it)',
  'status.idle': 'nobody is at work',
  // {session}
  'status.session': 'session {session}: ',
  // {item, title, prompt}
  'status.item': '#{item} {title} ({prompt})',
  'status.nothing': 'nothing is ready',
  // {count}
  'status.stuck-count': {
    one: '{count} session in a row without success',
    other: '{count} sessions in a row without success',
  },
  // {money, tokens}
  'status.spent': '{money}, {tokens} tokens',
  'status.usd-unknown': 'money not known',
  // {usd}
  'status.usd-last': ', ${usd} in the last session',
  // {gates}
  'status.gatesWait': '{gates} waiting for an answer   → harness gates',
  'status.resume': 'nothing starts   → harness resume',
  // {by, since}
  'status.handed-off': 'handed off to {by} since {since}   → harness takeback',
  'status.set-up': 'Not set up yet   → harness init --spec FILE, or harness add "TITLE"',
  'items.none': 'There are no items yet   → harness init --spec FILE, or harness add "TITLE"',
  // {items}
  'items.waits': 'waits for {items}',
  'item.status': 'Status',
  'item.priority': 'Priority',
  'item.test': 'Test',
  'item.needs': 'Depends on',
  'item.needed': 'Needed by',
  'item.steps': 'Steps',
  'item.sessions': 'Sessions',
  'item.cost': 'Cost',
  'item.gates': 'Gates',
  'item.decided': 'Decided',
  // {reason}
  'item.skipped': 'left out: {reason}',
  // {reason, by, passes}
  'item.overridden': 'set by hand to passes: {passes}, without proof, by {by}: {reason}',
  // {reason}
  'item.failing': 'does not hold any more: {reason}',
  // {session}
  'item.session': 'session {session}',
  'gates.recommended': 'recommended',
  // {since, item}
  'gates.since': 'since {since}[[, item {item}]]',
  // {gate}
  'gates.how': 'harness answer {gate} OPTION -m "…"',
  // {option, by, at}
  'gates.answered': 'answered: {option}, by {by}, {at}',
  // {at}
  'gates.withdrawn': 'withdrawn, {at}',
  'gates.then': 'harness run   (goes on)',
  // {file}
  'config.from': 'from {file}',
  'config.defaults': 'no configuration file: defaults',
  // {file}
  'config.valid': '{file} is valid.',
  'config.valid-none': 'There is no configuration file; defaults hold.',
  'config.not-ready': 'Before work can start:',
  'attempts.none': 'Nothing is kept: no work was rejected or interrupted.',
  // {item}
  'attempts.none-of': 'Nothing is kept of item {item}.',
  'attempts.no-item': 'no item',
  // {session}
  'attempts.session': 'session {session}',
  // {count, added, removed}
  'attempts.size': { one: '{count} file, +{added} -{removed}', other: '{count} files, +{added} -{removed}' },
  // {item, number, ref}
  'attempts.look': 'look at one:  harness attempts show {item} {number}   or  git diff HEAD...{ref}',
  // {item, number, branch, ref}
  'attempts.take': 'take it:      harness attempts take {item} {number}   or  git switch -c {branch} {ref}',
  // {item, number}
  'attempts.patch': 'whole diff:   harness attempts show {item} {number} --patch',
  // {count, days}
  'attempts.retention':
    'Kept: the newest {count} of every item, whatever their age, and everything younger than {days} days.',
  'attempts.inner': 'Were repositories of their own; kept as plain files, the folders moved to .git/harness/git/inner:',
  'attempts.ignored':
    'Ignored by git and touched meanwhile: in no attempt. Installed packages were put back, the rest was left where it lies:',
  // {branch}
  'attempts.taken': 'The branch {branch} stands on it; the work tree is as it was.',
  // {branch}
  'attempts.taken-before': 'The branch {branch} stands on it already.',
  // {branch}
  'attempts.switch': 'git switch {branch}',
  'logs.damaged': { one: '({count} damaged line passed over)', other: '({count} damaged lines passed over)' },
  'logs.none': 'No line of the log is meant.',
  'logs.more': { one: '({count} older line left out)', other: '({count} older lines left out)' },
  'health.features': 'Features',
  'health.tests': 'Tests',
  'health.lint': 'Lint',
  'health.files': 'Files',
  'health.overall': 'Overall',
  'health.cleanup': 'Cleanup',
  // {passed, total, percent}
  'health.passing': '{passed}/{total} passing ({percent} %)',
  // {figure, from, ageMs}
  'health.measured': '{figure}[[, {ageMs} ago]] ({from})',
  // {count, lines}
  'health.errors': { one: '{count} error in {lines} lines', other: '{count} errors in {lines} lines' },
  'health.tests-unknown': 'not known: no run of the whole suite is on record   → harness verify',
  'health.lint-unknown': 'not known: no lint run that could be counted is on record   → harness verify ITEM',
  // {file, lines, max}
  'health.file': '{file} ({lines} lines): consider splitting',
  // {max}
  'health.files-all': 'all files are under {max} lines',
  'health.files-rest': 'all other files are under {max} lines',
  // {count, max}
  'health.files-more': 'and {count} more with over {max} lines',
  // {parts}
  'health.shared': 'without {parts}: the weight is shared out among the others',
  'health.nothing': 'not known',
  // {count}
  'health.cleanup-at': 'due when {count} features have landed',
  // {harness, node}
  'version.own': 'harness {harness} (Node {node})',
  // {schema}
  'version.state': 'state schema {schema}',
  'version.none': 'this project: no state yet',
  // {schema, writer}
  'version.project': 'this project: schema {schema}[[ (harness {writer})]]',
  // {schema, wanted}
  'version.status-fits': 'status: it fits',
  'version.status-migration-needed':
    'status: migration needed ({schema} → {wanted})   → harness migrate   (harness run does it by itself)',
  'version.status-migration-needed-by-hand':
    'status: migration needed ({schema} → {wanted})   → harness migrate   (harness run refuses: compatibility.on_older_state is abort)',
  'version.status-migration-unfinished':
    'status: a migration was cut off   → harness migrate   (or harness run) finishes it',
  'version.status-newer': 'status: written by a newer harness   → update the harness',
  'version.status-newer-accepted':
    'status: written by a newer harness; worked on all the same (compatibility.on_newer_state is warn)',
  'migrate.none': 'There is no state yet: nothing to migrate.',
  // {schema}
  'migrate.fits': 'The state is of schema {schema} already: nothing to migrate.',
  // {folder, backup}
  'migrate.copied': 'Copied {folder}/ to {backup}/',
  'migrate.without': 'WARNING: Proceeding without a copy of the old state.',
  'migrate.without-configured':
    'WARNING: Proceeding without a copy of the old state (compatibility.backup_before_migrate is false).',
  'migrate.finished': 'A migration had been cut off; it was finished.',
  // {from, to}
  'migrate.step': 'Migrated schema {from} → {to}',
  // {schema}
  'migrate.done': 'Migration complete: the state is of schema {schema}.',
} as const satisfies { readonly [key: string]: Phrase };
