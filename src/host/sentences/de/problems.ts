// German. The parameters of each sentence are listed in its English twin, ../en/problems.ts.
import type { Sentences } from '../shape.ts';

export const problems = {
  // {file, role}
  'output-missing': 'Die verlangte Datei fehlt oder ist leer: {file}. Vollständig schreiben.',
  // {role, line}
  'finding-open': '{severity}[[ in {path}]]: {title}[[\n{quote}]][[\n{why}]]',
  'ci-failed': 'Die Prüfung {name} des Pull Requests ist fehlgeschlagen[[:\n{summary}]].',
  'review-comment': 'Ein Begutachter ({author}) schrieb zum Pull Request[[, zu {place}]]: {words}',
  'merge-refused': 'Der Pull Request lässt sich nicht zusammenführen[[: {words}]].',
  'verdict-void':
    'Die Rolle {role} hat die Arbeit geändert, über die sie urteilt ({path}[[ und weitere, zusammen {count} Dateien]]); ihr Urteil gilt nicht. Die Änderung ist zurückgenommen und als Versuch gespeichert.',
  'return-unread':
    'Die Ergebniszeile ist nicht lesbar: die Antwort der Rolle {role} beginnt nicht mit "KEYWORD — SUMMARY". Sie zählt als Zuversicht unbekannt.',
  'path-excluded': 'Der Pfad ist nicht erlaubt: {path}: {#rule}. Der Vorschlagende wird nicht auf ihn hingewiesen.',
  'no-path-left': 'Kein gültiger Pfad ist übrig: der Vorschlagende beginnt ohne einen.',
  'session-gave-up': 'Die Rolle {role} meldet, dass sie ihre Aufgabe nicht erfüllen konnte[[: {line}]].',
  'plan-contract-missing':
    'Der Validierungsvertrag fehlt: {file}. Eine Zeile je Aussage schreiben: VAL-BEREICH-NNN: was sich prüfen lässt.',
  'plan-contract-invalid': 'Aussage {id} ({file}, Zeile {line}): {#why}.',
  'plan-claim-unresolved': 'Feature {item} beruft sich auf {claim}, das im Validierungsvertrag nicht steht.',
  'plan-assertion-unclaimed': 'Kein Feature beruft sich auf {claim}: Nichts würde die Aussage wahr machen.',
  'plan-without-claims': 'Diese Features berufen sich auf keine Aussage, sodass nichts zu prüfen wäre:',
  'plan-without-test': 'Diese Features haben keine test_file, sodass der Harness sie nicht belegen könnte:',
  'plan-rejected': 'Der Plan wurde abgelehnt:\n{reasons}',
  'plan-draft-missing':
    'Es wurde kein Plan geschrieben. Für jedes Stück Arbeit eine Datei: .harness/plan/NNNN-worum-es-geht.md',
  'plan-draft-invalid': '{file}[[, Zeile {line}]]: {#why}[[: {what}]].',
  'plan-tag-uncovered': 'Kein Plan hat das Tag {tag}: nichts würde es wahr machen[[ ({what})]].',
  'acceptance-missing':
    'In {file} stehen keine Abnahmekriterien. Für jedes eine Zeile: - REQ-1: was ein Benutzer beobachten kann.',
  'site-draft-missing':
    'In {file} steht keine Aussage mit Tag, die zu sehen war. Für jede eine Zeile: - CART-1: was ein Benutzer tun kann. (/seite: "Worte, die zu sehen waren")',
  'site-statement-unproved': 'Zeile {line}: {#why}[[: {what}]].',
  'review-finding': 'Die Rolle {role} hat gefunden, dass {claim} nicht gilt: {why}[[\n{quote}]]',
  'review-unquoted':
    'Die Rolle {role} hat {claim} ohne ein auffindbares Zitat bestätigt[[ ({path})]][[: {quote}]]. Eine Bestätigung braucht eine Zeile des Codes oder der Ausgabe der Prüfungen, wörtlich.',
  'review-unclear': 'Die Rolle {role} kann nicht entscheiden, ob {claim} gilt: {why}',
  'review-unanswered':
    'Die Antwort der Rolle {role} war nicht lesbar[[ ({#why})]][[: {claim}]]. Mit der Antwort genau in der beschriebenen Form enden.',
  'pages-server-ended':
    'Der Entwicklungsserver unter {url} endete von selbst (Exit {exit}): {command}\nEr muss im Vordergrund bleiben, den Port in PORT benutzen und jede Anfrage überstehen.[[\n{tail}]]',
  'pages-server-silent':
    'Der Entwicklungsserver antwortete unter {url} nicht innerhalb von {afterMs}: {command}[[\n{tail}]]',
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
    'Das Backlog[[ {file}]] wurde über die eine erlaubte Meldung hinaus geändert[[: {field}]]. Alles andere wiederherstellen.',
  'backlog-unreadable':
    'Das Backlog[[ {file}]] ist nicht mehr lesbar[[: {#why}]]. So wiederherstellen, wie es vor der Sitzung war.',
  'item-removed': {
    one: 'Eine Aufgabe wurde aus dem Backlog entfernt. Genau so wiederherstellen, wie sie war:',
    other: '{count} Aufgaben wurden aus dem Backlog entfernt. Genau so wiederherstellen, wie sie waren:',
  },
  'item-added': {
    one: 'Eine Aufgabe wurde dem Backlog hinzugefügt[[ ({#why})]]. Entfernen; neue Aufgaben fügen Menschen hinzu:',
    other:
      '{count} Aufgaben wurden dem Backlog hinzugefügt[[ ({#why})]]. Entfernen; neue Aufgaben fügen Menschen hinzu:',
  },
  'item-edited': {
    one: '{field} einer Aufgabe wurde im Backlog geändert[[, auf {got}]]. Genau so wiederherstellen, wie es war:',
    other:
      '{field} von {count} Aufgaben wurde im Backlog geändert[[, auf {got}]]. Genau so wiederherstellen, wie es war:',
  },
  'claim-withdrawn': {
    one: 'Eine fertige Aufgabe gilt jetzt als nicht fertig. Ihr passes wiederherstellen; Gelandetes nehmen nur Menschen zurück:',
    other:
      '{count} fertige Aufgaben gelten jetzt als nicht fertig. Ihr passes wiederherstellen; Gelandetes nehmen nur Menschen zurück:',
  },
  'claim-taken-back':
    'Das Harness hat {file} wiederhergestellt, Aufgabe {item} gilt also nicht als fertig. Wenn alles oben Genannte behoben ist, ihr passes wieder auf true setzen.',
  'install-failed':
    'Die geänderten Abhängigkeiten lassen sich in einem sauberen Checkout nicht installieren: {command} ist fehlgeschlagen[[ ({exit})]]. Manifest und Lock-Datei müssen zusammenpassen.[[ Das Ende der Ausgabe:\n{tail}]]',
  'ignored-work':
    'Die Prüfungen laufen in einem sauberen Checkout auf dem, was git behält. Diese Dateien ignoriert git, sie waren nicht da: {files}. Braucht die Arbeit sie, muss .gitignore geändert werden, oder sie gehören an einen anderen Ort.',
  'files-left-out':
    'Diese Dateien wurden während der Arbeit geändert, aber kein Aufruf nennt sie oder lief zu dieser Zeit: sie gelten als Änderung des Nutzers und waren in den Prüfungen nicht dabei: {files}. Gehören sie zur Arbeit, sind sie noch einmal zu schreiben.',
  'check-failed':
    'Die Prüfung {check} ist fehlgeschlagen[[: {command}]][[ (Exit-Code {exit})]].[[ Das Ende ihrer Ausgabe:\n{tail}]]',
  'lint-errors-added': {
    one: 'Die Prüfung {check} meldet {count} Fehler, der vor dieser Änderung nicht da war[[: {command}]]. Ihn beheben. Fehler, die schon vorher da waren, zählen nicht.[[\n{tail}]]',
    other:
      'Die Prüfung {check} meldet {count} Fehler, die vor dieser Änderung nicht da waren[[: {command}]]. Sie beheben. Fehler, die schon vorher da waren, zählen nicht.[[\n{tail}]]',
  },
  'check-timed-out':
    'Die Prüfung {check} wurde gestoppt[[, nach {seconds} s]][[: {command}]][[ (Limit {limit} s)]]. Sie hängt oder dauert zu lange; herausfinden, woran es liegt.[[ Das Ende ihrer Ausgabe:\n{tail}]]',
  'check-output-flood':
    'Die Prüfung {check} gab zu viel aus und wurde gestoppt[[, nach {bytes} Bytes]][[: {command}]]. Herausfinden, was so viel ausgibt.[[ Das Ende ihrer Ausgabe:\n{tail}]]',
  'command-missing':
    'Die Prüfung {check} ließ sich nicht starten[[: {command}]]. Das Programm wurde nicht gefunden oder ist nicht ausführbar.[[\n{tail}]]',
  'no-tests-executed':
    'Die Prüfung {check} hat keinen Test ausgeführt[[: {command}]]. Mindestens ein Test muss wirklich laufen; er muss dort stehen, wo das Testprogramm ihn findet.[[ Das Ende der Ausgabe:\n{tail}]]',
  'all-tests-skipped':
    'Die Prüfung {check} hat alle ihre Tests übersprungen[[: {command}]]. Ein übersprungener Test beweist nichts; das Überspringen entfernen, und die Tests müssen bestehen.',
  'tests-failed': {
    one: '{count} Test der Prüfung {check} ist fehlgeschlagen[[: {command}]]. Den Code korrigieren, nicht den Test abschwächen.[[ Seine Ausgabe:\n{tail}]]',
    other:
      '{count} Tests der Prüfung {check} sind fehlgeschlagen[[: {command}]]. Den Code korrigieren, nicht die Tests abschwächen.[[ Ihre Ausgabe:\n{tail}]]',
  },
  'report-missing':
    'Die Prüfung {check} hat keinen Testbericht geschrieben[[: {command}]][[ (Exit-Code {exit})]]. Das Testprogramm muss bis zum Ende laufen und berichten; wie es berichtet, darf nicht geändert werden.[[ Das Ende seiner Ausgabe:\n{tail}]]',
  'report-unreadable':
    'Der Testbericht der Prüfung {check} ist nicht lesbar[[: {#why}]]. Nur das in testing.runner genannte Testprogramm darf ihn schreiben.[[ Das Ende der Ausgabe:\n{tail}]]',
  'report-incomplete':
    'Der Testbericht der Prüfung {check} ist unvollständig.[[ Er sagt:\n{tail}\n]] Jede Testdatei muss laden, und der Lauf muss zu Ende kommen:',
  'exit-contradicts-report':
    'Die Prüfung {check} endete mit Exit-Code {exit}, aber ihr Bericht hat {failed} fehlgeschlagene Tests[[: {command}]]. Beide müssen übereinstimmen; herausfinden, was den Lauf sonst beendet oder fehlschlagen lässt.[[ Das Ende seiner Ausgabe:\n{tail}]]',
  regression: {
    one: '{count} Test, der vorher bestand, schlägt jetzt fehl. Er muss wieder bestehen, ohne geändert zu werden.[[ Seine Ausgabe:\n{tail}]]',
    other:
      '{count} Tests, die vorher bestanden, schlagen jetzt fehl. Sie müssen wieder bestehen, ohne geändert zu werden.[[ Ihre Ausgabe:\n{tail}]]',
  },
  'broke-item':
    'Damit ging #{item}[[ ({title})]] kaputt[[, und {dependents} hängen davon ab]].[[ Der Test {test} schlägt auch ohne diese Arbeit fehl: #{item} gilt als fehlschlagend und ist als Nächstes dran.]]',
  'tests-missing': {
    one: '{count} Test, der vorher bestand, fehlt. Wiederherstellen.[[ Diese Dateien laden nicht:\n{tail}]]',
    other: '{count} Tests, die vorher bestanden, fehlen. Wiederherstellen.[[ Diese Dateien laden nicht:\n{tail}]]',
  },
  'tests-newly-skipped': {
    one: '{count} Test, der vorher bestand, wird jetzt übersprungen. Das Überspringen entfernen; er muss bestehen.',
    other:
      '{count} Tests, die vorher bestanden, werden jetzt übersprungen. Das Überspringen entfernen; sie müssen bestehen.',
  },
  'suite-newly-failing':
    'Die Suite bestand vorher und schlägt jetzt fehl[[: {command}]][[ (Exit-Code {exit})]]. Sie muss wieder bestehen.[[\n{tail}]]',
  'became-flaky': {
    one: '{count} Test bestand in jedem Lauf vor dieser Änderung ({runs} Läufe) und ist jetzt instabil. Herausfinden, was ihn instabil macht:',
    other:
      '{count} Tests bestanden in jedem Lauf vor dieser Änderung ({runs} Läufe) und sind jetzt instabil. Herausfinden, was sie instabil macht:',
  },
  'flaky-unproved': {
    one: '{count} Test, der vorher bestand, ist instabil; nichts zeigt, dass er es schon vor dieser Änderung war. Er zählt als fehlerhaft und muss stabil werden:',
    other:
      '{count} Tests, die vorher bestanden, sind instabil; nichts zeigt, dass sie es schon vor dieser Änderung waren. Sie zählen als fehlerhaft und müssen stabil werden:',
  },
  'flaky-over-cap': {
    one: '{count} Test war schon vorher instabil, aber nur {cap} dürfen in Quarantäne sein und {held} sind es. Er zählt als fehlerhaft; zuerst instabile Tests korrigieren:',
    other:
      '{count} Tests waren schon vorher instabil, aber nur {cap} dürfen in Quarantäne sein und {held} sind es. Sie zählen als fehlerhaft; zuerst instabile Tests korrigieren:',
  },
  'own-test-flaky': {
    one: 'Der eigene Test dieser Aufgabe besteht allein, schlägt aber in der ganzen Suite fehl oder gilt als instabil. Ein instabiler Test beweist nichts; er muss stabil werden:',
    other:
      '{count} eigene Tests dieser Aufgabe bestehen allein, schlagen aber in der ganzen Suite fehl oder gelten als instabil. Ein instabiler Test beweist nichts; sie müssen stabil werden:',
  },
  'test-quarantined': {
    one: '{count} Test besteht und schlägt fehl auf demselben Stand. Er ist in Quarantäne: er blockiert nichts und beweist nichts:',
    other:
      '{count} Tests bestehen und schlagen fehl auf demselben Stand. Sie sind in Quarantäne: sie blockieren nichts und beweisen nichts:',
  },
  'unsteady-tests': {
    one: '{count} Test lieferte in {runs} Läufen verschiedene Ergebnisse und ist nicht in der Baseline; die Quarantäne ist voll:',
    other:
      '{count} Tests lieferten in {runs} Läufen verschiedene Ergebnisse und sind nicht in der Baseline; die Quarantäne ist voll:',
  },
  'harness-file-edited':
    '{file} gehört zum Harness und wurde {#change}. Die Datei wurde wiederhergestellt; nicht ändern.',
  'config-edited':
    '{file} bestimmt, wie Arbeit geprüft wird, und wurde {#change}. Die Datei wurde wiederhergestellt; nur Menschen ändern sie.',
  'git-files-edited': {
    one: 'Eine Datei, der Git gehorcht, wurde während der Sitzung geändert. Konfiguration, Hooks und Regeln von Git ändern nur Menschen, zwischen Sitzungen. Sie wurde wiederhergestellt[[; was stattdessen da war, liegt in {kept}]]:',
    other:
      '{count} Dateien, denen Git gehorcht, wurden während der Sitzung geändert. Konfiguration, Hooks und Regeln von Git ändern nur Menschen, zwischen Sitzungen. Sie wurden wiederhergestellt[[; was stattdessen da war, liegt in {kept}]]:',
  },
  'history-rewritten':
    'Commits von vor der Sitzung fehlen auf dem Branch[[ ({detail})]]. Kein amend, rebase oder reset; das Harness macht die Commits.',
  'branch-switched':
    'Die Sitzung begann auf dem Branch {expected} und endete auf {found}. Auf {expected} bleiben; das Harness legt Branches an.',
  'tree-changed-since-check':
    'Nach der Prüfung haben sich Dateien geändert; der geprüfte Stand ist nicht der aktuelle. Alle Prozesse beenden, die noch schreiben, dann wird neu geprüft:',
  'branch-moved':
    'Auf den Branch kamen inzwischen andere Commits ({commit}), und die Arbeit ist nicht mit ihnen zusammen geprüft. Die nächste Sitzung beginnt beim neuesten Commit.',
  'landing-conflict':
    'Auf den Branch kamen inzwischen andere Commits ({commit}), die dieselben Zeilen ändern; die Arbeit lässt sich so nicht übernehmen. Die nächste Sitzung beginnt beim neuesten Commit. Im Konflikt:',
  'landing-in-the-way':
    'Die Arbeit würde Dateien ändern, die ein Mensch in seinem Arbeitsverzeichnis gerade ändert; sie wurde nicht übernommen, der Branch bleibt. Diese committen oder mit git stash weglegen, dann neu starten:',
  'nested-repository':
    '{path} wurde zu einem eigenen Git-Repository gemacht; nichts darin ließe sich übernehmen. Die Dateien ohne git init oder git clone dort schreiben, oder den Ordner in .gitignore aufnehmen.',
  'secret-in-change': {
    one: 'Die Änderung enthält neu den Wert einer geheimen Variablen dieser Umgebung. Nichts, worin er steht, wird committet. Entfernen und stattdessen aus der Umgebung lesen:',
    other:
      'Die Änderung enthält neu Werte geheimer Variablen dieser Umgebung, an {count} Stellen. Nichts, worin einer steht, wird committet. Entfernen und stattdessen aus der Umgebung lesen:',
  },
  'manual-failed': 'Ein Mensch hat die Arbeit geprüft und meldet, dass sie nicht funktioniert.[[ Bemerkung:\n{note}]]',
  'said-by-person': 'Kommentar eines Menschen zu dieser Aufgabe:\n{note}',
  'evidence-missing':
    'Die Belege der Prüfung fehlen[[ ({folder})]]: ohne sie landet nichts. Die Arbeit ist gespeichert und wird in der nächsten Sitzung wieder geprüft.',
  'evidence-differs':
    'Die Belege[[ {folder}]] passen nicht zu den ausgeführten Prüfungen ({what} weicht ab): etwas hat in den Ordner des Harness geschrieben, oder der Strom fiel aus. Die Arbeit ist gespeichert und wird in der nächsten Sitzung wieder geprüft.',
  'claim-not-made':
    'Die Landung ändert Aufgabe {item} in der Liste nicht von offen zu erledigt; nichts belegt, dass sie fertig ist. Die Arbeit ist gespeichert.',
  'tests-not-run':
    'Aufgabe {item} gilt laut der Liste als fertig, aber in dieser Sitzung war kein Lauf ihres Tests zu sehen. Den Test ausführen und den Befehl mit seiner ganzen Ausgabe zeigen[[: {command}]]. Besteht er, bleibt die Liste, wie sie ist; sonst ist zuerst die Arbeit zu berichtigen.',
  'tests-not-shown':
    'Der Agent hat Aufgabe {item} gemeldet, aber kein Testlauf von ihm wurde beobachtet (beobachtete Befehle: {commands}).',
  'tests-shown-too-early':
    'Der Agent hat Aufgabe {item} gemeldet, aber nach seiner letzten Änderung wurde kein Testlauf von ihm beobachtet.',
  'shown-tests-failed':
    'Der Agent hat Aufgabe {item} gemeldet, aber sein eigener letzter Testlauf schlug fehl: {command}',
  'shown-command-not-seen': 'Der Agent zeigt zu Aufgabe {item} einen Befehl, den er nicht ausgeführt hat: {command}',
  'shown-output-differs':
    'Der Agent zeigt zu Aufgabe {item} {shown} bestandene Tests, aber das Harness hat insgesamt {total} Tests gezählt.',
  'items-reordered': 'Die Aufgaben des Backlogs wurden umgestellt. Die alte Reihenfolge wiederherstellen.',
  'decision-forged': {
    one: '{field} einer Aufgabe wurde gesetzt, was nur ein Mensch entscheiden darf. Zurücknehmen:',
    other: '{field} von {count} Aufgaben wurde gesetzt, was nur ein Mensch entscheiden darf. Zurücknehmen:',
  },
  // {item, file}
  'canary-passed':
    'Ein Test, der fehlschlagen muss und den das Harness nach {file} eingefügt hat, wurde als bestanden gemeldet: der Testrunner berichtet nicht wahrheitsgemäß. Die Tests müssen wieder laufen und berichten wie zuvor.',
  // {command, count; ids: tests}
  'failures-hidden':
    'In diesem Lauf ließ das Harness jeden Test fehlschlagen, aber der Bericht weicht davon ab ({count} als bestanden gemeldet): {command}. Etwas, das mit den Tests geladen wird, verändert ihre Ergebnisse oder das Ende des Laufs. Entfernen.',
  // {item, file}
  'canary-lost':
    'Tests, die das Harness nach {file} eingefügt hat, fehlen im Bericht: etwas beendet den Lauf vorzeitig, lässt Tests aus oder schreibt den Bericht selbst.',
  // {count; ids: places}
  'tests-disabled': {
    one: 'Ein Test, der vorher lief, ist deaktiviert (only, skip, todo, xfail). Wieder aktivieren:',
    other: '{count} Tests mehr als zuvor sind deaktiviert (only, skip, todo, xfail). Wieder aktivieren:',
  },
  // {item, file, tried}
  'test-not-red':
    'Der Test {file} besteht auch mit dem Quelltext von vor der Arbeit und erkannte keinen von {tried} kleinen Fehlern in den geänderten Zeilen. Er zeigt nicht, dass Aufgabe {item} erfüllt ist.',
  // {item, file, tried}
  'test-notices-nothing':
    'Der Test {file} erkannte keinen von {tried} kleinen Fehlern in den geänderten Zeilen. Er zeigt nicht, dass Aufgabe {item} erfüllt ist.',
  // {item, file}
  'source-unchanged':
    'Für Aufgabe {item} wurde kein Quelltext geändert: ihr Test {file} besteht mit dem vorhandenen Quelltext. Entweder gab es das Verhalten schon, oder der Test prüft es nicht.',
  // {item, file}
  'test-reads-text':
    'Der Test {file} schlägt fehl, sobald im Quelltext ein Kommentar dazukommt: er prüft den Text des Programms, nicht das Verhalten von Aufgabe {item}.',
  // {item, file}
  'copy-differs':
    'Der Test {file} besteht im Arbeitsverzeichnis, in einer Kopie derselben Dateien aber nicht: er hängt von etwas ab, das nicht zur Arbeit gehört.',
  // {item, count; ids: tests}
  'frozen-tests-fail': {
    one: 'Ein Test besteht nur, weil sein Text oder seine Ausführung geändert wurde. In seiner früheren Form schlägt er mit dem neuen Quelltext fehl[[ (Aufgabe {item})]]:',
    other:
      '{count} Tests bestehen nur, weil ihr Text oder ihre Ausführung geändert wurde. In ihrer früheren Form schlagen sie mit dem neuen Quelltext fehl[[ (Aufgabe {item})]]:',
  },
  // {count; ids: assertions}
  'assertions-weakened': {
    one: 'Ein vorhandener Test prüft weniger als zuvor:',
    other: 'Vorhandene Tests prüfen an {count} Stellen weniger als zuvor:',
  },
  // {count; ids: files}
  'installed-changed': {
    one: 'Eine installierte Datei, die nicht in git liegt, wurde während der Arbeit des Agenten geändert, ohne Änderung einer Lock-Datei. Bitte prüfen; eine Rücknahme der Arbeit stellt sie wieder her:',
    other:
      '{count} installierte Dateien, die nicht in git liegen, wurden während der Arbeit des Agenten geändert, ohne Änderung einer Lock-Datei. Bitte prüfen; eine Rücknahme der Arbeit stellt sie wieder her:',
  },
  // {count; ids: paths}
  'guarded-file-changed': {
    one: 'Eine Datei wurde geändert, die bestimmt, was installiert, gespeichert oder ausgeführt wird, und der Rest der Änderung erklärt es nicht:',
    other:
      '{count} Dateien wurden geändert, die bestimmen, was installiert, gespeichert oder ausgeführt wird, und der Rest der Änderung erklärt es nicht:',
  },
  // {item, file, killed, tried, percent}
  'mutants-survived':
    'Der Test {file} erkannte {killed} von {tried} kleinen Fehlern in den geänderten Zeilen ({percent} %). Er sollte mehr von dem prüfen, was Aufgabe {item} tut.',
  'init-backlog-missing':
    '{file} wurde nicht geschrieben. Mit allen Features schreiben, die die Spezifikation verlangt.',
  'init-backlog-invalid': '{file}:{line}:{column}[[ {key}]]: {detail} Korrigieren.',
  'init-backlog-empty': '{file} enthält keine Features. Alle schreiben, die die Spezifikation verlangt.',
  'init-feature-too-large':
    'Feature {item} ist zu groß für eine Sitzung: {#flag}[[ ({steps}, höchstens {max})]][[ ({files}, höchstens {max})]][[ ({lines}, höchstens {max})]]. In Features teilen, die sich einzeln fertigstellen und prüfen lassen.',
  'init-feature-passing': {
    one: '{count} Feature gilt als bestanden, aber noch ist nichts umgesetzt. Sein passes auf false setzen:',
    other: '{count} Features gelten als bestanden, aber noch ist nichts umgesetzt. Ihr passes auf false setzen:',
  },
  'init-script-missing':
    'Das Skript {file} wurde nicht geschrieben. Schreiben; es muss in einem frischen Checkout funktionieren und wiederholt laufen können.',
  'init-script-not-executable': 'Das Skript {file} ist nicht ausführbar. Ausführen: chmod +x {file}',
  'init-test-missing':
    'Die Testdatei {file} gibt es nicht. Mit einem noch ausstehenden Platzhaltertest schreiben, für diese Features:',
  'init-progress-missing': 'Das Protokoll {file} hat keinen Eintrag zu dieser Sitzung. Den ersten schreiben.',
  'init-gitignore-missing': '.gitignore ignoriert {line} nicht. Diese Zeile hinzufügen.',
  'init-lint-config-missing': 'Der Linter hat keine Konfiguration. Eine für die Sprache des Projekts schreiben.',
  'tool-violation': {
    one: '{count} Werkzeugaufruf verstieß gegen die Regeln, ohne Rückfrage oder trotz Ablehnung. Seine Änderungen im Projekt wurden geprüft; bitte prüfen, ob er anderswo etwas hinterließ:',
    other:
      '{count} Werkzeugaufrufe verstießen gegen die Regeln, ohne Rückfrage oder trotz Ablehnung. Ihre Änderungen im Projekt wurden geprüft; bitte prüfen, ob sie anderswo etwas hinterließen:',
  },
  'out-of-scope': {
    one: '{file} wurde geändert, gehört aber nicht zum Bereich dieser Aufgabe[[: {scope}]]. Wiederherstellen. Geht die Aufgabe nicht ohne, das sagen: den Bereich legt ein Mensch fest.',
    other:
      '{count} geänderte Dateien gehören nicht zum Bereich dieser Aufgabe[[: {scope}]]. Wiederherstellen. Geht die Aufgabe nicht ohne sie, das sagen: den Bereich legt ein Mensch fest.',
  },
  'too-many-files':
    '{count} Dateien wurden geändert, erlaubt sind höchstens {max}. Eine solche Änderung lässt sich schwer prüfen. Zurücknehmen, was die Aufgabe nicht braucht.',
  'memory-section-missing':
    'Der Abschnitt „## {section}“ fehlt oder ist leer. Die ganze Datei noch einmal schreiben, mit den Abschnitten Summary, Memory und Promote.',
  'memory-section-twice': 'Der Abschnitt „## {section}“ kommt mehrmals vor. Jeden Abschnitt einmal schreiben.',
  'memory-too-long':
    'Der Abschnitt „## {section}“ hat {lines} Zeilen und etwa {tokens} Tokens, erlaubt sind {mostLines} Zeilen und {mostTokens} Tokens. Kürzen: behalten, was die nächsten Sitzungen brauchen.',
  'stub-passes':
    'Der Test von Aufgabe {item} ({file}) besteht, obwohl nichts umgesetzt ist. Ein Platzhalter muss fehlschlagen, bis seine Aufgabe fertig ist.',
} as const satisfies Sentences['problems'];
