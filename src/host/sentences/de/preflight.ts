// German. The parameters of each sentence are listed in its English twin, ../en/preflight.ts.
import type { FailureSection } from '../shape.ts';

export const preflight = {
  'wrong-directory': {
    title: 'Dieser Ordner ist nicht das Projekt, für das das Harness eingerichtet wurde: {missing} fehlt.',
    why: '',
    fix: ['In den Projektordner wechseln', 'harness -C ORDNER …'],
  },
  'harness-file-missing': {
    title: { one: '{files} fehlt.', other: '{files} fehlen.' },
    why: 'Eine Sitzung braucht sie, und ihr Inhalt lässt sich nicht erraten.',
    fix: ['git log --all -- {paths}   (gab es sie?)', 'harness init   (legt eine leere an)'],
  },
  'not-executable': {
    title: { one: '{files} ist nicht ausführbar.', other: '{files} sind nicht ausführbar.' },
    why: '',
    fix: ['chmod +x {paths}', 'git commit -am "Skripte sind ausführbar"'],
  },
  'init-failed': {
    title: 'Die Umgebung ließ sich nicht starten: {command} ist fehlgeschlagen[[, Exit-Code {exit}]].',
    why: '[[{tail}]]',
    fix: ['{command} von Hand ausführen, bis es gelingt, dann noch einmal versuchen.'],
  },
  'install-failed': {
    title:
      'Die Abhängigkeiten eines sauberen Checkouts konnten nicht installiert werden: {command} ist fehlgeschlagen[[ ({exit})]].',
    why: '[[{tail}\n]]Was landet, wird in einem sauberen Checkout geprüft, wie in der CI.',
    fix: [
      '{command} in einem frischen Klon ausführen, bis es gelingt, dann noch einmal versuchen.',
      'environment.install: ein anderer Befehl, in der Konfiguration',
    ],
  },
  'proof-folder-unwritable': {
    title: 'Der Ordner für saubere Checkouts ist nicht beschreibbar: {path} ({code}).',
    why: 'Jedes Ergebnis wird dort in einem sauberen Checkout geprüft. Nichts wurde geändert und kein Agent gestartet.',
    fix: ['Platz schaffen oder den Ordner beschreibbar machen.', 'XDG_STATE_HOME=DIR harness run   (ein anderer Ort)'],
  },
  'tests-not-runnable': {
    title: 'Die Tests lassen sich nicht ausführen: {command}',
    why: '[[{tail}\n]]Der Befehl hat keinen Test gestartet: Das Testprogramm ist nicht installiert oder findet die Tests nicht.',
    fix: [
      'Das Testprogramm installieren, Manifest und Lock-Datei committen, dann noch einmal versuchen.',
      'harness config show   (testing.full, testing.runner)',
    ],
  },
  'passes-only-here': {
    title: {
      one: '{count} Test läuft in Ihrem Arbeitsverzeichnis durch, aber nicht in einem sauberen Checkout.',
      other: '{count} Tests laufen in Ihrem Arbeitsverzeichnis durch, aber nicht in einem sauberen Checkout.',
    },
    why: '[[{tests}\n]][[In einem sauberen Checkout endet {command} mit:\n{tail}\n]][[Dateien, die git ignoriert und die nur Ihr Arbeitsverzeichnis hat:\n{files}\n]]Was landet, muss in einem sauberen Checkout durchlaufen.',
    fix: [
      'lanes_share: [DATEI, …]   (ignorierte Dateien, die ein sauberer Checkout braucht)',
      'testing.build: BEFEHL   (baut, was Tests brauchen)',
      'environment.install: BEFEHL   (installiert, was sie brauchen)',
    ],
  },
  'reset-failed': {
    title: 'Die Umgebung ließ sich nicht zurücksetzen: {command} ist fehlgeschlagen[[, Exit-Code {exit}]].',
    why: '[[{tail}\n]]Ein sauberer Zustand lässt sich nicht automatisch herstellen.',
    fix: ['{command} von Hand ausführen, bis es gelingt, dann noch einmal versuchen.'],
  },
  unhealthy: {
    title: 'Die Anwendung besteht ihre Gesundheitsprüfung nicht[[: {command} ist fehlgeschlagen, Exit-Code {exit}]].',
    why: '[[{tail}]]',
    fix: ['Die Prüfung von Hand ausführen, beheben, was sie meldet, dann noch einmal versuchen.'],
  },
  'baseline-failing': {
    title: {
      one: '{count} Test der Baseline schlägt fehl, bevor etwas geändert wurde.',
      other: 'Tests der Baseline schlagen fehl, bevor etwas geändert wurde[[ ({count})]].',
    },
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]Mit einer fehlerhaften Baseline lässt sich neue Arbeit nicht prüfen.',
    fix: ['Beheben, dann noch einmal versuchen.', 'harness verify   (zeigt, was fehlschlägt)'],
  },
  'baseline-unreadable': {
    title: 'Die Test-Baseline {file} ist nicht lesbar[[: {#why}]][[ ({#detail})]].',
    why: '',
    fix: ['{file} entfernen; die nächste angenommene Sitzung schreibt sie neu.'],
  },
  'budget-exhausted': {
    title:
      'Das Budget ist aufgebraucht[[: {spentUsd} von {limitUsd}]][[: {spentTokens} von {limitTokens} Tokens]][[: {spentMs} von {limitMs}]][[ ({#scope})]].',
    why: 'Die bisherige Arbeit ist gesichert.',
    fix: [
      'Das Limit unter costs: oder limits: in der Konfiguration anheben.',
      'harness status   (was verbraucht wurde)',
    ],
  },
} as const satisfies FailureSection;
