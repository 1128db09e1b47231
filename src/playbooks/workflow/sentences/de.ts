// German. The parameters of each sentence are listed in its English twin, ../en/workflow.ts.
import type { PlaybookSentences } from '../../../model/sentences.ts';

const gates = {
  'workflow-conventions': {
    header: 'Konventionen',
    question:
      'Keine CLAUDE.md[[ mit {lines} Zeilen oder mehr]] sagt, wie dieses Projekt geschrieben ist. Soll ein Agent den Code lesen und seine Konventionen festhalten (Daten, Schnittstellen, Dateien, Tests)? Der Plan folgt ihnen dann.',
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
      'Die Spezifikation steht in {file}[[: {summary}]]. Sehen Sie sie durch: sie zu bauen kostet den größeren Teil der Tokens.[[\n{preview}]]\nSoll das gebaut werden?',
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
      'Eine Korrektur ist vorgeschlagen[[ von {model}]] (Zuversicht: {#confidence})[[: {summary}]].[[\nSie ändert: {paths}]]\nSoll sie angewendet werden?',
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
    question:
      'Die Arbeit ist getan[[ auf {branch}]][[ ({files} Dateien)]][[; die Notizen des Workflows liegen in {folder}]]. Wie soll sie abgeschlossen werden?',
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
} satisfies PlaybookSentences['gates'];

const failures = {
  // {file}
  'workflow-missing': {
    title: 'Hier läuft kein Workflow.',
    why: '{file} gibt es nicht, oder die Sitzung darin ist zu Ende.',
    fix: ['harness workflow "AUFGABE"'],
  },
  // {file}
  'workflow-unfinished': {
    title: 'Der Workflow ist nicht zu Ende eingerichtet.',
    why: '{file} hat noch keine Phase.',
    fix: ['harness workflow'],
  },
  // {file, path, count}
  'workflow-uncommitted': {
    title: 'Der Workflow ist fertig, und nichts davon ist committet.',
    why: 'Laut {file} ist er fertig, und keine Frage ist offen. {count} Dateien sind nicht committet, zum Beispiel {path}.',
    fix: [
      'git add … && git commit',
      '"phase": "evaluate_done" in {file}, dann harness run   (fragt noch einmal, wie er enden soll)',
    ],
  },
  // {file, skill}
  'workflow-foreign': {
    title: '{file} gehört zu einer Sitzung von /{skill}.',
    why: 'Ohne Ihr Wort wird nichts davon angefasst.',
    fix: ['Diese Sitzung zuerst beenden oder löschen lassen: harness workflow "AUFGABE"'],
  },
  // {branch, at}
  'workflow-branch': {
    title: 'Der Workflow arbeitet auf dem Branch {branch}, hier ist {at}.',
    why: 'Seine Arbeit käme auf einen anderen Branch als gesagt.',
    fix: ['git switch {branch}'],
  },
  'workflow-one-task': {
    title: 'Ein Workflow hat eine Aufgabe.',
    why: 'Es gibt keine Liste, in der etwas hinzukommen, weggelassen oder angemerkt werden könnte.',
    fix: ['harness gates', 'harness workflow "AUFGABE"'],
  },
  // {stage}
  'workflow-no-session': {
    title: 'Als Nächstes kommt keine Sitzung: {stage}.',
    why: 'Dort geht das Harness selbst oder ein Mensch weiter.',
    fix: ['harness run', 'harness gates'],
  },
  // {item}
  'workflow-verifies-itself': {
    title: 'Einen Workflow prüft sein eigener Schritt.',
    why: 'Seine Befehle sind seine eigenen: Build, Tests, Linter und Typprüfung, wie sie in .harness/state.json stehen.',
    fix: ['harness workflow verify', 'harness evidence verify {item}   (was gelandet ist)'],
  },
  'workflow-step-first': {
    title: 'harness workflow {step} kann nicht beginnen: {first} ist noch nicht getan.',
    why: '[[Es fehlt: {missing}.]]',
    fix: ['harness workflow {first}'],
  },
  'workflow-docs-path': {
    title: 'Der Ordner der Artefakte {path} ist nicht brauchbar: {#rule}[[ ({part})]].',
    why: 'Was dort geschrieben und gelöscht wird, wäre nicht das Eigene des Workflows.',
    fix: ['harness workflow --on-session restart   (beginnt neu)', 'docs_path in .harness/state.json berichtigen.'],
  },
  'workflow-under-way': {
    title: 'Hier ist eine Sitzung im Gange ({phase}), und niemand kann gefragt werden, was aus ihr wird.',
    why: '[[Ihre Aufgabe: {task}\n]]Ohne eine Antwort wird nichts gelöscht.',
    fix: [
      'harness workflow --on-session resume',
      'harness workflow "TASK" --on-session restart',
      'harness workflow --on-session stop',
    ],
  },
  'workflow-conflict': {
    title: 'Hier ist eine Sitzung von /{skill} im Gange, und niemand kann gefragt werden, was aus ihr wird.',
    why: 'Ohne eine Antwort wird nichts gelöscht.',
    fix: ['harness workflow "TASK" --on-conflict delete', 'harness workflow --on-conflict cancel'],
  },
  'workflow-moved': {
    title: '{file} wurde geändert, während Sie gefragt wurden.',
    why: 'Ihre Antwort galt dem, was vorher dort stand.',
    fix: ['harness workflow'],
  },
} satisfies PlaybookSentences['failures'];

const texts = {
  'workflow.line.task': 'Aufgabe',
  'workflow.line.mode': 'Modus',
  'workflow.line.model': 'Modell',
  'workflow.line.style': 'Ablauf',
  'workflow.line.phase': 'Phase',
  'workflow.line.round': 'Runde',
  'workflow.line.branch': 'Branch',
  'workflow.line.scope': 'Umfang',
  'workflow.line.directory': 'Ordner',
  'workflow.line.verifier': 'Prüfer',
  'workflow.line.language': 'Sprache',
  'workflow.line.test': 'Tests',
  'workflow.line.build': 'Build',
  'workflow.line.lint': 'Lint',
  'workflow.line.typecheck': 'Typen',
  'workflow.line.output': 'Ablage',
  'workflow.line.plan_ready': 'Plan — bereit',
  'workflow.line.planning': 'Plan — in Arbeit',
  'workflow.line.plan_done': 'Plan — fertig',
  'workflow.line.generate_ready': 'Umsetzung — bereit',
  'workflow.line.generating': 'Umsetzung — in Arbeit',
  'workflow.line.generate_done': 'Umsetzung — fertig',
  'workflow.line.verify_ready': 'Prüfung — bereit',
  'workflow.line.verifying': 'Prüfung — läuft',
  'workflow.line.verify_done': 'Prüfung — fertig',
  'workflow.line.evaluate_ready': 'Bewertung — bereit',
  'workflow.line.evaluating': 'Bewertung — in Arbeit',
  'workflow.line.evaluate_done': 'Bewertung — fertig',
  'workflow.line.completed': 'Abgeschlossen',
  'workflow.line.setup': 'Einrichtung',
  'workflow.line.none': 'keine',
  'workflow.ready': 'Bereit für: harness workflow "AUFGABE"',
  'workflow.none': 'Kein Workflow ist im Gange   → harness workflow "AUFGABE"',
  'workflow.there': '[harness] Eine frühere Sitzung liegt vor.',
  'workflow.there-v1': '[harness] Eine frühere Sitzung liegt vor (v1).',
  'workflow.session': 'Fortsetzen, neu beginnen oder aufhören? ({options})',
  'workflow.session-resume': 'von hier weiter: {phase}',
  'workflow.session-restart': 'die Dateien dieser Sitzung löschen und neu beginnen',
  'workflow.session-stop': 'die Dateien dieser Sitzung löschen und nichts beginnen',
  'workflow.conflict':
    'Hier ist eine Sitzung von /{skill} im Gange. Soll sie gelöscht und ein Workflow begonnen werden? ({options})',
  'workflow.conflict-delete': 'die Dateien jener Sitzung löschen und beginnen',
  'workflow.conflict-cancel': 'sie bleibt; nichts wird begonnen',
  'workflow.mode': 'Welcher Modus? ({options}; Enter: {recommended})',
  'workflow.mode-standard': 'zwei Fachleute schlagen vor, einer fügt es zusammen; etwa die Hälfte mehr Tokens',
  'workflow.mode-single': 'ein Agent: schnell und sparsam, für einfache Aufgaben',
  'workflow.mode-multi': 'drei Fachleute, die einander auch kritisieren; etwa das Zwei- bis Zweieinhalbfache an Tokens',
  'workflow.models':
    'Welche Modelle? ({options}; oder executor:MODELL,advisor:MODELL,evaluator:MODELL; Enter: {recommended})',
  'workflow.models-default': 'was jeder Agent von sich aus hat',
  'workflow.models-all-opus': 'überall opus: die beste Arbeit',
  'workflow.models-balanced': 'sonnet baut, opus berät und bewertet: gute Arbeit für ihren Preis',
  'workflow.models-economy': 'haiku baut, sonnet berät und bewertet: am billigsten',
  'workflow.models-wrong': 'Nicht verstanden: {wrong}. Erlaubt: {allowed}.',
  'workflow.started': '[harness] Aufgabe begonnen!',
  'workflow.resumed-set-up': 'Eine unfertige Einrichtung wird fortgesetzt.',
  'workflow.assumed': 'Niemand wurde gefragt: {names} wie empfohlen.',
  'workflow.branch-other': 'Den Branch {wanted} gibt es schon, mit anderer Arbeit: diese Sitzung ist auf {branch}.',
  'workflow.verifier-dear': '⚠ Der Prüfer ist {model}: teuer für eine mechanische Prüfung. haiku genügt meist.',
  'workflow.docs-path-invalid': '⚠ Der docs_path der Sitzung ist nicht brauchbar: {path}. Es wird neu begonnen.',
  'workflow.next': 'Als Nächstes: harness workflow[[ {step}]]',
  'workflow.halted': 'Nichts wurde begonnen; die Sitzung ist, wie sie war.',
  'workflow.stopped':
    'Die Dateien der Sitzung sind gelöscht; nichts wurde begonnen. Logs, Kosten und die Arbeit im Arbeitsverzeichnis sind, wie sie waren.',
} satisfies PlaybookSentences['texts'];

const words = {
  'path-empty': 'er ist leer',
  'path-malformed': 'er ist kein gültiger Text',
  'path-control': 'er enthält Steuerzeichen',
  'path-invisible': 'er enthält unsichtbare Zeichen',
  'path-too-long': 'er ist zu lang',
  'path-unc': 'Netzwerkpfade sind nicht erlaubt',
  'path-absolute': 'er muss relativ zum Repository sein',
  'path-drive': 'er muss relativ sein, ohne Laufwerk',
  'path-stream': 'er enthält einen Doppelpunkt',
  'path-backslash': 'er enthält einen Backslash',
  'path-parent': "er darf kein '..' enthalten",
  'path-dot-segment': "ein Teil davon ist '.'",
  'path-empty-segment': 'ein Teil davon ist leer',
  'path-look-alike': 'er enthält Zeichen, die wie Punkt oder Schrägstrich aussehen',
  'path-encoded': 'er ist mit Prozentzeichen verschlüsselt',
  'path-not-composed': 'seine Buchstaben sind zerlegt geschrieben',
  'path-blank-or-dot-at-the-edge': 'ein Name darin beginnt oder endet mit Leerzeichen oder Punkt',
  'path-device': 'er nennt ein Gerät',
  'path-short-name': 'er ist ein Kurzname von etwas anderem',
  'path-wildcard': 'er enthält ein Zeichen, das eine Shell ersetzt',
  'path-option': 'er liest sich wie eine Option',
  'path-home': 'er liest sich wie ein Benutzerordner',
  'path-git-folder': 'er führt in den Ordner von git',
  'path-reserved': 'er beginnt mit einem reservierten Namen',
  'path-other-docs': 'unter docs/ muss es docs/harness/ sein',
  'path-no-slug': 'er ist nicht der Ordner einer einzelnen Aufgabe',
  'path-harness-folder': 'er liegt in einem Ordner von harness',
  'path-configuration': 'er ist die Konfiguration von harness',
  'path-artifact': 'er liegt bei den Artefakten des Workflows',
  'path-out-of-scope': 'er liegt außerhalb des Umfangs',
  'path-unknown': 'niemand weiß, was dort ist',
  'path-link-out': 'ein Link darin führt aus dem Repository',
  'path-link-lost': 'ein Link darin führt ins Leere',
  'path-below-a-file': 'ein Teil davon ist kein Ordner',
  'path-link-itself': 'er ist ein Link',
  'path-link-in-diff': 'er geht durch einen Link',
  'path-link-to-refused': 'ein Link darin führt, wohin er nicht darf',
  'path-other-spelling': 'er ist in anderer Schreibweise da',
  'path-no-file': 'dort ist keine einfache Datei',
  'path-no-folder': 'dort ist etwas, das kein Ordner ist',
  'path-hard-linked': 'die Datei hat noch andere Namen',
} satisfies PlaybookSentences['words'];

const outcomes = {
  'workflow-phase-done': 'die Phase ist zu Ende; die nächste beginnt mit harness run',
  'workflow-kept': 'fertig und wie gewünscht nicht committet',
  'workflow-accepted': 'committet, wie ein Mensch es angenommen hat: nicht alles hat bestanden',
} satisfies PlaybookSentences['outcomes'];

export const sentences: PlaybookSentences = { failures, gates, outcomes, words, texts };
