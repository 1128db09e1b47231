// English: the question of a delivery.
import type { PlaybookSentences } from '../../../model/sentences.ts';

export const sentences: PlaybookSentences = {
  failures: {
    // {file, what}
    'delivery-plan-mistake': {
      title: '{file} cannot be read: {what}.',
      why: 'What a plan depends on decides which plan is next.',
      fix: ['Correct it, commit it, push it: harness run'],
    },
    // {files}
    'delivery-plan-number': {
      title: 'Two plans have the same number: {files}.',
      why: 'Plans depend on each other by number.',
      fix: ['git mv one of them, commit it, push it: harness run'],
    },
  },
  gates: {
    // {item, title, passes, curve, count}
    'delivery-review': {
      header: 'Review',
      question:
        'After {passes} reviews of plan {item}, "{title}", {count} findings still block it. Blocking findings by pass: {curve}. What now?',
      options: {
        continue: { label: 'Continue', description: 'Review and fix as many times again.' },
        merge: { label: 'Merge', description: 'Accept the work as it is. The pull request names what is open.' },
        stop: {
          label: 'Stop',
          description: 'Keep the work. The next session of the plan continues with the findings.',
        },
      },
    },
  },
  outcomes: {},
  words: {},
  texts: {},
};
