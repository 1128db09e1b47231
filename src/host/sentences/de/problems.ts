// German. The parameters of each sentence are listed in its English twin, ../en/problems.ts.
import type { Sentences } from '../shape.ts';

export const problems = {
  // {file, role}
  'output-missing': 'Die Datei, um die es ging, ist nicht da oder leer: {file}. Schreiben Sie sie ganz.',
  // {role, line}
  'session-gave-up': 'Die Rolle {role} sagt, dass sie es nicht konnte[[: {line}]].',
  // {path, rule}
  'docs-path-unsafe':
    'Der Ordner der Sitzung darf nicht aufgeräumt werden: {path}[[ ({rule})]]. Nichts wurde gelöscht.',
  'nothing-claimed':
    'Keine Aufgabe wurde als fertig gemeldet. Ist Aufgabe {item} fertig, im Backlog ihr passes auf true setzen; wenn nicht, an ihr weiterarbeiten.',
  'too-many-claims':
    '{claimed} Aufgaben wurden als fertig gemeldet, aber eine Sitzung darf höchstens {allowed} abschließen. Alle Meldungen zurücknehmen, die nicht Auftrag dieser Sitzung sind:',
  'wrong-claim':
    'Andere Aufgaben als Aufgabe {item}, der Auftrag dieser Sitzung, wurden als fertig gemeldet. Diese Meldungen zurücknehmen und Aufgabe {item} abschließen:',
  'backlog-edited':
    'Das Backlog[[ {file}]] wurde über die eine erlaubte Meldung hinaus geändert[[: {field}]]. Alles andere wieder herstellen, wie es war.',
  'backlog-unreadable':
    'Das Backlog[[ {file}]] ist nicht mehr lesbar[[: {#why}]]. So wiederherstellen, wie es vor der Sitzung war.',
  'item-removed': {
    one: 'Eine Aufgabe wurde aus dem Backlog entfernt. Genau so zurückstellen, wie sie war:',
    other: '{count} Aufgaben wurden aus dem Backlog entfernt. Genau so zurückstellen, wie sie waren:',
  },
  'item-added': {
    one: 'Eine Aufgabe wurde dem Backlog hinzugefügt[[ ({#why})]]. Entfernen; neue Aufgaben fügen Menschen hinzu:',
    other:
      '{count} Aufgaben wurden dem Backlog hinzugefügt[[ ({#why})]]. Entfernen; neue Aufgaben fügen Menschen hinzu:',
  },
  'item-edited': {
    one: '{field} einer Aufgabe wurde im Backlog geändert[[, auf {got}]]. Genau so zurückstellen, wie es war:',
    other: '{field} von {count} Aufgaben wurde im Backlog geändert[[, auf {got}]]. Genau so zurückstellen, wie es war:',
  },
  'claim-withdrawn': {
    one: 'Eine fertige Aufgabe gilt jetzt als nicht fertig. Ihr passes zurückstellen; Gelandetes nehmen nur Menschen zurück:',
    other:
      '{count} fertige Aufgaben gelten jetzt als nicht fertig. Ihr passes zurückstellen; Gelandetes nehmen nur Menschen zurück:',
  },
  'claim-taken-back':
    'harness hat {file} zurückgesetzt, Aufgabe {item} gilt also nicht als fertig. Wenn alles darüber stimmt, ihr passes wieder auf true setzen.',
  'check-failed':
    'Die Prüfung {check} ist gescheitert[[: {command}]][[ (Exit-Code {exit})]].[[ Das Ende ihrer Ausgabe:\n{tail}]]',
  'check-timed-out':
    'Die Prüfung {check} wurde gestoppt[[, nach {seconds} s]][[: {command}]][[ (Grenze {limit} s)]]. Sie hängt oder dauert zu lange; herausfinden, woran es liegt.[[ Das Ende ihrer Ausgabe:\n{tail}]]',
  'check-output-flood':
    'Die Prüfung {check} gab zu viel aus und wurde gestoppt[[, nach {bytes} Bytes]][[: {command}]]. Herausfinden, was endlos ausgibt.[[ Das Ende ihrer Ausgabe:\n{tail}]]',
  'command-missing':
    'Die Prüfung {check} ließ sich nicht starten[[: {command}]]. Das Programm wurde nicht gefunden oder darf nicht ausgeführt werden.[[\n{tail}]]',
  'no-tests-executed':
    'Die Prüfung {check} hat keinen Test ausgeführt[[: {command}]]. Zum Bestehen gehört mindestens ein Test, der wirklich lief; er muss dort stehen, wo das Testprogramm ihn findet.[[ Das Ende der Ausgabe:\n{tail}]]',
  'all-tests-skipped':
    'Die Prüfung {check} hat alle ihre Tests übersprungen[[: {command}]]. Ein übersprungener Test belegt nichts; das Überspringen entfernen und die Tests bestehen lassen.',
  'tests-failed': {
    one: '{count} Test der Prüfung {check} ist gescheitert[[: {command}]]. Den Code berichtigen, nicht den Test abschwächen.[[ Er sagt:\n{tail}]]',
    other:
      '{count} Tests der Prüfung {check} sind gescheitert[[: {command}]]. Den Code berichtigen, nicht die Tests abschwächen.[[ Sie sagen:\n{tail}]]',
  },
  'report-missing':
    'Die Prüfung {check} hat keinen Testbericht hinterlassen[[: {command}]][[ (Exit-Code {exit})]]. Das Testprogramm muss bis zum Ende laufen und berichten; wie es berichtet, darf nicht geändert werden.[[ Das Ende seiner Ausgabe:\n{tail}]]',
  'report-unreadable':
    'Der Testbericht der Prüfung {check} ist nicht lesbar[[: {#why}]]. Nur das Testprogramm darf ihn schreiben, und zwar das, das testing.runner nennt.[[ Das Ende der Ausgabe:\n{tail}]]',
  'report-incomplete':
    'Der Testbericht der Prüfung {check} ist unvollständig.[[ Er sagt:\n{tail}\n]] Jede Testdatei muss laden und der Lauf zu Ende kommen:',
  'exit-contradicts-report':
    'Die Prüfung {check} endete mit Exit-Code {exit}, aber ihr Bericht hat {failed} gescheiterte Tests[[: {command}]]. Beide müssen dasselbe sagen; herausfinden, was den Lauf neben den Tests beendet oder scheitern lässt.[[ Das Ende seiner Ausgabe:\n{tail}]]',
  regression: {
    one: '{count} Test, der vorher bestand, scheitert jetzt. Er muss wieder bestehen, ohne geändert zu werden.[[ Er sagt:\n{tail}]]',
    other:
      '{count} Tests, die vorher bestanden, scheitern jetzt. Sie müssen wieder bestehen, ohne geändert zu werden.[[ Sie sagen:\n{tail}]]',
  },
  'tests-missing': {
    one: '{count} Test, der vorher bestand, ist weg. Er muss wieder da sein.[[ Diese Dateien laden nicht:\n{tail}]]',
    other:
      '{count} Tests, die vorher bestanden, sind weg. Sie müssen wieder da sein.[[ Diese Dateien laden nicht:\n{tail}]]',
  },
  'tests-newly-skipped': {
    one: '{count} Test, der vorher bestand, wird jetzt übersprungen. Das Überspringen entfernen; er muss bestehen.',
    other:
      '{count} Tests, die vorher bestanden, werden jetzt übersprungen. Das Überspringen entfernen; sie müssen bestehen.',
  },
  'suite-newly-failing':
    'Die Suite bestand vorher und scheitert jetzt[[: {command}]][[ (Exit-Code {exit})]]. Sie muss wieder bestehen.[[\n{tail}]]',
  'became-flaky': {
    one: '{count} Test bestand in jedem Lauf auf dem Stand davor ({runs} Läufe), jetzt besteht und scheitert er im Wechsel. Herausfinden, was diese Änderung unstet macht:',
    other:
      '{count} Tests bestanden in jedem Lauf auf dem Stand davor ({runs} Läufe), jetzt bestehen und scheitern sie im Wechsel. Herausfinden, was diese Änderung unstet macht:',
  },
  'flaky-unproved': {
    one: '{count} Test, der vorher bestand, besteht und scheitert im Wechsel; nichts zeigt, dass er das auf dem Stand davor auch tat. Er zählt als kaputt und muss stetig werden:',
    other:
      '{count} Tests, die vorher bestanden, bestehen und scheitern im Wechsel; nichts zeigt, dass sie das auf dem Stand davor auch taten. Sie zählen als kaputt und müssen stetig werden:',
  },
  'flaky-over-cap': {
    one: '{count} Test war schon vorher wackelig, aber nur {cap} dürfen in Quarantäne sein und {held} sind es. Er zählt als kaputt; zuerst wackelige Tests berichtigen:',
    other:
      '{count} Tests waren schon vorher wackelig, aber nur {cap} dürfen in Quarantäne sein und {held} sind es. Sie zählen als kaputt; zuerst wackelige Tests berichtigen:',
  },
  'own-test-flaky': {
    one: 'Der eigene Test dieser Aufgabe besteht allein, scheitert aber unter allen anderen oder gilt als wackelig. Ein wackeliger Test beweist nichts; er muss stetig werden:',
    other:
      '{count} eigene Tests dieser Aufgabe bestehen allein, scheitern aber unter allen anderen oder gelten als wackelig. Ein wackeliger Test beweist nichts; sie müssen stetig werden:',
  },
  'test-quarantined': {
    one: '{count} Test besteht und scheitert im Wechsel auf ein und demselben Stand. Er ist in Quarantäne: Er verhindert nichts und beweist nichts:',
    other:
      '{count} Tests bestehen und scheitern im Wechsel auf ein und demselben Stand. Sie sind in Quarantäne: Sie verhindern nichts und beweisen nichts:',
  },
  'unsteady-tests': {
    one: '{count} Test tat in {runs} Läufen nicht dasselbe und steht nicht in der Grundlinie; für die Quarantäne sind es zu viele:',
    other:
      '{count} Tests taten in {runs} Läufen nicht dasselbe und stehen nicht in der Grundlinie; für die Quarantäne sind es zu viele:',
  },
  'harness-file-edited':
    '{file} gehört harness und wurde {#change}. Die Fassung davor steht wieder da; die Datei in Ruhe lassen.',
  'config-edited':
    '{file} bestimmt, wie Arbeit geprüft wird, und wurde {#change}. Die Fassung davor steht wieder da; das ändern nur Menschen.',
  'history-rewritten':
    'Commits, die vor der Sitzung da waren, fehlen auf dem Branch[[ ({detail})]]. Kein amend, rebase oder reset; harness macht die Commits.',
  'branch-switched':
    'Die Sitzung begann auf dem Branch {expected} und endete auf {found}. Auf {expected} bleiben; harness macht die Branches.',
  'tree-changed-since-check':
    'Nach der Prüfung haben sich Dateien geändert; das Geprüfte ist nicht mehr das, was da ist. Alle Prozesse beenden, die noch schreiben, dann wird neu geprüft:',
  'nested-repository':
    '{path} wurde zu einem eigenen Git-Repository gemacht; nichts darin ließe sich übernehmen. Die Dateien ohne git init oder git clone dort schreiben, oder den Ordner in .gitignore aufnehmen.',
  'manual-failed': 'Ein Mensch hat die Arbeit angesehen und sagt, dass sie nicht taugt.[[ Er sagt:\n{note}]]',
  'said-by-person': 'Ein Mensch sagt zu dieser Aufgabe:\n{note}',
  'evidence-missing':
    'Die Belege der Prüfung sind fort[[ ({folder})]]: Ohne sie landet nichts. Die Arbeit ist aufgehoben und wird in der nächsten Sitzung wieder geprüft.',
  'evidence-differs':
    'Die Belege[[ {folder}]] sind nicht die der Prüfung, die gelaufen ist ({what} weicht ab): Etwas hat in den Ordner von harness geschrieben. Die Arbeit ist aufgehoben und wird in der nächsten Sitzung wieder geprüft.',
  'tests-not-shown':
    'Der Agent hat Aufgabe {item} gemeldet, aber kein Testlauf von ihm wurde beobachtet (beobachtete Befehle: {commands}).',
  'tests-shown-too-early':
    'Der Agent hat Aufgabe {item} gemeldet, aber nach seiner letzten Änderung wurde kein Testlauf von ihm beobachtet.',
  'shown-tests-failed':
    'Der Agent hat Aufgabe {item} gemeldet, aber sein eigener letzter Testlauf schlug sichtbar fehl: {command}',
  'shown-command-not-seen':
    'Der Agent zeigt zu Aufgabe {item} einen Befehl, bei dem er nie beobachtet wurde: {command}',
  'shown-output-differs':
    'Der Agent zeigt zu Aufgabe {item} {shown} bestandene Tests, aber harness hat insgesamt {total} Tests gezählt.',
  'items-reordered': 'Die Aufgaben des Backlogs wurden umgestellt. Die alte Reihenfolge wiederherstellen.',
  'decision-forged': {
    one: '{field} einer Aufgabe wurde gesetzt, was nur ein Mensch entscheiden darf. Zurücknehmen:',
    other: '{field} von {count} Aufgaben wurde gesetzt, was nur ein Mensch entscheiden darf. Zurücknehmen:',
  },
  // {item, file}
  'canary-passed':
    'Ein Test, der scheitern muss und den niemand kennen konnte, stand hinter {file} und wurde als bestanden gemeldet: was die Tests ausführt, sagt nicht die Wahrheit. Die Tests müssen wieder laufen und berichten wie zuvor.',
  // {command, count; ids: tests}
  'failures-hidden':
    'Während dies lief, wurde jeder Test von außen zum Scheitern gebracht, und das kam nicht heraus ({count} kamen als bestanden zurück): {command}. Etwas, das mit den Tests geladen wird, verändert, was sie sagen, oder wie der Lauf endet. Es muss weg.',
  // {item, file}
  'canary-lost':
    'Tests, die der Harness hinter {file} gestellt hat, kamen im Bericht nicht wieder: etwas beendet den Lauf vorzeitig, lässt Tests aus oder schreibt den Bericht selbst.',
  // {count; ids: places}
  'tests-disabled': {
    one: 'Ein Test ist abgeschaltet, der es vorher nicht war (only, skip, todo, xfail). Er muss wieder laufen:',
    other: '{count} Tests mehr als zuvor sind abgeschaltet (only, skip, todo, xfail). Sie müssen wieder laufen:',
  },
  // {item, file, tried}
  'test-not-red':
    'Der Test {file} läuft auch auf dem Quelltext von vor der Arbeit durch und bemerkte keinen von {tried} kleinen Fehlern in den geänderten Zeilen. Er zeigt nicht, dass Aufgabe {item} erfüllt ist.',
  // {item, file, tried}
  'test-notices-nothing':
    'Der Test {file} bemerkte keinen von {tried} kleinen Fehlern in den geänderten Zeilen. Er zeigt nicht, dass Aufgabe {item} erfüllt ist.',
  // {item, file}
  'source-unchanged':
    'Für Aufgabe {item} wurde kein Quelltext geändert: ihr Test {file} läuft auf dem durch, was schon da war. Entweder gab es das Verhalten schon, oder der Test fragt nicht danach.',
  // {item, file}
  'test-reads-text':
    'Der Test {file} scheitert, sobald im Quelltext ein Kommentar dazukommt: er fragt nach dem Text des Programms und nicht danach, was Aufgabe {item} tut.',
  // {item, file}
  'copy-differs':
    'Der Test {file} läuft im Arbeitsverzeichnis durch, in einer Kopie genau derselben Dateien aber nicht: er hängt von etwas ab, das nicht zur Arbeit gehört.',
  // {item, count; ids: tests}
  'frozen-tests-fail': {
    one: 'Ein Test läuft nur durch, weil sein Text oder was ihn ausführt geändert wurde. So wie er war, scheitert er über dem neuen Quelltext[[ (Aufgabe {item})]]:',
    other:
      '{count} Tests laufen nur durch, weil ihr Text oder was sie ausführt geändert wurde. So wie sie waren, scheitern sie über dem neuen Quelltext[[ (Aufgabe {item})]]:',
  },
  // {count; ids: assertions}
  'assertions-weakened': {
    one: 'Ein alter Test verlangt weniger als zuvor:',
    other: 'Alte Tests verlangen an {count} Stellen weniger als zuvor:',
  },
  // {count; ids: files}
  'installed-changed': {
    one: 'Installiertes, das nicht in git liegt, wurde während der Arbeit des Agenten geändert, und keine Lock-Datei sagt es. Ansehen; wird die Arbeit zurückgenommen, kommt es zurück:',
    other:
      '{count} installierte Dateien, die nicht in git liegen, wurden während der Arbeit des Agenten geändert, und keine Lock-Datei sagt es. Ansehen; wird die Arbeit zurückgenommen, kommen sie zurück:',
  },
  // {count; ids: paths}
  'guarded-file-changed': {
    one: 'Eine Datei wurde geändert, die bestimmt, was installiert, gespeichert oder ausgeführt wird, und nichts sonst an der Änderung erklärt es:',
    other:
      '{count} Dateien wurden geändert, die bestimmen, was installiert, gespeichert oder ausgeführt wird, und nichts sonst an der Änderung erklärt es:',
  },
  // {item, file, killed, tried, percent}
  'mutants-survived':
    'Der Test {file} bemerkte {killed} von {tried} kleinen Fehlern in den geänderten Zeilen ({percent} %). Er sollte mehr von dem prüfen, was Aufgabe {item} tut.',
  'init-backlog-missing':
    '{file} wurde nicht geschrieben. Mit allen Features schreiben, die die Spezifikation verlangt.',
  'init-backlog-invalid': '{file}:{line}:{column}[[ {key}]]: {detail} Das berichtigen.',
  'init-backlog-empty': '{file} enthält keine Features. Alle schreiben, die die Spezifikation verlangt.',
  'init-feature-too-large':
    'Feature {item} ist zu groß für eine Sitzung: {#flag}[[ ({steps}, höchstens {max})]][[ ({files}, höchstens {max})]][[ ({lines}, höchstens {max})]]. In Features teilen, die je für sich fertig werden und sich nachweisen lassen.',
  'init-feature-passing': {
    one: '{count} Feature gilt als bestanden, aber noch ist nichts umgesetzt. Sein passes auf false setzen:',
    other: '{count} Features gelten als bestanden, aber noch ist nichts umgesetzt. Ihr passes auf false setzen:',
  },
  'init-script-missing':
    'Das Skript {file} wurde nicht geschrieben. Schreiben; es muss von einem frischen Checkout aus gehen und beliebig oft laufen dürfen.',
  'init-script-not-executable': 'Das Skript {file} ist nicht ausführbar. Ausführen: chmod +x {file}',
  'init-test-missing':
    'Die Testdatei {file} gibt es nicht. Mit einem noch ausstehenden Platzhaltertest schreiben, für diese Features:',
  'init-progress-missing': 'Das Protokoll {file} hat keinen Eintrag zu dieser Sitzung. Den ersten schreiben.',
  'init-gitignore-missing': '.gitignore ignoriert {line} nicht. Diese Zeile hinzufügen.',
  'init-lint-config-missing': 'Der Linter hat keine Konfiguration. Eine für die Sprache des Projekts schreiben.',
  'tool-violation': {
    one: '{count} Werkzeugaufruf tat, was die Regeln ablehnen, ungefragt oder trotz Ablehnung. Was er im Projekt änderte, wurde geprüft; sieh nach, ob anderswo etwas blieb:',
    other:
      '{count} Werkzeugaufrufe taten, was die Regeln ablehnen, ungefragt oder trotz Ablehnung. Was sie im Projekt änderten, wurde geprüft; sieh nach, ob anderswo etwas blieb:',
  },
  'out-of-scope': {
    one: '{file} wurde geändert, gehört aber nicht zum Bereich dieser Aufgabe[[: {scope}]]. Wiederherstellen, wie es war. Geht die Aufgabe nicht ohne, das sagen: den Bereich legt ein Mensch fest.',
    other:
      '{count} geänderte Dateien gehören nicht zum Bereich dieser Aufgabe[[: {scope}]]. Wiederherstellen, wie sie waren. Geht die Aufgabe nicht ohne sie, das sagen: den Bereich legt ein Mensch fest.',
  },
  'too-many-files':
    '{count} Dateien wurden geändert, erlaubt sind höchstens {max}. Was zusammengehört, ist so nicht mehr zu überblicken. Zurücknehmen, was die Aufgabe nicht braucht.',
  'stub-passes':
    'Der Test von Aufgabe {item} ({file}) läuft durch, obwohl nichts gebaut ist. Ein Platzhalter muss scheitern, bis seine Aufgabe fertig ist.',
} as const satisfies Sentences['problems'];
