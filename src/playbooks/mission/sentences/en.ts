// English: the questions of a mission.
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
    // {item, title, what, answered}
    'mission-unclear': {
      header: 'Unclear',
      question:
        'What feature {item}, "{title}", is to make true can be read in two ways: {what}. Architects have decided {answered} times about this feature. What does it mean?',
      options: {
        decide: {
          label: 'Decide',
          description:
            'Say it in a note (-m): worker and validator get it. Without a note the worker builds it as it reads it.',
        },
        skip: { label: 'Skip', description: 'Leave the feature out.' },
      },
    },
  },
  outcomes: {},
  words: { 'post-planner': 'the plan is made', 'pre-done': 'everything has landed' },
  texts: {},
};
