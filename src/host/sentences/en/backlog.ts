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
  // {file, count, causes}
  'backlog-invalid': {
    title: { one: 'The backlog {file} has a mistake.', other: 'The backlog {file} has {count} mistakes.' },
    why: '',
    mend: ['Correct the places that are named; every other line stays as it is.'],
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
    title: 'Item {item} cannot be started[[: it is {#status}]].',
    why: '[[It waits for {blockers}.]]',
    mend: ['harness items show {item}', 'harness run   (takes the next item that is ready)'],
  },
  // {item, kind}
  'needs-manual-verification': {
    title: 'Feature {item} is proved by a person ({kind}), which this version cannot wait for yet.',
    why: 'Only features with automated verification are worked.',
    mend: ['harness manual-verify {item}   (once it is done)', 'harness skip {item} --reason "…"'],
  },
  // {count, items}
  'items-given-up': {
    title: {
      one: 'One task is left, and it may not be tried again: {items}.',
      other: '{count} tasks are left, and none may be tried: {items}.',
    },
    why: 'Each has failed as often as it may, or waits for one that has.',
    mend: ['harness items', 'harness skip ITEM --reason "…"', 'Or raise max_attempts of a task in the list.'],
  },
  // {file}
  'file-in-the-way': {
    title: '{file} is there, with another text.',
    why: 'Nothing of yours is written over.',
    mend: ['Move it away, or keep yours.', 'harness init --skill'],
  },
  // {item, command}
  'validation-missing': {
    title: 'The command that validates task {item} is not there: {command}',
    why: 'Nothing can be proved before it is. The task waits, and no attempt was counted.',
    mend: ['Install what it needs, or correct the task.', 'harness run'],
  },
  // {mistake, got}
  'backlog-syntax': {
    title: '[[{file} ]]is not JSON: {#mistake}[[, at {got}]].',
    why: '',
    mend: ['Correct the backlog.'],
  },
  // {key, allowed}
  'backlog-field-missing': {
    title: '[[{key} ]]is missing; allowed: {allowed}.',
    why: '',
    mend: ['Correct the backlog.'],
  },
  // {key, allowed, got}
  'backlog-field-invalid': {
    title: '[[{key} ]]cannot be {got}; allowed: {allowed}.',
    why: '',
    mend: ['Correct the backlog.'],
  },
  // {entry, item, field, allowed}
  'entry-field-missing': {
    title: '{entry} {item} has no {field}; allowed: {allowed}.',
    why: '',
    mend: ['Correct the backlog.'],
  },
  // {entry, item, field, allowed, got}
  'entry-field-invalid': {
    title: '{entry} {item} cannot have[[ {field}]] {got}; allowed: {allowed}.',
    why: '',
    mend: ['Correct the backlog.'],
  },
  // {item, first}
  'entry-id-duplicate': {
    title: 'The id {item} is taken already, by {first}.',
    why: '',
    mend: ['Correct the backlog.'],
  },
  // {feature, dependency}
  'dependency-missing': {
    title: 'Feature {feature} depends on {dependency}, which is not in the file.',
    why: '',
    mend: ['Correct the backlog.'],
  },
  // {feature}
  'dependency-self': {
    title: 'Feature {feature} depends on itself.',
    why: '',
    mend: ['Correct the backlog.'],
  },
  // {feature, path}
  'dependency-cycle': {
    title: 'Features depend on each other in a circle: {path}.',
    why: '',
    mend: ['Correct the backlog.'],
  },
} as const satisfies FailureSection;
