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
    title: 'Das Backlog {file} ist nicht gültig.',
    why: '[[{detail}]]',
    mend: ['Die unten genannten Stellen berichtigen; alle anderen Zeilen bleiben, wie sie sind.'],
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
    title: 'Aufgabe {item} kann nicht begonnen werden[[: sie ist {status}]].',
    why: '[[Sie wartet auf {blockers}.]]',
    mend: ['harness items show {item}', 'harness run   (nimmt die nächste, die bereit ist)'],
  },
} as const satisfies FailureSection;
