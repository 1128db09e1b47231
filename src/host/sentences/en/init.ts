// English: setting a project up.
import type { FailureSection } from '../shape.ts';

export const init = {
  // {count, detail}, causes
  'init-rejected': {
    title: 'What the initializer wrote was not accepted.',
    why: '[[{detail}]]',
    mend: ['Read what is listed, make the specification clearer there, then: harness init'],
  },
  // {file}
  'already-initialised': {
    title: 'This project is set up already[[: {file} exists]].',
    why: 'Setting it up again would replace the backlog.',
    mend: ['harness status', 'harness run'],
  },
  // {}
  'init-unfinished': {
    title: 'Setting this project up was interrupted and is not finished.',
    why: 'What the initializer has made so far is not validated.',
    mend: ['harness init   (goes on, or rolls it back)'],
  },
  // {file, why}
  'spec-missing': {
    title: 'The specification[[ {file}]] cannot be read[[: {#why}]].',
    why: 'The plan is made from it.',
    mend: ['harness init --spec FILE   (a file of text that says what to build)'],
  },
} as const satisfies FailureSection;
