// Deutsch: die Fragen einer Lieferung.
import type { PlaybookSentences } from '../../../model/sentences.ts';

export const sentences: PlaybookSentences = {
  failures: {
    'delivery-plan-mistake': {
      title: '{file} ist nicht lesbar: {what}.',
      why: 'Wovon ein Plan abhängt, entscheidet, welcher der nächste ist.',
      fix: ['Verbessern, committen, pushen: harness run'],
    },
    'delivery-plan-number': {
      title: 'Zwei Pläne haben dieselbe Nummer: {files}.',
      why: 'Pläne hängen über ihre Nummern voneinander ab.',
      fix: ['Einen mit git mv umbenennen, committen, pushen: harness run'],
    },
    'delivery-phase-first': {
      title: 'Die Phase {phase} von Plan {item} braucht, was vor ihr kommt.',
      why: 'Eine Phase arbeitet an dem weiter, was die Phasen vor ihr gemacht haben.',
      fix: ['harness run {item} --phase {first}'],
    },
  },
  gates: {
    'delivery-needs': {
      header: 'Braucht Sie',
      question: 'Die Rolle {role} von Plan {item}, „{title}“, kann ohne das nicht weiterarbeiten: {need}',
      options: {
        continue: { label: 'Weiter', description: 'Es ist jetzt da; eine Notiz (-m) erreicht den Agenten.' },
        without: { label: 'Ohne', description: 'Der Agent muss ohne es auskommen; eine Notiz (-m) sagt, wie.' },
      },
    },
    'delivery-blocked': {
      header: 'Aufgehalten',
      question: 'An Plan {item}, „{title}“, ließ sich nicht arbeiten: {reason}. Andere Pläne gehen weiter. Was nun?',
      options: {
        retry: { label: 'Wiederholen', description: 'Der Grund ist behoben: wieder daran arbeiten.' },
        skip: { label: 'Auslassen', description: 'Ihn auslassen. Pläne, die von ihm abhängen, warten.' },
      },
    },
    'delivery-drifted': {
      header: 'Abweichung',
      question:
        'Das Produkt weicht um {score} von 100 von {spec} ab; erlaubt sind {threshold}. Die Befunde stehen darunter. Bis Sie antworten, wird kein Plan begonnen: Schreiben Sie Pläne, die das Produkt angleichen, oder ändern Sie die Spezifikation.',
      options: {
        continue: { label: 'Weiter', description: 'Wieder Pläne beginnen.' },
        again: {
          label: 'Noch einmal',
          description: 'Es ist verbessert: noch einmal vergleichen, und wieder Pläne beginnen, wenn es stimmt.',
        },
      },
    },
    'delivery-review': {
      header: 'Review',
      question:
        'Nach {passes} Begutachtungen von Plan {item}, „{title}“, halten ihn noch {count} Befunde auf. Aufhaltende Befunde je Durchgang: {curve}. Was nun?',
      options: {
        continue: { label: 'Weiter', description: 'Noch einmal so oft begutachten und beheben.' },
        merge: {
          label: 'Zusammenführen',
          description: 'Die Arbeit annehmen, wie sie ist. Der Pull Request nennt, was offen ist.',
        },
        stop: {
          label: 'Anhalten',
          description: 'Die Arbeit behalten. Die nächste Sitzung des Plans macht mit den Befunden weiter.',
        },
      },
    },
  },
  outcomes: {
    'delivery-merged': 'andere haben ihn zusammengeführt',
    'delivery-compared': 'das Produkt wurde mit seiner Spezifikation verglichen',
  },
  words: {
    'stage-implement': 'der Implementierer arbeitet',
    'stage-review': 'die Arbeit wird geprüft',
    'stage-fix': 'Befunde werden behoben',
    'stage-preflight': 'die Arbeit wird noch einmal bewiesen',
    'stage-prepare-pr': 'Titel und Text entstehen',
    'stage-open-pr': 'der Pull Request wird geöffnet',
    'stage-ci': 'seine Prüfungen laufen',
    'stage-e2e-verify': 'die End-to-End-Tests laufen',
    'stage-merge-check': 'seine Übernahme wird beurteilt',
    'stage-merge': 'er wird übernommen',
  },
  texts: {},
};
