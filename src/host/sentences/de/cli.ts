// German. The parameters of each sentence are listed in its English twin, ../en/cli.ts.
import type { texts as english } from '../en/cli.ts';
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const cli = {
  'output-dir-refused': {
    title: '--output-dir kann nicht {path} sein: {#rule}[[ ({part})]].',
    why: 'Es muss ein eigener Ordner im Repository sein; unter docs/ nur docs/harness/.',
    fix: ['harness workflow "TASK" --output-dir docs/harness', 'harness workflow "TASK" --output-dir out/notes'],
  },
  'confirmation-needed': {
    title: '{action} braucht eine Bestätigung, und es gibt kein Terminal für die Frage.',
    why: '[[{detail}]]',
    fix: ['In einem Terminal ausführen, oder --yes hinzufügen.'],
  },
  'reason-needed': {
    title: '{command} braucht eine Begründung.',
    why: 'Sie bleibt an der Aufgabe sichtbar.',
    fix: ['--reason "warum"'],
  },
  paused: {
    title: 'Dieses Repository ist angehalten.',
    why: '"harness pause" wurde aufgerufen; bis zur Fortsetzung beginnt keine Arbeit.',
    fix: ['harness resume'],
  },
  frozen: {
    title: 'Dieses Repository ist eingefroren.',
    why: '"harness freeze" wurde aufgerufen; bis zur Aufhebung startet kein Lauf.',
    fix: ['harness unfreeze'],
  },
  'item-not-skipped': {
    title: 'Aufgabe {item} ist nicht ausgelassen.',
    why: 'Sie hält keine andere auf.',
    fix: ['harness items'],
  },
  'session-unknown': {
    title: 'Es gibt keine Sitzung {session}.',
    why: '',
    fix: ['harness items show ITEM   (nennt ihre Sitzungen)'],
  },
  'run-unknown': {
    title: 'Es gibt keinen Lauf {run}.',
    why: '[[Die letzten sind {known}.]]',
    fix: ['harness runs'],
  },
  'diff-unknown': {
    title: 'Zu {what} lässt sich kein Unterschied zeigen.',
    why: 'Der Commit, oder womit die Sitzung begann, ist nicht im Repository.',
    fix: ['git log'],
  },
  'serve-running': {
    title: 'Für dieses Repository läuft schon ein Server: {url} (pid {pid}).',
    why: 'Einer reicht für beliebig viele Seiten.',
    fix: ['harness ui', 'harness daemon stop'],
  },
  'serve-address-absent': {
    title: 'Dieser Rechner hat keine Adresse {address}.',
    why: '',
    fix: ['harness serve'],
  },
  'serve-no-token': {
    title: 'Es gibt noch kein Token, und ohne eines darf kein anderer Rechner fragen.',
    why: 'Wer das Token hat, darf Fragen beantworten und Läufe starten. Es entsteht beim ersten Start nur für diesen Rechner, in {file}.',
    fix: ['harness daemon start, dann harness daemon stop'],
  },
  'serve-port-taken': {
    title: 'Port {port} wird von einem anderen Programm benutzt.',
    why: 'Jedes Repository mit eigenem Server braucht einen eigenen Port.',
    fix: ['harness serve --port 0   (irgendein freier Port)'],
  },
  'serve-unavailable': {
    title: 'Der Server ist nicht gestartet.',
    why: '[[Zuletzt meldete er:\n{words}\n]]Alle seine Meldungen stehen in {file}.',
    fix: ['harness serve   (im Vordergrund, um den Grund zu sehen)'],
  },
  'handed-off': {
    title: 'Die Arbeit ist an einen Menschen übergeben.',
    why: '"harness handoff" wurde aufgerufen; bis zur Rücknahme beginnt keine Arbeit.',
    fix: ['harness takeback'],
  },
  'session-at-gate': {
    title: 'Eine Sitzung an Aufgabe {item} wartet auf eine Antwort, und ihre Arbeit liegt im Arbeitsverzeichnis.',
    why: 'Änderungen dort wären jetzt von der geprüften Arbeit nicht zu unterscheiden.',
    fix: ['harness gates', 'harness abort   (behält ihre Arbeit als Versuch und beginnt von vorn)'],
  },
  'abort-unfinished': {
    title: 'Ein Abbruch wurde unterbrochen.',
    why: 'Der Zustand ist nur teilweise gelöscht; bis der Abbruch beendet ist, beginnt keine Arbeit.',
    fix: ['harness abort'],
  },
} as const satisfies FailureSection;

export const texts: { readonly [K in keyof typeof english]: Phrase } = {
  'choice.unknown': 'Diese Option gibt es nicht: {option}.',
  'help.what':
    'harness steuert KI-Agenten in einem Git-Repository, prüft jedes Ergebnis selbst, übernimmt es oder nimmt es zurück.',
  'help.first':
    'Zum ersten Mal hier: harness demo. Im eigenen Repository: harness init --spec DATEI, dann harness run.',
  'error.word': 'Fehler:',
  'bug.title':
    'Fehler: unerwartet: {message}. Das ist ein Fehler des Programms; nichts ist verloren, den Befehl noch einmal aufrufen.',
  'bug.report': 'Der Fehlerbericht liegt in {file}: bitte einer Meldung beilegen.',
  'interrupt.gentle': 'Wird nach diesem Schritt beendet und gesichert … (noch einmal Strg-C hält sofort an)',
  'notice.inert': 'Konfiguriert, aber in dieser Version ohne Wirkung: {keys}',
  'notice.unconfigured':
    'Keine Konfigurationsdatei: Der Agent ist {provider}, und die Standardwerte gelten (harness config show).',
  'notice.inferred': 'Nicht konfiguriert, aus {from} abgeleitet: {key} = {value}',
  'notice.blind': 'Diese Grenzen können bei {agent} nicht wirken: {keys}. {#why}.',
  'dry.nothing': 'Es würde nichts ausgeführt: keine Aufgabe ist bereit.',
  'dry.would': 'Würde Sitzung {session} ausführen mit:',
  'dry.role': 'Prompt',
  'dry.item': 'Aufgabe',
  'dry.test': 'Testdatei',
  'dry.prompt': 'Der Agent würde erhalten:',
  'dry.unchanged': 'Nichts wurde geändert.',
  'say.migrating': 'Der Zustand wird von Schema {from} auf {to} umgestellt',
  'say.migrated': 'Der Zustand ist umgestellt[[; der alte liegt in {backup}/]]',
  'say.migrated-without':
    'Der Zustand ist umgestellt; vom alten gibt es keine Kopie (compatibility.backup_before_migrate ist false)',
  'say.newer-state':
    'Der Zustand stammt von einem neueren harness (Schema {found}; dieses kennt {supported}). Wie konfiguriert, geht es trotzdem weiter[[; eine Kopie liegt in {backup}/]].',
  'say.item': 'Sitzung {session}: Aufgabe #{item}',
  'say.session': '    Agent arbeitet ({role}, {provider})',
  // {role, said, why}: the first line of a session's answer; why: the harness's objection to it
  'say.said': '    {role}: {said}',
  'say.said-not': '    {role}[[: {said}]] — {why}',
  'say.wait': '    wartet: {#why}. Nächster Versuch um {until}[[ ({attempt} von {of})]]',
  'say.limit-context-warning': '    der Kontext füllt sich ({used} von {window} Token): der Agent wurde benachrichtigt',
  'say.limit-context-wrap-up':
    '    der Kontext ist fast voll ({used} von {window} Token): der Agent muss zum Ende kommen',
  'say.limit-stuck': '    kein Fortschritt: der Agent wurde benachrichtigt',
  'say.limit-stuck-wrap-up': '    noch immer kein Fortschritt: der Agent muss zum Ende kommen',
  'say.limit-same-error': '    derselbe Fehler tritt immer wieder auf: der Agent wurde benachrichtigt',
  'say.limit-time-warning': '    die Zeit der Sitzung ist fast um: der Agent wurde benachrichtigt',
  'say.limit-budget-wrap-up': '    das Budget ist fast aufgebraucht: der Agent muss zum Ende kommen',
  'say.limit-quota-wrap-up': '    das Kontingent seines Kontos ist fast aufgebraucht: der Agent muss zum Ende kommen',
  'say.limit-quota-limit': '    das Kontingent seines Kontos ist aufgebraucht: die Sitzung wurde beendet',
  'say.limit-context-limit': '    der Kontext ist voll ({used} von {window} Token): die Sitzung wurde beendet',
  'say.limit-stuck-ended': '    kein Fortschritt: die Sitzung wurde beendet',
  'say.limit-budget-limit': '    das Budget ist aufgebraucht: die Sitzung wurde beendet',
  'say.limit-wall-limit': '    die Zeit der Sitzung ist um: sie wurde beendet',
  'say.limit-idle-limit': '    der Agent hat sich zu lange nicht gemeldet: seine Runde wurde beendet',
  'say.limit-output-limit': '    der Agent hat zu viel ausgegeben: seine Runde wurde beendet',
  'say.stands-in':
    '    {for} hat das Kontingent erreicht ({window}: {percent} % verbraucht[[, bis {until}]]): {agent} übernimmt',
  'say.blind-money':
    '    ein Budget ist gesetzt, aber die Kosten dieses Agenten sind unbekannt: costs.prices konfigurieren, damit es wirkt',
  'say.blind-tokens':
    '    eine Grenze für Tokens ist gesetzt, aber dieser Agent hat keine gemeldet: Grenzen in Minuten wirken bei jedem Agenten',
  'attend.done': 'Was jetzt? (w: Wartung · h: Aufgabe hinzufügen · Enter: beenden)',
  'attend.maintains':
    'Wartung: Das Projekt wird jede Stunde geprüft, und was kaputtgeht, ist als Nächstes dran. Mehr Arbeit mit harness add; harness stop oder Strg-C beendet sie.',
  'attend.work-on-it': 'Jetzt daran arbeiten?',
  'attend.which':
    'Welche? (eine Option, bei Bedarf mit einer Bemerkung dahinter; empfohlen: {recommended}; Enter: später)',
  'say.proof': '    Nachweise: {proofs}',
  'say.back': '    zurückgenommen: {why}',
  'say.installed-back': '    installierte Pakete wiederhergestellt: {count} Dateien',
  'say.installed-left':
    '    zu viele installierte Dateien wurden geändert, um sie wiederherzustellen: {count}. Neu installieren.',
  'say.landed': '    übernommen: #{item} als {commit}',
  'say.undone':
    '    Sitzung {session} wurde unterbrochen: ihre Änderungen sind als Versuch gespeichert, sie beginnt von vorn[[\n    ihre Commits sind in dem Versuch: {commits}]][[\n    → harness attempts take {item} {number}]]',
  'say.commits-kept':
    '    Sitzung {session} hat selbst Commits gemacht: sie sind als Versuch gespeichert und nicht mehr auf dem Branch: {commits}[[\n    falls es Ihre sind → harness attempts take {item} {number}]]',
  'say.uncommitted': '{file} hat Änderungen, die nicht committet sind: Was committet ist, gilt   → git commit {file}',
  'say.planned-again': 'Der letzte Plan wurde abgelehnt: Es wird mit den Gründen neu geplant ({file}).',
  'say.users-files-landed':
    '    von Ihnen geändert, nicht vom Agenten: bleibt in Ihrem Arbeitsverzeichnis, nicht im Commit: {files}',
  'say.users-files-kept': '    von Ihnen geändert, nicht vom Agenten: bleibt in Ihrem Arbeitsverzeichnis: {files}',
  'say.unclear-files':
    '    im Commit, und vielleicht von Ihnen geändert (keine Änderung des Agenten erklärt es): {files}',
  'say.memory-repaired':
    'Eine Datei des Gedächtnisses war nicht in Ordnung ({why}): {file}. Sie wurde berichtigt, soweit das ging; das Original liegt daneben als *.broken.',
  'say.set-aside':
    '    Arbeit einer früheren Sitzung an #{item} passt nicht auf die neuesten Commits: als Versuch gespeichert\n    → harness attempts take {item} {number}',
  'say.notice-failed':
    'notify.{channel} geht nicht: {why}. Der Lauf geht weiter; die Nachricht wird später wieder versucht.',
  'notice.question': '{project}: eine Frage wartet[[ (Aufgabe {item})]]',
  'notice.ended': '{project}: {#kind}',
  'notice.test': 'harness: eine Probenachricht',
  'notice.test-text': 'Nachrichten von harness kommen hier an.',
  'notice.landed': {
    one: '{count} Item ist in diesem Lauf gelandet.',
    other: '{count} Items sind in diesem Lauf gelandet.',
  },
  // {files}
  'say.continues-beside':
    'Ihre nicht eingecheckten Änderungen bleiben, wie sie sind ({files}); der Lauf arbeitet in einem eigenen Arbeitsverzeichnis weiter',
  'say.unsigned':
    '    Commits werden nicht signiert: commit.gpgsign ist gesetzt, aber das Signieren schlug fehl, wohl weil es eine Passphrase oder Berührung braucht\n    → vorher den Schlüssel entsperren (git commit-tree -S) oder commit.gpgsign hier abschalten',
  'say.unplayable': '    Runde {turn} der Sitzung {session} kann nicht wiedergegeben werden: {#why}',
  'say.site': 'Ein Browser sieht sich {url} und die verlinkten Seiten an',
  'say.suite':
    'Die Testsuite läuft in einem sauberen Checkout und, wenn sie dort fehlschlägt, in Ihrem Arbeitsverzeichnis: {command}   (--no-suite: ohne)',
  'say.installing': '    Installation für den sauberen Checkout: {command}',
  'say.install-copied':
    '    {command} ist fehlgeschlagen: Der saubere Checkout bekommt eine Kopie dessen, was hier installiert ist\n{tail}',
  'say.ignored-back': {
    one: '    der Agent hat eine von git ignorierte Datei gelöscht; sie ist wieder da: {files}',
    other: '    der Agent hat {count} von git ignorierte Dateien gelöscht; sie sind wieder da: {files}',
  },
  'say.list-broken':
    '{file}:{line}:{column} ist kein JSON: die Kopie von vor dem letzten Schreiben gilt. Der Text ist aufbewahrt als {kept}; dort korrigieren, dann: harness resume --accept-edits',
  'say.list-edited-all': '{file} wurde bearbeitet, während der Agent gearbeitet hat: die Änderung ist übernommen.',
  'say.list-edited-part':
    '{file} wurde bearbeitet, während der Agent gearbeitet hat: neue Aufgaben, Titel, Prioritäten und Abhängigkeiten sind übernommen. Der Rest ist aufbewahrt als {kept}   → harness resume --accept-edits',
  'say.list-edited-nothing':
    '{file} wurde während der Sitzung geändert und ist wie zuvor. Der geänderte Text ist aufbewahrt als {kept}   → harness resume --accept-edits   (übernimmt ihn)',
  'say.parked':
    '    #{item} wartet auf eine Antwort: die Arbeit liegt unter refs/harness/parked, andere Aufgaben gehen weiter',
  'say.landing-waits': '    #{item} wartet auf ihre Landung, hinter #{behind}',
  'say.taken-back': '    #{item}: ihre Arbeit ist als Versuch {number} aufbewahrt, und sie beginnt von vorn',
  'say.message-passed': '    #{item}: Ihre Nachricht hat den Agenten erreicht',
  'say.unparked': '    #{item} geht weiter: die Arbeit ist wieder im Arbeitsverzeichnis',
  'say.run-branch-gone':
    '{branch} wurde gelöscht, bevor er gemergt war: seine Aufgaben sind wieder offen.   → git branch {branch} {commit}',
  'say.stashed': '    Ihre nicht committete Arbeit liegt im Stash: git stash pop',
  'say.behind': '    {remote} hat Commits, die hier fehlen; es wird kein Push erzwungen',
  'say.unwound':
    '  #{item} ist ausgelassen: Die angefangene Arbeit ist zurückgenommen ({commit}) und bleibt in der Historie',
  'say.not-unwound': '  #{item} ist ausgelassen, aber die angefangene Arbeit bleibt: {why}',
  'say.merged': '    Commits von {remote} sind zusammengeführt ({count}); das Ergebnis wird vor dem Push geprüft',
  'say.push': '    nach {remote} wurde nichts gepusht; hier ist es übernommen',
  'say.denied': '    abgelehnt ({rule}): {tool}[[ {about}]]',
  'say.violation': '    Regelverstoß ohne Rückfrage ({rule}): {tool}[[ {about}]]',
  'say.tampering': '    der Agent hat {file} geändert, das zum Harness gehört: wiederhergestellt',
  'say.git-tampering':
    '    {file} wurde während der Sitzung geändert, und Git gehorcht dem: wiederhergestellt[[; was stattdessen da war, liegt in {kept}]]',
  'proof.tests': 'nach Testbericht: {held}[[; nicht möglich: {notPossible}]]',
  'proof.exit-code': 'nur nach Exit-Code: {held}[[; nicht möglich: {notPossible}]]',
  'proof.person': 'auf das Wort eines Menschen[[; geprüft: {held}]][[; nicht möglich: {notPossible}]]',
  'run.session': 'Sitzung {session}',
  'run.commit': 'Commit {commit}',
  'run.recorded': { one: '{count} Runde aufgenommen: {file}', other: '{count} Runden aufgenommen: {file}' },
  'run.replayed': { one: '{file} wiedergegeben ({count} Runde)', other: '{file} wiedergegeben ({count} Runden)' },
  'run.evidence': 'Belege {evidence}',
  'run.cost': 'Kosten: {tokens} Tokens, {money}',
  'cost.unknown': 'Kosten unbekannt (der Anbieter meldet keine)',
  'cost.usd': 'etwa {usd} $ (Schätzung)',
  'run.left': 'Bleibt liegen, bis Sie getan haben, was nötig ist: {items}   → harness run',
  'run.branch': {
    one: '{count} Commit zum Mergen ist auf {branch}; Ihr Branch ist, wie er war.',
    other: '{count} Commits zum Mergen sind auf {branch}; Ihr Branch ist, wie er war.',
  },
  'run.branch-behind': {
    one: 'Ihr Branch hat seitdem {count} eigenen Commit: der nächste Lauf beginnt mit beidem.',
    other: 'Ihr Branch hat seitdem {count} eigene Commits: der nächste Lauf beginnt mit beidem.',
  },
  'run.next': 'Als Nächstes: #{item} ({prompt})   → harness run',
  'plan.made': { one: '{count} Plan hinzugefügt:', other: '{count} Pläne hinzugefügt:' },
  'plan.line': '  {id} {title}[[ (nach {depends})]][[   {test}]]',
  'plan.commit': 'Ein Commit: {commit}[[, auf {branch} des Remotes]]',
  'plan.next': 'Lesen, berichtigen, dann: harness run',
  'site.spec': {
    one: '{file}: {count} Aussage, mit der Seite, auf der sie zu sehen war',
    other: '{file}: {count} Aussagen, jede mit der Seite, auf der sie zu sehen war',
  },
  'site.acceptance': { one: '{file}: {count} Abnahmekriterium', other: '{file}: {count} Abnahmekriterien' },
  'site.pages': {
    one: '{count} Seite angesehen[[, höchstens {most} war verlangt   → --pages]]   (Bilder: {folder})',
    other: '{count} Seiten angesehen[[, höchstens {most} waren verlangt   → --pages]]   (Bilder: {folder})',
  },
  'site.not-seen': {
    one: '{count} Aussage ist durch das Gesehene nicht belegt: Abschnitt „Not seen“',
    other: '{count} Aussagen sind durch das Gesehene nicht belegt: Abschnitt „Not seen“',
  },
  'site.next': 'Nichts ist committet. Beide lesen, berichtigen, committen, dann: harness plan {file}',
  'plan.rejected': 'Es wurde kein Plan hinzugefügt: {reason}.',
  'site.rejected': 'Es wurde keine Spezifikation geschrieben: {reason}.',
  'init.made': { one: '{count} Datei angelegt:', other: '{count} Dateien angelegt:' },
  'init.commit': 'Ein Commit: {commit}',
  'init.skill-there': 'Die Skills sind schon installiert und aktuell.',
  'init.suite-fails': 'Die Testsuite schlägt fehl; ein Lauf beginnt erst, wenn sie besteht.',
  'init.ready': 'Bereit für: harness run',
  'init.ready-empty':
    'Die Liste ist leer. Was soll gebaut werden?   → harness add "TITEL" --verify BEWEIS, dann: harness run',
  'init.ready-spec':
    'Es gibt noch keinen Plan. Beschreiben Sie in {file}, was gebaut werden soll, und committen Sie es   → harness run',
  'run.said': 'der Agent sagte zuletzt: {words}',
  'run.empty': 'Die Liste ist leer: es gab nichts zu tun.   → harness add "TITEL" --verify BEWEIS',
  'init.rejected': 'Das Projekt wurde nicht eingerichtet: {reason}.',
  'init.undone':
    'Im Repository hat sich nichts geändert; was der Agent geschrieben hat, ist gespeichert: harness attempts',
  'demo.begin': 'Ein echtes Repository mit echtem Git, Agenten nach Skript: {root}',
  'demo.verdict':
    '{landed} Aufgaben übernommen, jede vom Harness geprüft. {caught} Sitzungen wurden ertappt und zurückgenommen: eine meldete fertig, was sie nie schrieb, eine machte einen älteren Test kaputt.',
  'demo.look': 'Zum Ansehen:',
  'demo.next': 'Im eigenen Repository: harness init --spec DATEI, dann harness run --until-done',
  'status.pending': 'offen',
  'status.ready': 'bereit',
  'status.active': 'in Arbeit',
  'status.waiting': 'wartet',
  'status.landed': 'gelandet',
  'status.sessions': 'Sitzungen',
  'status.counted': '{count} von höchstens {max}[[, die letzte {last}]]',
  'status.each': 'Einzeln',
  'status.more': '… und {count} weitere   → harness items',
  'status.log': 'Protokoll',
  'status.unproved': 'ohne Nachweis gelandet',
  'status.failed': 'fehlgeschlagen',
  'status.blocked': 'blockiert',
  'status.skipped': 'ausgelassen',
  'result.landed': 'Aufgabe {item} ist gelandet: {reason}.',
  'result.partial': 'Aufgabe {item} ist teilweise fertig: {reason}.',
  'result.phase': 'Aufgabe {item}: {reason}.',
  'result.failed': 'Aufgabe {item} ist fehlgeschlagen: {reason}.',
  'result.rejected': 'Aufgabe {item} wurde abgelehnt: {reason}.',
  'result.skipped': 'Aufgabe {item} wurde ausgelassen: {reason}.',
  'result.gate': 'Aufgabe {item} wartet auf eine Antwort: {reason}.',
  'result.gate-of-run': 'Der Lauf wartet auf eine Antwort: {reason}.',
  'result.aside': 'Aufgabe {item} bleibt vorerst liegen: {reason}.',
  'result.blocked': 'Blockiert: {reason}.',
  'result.done': 'Fertig: {reason}.',
  'result.done-maintain':
    '  → harness run --maintain   (prüft das Projekt immer wieder; was kaputtgeht, ist als Nächstes dran)',
  'result.done-add': '  → harness add "TITEL"   (mehr Arbeit)',
  'result.limit': 'An einem Limit angehalten: {reason}.',
  'result.paused': 'Pausiert: {reason}.',
  'gate.waits':
    'Die Frage {gate} „{header}“ wartet auf Antwort[[, zu Aufgabe {item}]]. Währenddessen entstehen keine Kosten.',
  'gate.recommended': 'empfohlen',
  'gate.none': 'Keine Frage wartet auf Antwort.',
  'gate.answered': 'Die Frage {gate} ist beantwortet: {option}.',
  'ids.more': { one: '… und {count} weiterer', other: '… und {count} weitere' },
  'confirm.question': '{question} Zum Fortfahren „yes“ eingeben: ',
};
