// German. The parameters of each sentence are listed in its English twin, ../en/workflow.ts.
import type { GateWords } from '../shape.ts';

export const workflowSubjects = {
  'workflow-conventions': {
    header: 'Konventionen',
    question:
      'Keine CLAUDE.md sagt genug darüber, wie dieses Projekt geschrieben ist[[ (sie hat {lines} Zeilen)]]. Soll ein Agent den Code lesen und seine Konventionen festhalten (Daten, Schnittstellen, Dateien, Tests)? Der Plan folgt ihnen dann.',
    options: {
      scan: {
        label: 'Suchen',
        description: 'Eine kurze Sitzung, die den Code liest und die Konventionen aufschreibt.',
      },
      skip: { label: 'Auslassen', description: 'Ohne sie planen; das wird nicht wieder gefragt.' },
    },
  },
  'workflow-scan': {
    header: 'Nichts da',
    question: 'Die Suche nach Konventionen ist zu Ende, aber {file} ist nicht da. Soll sie wiederholt werden?',
    options: {
      retry: { label: 'Noch einmal', description: 'Die Suche noch einmal laufen lassen.' },
      skip: { label: 'Auslassen', description: 'Ohne Konventionen planen.' },
    },
  },
  'workflow-spec': {
    header: 'Spec',
    question:
      'Die Spezifikation steht in {file}. Sehen Sie sie durch: sie zu bauen kostet den größeren Teil der Tokens.[[\n{preview}]]\nSoll das gebaut werden?',
    options: {
      proceed: { label: 'Bauen', description: 'Mit der Umsetzung beginnen, wie die Spezifikation es sagt.' },
      modify: {
        label: 'Ändern',
        description: 'Sagen, was anders sein soll (-m), oder die Datei ändern; sie wird noch einmal gezeigt.',
      },
      stop: {
        label: 'Aufhören',
        description: 'Nichts wird gebaut; die Sitzung bleibt, wie sie ist, und kann fortgesetzt werden.',
      },
    },
  },
  'workflow-verify': {
    header: 'Prüfung',
    question:
      'Die Prüfungen scheitern auch nach {retries} Versuchen, es zu beheben[[: {summary}]].[[ Ausführlich: {report}.]] Wie soll es weitergehen?',
    options: {
      'auto-fix': {
        label: 'Vorschlag',
        description:
          'Ein starkes Modell sieht sich den Fehler an und schlägt einen kleinen Patch vor; einmal je Sitzung.',
      },
      continue: {
        label: 'Bewerten',
        description: 'Was scheitert, bleibt, wie es ist; es geht mit der Bewertung weiter.',
      },
      stop: {
        label: 'Aufhören',
        description: 'Hier endet es, damit ein Mensch nachsieht; es kann fortgesetzt werden.',
      },
    },
  },
  'workflow-auto-fix': {
    header: 'Auto-Fix',
    question:
      'Eine Korrektur ist vorgeschlagen[[ von {model}]] (Zuversicht: {#confidence})[[: {summary}]].[[\nSie ändert:\n{paths}]]\nSoll sie angewendet werden?',
    options: {
      apply: {
        label: 'Anwenden',
        description: 'Der Patch kommt hinein, alle Prüfungen laufen neu; bisherige Versuche bleiben gezählt.',
      },
      reject: {
        label: 'Ablehnen',
        description: 'Der Patch fällt weg; die Frage davor kommt wieder, ohne den Vorschlag.',
      },
      stop: { label: 'Aufhören', description: 'Nichts wird angewendet; hier endet es, damit ein Mensch nachsieht.' },
    },
  },
  'workflow-qa': {
    header: 'Bewertung',
    question:
      'Die Bewertung sagt FAIL (Schicht {layer}, Runde {round} von {max})[[: {summary}]].[[ Ausführlich: {report}.]] Wie soll es weitergehen?',
    options: {
      fix: { label: 'Beheben', description: 'Noch eine Runde, die erfährt, was scheiterte.' },
      accept: { label: 'Annehmen', description: 'Mit der Arbeit, wie sie ist, zum Ende kommen.' },
    },
  },
  'workflow-commit': {
    header: 'Commit',
    question: 'Die Arbeit ist getan[[ auf {branch}]][[ ({files} Dateien)]]. Wie soll sie abgeschlossen werden?',
    options: {
      'code-only': {
        label: 'Nur Code',
        description:
          'Den Code committen, dazu was eine Spezifikation auf Dauer hinterlässt; die anderen Notizen des Workflows gehen.',
      },
      all: { label: 'Alles', description: 'Alles committen, auch die Notizen des Workflows.' },
      none: {
        label: 'Kein Commit',
        description: 'Die eigenen Dateien des Workflows aufräumen; die Arbeit bleibt in der Arbeitskopie.',
      },
    },
  },
} as const satisfies { readonly [subject: string]: GateWords };
