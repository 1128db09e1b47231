// English: setting a project up.
import type { FailureSection } from '../shape.ts';

export const init = {
  // {count, detail}, causes
  'init-rejected': {
    title: 'What the initializer wrote was not accepted.',
    why: '[[{detail}]]',
    fix: ['Make the specification clearer in the listed places, then: harness init'],
  },
  // {item, claims, file}
  'claims-unresolved': {
    title: 'Feature {item} cannot be validated.',
    why: '[[It claims {claims}, which the committed {file} does not spell out. ]]Nothing passes without an assertion.',
    fix: ['Write the assertion into {file}, commit it, then: harness run'],
  },
  // {}
  'checkpoint-refused': {
    title: 'A checkpoint of the mission was not granted.',
    why: 'Everything that landed stays.',
    fix: ['Change the plan or add features (harness add), then: harness run'],
  },
  // {count}
  'mission-issues-undecided': {
    title: 'Issues found with features that landed are not decided yet ({count}).',
    why: 'The orchestrator, which decides what becomes of them, was not available. The issues are in .harness/issues.',
    fix: ['harness health  (are all agents available?)', 'harness run  (asks the orchestrator again)'],
  },
  // {reasons}
  'plan-rejected': {
    title: 'The plan was rejected.',
    why: '[[{reasons}]]',
    fix: ['The draft is in .harness/plan. Make the specification clearer, then plan again: harness run'],
  },
  // {file}
  'already-initialised': {
    title: 'This project is set up already[[: {file} exists]].',
    why: 'Setting it up again would replace the backlog.',
    fix: ['harness status', 'harness run'],
  },
  // {}
  'init-unfinished': {
    title: 'Setting this project up was interrupted and is not finished.',
    why: 'What the initializer has written so far is not validated.',
    fix: ['harness init   (continues, or rolls it back)'],
  },
  // {file, why}
  'spec-missing': {
    title: 'The specification[[ {file}]] cannot be read[[: {#why}]].',
    why: 'The plan is derived from it.',
    fix: ['harness init --spec FILE   (a text file that describes what to build)'],
  },
} as const satisfies FailureSection;
