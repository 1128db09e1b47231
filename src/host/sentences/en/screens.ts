// English: the screens of commands that look: status, items, gates, configuration, attempts, versions, logs.
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const attempts = {
  // {item, number, known}
  'attempt-unknown': {
    title: 'There is no attempt[[ {number}]] of item {item}.',
    why: '[[Kept attempts: {known}.]]',
    fix: ['harness attempts'],
  },
  // {branch}
  'branch-exists': {
    title: 'The branch {branch} already exists and points elsewhere.',
    why: 'An existing branch is never moved.',
    fix: ['Name another: --branch NAME'],
  },
} as const satisfies FailureSection;

export const screens = {
  'status.project': 'Project',
  'status.items': 'Items',
  'status.now': 'Now',
  'status.last': 'Last',
  'status.next': 'Next',
  'status.later': 'Later',
  // {item, after, file}
  'status.apart': '#{item} begins after #{after}: both are expected to change {file}',
  'status.stuck': 'Stuck',
  'status.cost': 'Cost',
  'status.health': 'Health',
  // {figure, overall, session}
  'status.health-is': '{figure} ({overall}), measured in session {session}',
  'status.gates': 'Gates',
  'status.flaky': 'Quarantine',
  'status.edited': 'Edited',
  // {file}
  'status.uncommitted': '{file}: not committed, and only what is committed counts   → git commit {file}',
  'status.branch': 'To merge',
  'status.unmerged': { one: '{branch}: {count} commit', other: '{branch}: {count} commits' },
  'status.push': 'Push',
  'status.unpushed': '{why} ({at})',
  'status.paused': 'Paused',
  'status.waits': 'Waiting',
  // {why, until, attempt, of}
  'status.quota': 'Quota',
  // {provider, window, percent, until}
  'status.window': '{provider}: {percent} % of {window} used[[; resets at {until}]]',
  'status.wait': '{#why}; next try at {until} ({attempt} of {of})',
  // {used, window, percent}
  'status.context': ' · context {percent} % ({used} of {window} tokens, {#source})',
  // {landed, total, percent}
  'status.share': '{landed}/{total} landed ({percent} %)',
  'status.none': 'none yet',
  // {session, item, stage, forMs, pid}
  'status.lane': 'session {session} works on #{item}: {#stage}[[ for {forMs}]][[ (pid {pid})]]',
  'status.landing-place': ' · number {place} to land',
  'status.lane-stuck': { one: ' · {count} session without it', other: ' · {count} sessions without it' },
  // {command, pid}
  'status.held': 'running: {command}[[ (pid {pid})]]',
  // {session, item}
  'status.asked': 'no session; #{item} is waiting for an answer',
  'status.left': 'no session; session {session} on #{item} was interrupted   → harness run   (continues it)',
  'status.idle': 'nothing is running',
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
  'status.usd-unknown': 'cost unknown',
  // {usd}
  'status.usd-last': ', ${usd} in the last session',
  // {gates}
  'status.gatesWait': '{gates} waiting for an answer   → harness gates',
  // {playbook}
  'memory.not': 'The sessions of the playbook {playbook} leave no notes: it has no memory.',
  'memory.none': 'There is no memory yet: no session has left a note.',
  'memory.L1': 'session state',
  'memory.L2': 'summary',
  'memory.L3': 'long memory',
  // {role}
  'memory.L4': 'identity of {role}',
  // {lines, tokens}
  'memory.size': '{lines} lines, {tokens} tokens',
  // {lines, mostLines, tokens, mostTokens}
  'memory.capped': '{lines} of {mostLines} lines, {tokens} of {mostTokens} tokens',
  // {file, why}
  'memory.broken': '{file} (broken: {why})',
  // {entries, fresh, at, session}
  'memory.entries': '{entries} entries, {fresh} since the last curation[[ ({at}, session {session})]]',
  'memory.no-tricks': 'No session named a trick.',
  'memory.confirmed': 'confirmed',
  'memory.unconfirmed': 'not confirmed',
  // {roles, sessions}
  'memory.named': '{roles}, session {sessions}',
  // {role}
  'memory.learnt': 'What {role} has learnt',
  // {role}
  'memory.learnt-nothing': '{role} has learnt nothing yet.',
  // {playbook}
  'trace.no-claims':
    'Items of the playbook {playbook} make no claims: what follows is each item with its test and its proof.',
  'trace.none': 'There is nothing to trace yet.',
  // {item, title}
  'trace.item': '#{item} {title}',
  'trace.holds': 'holds',
  'trace.void': 'void',
  'trace.failing': 'failing',
  'trace.unproved': 'unproved',
  'trace.reason.changed': 'what the verdict rests on has changed since',
  'trace.reason.judged-against': 'the last verdict is against it',
  'trace.reason.found-failing': 'it had landed and was found failing, or a person took it back',
  'trace.reason.no-item': 'no item claims it',
  'trace.reason.no-assertion': 'the contract has no such assertion',
  'trace.reason.not-landed': 'it has not landed',
  'trace.reason.not-judged': 'it has landed, and no role has judged it',
  'trace.reason.by-person': "it is done by a person's word, without evidence",
  'trace.reason.skipped': 'it is left out',
  'trace.reason.no-evidence': 'it has landed, and its evidence is not here',
  'trace.reason.evidence-broken': 'its evidence is not what its commit names',
  // {paths, more}
  'trace.changed': 'changed: {paths}[[ and {more} more]]',
  // {text, place}
  'trace.spec': 'spec: "{text}" ({place})',
  // {text, place}
  'trace.spec-missing': 'spec: "{text}" (not found in {place})',
  // {test}
  'trace.test': 'test: {test}',
  // {commit}
  'trace.commit': 'commit: {commit}',
  // {role, session}
  'trace.by': '{role} (session {session})',
  // {roles, at}
  'trace.verdict.pass': 'passed, {at}, by {roles}',
  // {roles, at}
  'trace.verdict.fail': 'did not pass, {at}, by {roles}',
  // {roles, at}
  'trace.verdict.unclear': 'unclear, {at}, by {roles}',
  // {path, quote}
  'trace.quote': '{path}: {quote}',
  // {holds, void, failing, unproved}
  'trace.counts': '{holds} hold, {void} void, {failing} failing, {unproved} unproved',
  'trace.fetch': '→ harness trace --fetch',
  // {item, role}
  'live.agent': '#{item} {role}',
  // {item, stage}
  'live.stage': '#{item} {#stage}',
  // {why}
  'live.why': '{#why}',
  // {item}
  'live.behind': 'behind #{item}',
  // {tokens}
  'live.tokens': '{tokens} tokens',
  // {forMs}
  'live.time': '{forMs}',
  // {usd}
  'live.usd': '${usd}',
  // {count}
  'live.more': { one: '… and {count} more lane', other: '… and {count} more lanes' },
  // {run, spans, to}
  'telemetry.sent': 'Sent {run} ({spans} spans) to {to}.',
  // {why}
  'telemetry.failed': 'Not taken: {why}',
  'telemetry.off': 'No receiver is set: OTEL_EXPORTER_OTLP_ENDPOINT, or telemetry.endpoint of the configuration.',
  'runs.none': 'There was no run yet. Start one with: harness run',
  'runs.live': 'running',
  'runs.killed': 'ended without a result',
  'runs.empty': '  No session was started.',
  'runs.counts': '{landed} landed, {caught} caught',
  'runs.sessions': { one: '{count} session', other: '{count} sessions' },
  'costs.all': '{money} in all, {tokens} tokens (an estimate)',
  'costs.unreported': 'The agents reported neither cost nor tokens.',
  'costs.tokens': '{tokens} tokens',
  'status.frozen': 'no run starts   → harness unfreeze',
  'status.resume': 'no work starts   → harness resume',
  // {by, since}
  'status.handed-off': 'handed off to {by} since {since}   → harness takeback',
  'status.set-up': 'Not set up yet   → harness init --spec FILE, or harness add "TITLE"',
  'items.none': 'There are no items yet   → harness init --spec FILE, or harness add "TITLE"',
  // {items}
  'items.waits': 'waits for {items}',
  // {after, file}
  'items.apart': 'begins after {after}: both are expected to change {file}',
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
  'item.skipped': 'skipped: {reason}',
  // {reason, by, passes}
  'item.overridden': 'set by hand to passes: {passes}, without proof, by {by}: {reason}',
  // {reason}
  'item.failing': 'fails now: {reason}',
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
  'gates.live': 'A run is live and continues with it.',
  'gates.then': 'harness run   (continues)',
  // {file}
  'config.from': 'from {file}',
  'config.defaults': 'no configuration file: defaults',
  // {file}
  'config.valid': '{file} is valid.',
  'config.valid-none': 'There is no configuration file; defaults apply.',
  'config.not-ready': 'Before work can start:',
  'attempts.none': 'No attempts: no work was rejected or interrupted.',
  // {item}
  'attempts.none-of': 'No attempts of item {item}.',
  'attempts.no-item': 'no item',
  // {session}
  'attempts.session': 'session {session}',
  // {count, added, removed}
  'attempts.size': { one: '{count} file, +{added} -{removed}', other: '{count} files, +{added} -{removed}' },
  // {item, number, ref}
  'attempts.look': 'look at it:   harness attempts show {item} {number}   or  git diff HEAD...{ref}',
  // {item, number, branch, ref}
  'attempts.take': 'take it:      harness attempts take {item} {number}   or  git switch -c {branch} {ref}',
  // {item, number}
  'attempts.patch': 'whole diff:   harness attempts show {item} {number} --patch',
  'attempts.in-progress': 'in progress: the next session continues it',
  // {ref}
  'attempts.take-over': 'into your work tree: git merge --squash {ref}',
  // {count, days}
  'attempts.retention': 'Kept: the newest {count} of every item, regardless of age, and all younger than {days} days.',
  'attempts.inner':
    'Were separate repositories; kept as plain files, their .git folders moved to .git/harness/git/inner:',
  'attempts.ignored':
    'Ignored by git and changed meanwhile: in no attempt. Installed packages were restored, the rest was left as it is:',
  // {branch}
  'attempts.taken': 'The branch {branch} points to it; the working tree is unchanged.',
  // {branch}
  'attempts.taken-before': 'The branch {branch} already points to it.',
  // {branch}
  'attempts.switch': 'git switch {branch}',
  'logs.damaged': { one: '({count} damaged line skipped)', other: '({count} damaged lines skipped)' },
  'logs.none': 'No log lines match.',
  'logs.more': { one: '({count} older line not shown)', other: '({count} older lines not shown)' },
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
  'health.tests-unknown': 'unknown: no run of the whole suite is recorded   → harness verify',
  'health.lint-unknown': 'unknown: no lint run with countable results is recorded   → harness verify ITEM',
  // {file, lines, max}
  'health.file': '{file} ({lines} lines): consider splitting',
  // {max}
  'health.files-all': 'all files are under {max} lines',
  'health.files-rest': 'all other files are under {max} lines',
  // {count, max}
  'health.files-more': 'and {count} more with over {max} lines',
  // {parts}
  'health.shared': 'without {parts}: the weight is distributed over the others',
  'health.nothing': 'unknown',
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
  'version.status-fits': 'status: up to date',
  'version.status-migration-needed':
    'status: migration needed ({schema} → {wanted})   → harness migrate   (harness run does it automatically)',
  'version.status-migration-needed-by-hand':
    'status: migration needed ({schema} → {wanted})   → harness migrate   (harness run refuses: compatibility.on_older_state is abort)',
  'version.status-migration-unfinished':
    'status: a migration was interrupted   → harness migrate   (or harness run) finishes it',
  'version.status-newer': 'status: written by a newer harness   → update the harness',
  'version.status-newer-accepted':
    'status: written by a newer harness; used anyway (compatibility.on_newer_state is warn)',
  'migrate.none': 'There is no state yet: nothing to migrate.',
  // {schema}
  'migrate.fits': 'The state already has schema {schema}: nothing to migrate.',
  // {folder, backup}
  'migrate.copied': 'Copied {folder}/ to {backup}/',
  'migrate.without': 'WARNING: Proceeding without a copy of the old state.',
  'migrate.without-configured':
    'WARNING: Proceeding without a copy of the old state (compatibility.backup_before_migrate is false).',
  'migrate.finished': 'An interrupted migration was finished.',
  // {from, to}
  'migrate.step': 'Migrated schema {from} → {to}',
  // {schema}
  'migrate.done': 'Migration complete: the state has schema {schema}.',
} as const satisfies { readonly [key: string]: Phrase };
