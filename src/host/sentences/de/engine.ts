// German. The parameters of each sentence are listed in its English twin, ../en/engine.ts.
import type { FailureSection, Sentences } from '../shape.ts';

export const engine = {
  'state-unreadable': {
    title: 'Der Zustand in {file} ist nicht lesbar[[: {#why}]].',
    why: '[[{detail}. ]]Was dort stand, wird nicht geraten.',
    mend: [
      'Die Datei berichtigen, eine Kopie zurücklegen (einige sind in .harness/checkpoints/) oder sie beiseitelegen: dann beginnt es neu.',
    ],
  },
  'state-newer': {
    title: '{file} stammt von einem neueren harness (Schema {found}; dieses kennt {supported}).',
    why: 'Ein älteres Programm könnte zerstören, was es nicht versteht.',
    mend: ['harness aktualisieren.'],
  },
  'state-older': {
    title: '{file} stammt von einem älteren harness (Schema {found}; nötig ist {supported}).',
    why: '',
    mend: ['Das harness benutzen, das sie schrieb, oder die Datei beiseitelegen: dann beginnt es neu.'],
  },
  'journal-broken': {
    title: 'Das Journal {file} ist beschädigt[[, in Zeile {line}]].',
    why: '[[{detail}\n]]Ein abgeschnittenes Ende ist nach einem Absturz normal und wird behoben; bei einer beschädigten Mitte wird nicht geraten.',
    mend: ['Die Datei aus einer Sicherung holen, oder beiseitelegen, um von den Zustandsdateien auszugehen.'],
  },
  'edited-in-window': {
    title: '{file} wurde geändert, während ein Agent schreiben konnte.',
    why: 'Ob es ein Mensch oder der Agent war, ist nicht zu erkennen; deshalb steht wieder die Fassung davor da.',
    mend: ['War sie von Ihnen: noch einmal ändern, während kein Lauf arbeitet.'],
  },
} as const satisfies FailureSection;

export const outcomes: Sentences['outcomes'] = {
  verified: 'alle Prüfungen bestanden, und sie liefen nicht beim Agenten, sondern hier',
  landed: 'geprüft und committet',
  unproved: 'ohne Nachweis committet: dafür war keine Prüfung eingestellt',
  'nothing-left': 'alle Aufgaben sind gelandet',
  'nothing-ready': 'keine Aufgabe kann begonnen werden: die übrigen warten auf andere',
  'verification-failed': 'sie galt als fertig, aber die Prüfungen wurden nicht bestanden',
  regression: 'Tests, die vorher bestanden, scheiterten danach',
  partial: 'die Sitzung endete vor der Arbeit; die nächste macht weiter',
  'nothing-claimed': 'die Sitzung endete, ohne dass etwas als fertig gemeldet wurde',
  tampering: 'Dateien, die harness gehören, wurden während der Sitzung geändert',
  'waiting-at-gate': 'eine Frage wartet auf Antwort',
  'agent-failed': 'der Agent ist gescheitert',
  'limit-reached': 'eine Grenze wurde erreicht',
  'budget-exhausted': 'das Budget ist aufgebraucht',
  aborted: 'von einem Menschen beendet',
  skipped: 'von einem Menschen ausgelassen',
  paused: 'von einem Menschen angehalten',
  stopped: 'von einem Menschen gestoppt',
  incomplete: 'die Sitzung endete, bevor die Arbeit fertig war; die nächste macht weiter',
  timeout: 'die Sitzung lief in ihre Zeitgrenze; die Arbeit ist aufgehoben und geht weiter',
  context_limit: 'der Kontext war voll; die Arbeit ist aufgehoben und geht weiter',
  user_pause: 'ein Mensch hat sie angehalten; die Arbeit ist aufgehoben und geht weiter',
  'output-limit': 'der Agent redete ohne Ende und wurde angehalten (session.max_output_bytes)',
  'session-lost': 'die Sitzung begann mit einer anderen Version und kann nicht fortgesetzt werden',
  'max-sessions': 'so viele Sitzungen wie verlangt',
  'max-items': 'so viele Aufgaben wie verlangt',
  asked: 'ein Mensch hat es verlangt',
  'decided-split': 'ein Mensch wird sie aufteilen',
  'decided-manual': 'ein Mensch wird sie von Hand erledigen',
  'decided-abort': 'ein Mensch hat es beendet',
  'decided-skip': 'ein Mensch hat sie ausgelassen',
  gate: 'eine Frage wartet auf Antwort',
  'session-interrupted': 'zuerst muss eine unterbrochene Sitzung zu Ende gebracht werden: harness run',
  applied: 'das Verlangte ist getan',
  initialised: 'das Projekt ist eingerichtet',
  'tests-failed': 'das Harness hat ihre Tests ausgeführt, und sie scheitern',
  'init-rejected': 'was der Initializer gemacht hat, ist nicht gültig',
  'tree-changed-since-check': 'Dateien haben sich nach der Prüfung geändert',
};
