// German. The parameters of each sentence are listed in its English twin, ../en/cli.ts.
import type { texts as english } from '../en/cli.ts';
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const cli = {
  'output-dir-refused': {
    title: '--output-dir kann nicht {path} sein: {#rule}[[ ({part})]].',
    why: 'Es muss ein eigener Ordner im Repository sein; unter docs/ nur docs/harness/.',
    mend: ['harness workflow "TASK" --output-dir docs/harness', 'harness workflow "TASK" --output-dir out/notes'],
  },
  'confirmation-needed': {
    title: '{action} braucht eine Zustimmung, und hier ist niemand zu fragen.',
    why: '[[{detail}]]',
    mend: ['In einem Terminal ausführen, oder --yes hinzufügen.'],
  },
  'reason-needed': {
    title: '{command} braucht eine Begründung.',
    why: 'Sie bleibt an der Aufgabe sichtbar.',
    mend: ['--reason "warum"'],
  },
  paused: {
    title: 'Dieses Repository ist angehalten.',
    why: 'Jemand hat "harness pause" aufgerufen; bis zur Fortsetzung wird nichts bearbeitet.',
    mend: ['harness resume'],
  },
  'handed-off': {
    title: 'Die Arbeit ist an einen Menschen übergeben.',
    why: 'Jemand hat "harness handoff" aufgerufen; bis zur Rücknahme wird nichts bearbeitet.',
    mend: ['harness takeback'],
  },
  'session-at-gate': {
    title: 'Eine Sitzung an Aufgabe {item} wartet auf eine Antwort, und ihre Arbeit liegt im Arbeitsbaum.',
    why: 'Was dort jetzt geändert wird, wäre von dem Geprüften nicht zu unterscheiden.',
    mend: ['harness gates', 'harness abort   (hebt ihre Arbeit als Versuch auf und beginnt neu)'],
  },
  'abort-unfinished': {
    title: 'Ein Abbruch wurde unterbrochen.',
    why: 'Der Zustand ist halb geleert; bis er es ganz ist, arbeitet nichts daran.',
    mend: ['harness abort'],
  },
} as const satisfies FailureSection;

export const texts: { readonly [K in keyof typeof english]: Phrase } = {
  'choice.unknown': 'Diese Option gibt es nicht: {option}.',
  'help.what':
    'harness führt KI-Agenten über ein Git-Repository, prüft jedes Ergebnis selbst, übernimmt es oder nimmt es zurück.',
  'help.first':
    'Zum ersten Mal hier: harness demo. Im eigenen Repository: harness init --spec DATEI, dann harness run.',
  'error.word': 'Fehler:',
  'bug.title':
    'Fehler: unerwartet: {message}. Das ist ein Fehler des Programms; nichts ist verloren, den Befehl noch einmal aufrufen.',
  'bug.report': 'Der Fehlerbericht liegt in {file}: bitte einer Meldung beilegen.',
  'interrupt.gentle': 'Ende nach diesem Schritt, der Stand wird gesichert … (noch einmal Strg-C hält sofort an)',
  'notice.inert': 'Eingestellt, aber in dieser Version ohne Wirkung: {keys}',
  'notice.inferred': 'Nicht eingestellt, aus {from} abgeleitet: {key} = {value}',
  'dry.nothing': 'Es würde nichts ausgeführt: keine Aufgabe ist bereit.',
  'dry.would': 'Würde Sitzung {session} ausführen mit:',
  'dry.role': 'Prompt',
  'dry.item': 'Aufgabe',
  'dry.test': 'Testdatei',
  'dry.prompt': 'Dem Agenten würde gesagt:',
  'dry.unchanged': 'Nichts wurde geändert.',
  'say.migrating': 'Der Zustand wird von Schema {from} auf {to} umgestellt',
  'say.migrated': 'Der Zustand ist umgestellt[[; der alte liegt in {backup}/]]',
  'say.migrated-without':
    'Der Zustand ist umgestellt; vom alten gibt es keine Kopie (compatibility.backup_before_migrate ist false)',
  'say.newer-state':
    'Der Zustand stammt von einem neueren harness (Schema {found}; dieses kennt {supported}). Wie eingestellt, geht es trotzdem weiter[[; eine Kopie liegt in {backup}/]].',
  'say.item': 'Sitzung {session}: Aufgabe #{item}',
  'say.session': '    Agent arbeitet ({role}, {provider})',
  // {role, said, why}: the first line of a session's answer; why: what the harness holds against it
  'say.said': '    {role}: {said}',
  'say.said-not': '    {role}[[: {said}]] — {why}',
  'say.wait': '    wartet: {#why}. Nächster Versuch um {until} ({attempt} von {of})',
  'say.limit-context-warning': '    der Kontext füllt sich ({used} von {window} Token): dem Agenten wurde es gesagt',
  'say.limit-context-wrap-up':
    '    der Kontext ist fast voll ({used} von {window} Token): der Agent muss zum Ende kommen',
  'say.limit-stuck': '    kein Fortschritt: dem Agenten wurde es gesagt',
  'say.limit-stuck-wrap-up': '    noch immer kein Fortschritt: der Agent muss zum Ende kommen',
  'say.limit-same-error': '    immer wieder derselbe Fehler: dem Agenten wurde es gesagt',
  'say.limit-time-warning': '    die Zeit der Sitzung ist fast um: dem Agenten wurde es gesagt',
  'say.limit-budget-wrap-up': '    das Geld ist fast aufgebraucht: der Agent muss zum Ende kommen',
  'say.limit-quota-wrap-up': '    das Kontingent seines Kontos ist fast aufgebraucht: der Agent muss zum Ende kommen',
  'say.limit-quota-limit': '    das Kontingent seines Kontos ist aufgebraucht: die Sitzung wurde beendet',
  'say.limit-context-limit': '    der Kontext ist voll ({used} von {window} Token): die Sitzung wurde beendet',
  'say.limit-stuck-ended': '    kein Fortschritt: die Sitzung wurde beendet',
  'say.limit-budget-limit': '    das Geld ist aufgebraucht: die Sitzung wurde beendet',
  'say.limit-wall-limit': '    die Zeit der Sitzung ist um: sie wurde beendet',
  'say.limit-idle-limit': '    der Agent hat zu lange nichts gesagt: sein Zug wurde beendet',
  'say.limit-output-limit': '    der Agent redet ohne Ende: sein Zug wurde beendet',
  'say.stands-in':
    '    {for} nimmt nichts mehr an ({window}: {percent} % verbraucht[[, bis {until}]]): {agent} springt ein',
  'say.budget-blind':
    '    ein Budget ist gesetzt, und niemand weiß, was dieser Agent kostet[[ (Modell {model})]]: mit costs.prices in der Konfiguration würde es wirken',
  'attend.which':
    'Welche? (eine Möglichkeit, wenn gewünscht mit einer Bemerkung dahinter; empfohlen: {recommended}; Enter: später)',
  'say.proof': '    Beweise: {proofs}',
  'say.back': '    zurückgenommen: {why}',
  'say.installed-back': '    zurückgelegt, wie es installiert war: {count} Dateien',
  'say.installed-left':
    '    Installiertes wurde geändert und ist zu viel, um aufgehoben zu werden: {count} Dateien. Neu installieren.',
  'say.landed': '    übernommen: #{item} als {commit}',
  'say.undone':
    '    Sitzung {session} war unterbrochen: was seit ihrem Beginn geschrieben wurde, ist als Versuch aufgehoben, sie beginnt von vorn[[\n    Commits aus dieser Zeit sind in dem Versuch: {commits}]][[\n    → harness attempts take {item} {number}]]',
  'say.unplayable': '    Zug {turn} der Sitzung {session} ist nicht wiederzugeben: {#why}',
  'say.stashed': '    Ihre nicht übernommene Arbeit liegt im Stash: git stash pop',
  'say.behind': '    {remote} hat Commits, die hier fehlen; erzwungen wird nichts',
  'say.unwound':
    '  #{item} ist ausgelassen: Die angefangene Arbeit ist zurückgenommen ({commit}) und bleibt in der Historie',
  'say.not-unwound': '  #{item} ist ausgelassen, aber die angefangene Arbeit bleibt stehen: {why}',
  'say.merged':
    '    Commits von {remote} sind zusammengeführt ({count}); das Ganze wird geprüft, bevor es gepusht wird',
  'say.push': '    nach {remote} wurde nichts gepusht; hier ist es übernommen',
  'say.denied': '    abgelehnt ({rule}): {tool}[[ {about}]]',
  'say.violation': '    gegen die Regeln, ungefragt ({rule}): {tool}[[ {about}]]',
  'say.tampering': '    der Agent hat {file} geändert, das dem Harness gehört: zurückgesetzt',
  'run.session': 'Sitzung {session}',
  'run.commit': 'Commit {commit}',
  'run.recorded': { one: '{count} Zug aufgenommen: {file}', other: '{count} Züge aufgenommen: {file}' },
  'run.replayed': { one: '{file} wiedergegeben ({count} Zug)', other: '{file} wiedergegeben ({count} Züge)' },
  'run.evidence': 'Belege {evidence}',
  'run.cost': 'Kosten: {tokens} Tokens, {money}',
  'cost.unknown': 'Geld unbekannt (der Anbieter meldet nichts)',
  'cost.usd': 'etwa {usd} $ (Schätzung)',
  'run.next': 'Als Nächstes: #{item} ({prompt})   → harness run',
  'init.made': '{count} Dateien angelegt:',
  'init.commit': 'Ein Commit: {commit}',
  'init.skill-there': 'Die Skills sind schon da, wie sie sein sollen.',
  'init.ready': 'Bereit für: harness run',
  'init.rejected': 'Das Projekt wurde nicht eingerichtet: {reason}.',
  'init.undone': 'Im Repository hat sich nichts geändert; was der Agent gemacht hat, ist aufgehoben: harness attempts',
  'demo.begin': 'Ein echtes Repository, echtes git, Agenten nach Drehbuch: {root}',
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
  'status.log': 'Protokoll',
  'status.unproved': 'ohne Nachweis gelandet',
  'status.failed': 'gescheitert',
  'status.blocked': 'blockiert',
  'status.skipped': 'ausgelassen',
  'result.landed': 'Aufgabe {item} ist gelandet: {reason}.',
  'result.partial': 'Aufgabe {item} ist teilweise fertig: {reason}.',
  'result.failed': 'Aufgabe {item} ist gescheitert: {reason}.',
  'result.rejected': 'Aufgabe {item} wurde abgelehnt: {reason}.',
  'result.skipped': 'Aufgabe {item} bleibt aus: {reason}.',
  'result.gate': 'Aufgabe {item} wartet auf eine Antwort: {reason}.',
  'result.blocked': 'Nichts kann weitergehen: {reason}.',
  'result.done': 'Fertig: {reason}.',
  'result.limit': 'An einer Grenze angehalten: {reason}.',
  'result.paused': 'Pausiert: {reason}.',
  'gate.waits':
    'Die Frage {gate} „{header}“ wartet auf Antwort[[, zu Aufgabe {item}]]. Solange wird nichts ausgegeben.',
  'gate.recommended': 'empfohlen',
  'gate.none': 'Keine Frage wartet auf Antwort.',
  'gate.answered': 'Die Frage {gate} ist beantwortet: {option}.',
  'ids.more': { one: '… und {count} weiterer', other: '… und {count} weitere' },
  'confirm.question': '{question} Zum Fortfahren „yes“ eingeben: ',
};
