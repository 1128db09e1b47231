// German. The parameters of each sentence are listed in its English twin, ../en/problems.ts.
import type { Sentences } from '../shape.ts';

export const problems = {
  'nothing-claimed':
    'Keine Aufgabe wurde als fertig gemeldet. Ist Aufgabe {item} fertig, im Backlog ihr passes auf true setzen; wenn nicht, an ihr weiterarbeiten.',
  'too-many-claims':
    '{count} Aufgaben wurden als fertig gemeldet[[ ({items})]], aber eine Sitzung darf höchstens {limit} abschließen. Die Meldungen zurücknehmen, die nicht Auftrag dieser Sitzung sind.',
  'wrong-claim':
    'Aufgabe {claimed} wurde als fertig gemeldet, aber der Auftrag dieser Sitzung ist Aufgabe {item}. Die Meldung zurücknehmen und Aufgabe {item} abschließen.',
  'backlog-edited':
    'Das Backlog {file} wurde über die eine erlaubte Meldung hinaus geändert[[: {detail}]]. Alles andere wieder herstellen, wie es war.',
  'backlog-unreadable': 'Das Backlog {file} ist nicht mehr lesbar[[: {detail}]]. Seine Syntax wieder herstellen.',
  'item-removed': 'Aufgabe {item} wurde aus dem Backlog entfernt. Genau so zurückstellen, wie sie war.',
  'item-added': 'Aufgabe {item} wurde dem Backlog hinzugefügt. Entfernen; neue Aufgaben fügen Menschen hinzu.',
  'item-edited': 'Aufgabe {item} wurde im Backlog geändert[[ ({field})]]. Genau so zurückstellen, wie sie war.',
  'claim-withdrawn':
    'Aufgabe {item} war fertig und gilt jetzt als nicht fertig. Ihr passes zurückstellen; Gelandetes nehmen nur Menschen zurück.',
  'check-failed':
    'Die Prüfung {check} ist gescheitert: {command} endete mit Exit-Code {exit}.[[ Das Ende ihrer Ausgabe:\n{tail}]]',
  'check-timed-out':
    'Die Prüfung {check} endete nicht rechtzeitig: {command} wurde gestoppt[[, nach {limitMs}]]. Herausfinden, was hängt oder zu lange braucht.',
  'check-output-flood':
    'Die Prüfung {check} gab zu viel aus und wurde gestoppt: {command}[[ (Grenze {limitBytes} Bytes)]]. Herausfinden, was endlos ausgibt.',
  'command-missing':
    'Die Prüfung {check} ließ sich nicht starten: {command}. Das Programm wurde nicht gefunden oder darf nicht ausgeführt werden.',
  'no-tests-executed':
    'Die Prüfung {check} hat keinen Test ausgeführt: {command}. Zum Bestehen gehört mindestens ein Test, der wirklich lief; er muss dort stehen, wo das Testprogramm ihn findet.',
  'all-tests-skipped':
    'Die Prüfung {check} hat alle ihre Tests übersprungen: {command}. Ein übersprungener Test belegt nichts; das Überspringen entfernen und die Tests bestehen lassen.',
  'tests-failed': {
    one: '{count} Test der Prüfung {check} ist gescheitert: {command}. Den Code berichtigen, nicht den Test abschwächen.',
    other:
      '{count} Tests der Prüfung {check} sind gescheitert: {command}. Den Code berichtigen, nicht die Tests abschwächen.',
  },
  'report-missing':
    'Die Prüfung {check} hat keinen Testbericht hinterlassen: {command}. Das Testprogramm muss bis zum Ende laufen und berichten; wie es berichtet, darf nicht geändert werden.',
  'report-unreadable':
    'Der Testbericht der Prüfung {check} ist nicht lesbar[[: {detail}]]. Nur das Testprogramm darf ihn schreiben.',
  'report-incomplete':
    'Der Testbericht der Prüfung {check} ist unvollständig[[: {detail}]]. Jede Testdatei muss laden und der Lauf zu Ende kommen.',
  'exit-contradicts-report':
    'Die Prüfung {check} endete mit Exit-Code {exit}, was ihrem Testbericht widerspricht. Etwas anderes hat den Lauf beendet oder scheitern lassen; das ist zu finden.',
  regression: {
    one: '{count} Test, der vorher bestand, scheitert jetzt. Er muss wieder bestehen, ohne geändert zu werden.',
    other: '{count} Tests, die vorher bestanden, scheitern jetzt. Sie müssen wieder bestehen, ohne geändert zu werden.',
  },
  'tests-missing': {
    one: '{count} Test, der vorher bestand, ist weg. Er muss wieder da sein.',
    other: '{count} Tests, die vorher bestanden, sind weg. Sie müssen wieder da sein.',
  },
  'tests-newly-skipped': {
    one: '{count} Test, der vorher bestand, wird jetzt übersprungen. Das Überspringen entfernen; er muss bestehen.',
    other:
      '{count} Tests, die vorher bestanden, werden jetzt übersprungen. Das Überspringen entfernen; sie müssen bestehen.',
  },
  'suite-newly-failing':
    'Die Suite bestand vorher und scheitert jetzt: {command} endete mit Exit-Code {exit}. Sie muss wieder bestehen.[[\n{tail}]]',
  'harness-file-edited':
    '{file} gehört harness und wurde geändert. Die Fassung davor steht wieder da; dort nicht hineinschreiben.',
  'config-edited':
    '{file} bestimmt, wie Arbeit geprüft wird, und wurde geändert. Zurückstellen; das ändern nur Menschen.',
  'history-rewritten':
    'Commits, die vor der Sitzung da waren, fehlen auf dem Branch[[ ({detail})]]. Kein amend, rebase oder reset; harness macht die Commits.',
  'branch-switched':
    'Die Sitzung begann auf dem Branch {expected} und endete auf {found}. Auf {expected} bleiben; harness macht die Branches.',
  'tree-changed-since-check':
    'Nach der Prüfung haben sich Dateien geändert; das Geprüfte ist nicht mehr das, was da ist. Alle Prozesse beenden, die noch schreiben, dann wird neu geprüft.',
} as const satisfies Sentences['problems'];
