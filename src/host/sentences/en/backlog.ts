// English: the file with the work items, and naming one of them.
import type { FailureSection } from '../shape.ts';

export const backlog = {
  // {file}
  'backlog-missing': {
    title: 'There is no backlog: {file} does not exist.',
    why: '',
    mend: ['harness init --spec FILE', 'harness add "TITLE"'],
  },
  // {file, detail}
  'backlog-unreadable': {
    title: 'The backlog {file} cannot be read.',
    why: '{detail}',
    mend: ['Correct the file, or take the last good one: git checkout -- {file}'],
  },
  // {file, detail}, causes
  'backlog-invalid': {
    title: 'The backlog {file} is not valid.',
    why: '[[{detail}]]',
    mend: ['Correct the places named below; every other line stays as it is.'],
  },
  // {item, suggestion}
  'item-unknown': {
    title: 'There is no item {item}.[[ Did you mean {suggestion}?]]',
    why: '',
    mend: ['harness items'],
  },
  // {item, matches}
  'item-ambiguous': {
    title: '{item} could be more than one item: {matches}.',
    why: '',
    mend: ['Write more of the id.'],
  },
  // {item, status, blockers}
  'item-not-ready': {
    title: 'Item {item} cannot be started[[: it is {status}]].',
    why: '[[It waits for {blockers}.]]',
    mend: ['harness items show {item}', 'harness run   (takes the next item that is ready)'],
  },
} as const satisfies FailureSection;
