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
    fix: ['harness health   (are all agents available?)', 'harness run   (asks the orchestrator again)'],
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
    fix: ['The same command again, such as harness plan or harness init --spec FILE   (continues, or rolls it back)'],
  },
  // {file, why}
  'spec-missing': {
    title: 'The specification[[ {file}]] cannot be read[[: {#why}]].',
    why: 'The plan is derived from it.',
    fix: [
      'Write into a text file what to build: what it is for, what each part does, its limits and its errors. Then: harness plan FILE',
      'harness init --spec FILE   (for a project that is not set up)',
    ],
  },
  // {}
  'items-under-way': {
    title: 'Work on an item is under way.',
    why: 'Its unfinished work is in the work tree that this needs.',
    fix: ['harness run   (continues it), then again'],
  },
  // {url, words}
  'site-unreachable': {
    title: 'The site cannot be looked at: {url}[[: {words}]].',
    why: 'A specification is made from what a real browser shows. Only this address is reached, no other site.',
    fix: ['curl -sS -o /dev/null -D - {url}   (start the site, or correct the address)'],
  },
  // {url, status}
  'site-needs-login': {
    title: 'The page needs a login: {url} (status {status}).',
    why: 'The browser has no account and no password, so that none can be recorded.',
    fix: ['Serve the site without a login, for example on 127.0.0.1, and name that address.'],
  },
} as const satisfies FailureSection;
