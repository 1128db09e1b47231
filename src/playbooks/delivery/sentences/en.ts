// English: the questions of a delivery.
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
    // {item, phase, first}
    'delivery-phase-first': {
      title: 'Phase {phase} of plan {item} needs what comes before it.',
      why: 'A phase works on what the phases before it left.',
      fix: ['harness run {item} --phase {first}'],
    },
  },
  gates: {
    // {item, title, role, need}
    'delivery-needs': {
      header: 'Needs you',
      question: 'The {role} of plan {item}, "{title}", cannot continue without this: {need}',
      options: {
        continue: { label: 'Continue', description: 'It is there now; a note (-m) reaches the agent.' },
        without: { label: 'Without it', description: 'The agent has to do without; a note (-m) says how.' },
      },
    },
    // {item, title, reason}
    'delivery-blocked': {
      header: 'Blocked',
      question: 'Plan {item}, "{title}", could not be worked on: {reason}. Other plans continue. What now?',
      options: {
        retry: { label: 'Retry', description: 'The reason is gone: work on it again.' },
        skip: { label: 'Skip', description: 'Leave it out. Plans that depend on it wait.' },
      },
    },
    // {spec, score, threshold}
    'delivery-drifted': {
      header: 'Drift',
      question:
        'The product departs from {spec} by {score} of 100; up to {threshold} is allowed. The findings are below. Until you answer, no plan is begun: write plans that correct the product, or correct the specification.',
      options: {
        continue: { label: 'Continue', description: 'Begin plans again.' },
        again: { label: 'Again', description: 'It is corrected: compare again, and begin plans if it holds.' },
      },
    },
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
  outcomes: {
    'delivery-merged': 'it was merged by others',
    'delivery-compared': 'the product was compared with its specification',
  },
  words: {
    'stage-implement': 'the implementer is at work',
    'stage-review': 'the work is reviewed',
    'stage-fix': 'findings are fixed',
    'stage-preflight': 'the work is proved once more',
    'stage-prepare-pr': 'title and text are written',
    'stage-open-pr': 'the pull request is opened',
    'stage-ci': 'its checks are waited for',
    'stage-e2e-verify': 'the end-to-end tests run',
    'stage-merge-check': 'its merge is judged',
    'stage-merge': 'it is merged',
  },
  texts: {},
};
