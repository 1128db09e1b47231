// English: the question of a mission.
import type { PlaybookSentences } from '../../../model/sentences.ts';

export const sentences: PlaybookSentences = {
  failures: {},
  gates: {
    // {name, on, features}
    'mission-checkpoint': {
      header: 'Checkpoint',
      question:
        'The mission has reached its checkpoint {name} ({#on}). Features in the plan: {features}. The validation contract says what each must make true. Continue?',
      options: {
        grant: { label: 'Grant', description: 'Approve it. It is written into the plan, and not asked again.' },
        stop: { label: 'Stop', description: 'Stop here. Change the plan, then run again: you are asked again.' },
      },
    },
  },
  outcomes: {},
  words: { 'post-planner': 'the plan is made', 'pre-done': 'everything has landed' },
  texts: {},
};
