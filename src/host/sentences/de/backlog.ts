// German. The parameters of each sentence are listed in its English twin, ../en/backlog.ts.
import type { FailureSection } from '../shape.ts';

export const backlog = {
  'backlog-missing': {
    title: 'Es gibt kein Backlog: {file} ist nicht vorhanden.',
    why: '',
    mend: ['harness init --spec DATEI', 'harness add "TITEL"'],
  },
  'backlog-unreadable': {
    title: 'Das Backlog {file} ist nicht lesbar.',
    why: '{detail}',
    mend: ['Die Datei berichtigen, oder die letzte gute nehmen: git checkout -- {file}'],
  },
  'backlog-invalid': {
    title: { one: 'Das Backlog {file} hat einen Fehler.', other: 'Das Backlog {file} hat {count} Fehler.' },
    why: '',
    mend: ['Die genannten Stellen berichtigen; alle anderen Zeilen bleiben, wie sie sind.'],
  },
  'item-unknown': {
    title: 'Die Aufgabe {item} gibt es nicht.[[ War {suggestion} gemeint?]]',
    why: '',
    mend: ['harness items'],
  },
  'item-ambiguous': {
    title: '{item} könnte mehr als eine Aufgabe meinen: {matches}.',
    why: '',
    mend: ['Mehr von der Kennung schreiben.'],
  },
  'item-not-ready': {
    title: 'Aufgabe {item} kann nicht begonnen werden[[: sie ist {#status}]].',
    why: '[[Sie wartet auf {blockers}.]]',
    mend: ['harness items show {item}', 'harness run   (nimmt die nächste, die bereit ist)'],
  },
  'needs-manual-verification': {
    title: 'Aufgabe {item} wird von einem Menschen geprüft ({kind}), worauf diese Version noch nicht warten kann.',
    why: 'Nur Aufgaben mit automatischer Prüfung werden bearbeitet.',
    mend: ['harness manual-verify {item}   (sobald sie fertig ist)', 'harness skip {item} --reason "…"'],
  },
  'items-given-up': {
    title: {
      one: 'Eine Aufgabe ist übrig, und sie darf nicht noch einmal versucht werden: {items}.',
      other: '{count} Aufgaben sind übrig, und keine darf versucht werden: {items}.',
    },
    why: 'Jede ist so oft gescheitert, wie sie darf, oder wartet auf eine solche.',
    mend: ['harness items', 'harness skip ITEM --reason "…"', 'Oder max_attempts einer Aufgabe in der Liste erhöhen.'],
  },
  'file-in-the-way': {
    title: '{file} ist da, mit einem anderen Text.',
    why: 'Nichts von dir wird überschrieben.',
    mend: ['Die Datei wegräumen, oder deine behalten.', 'harness init --skill'],
  },
  'validation-missing': {
    title: 'Der Befehl, der Aufgabe {item} prüft, ist nicht da: {command}',
    why: 'Ohne ihn lässt sich nichts beweisen. Die Aufgabe wartet, und kein Versuch wurde gezählt.',
    mend: ['Installieren, was er braucht, oder die Aufgabe berichtigen.', 'harness run'],
  },
  'backlog-syntax': {
    title: '[[{file} ]]ist kein JSON: {#mistake}[[, bei {got}]].',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
  'backlog-field-missing': {
    title: '[[{key} ]]fehlt; erlaubt: {allowed}.',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
  'backlog-field-invalid': {
    title: '[[{key} ]]kann nicht {got} sein; erlaubt: {allowed}.',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
  'entry-field-missing': {
    title: '{entry} {item} hat kein {field}; erlaubt: {allowed}.',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
  'entry-field-invalid': {
    title: '{entry} {item} kann nicht[[ {field}]] {got} haben; erlaubt: {allowed}.',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
  'entry-id-duplicate': {
    title: 'Die Kennung {item} ist schon vergeben, an {first}.',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
  'dependency-missing': {
    title: 'Feature {feature} hängt von {dependency} ab, das nicht in der Datei steht.',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
  'dependency-self': {
    title: 'Feature {feature} hängt von sich selbst ab.',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
  'dependency-cycle': {
    title: 'Features hängen im Kreis voneinander ab: {path}.',
    why: '',
    mend: ['Das Backlog berichtigen.'],
  },
} as const satisfies FailureSection;
