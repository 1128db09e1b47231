// German: the questions of a mission.
import type { PlaybookSentences } from '../../../model/sentences.ts';

export const sentences: PlaybookSentences = {
  failures: {},
  gates: {
    'mission-checkpoint': {
      header: 'Checkpoint',
      question:
        'Die Mission hat ihren Checkpoint {name} erreicht ({#on}). Features im Plan: {features}. Der Validierungsvertrag sagt, was jedes wahr machen muss. Weiter?',
      options: {
        grant: { label: 'Weiter', description: 'Freigeben. Es steht dann im Plan und wird nicht noch einmal gefragt.' },
        stop: {
          label: 'Anhalten',
          description: 'Nicht weiter. Den Plan ändern und neu starten: Dann wird wieder gefragt.',
        },
      },
    },
    'mission-unclear': {
      header: 'Unklar',
      question:
        'Was Feature {item}, „{title}“, wahr machen soll, lässt sich auf zwei Arten lesen: {what}. Architekten haben zu diesem Feature {answered} Mal entschieden. Was ist gemeint?',
      options: {
        decide: {
          label: 'Entscheiden',
          description:
            'In einer Notiz (-m) sagen: Worker und Validator bekommen sie. Ohne Notiz baut der Worker, wie er es liest.',
        },
        skip: { label: 'Auslassen', description: 'Das Feature weglassen.' },
      },
    },
  },
  outcomes: {},
  words: { 'post-planner': 'der Plan ist fertig', 'pre-done': 'alles ist übernommen' },
  texts: {},
};
