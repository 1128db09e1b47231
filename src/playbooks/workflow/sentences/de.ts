// German. The parameters of each sentence are listed in en.ts.
import type { PlaybookSentences } from '../../../model/sentences.ts';

const gates = {
  'workflow-conventions': {
    header: 'Konventionen',
    question:
      'Keine CLAUDE.md[[ mit {lines} Zeilen oder mehr]] beschreibt die Konventionen dieses Projekts. Soll ein Agent den Code lesen und sie dokumentieren (Daten, Schnittstellen, Dateien, Tests)? Der Plan folgt ihnen dann.',
    options: {
      scan: {
        label: 'Suchen',
        description: 'Eine kurze Sitzung, die den Code liest und die Konventionen dokumentiert.',
      },
      skip: { label: 'Auslassen', description: 'Ohne sie planen. Sie werden nicht wieder gefragt.' },
    },
  },
  'workflow-scan': {
    header: 'Suche fehlgeschlagen',
    question: 'Die Suche nach Konventionen ist zu Ende, hat aber {file} nicht geschrieben. Noch einmal versuchen?',
    options: {
      retry: { label: 'Noch einmal', description: 'Die Suche noch einmal laufen lassen.' },
      skip: { label: 'Auslassen', description: 'Ohne Konventionen planen.' },
    },
  },
  'workflow-spec': {
    header: 'Spec',
    question:
      'Die Spezifikation steht in {file}[[: {summary}]]. Prüfen Sie sie: die Umsetzung verbraucht die meisten Tokens.[[\n{preview}]]\nSo umsetzen?',
    options: {
      proceed: { label: 'Umsetzen', description: 'Mit der Umsetzung beginnen.' },
      modify: {
        label: 'Ändern',
        description: 'Sagen, was anders sein soll (-m), oder die Datei ändern. Sie werden noch einmal gefragt.',
      },
      stop: {
        label: 'Aufhören',
        description: 'Nichts umsetzen. Die Sitzung bleibt erhalten und kann fortgesetzt werden.',
      },
    },
  },
  'workflow-verify': {
    header: 'Prüfung',
    question:
      'Die Prüfungen scheitern auch nach {retries} Versuchen, sie zu beheben[[: {summary}]].[[ Der vorgeschlagene Patch wurde nicht angewandt: {refusedPath}: {#rule}.]][[ Der vorgeschlagene Patch wurde nicht angewandt: {#refused}.]][[ Bericht: {report}.]] Wie geht es weiter?',
    options: {
      'auto-fix': {
        label: 'Vorschlag',
        description: 'Ein starkes Modell untersucht den Fehler und schlägt einen kleinen Patch vor. Einmal je Sitzung.',
      },
      continue: {
        label: 'Bewerten',
        description: 'Die Prüfungen so lassen und mit der Bewertung weitermachen.',
      },
      stop: {
        label: 'Aufhören',
        description: 'Anhalten, damit Sie nachsehen können. Die Sitzung kann fortgesetzt werden.',
      },
    },
  },
  'workflow-auto-fix': {
    header: 'Auto-Fix',
    question:
      'Eine Korrektur ist vorgeschlagen[[ von {model}]] (Zuversicht: {#confidence})[[: {summary}]].[[\nSie ändert: {paths}]]\nAnwenden?',
    options: {
      apply: {
        label: 'Anwenden',
        description: 'Den Patch anwenden und alle Prüfungen wiederholen. Bisherige Versuche zählen weiter.',
      },
      reject: {
        label: 'Ablehnen',
        description: 'Den Patch verwerfen. Die vorige Frage kommt wieder, ohne den Vorschlag.',
      },
      stop: { label: 'Aufhören', description: 'Nichts anwenden und anhalten, damit Sie nachsehen können.' },
    },
  },
  'workflow-qa': {
    header: 'Bewertung',
    question:
      'Die Bewertung ist negativ ([[Schicht {layer}, ]]Runde {round} von {max})[[: {summary}]].[[ Bericht: {report}.]] Wie geht es weiter?',
    options: {
      fix: { label: 'Beheben', description: 'Noch eine Runde. Der Agent bekommt den Bericht.' },
      accept: { label: 'Annehmen', description: 'Die Arbeit annehmen, wie sie ist.' },
      stop: {
        label: 'Aufhören',
        description: 'Nichts annehmen und anhalten, damit Sie nachsehen können. Es gibt keine Runde mehr.',
      },
    },
  },
  'workflow-commit': {
    header: 'Commit',
    question:
      'Die Arbeit ist fertig[[ auf {branch}]][[ ({files} Dateien)]][[; die Dokumente des Workflows sind in {folder}]].[[ Bewiesen nach Testbericht: {byTests}.]][[ Bewiesen nur nach Exit-Code: {byExit}.]][[ Nicht möglich: {notPossible}.]][[ Die letzte Runde ist vorbei ({max} von {max}): was offen ist, steht in {open}.]][[ NICHT geprüft: {unverified}.]][[ Was in {report} steht, wird vor dem Commit erneut bewiesen.]] Committen?',
    options: {
      'code-only': {
        label: 'Nur Code',
        description:
          'Den Code committen und die Dokumente, die bei ihm bleiben. Die anderen Dokumente des Workflows werden gelöscht.',
      },
      all: { label: 'Alles', description: 'Alles committen, auch die Dokumente des Workflows.' },
      none: {
        label: 'Kein Commit',
        description: 'Die eigenen Dateien des Workflows löschen. Die Arbeit bleibt uncommittet in der Arbeitskopie.',
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
    title: 'Die Einrichtung des Workflows ist unfertig.',
    why: '{file} hat noch keine Phase.',
    fix: ['harness workflow'],
  },
  // {file, path, count}
  'workflow-uncommitted': {
    title: 'Der Workflow ist fertig, aber seine Arbeit ist nicht committet.',
    why: 'Laut {file} ist er fertig, und keine Frage ist offen. {count} Dateien sind nicht committet, zum Beispiel {path}.',
    fix: [
      'git add … && git commit',
      '"phase": "evaluate_done" in {file}, dann harness run   (fragt noch einmal, wie er enden soll)',
    ],
  },
  // {file, skill}
  'workflow-foreign': {
    title: '{file} gehört zu einer Sitzung von /{skill}.',
    why: 'Ohne Ihre Antwort wird sie nicht verändert.',
    fix: ['Diese Sitzung zuerst beenden oder löschen lassen: harness workflow "AUFGABE"'],
  },
  // {branch, at}
  'workflow-branch': {
    title: 'Der Workflow ist auf dem Branch {branch}, ausgecheckt ist {at}.',
    why: 'Seine Arbeit käme auf den falschen Branch.',
    fix: ['git switch {branch}'],
  },
  'workflow-one-task': {
    title: 'Ein Workflow hat eine Aufgabe.',
    why: 'Es gibt keine Liste, in der man etwas hinzufügen, auslassen oder markieren kann.',
    fix: ['harness gates', 'harness workflow "AUFGABE"'],
  },
  // {stage}
  'workflow-no-session': {
    title: 'Als Nächstes kommt keine Sitzung: {stage}.',
    why: 'Der nächste Schritt ist einer des Harness selbst oder eine Antwort von Ihnen.',
    fix: ['harness run', 'harness gates'],
  },
  // {item}
  'workflow-verifies-itself': {
    title: 'Ein Workflow hat einen eigenen Prüfschritt.',
    why: 'Er führt Build, Tests, Linter und Typprüfung aus .harness/state.json aus.',
    fix: ['harness workflow verify', 'harness evidence verify {item}   (was gelandet ist)'],
  },
  'workflow-step-first': {
    title: 'harness workflow {step} braucht zuerst {first}.',
    why: '[[Es fehlt: {missing}.]]',
    fix: ['harness workflow {first}'],
  },
  'workflow-docs-path': {
    title: 'Der Ausgabeordner {path} ist nicht brauchbar: {#rule}[[ ({part})]].',
    why: 'Der Workflow würde Dateien schreiben und löschen, die nicht seine sind.',
    fix: ['harness workflow --on-session restart   (beginnt neu)', 'docs_path in .harness/state.json berichtigen.'],
  },
  'workflow-under-way': {
    title: 'Hier läuft schon eine Sitzung ({phase}), und dieser Befehl kann nicht fragen, was mit ihr geschehen soll.',
    why: '[[Ihre Aufgabe: {task}\n]]Ohne eine Antwort wird nichts gelöscht.',
    fix: [
      'harness workflow --on-session resume',
      'harness workflow "TASK" --on-session restart',
      'harness workflow --on-session stop',
    ],
  },
  'workflow-conflict': {
    title:
      'Hier läuft schon eine Sitzung von /{skill}, und dieser Befehl kann nicht fragen, was mit ihr geschehen soll.',
    why: 'Ohne eine Antwort wird nichts gelöscht.',
    fix: ['harness workflow "TASK" --on-conflict delete', 'harness workflow --on-conflict cancel'],
  },
  'workflow-moved': {
    title: '{file} wurde geändert, während Sie gefragt wurden.',
    why: 'Ihre Antwort galt dem früheren Inhalt.',
    fix: ['harness workflow'],
  },
} satisfies PlaybookSentences['failures'];

const texts = {
  'workflow.phase.plan': 'Phase: Plan (Runde {round})',
  'workflow.phase.generate': 'Phase: Umsetzung (Runde {round})',
  'workflow.phase.verify': 'Phase: Prüfung: Layer 1 (Runde {round})',
  'workflow.phase.evaluate': 'Phase: Bewertung: Layer 2 und 3 (Runde {round})',
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
  'workflow.conflict-cancel': 'sie behalten und nichts beginnen',
  'workflow.mode': 'Welcher Modus? ({options}; Enter: {recommended})',
  'workflow.mode-standard': 'zwei Fachleute schlagen vor, ein dritter führt es zusammen; etwa das 1,5-Fache an Tokens',
  'workflow.mode-single': 'ein Agent: schnell und sparsam, für einfache Aufgaben',
  'workflow.mode-multi': 'drei Fachleute, die einander auch begutachten; etwa das 2- bis 2,5-Fache an Tokens',
  'workflow.models':
    'Welche Modelle? ({options}; oder executor:MODELL,advisor:MODELL,evaluator:MODELL; Enter: {recommended})',
  'workflow.models-default': 'die Vorgabe jedes Agenten',
  'workflow.models-all-opus': 'überall opus: die beste Qualität',
  'workflow.models-balanced': 'sonnet baut, opus berät und bewertet: gute Qualität für den Preis',
  'workflow.models-economy': 'haiku baut, sonnet berät und bewertet: am billigsten',
  'workflow.models-wrong': 'Nicht verstanden: {wrong}. Erlaubt: {allowed}.',
  'workflow.started': '[harness] Aufgabe gestartet!',
  'workflow.resumed-set-up': 'Eine unfertige Einrichtung wird fortgesetzt.',
  'workflow.assumed': 'Nicht gefragt: {names} wie empfohlen.',
  'workflow.branch-other': 'Den Branch {wanted} gibt es schon, mit anderer Arbeit: diese Sitzung ist auf {branch}.',
  'workflow.verifier-dear': '⚠ Der Prüfer ist {model}: teuer für eine mechanische Prüfung. haiku genügt meist.',
  'workflow.docs-path-invalid': '⚠ Der docs_path der Sitzung ist nicht brauchbar: {path}. Es wird neu begonnen.',
  'workflow.next': 'Als Nächstes: harness workflow[[ {step}]]',
  'workflow.halted': 'Nichts wurde begonnen. Die Sitzung ist unverändert.',
  'workflow.stopped':
    'Die Dateien der Sitzung sind gelöscht. Nichts wurde begonnen. Logs, Kosten und Arbeitsverzeichnis sind unverändert.',
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
  'path-encoded': 'er ist mit Prozentzeichen codiert',
  'path-not-composed': 'er ist nicht in der Unicode-Normalform C',
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
  'path-unknown': 'er ist nicht lesbar',
  'path-link-out': 'ein Link darin führt aus dem Repository',
  'path-link-lost': 'ein Link darin führt ins Leere',
  'path-below-a-file': 'ein Teil davon ist kein Ordner',
  'path-link-itself': 'er ist ein Link',
  'path-link-in-diff': 'er geht durch einen Link',
  'path-link-to-refused': 'ein Link darin führt zu einem Pfad, der nicht erlaubt ist',
  'path-other-spelling': 'er existiert in anderer Schreibweise',
  'path-no-file': 'er ist keine reguläre Datei',
  'path-no-folder': 'er existiert und ist kein Ordner',
  'path-hard-linked': 'die Datei hat noch andere Namen',
  'patch-no-diff-block': 'die Datei des Patches hat keinen Diff-Block',
  'patch-no-hunk': 'der Diff hat keinen Hunk',
  'patch-no-header': 'der Diff nennt die Datei nicht, die er ändert',
  'patch-name': 'der Diff hat einen Dateinamen, der nicht lesbar ist',
  'patch-rename': 'der Diff benennt eine Datei um oder kopiert sie',
  'patch-binary': 'der Diff ist von einer Binärdatei',
  'patch-mode': 'der Diff ändert den Modus einer Datei',
  'patch-hunk': 'ein Hunk des Diffs ist beschädigt',
  'patch-too-long': 'der Diff ist zu lang',
  'patch-other': 'der Patch ist nicht der, der Ihnen gezeigt wurde',
} satisfies PlaybookSentences['words'];

const outcomes = {
  'workflow-phase-done': 'die Phase ist zu Ende; die nächste beginnt mit harness run',
  'workflow-kept': 'fertig und wie gewünscht nicht committet',
  'workflow-accepted': 'committet, wie Sie es angenommen haben: nicht alles hat bestanden',
} satisfies PlaybookSentences['outcomes'];

export const sentences: PlaybookSentences = { failures, gates, outcomes, words, texts };
