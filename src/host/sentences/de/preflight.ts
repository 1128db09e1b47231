// German. The parameters of each sentence are listed in its English twin, ../en/preflight.ts.
import type { FailureSection } from '../shape.ts';

export const preflight = {
  'wrong-directory': {
    title: 'Dieser Ordner ist nicht das Projekt, für das dies eingerichtet wurde: {missing} fehlt.',
    why: '',
    mend: ['In den Projektordner wechseln', 'harness -C ORDNER …'],
  },
  'harness-file-missing': {
    title: { one: '{files} fehlt.', other: '{files} fehlen.' },
    why: 'Eine Sitzung braucht die Datei, und ihren Inhalt zu raten wäre schlimmer als anzuhalten.',
    mend: ['git log --all -- {paths}   (gab es sie?)', 'harness init'],
  },
  'not-executable': {
    title: { one: '{files} ist nicht ausführbar.', other: '{files} sind nicht ausführbar.' },
    why: '',
    mend: ['chmod +x {paths}', 'git commit -am "Skripte sind ausführbar"'],
  },
  'init-failed': {
    title: 'Die Umgebung ließ sich nicht starten: {command} ist gescheitert[[, Exit-Code {exit}]].',
    why: '[[{tail}]]',
    mend: ['{command} von Hand ausführen, bis es gelingt, dann neu beginnen.'],
  },
  'reset-failed': {
    title: 'Die Umgebung ließ sich nicht zurücksetzen: {command} ist gescheitert[[, Exit-Code {exit}]].',
    why: '[[{tail}\n]]Ein sauberer Zustand war ohne Hilfe nicht zu erreichen.',
    mend: ['{command} von Hand ausführen, bis es gelingt, dann neu beginnen.'],
  },
  unhealthy: {
    title: 'Die Anwendung besteht ihre Gesundheitsprüfung nicht[[: {command} ist gescheitert, Exit-Code {exit}]].',
    why: '[[{tail}]]',
    mend: ['Die Prüfung von Hand ausführen, beheben, was sie nennt, dann neu beginnen.'],
  },
  'baseline-failing': {
    title: {
      one: '{count} Test, der als bestanden bekannt ist, scheitert, bevor etwas geändert wurde.',
      other: 'Tests, die als bestanden bekannt sind, scheitern, bevor etwas geändert wurde[[ ({count})]].',
    },
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]Auf kaputter Grundlage lässt sich neue Arbeit nicht beurteilen.',
    mend: ['Beheben, dann neu beginnen.', 'harness verify   (zeigt, was scheitert)'],
  },
  'baseline-unreadable': {
    title: 'Die Liste der bestandenen Tests {file} ist nicht lesbar[[: {#why}]][[ ({#detail})]].',
    why: '',
    mend: ['{file} entfernen; die nächste angenommene Sitzung schreibt sie neu.'],
  },
  'budget-exhausted': {
    title: 'Das Budget ist aufgebraucht: {spentUsd} von {limitUsd}[[ ({#scope})]].',
    why: 'Was bisher getan wurde, ist gesichert.',
    mend: ['Die Grenze unter costs: in der Konfiguration anheben.', 'harness status   (was ausgegeben wurde)'],
  },
} as const satisfies FailureSection;
