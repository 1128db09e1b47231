// German. The parameters of each sentence are listed in its English twin, ../en/workflow.ts.
import type { FailureSection, GateWords } from '../shape.ts';

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

export const workflow = {
  // {file}
  'workflow-missing': {
    title: 'Hier läuft kein Workflow.',
    why: '{file} gibt es nicht, oder die Sitzung darin ist zu Ende.',
    mend: ['harness workflow "AUFGABE"'],
  },
  // {file}
  'workflow-unfinished': {
    title: 'Der Workflow ist nicht zu Ende eingerichtet.',
    why: '{file} hat noch keine Phase.',
    mend: ['harness workflow'],
  },
  // {file, skill}
  'workflow-foreign': {
    title: '{file} gehört zu einer Sitzung von /{skill}.',
    why: 'Ohne Ihr Wort wird nichts davon angefasst.',
    mend: ['Diese Sitzung zuerst beenden oder löschen lassen: harness workflow "AUFGABE"'],
  },
  // {step, first, files}
  'workflow-too-early': {
    title: 'Für {step} ist es zu früh: zuerst {first}.',
    why: '[[{files} fehlt.]]',
    mend: ['harness workflow {first}'],
  },
  // {path}
  'workflow-docs-path': {
    title: 'Der Ordner der Sitzung darf nicht benutzt werden: {path}',
    why: 'Er steht in state.json als docs_path und führt aus seinem Platz hinaus.',
    mend: ['docs_path in .harness/state.json berichtigen oder neu beginnen: harness workflow "AUFGABE"'],
  },
  // {branch, at}
  'workflow-branch': {
    title: 'Der Workflow arbeitet auf dem Branch {branch}, hier ist {at}.',
    why: 'Seine Arbeit käme auf einen anderen Branch als gesagt.',
    mend: ['git switch {branch}'],
  },
  'workflow-one-task': {
    title: 'Ein Workflow hat eine Aufgabe.',
    why: 'Es gibt keine Liste, in der etwas hinzukommen, weggelassen oder angemerkt werden könnte.',
    mend: ['harness gates', 'harness workflow "AUFGABE"'],
  },
  // {stage}
  'workflow-no-session': {
    title: 'Als Nächstes kommt keine Sitzung: {stage}.',
    why: 'Dort geht das Harness selbst oder ein Mensch weiter.',
    mend: ['harness run', 'harness gates'],
  },
} as const satisfies FailureSection;
