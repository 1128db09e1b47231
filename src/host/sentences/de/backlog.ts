// German. The parameters of each sentence are listed in its English twin, ../en/backlog.ts.
import type { FailureSection } from '../shape.ts';

export const backlog = {
  'backlog-missing': {
    title: 'Es gibt kein Backlog: {file} ist nicht vorhanden.',
    why: '',
    fix: ['harness init --spec DATEI', 'harness add "TITEL"'],
  },
  'backlog-unreadable': {
    title: 'Das Backlog {file} ist nicht lesbar.',
    why: '{detail}',
    fix: ['Die Datei korrigieren, oder die letzte committete Fassung wiederherstellen: git checkout -- {file}'],
  },
  'backlog-invalid': {
    title: { one: 'Das Backlog {file} hat einen Fehler.', other: 'Das Backlog {file} hat {count} Fehler.' },
    why: '',
    fix: ['Die aufgeführten Stellen korrigieren; alle anderen Zeilen unverändert lassen.'],
  },
  'item-unknown': {
    title: 'Die Aufgabe {item} gibt es nicht.[[ War {suggestion} gemeint?]]',
    why: '',
    fix: ['harness items'],
  },
  'item-ambiguous': {
    title: '{item} passt auf mehr als eine Aufgabe: {matches}.',
    why: '',
    fix: ['Mehr Zeichen der Kennung angeben.'],
  },
  'retry-refused': {
    title: 'Eintrag {item} hat keine Versuche zurückzugeben: er ist {#status}.',
    why: '',
    fix: ['[[harness gates show {gate}   (auf diese Antwort wartet er)]]', 'harness items show {item}'],
  },
  'landed-already': {
    title: 'Aufgabe {item} ist gelandet: von ihr gibt es keine unfertige Arbeit.',
    why: 'Ihr Commit ist auf dem Branch, und spätere Aufgaben können darauf aufbauen.',
    fix: [
      'harness evidence show {item}   (nennt den Commit)',
      'Um sie zurückzunehmen: git revert COMMIT, dann harness override {item} --passes false --reason TEXT',
    ],
  },
  'item-not-ready': {
    title: 'Aufgabe {item} kann nicht begonnen werden[[: sie ist {#status}]].',
    why: '[[Sie wartet auf {blockers}.]]',
    fix: ['harness items show {item}', 'harness run   (nimmt die nächste, die bereit ist)'],
  },
  'needs-manual-verification': {
    title: 'Aufgabe {item} muss von Hand geprüft werden ({kind}), was diese Version noch nicht unterstützt.',
    why: 'Nur Aufgaben mit automatischer Prüfung werden bearbeitet.',
    fix: ['harness manual-verify {item}   (sobald sie fertig ist)', 'harness skip {item} --reason "…"'],
  },
  'items-given-up': {
    title: {
      one: 'Eine Aufgabe ist übrig und kann nicht noch einmal versucht werden: {items}.',
      other: '{count} Aufgaben sind übrig, und keine kann versucht werden: {items}.',
    },
    why: 'Jede hat alle Versuche verbraucht oder hängt von einer solchen ab.',
    fix: ['harness items', 'harness retry --all   (wenn die Ursache behoben ist)', 'harness skip ITEM --reason "…"'],
  },
  'file-in-the-way': {
    title: '{file} existiert schon mit anderem Inhalt.',
    why: 'Vorhandene Dateien werden nie überschrieben.',
    fix: ['Die Datei verschieben, oder sie behalten.', 'harness init --skill'],
  },
  'validation-missing': {
    title: 'Der Prüfbefehl von Eintrag {item} lässt sich nicht starten: {command}',
    why: '[[{program} wurde nicht gefunden. ]]Ohne ihn lässt sich nichts nachweisen. Der Eintrag wartet; kein Versuch wurde gezählt.',
    fix: ['[[{program} oder ]]was er braucht installieren, oder den Eintrag in der Liste korrigieren.', 'harness run'],
  },
  'backlog-syntax': {
    title: '[[{file} ]]ist kein JSON: {#mistake}[[, bei {got}]].',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
  'backlog-field-missing': {
    title: '[[{key} ]]fehlt; erlaubt: {allowed}.',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
  'backlog-field-invalid': {
    title: '[[{key} ]]kann nicht {got} sein; erlaubt: {allowed}.',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
  'entry-field-missing': {
    title: '{entry} {item} hat kein {field}; erlaubt: {allowed}.',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
  'entry-field-invalid': {
    title: '{entry} {item} kann nicht[[ {field}]] {got} haben; erlaubt: {allowed}.',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
  'entry-id-duplicate': {
    title: 'Die Kennung {item} ist schon vergeben, an {first}.',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
  'backlog-key-repeated': {
    title: '{field} steht mehr als einmal in der Datei.',
    why: 'Von gleichen Schlüsseln zählte nur der letzte Wert.',
    fix: ['Alle bis auf einen entfernen.'],
  },
  'entry-key-repeated': {
    title: '{entry} {item} hat {field} mehr als einmal.',
    why: 'Von gleichen Schlüsseln zählte nur der letzte Wert.',
    fix: ['Alle bis auf einen entfernen.'],
  },
  'dependency-missing': {
    title: 'Feature {feature} hängt von {dependency} ab, das nicht in der Datei steht.',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
  'dependency-self': {
    title: 'Feature {feature} hängt von sich selbst ab.',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
  'dependency-cycle': {
    title: 'Features hängen zyklisch voneinander ab: {path}.',
    why: '',
    fix: ['Das Backlog korrigieren.'],
  },
} as const satisfies FailureSection;
