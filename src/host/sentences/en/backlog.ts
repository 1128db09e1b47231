// English: the file with the work items, and naming one of them.
import type { FailureSection } from '../shape.ts';

export const backlog = {
  // {file}
  'backlog-missing': {
    title: 'There is no backlog: {file} does not exist.',
    why: '',
    fix: ['harness init --spec FILE', 'harness add "TITLE"'],
  },
  // {file, detail}
  'backlog-unreadable': {
    title: 'The backlog {file} cannot be read.',
    why: '{detail}',
    fix: ['Correct the file, or restore the last committed version: git checkout -- {file}'],
  },
  // {file, count, causes}
  'backlog-invalid': {
    title: { one: 'The backlog {file} has an error.', other: 'The backlog {file} has {count} errors.' },
    why: '',
    fix: ['Correct the listed places; leave every other line as it is.'],
  },
  // {item, suggestion}
  'item-unknown': {
    title: 'There is no item {item}.[[ Did you mean {suggestion}?]]',
    why: '',
    fix: ['harness items'],
  },
  // {item, matches}
  'item-ambiguous': {
    title: '{item} matches more than one item: {matches}.',
    why: '',
    fix: ['Give more characters of the id.'],
  },
  // {item, status, gate}
  'retry-refused': {
    title: 'Item {item} has no attempts to give back: it is {#status}.',
    why: '',
    fix: ['[[harness gates show {gate}   (it waits for this answer)]]', 'harness items show {item}'],
  },
  // {item}
  'landed-already': {
    title: 'Item {item} has landed: there is no unfinished work of it.',
    why: 'Its commit is on the branch, and later items may rest on it.',
    fix: [
      'harness evidence show {item}   (names the commit)',
      'To take it back: git revert COMMIT, then harness override {item} --passes false --reason TEXT',
    ],
  },
  // {item, status, blockers}
  'item-not-ready': {
    title: 'Item {item} cannot be started[[: it is {#status}]].',
    why: '[[It waits for {blockers}.]]',
    fix: ['harness items show {item}', 'harness run   (takes the next item that is ready)'],
  },
  // {item, kind}
  'needs-manual-verification': {
    title: 'Feature {item} needs manual verification ({kind}), which this version does not support yet.',
    why: 'Only features with automated verification are worked on.',
    fix: ['harness manual-verify {item}   (once it is done)', 'harness skip {item} --reason "…"'],
  },
  // {count, items}
  'items-given-up': {
    title: {
      one: 'One task is left and cannot be tried again: {items}.',
      other: '{count} tasks are left and none can be tried: {items}.',
    },
    why: 'Each has used up its attempts, or depends on one that has.',
    fix: ['harness items', 'harness retry --all   (once the cause is gone)', 'harness skip ITEM --reason "…"'],
  },
  // {file}
  'file-in-the-way': {
    title: '{file} already exists with different content.',
    why: 'Existing files are never overwritten.',
    fix: ['Move the file away, or keep it.', 'harness init --skill'],
  },
  // {item, command}
  'validation-missing': {
    title: 'The command that proves item {item} cannot be started: {command}',
    why: '[[{program} was not found. ]]Without it nothing can be verified. The item waits; no attempt was counted.',
    fix: ['Install[[ {program}, or]] what it needs, or correct the item in the list.', 'harness run'],
  },
  // {mistake, got}
  'backlog-syntax': {
    title: '[[{file} ]]is not JSON: {#mistake}[[, at {got}]].',
    why: '',
    fix: ['Correct the backlog.'],
  },
  // {key, allowed}
  'backlog-field-missing': {
    title: '[[{key} ]]is missing; allowed: {allowed}.',
    why: '',
    fix: ['Correct the backlog.'],
  },
  // {key, allowed, got}
  'backlog-field-invalid': {
    title: '[[{key} ]]cannot be {got}; allowed: {allowed}.',
    why: '',
    fix: ['Correct the backlog.'],
  },
  // {entry, item, field, allowed}
  'entry-field-missing': {
    title: '{entry} {item} has no {field}; allowed: {allowed}.',
    why: '',
    fix: ['Correct the backlog.'],
  },
  // {entry, item, field, allowed, got}
  'entry-field-invalid': {
    title: '{entry} {item} cannot have[[ {field}]] {got}; allowed: {allowed}.',
    why: '',
    fix: ['Correct the backlog.'],
  },
  // {item, first}
  'entry-id-duplicate': {
    title: 'The id {item} is already used by {first}.',
    why: '',
    fix: ['Correct the backlog.'],
  },
  // {field}
  'backlog-key-repeated': {
    title: '{field} is in the file more than once.',
    why: 'Of the same key only the last value would count.',
    fix: ['Remove all but one.'],
  },
  // {entry, item, field}
  'entry-key-repeated': {
    title: '{entry} {item} has {field} more than once.',
    why: 'Of the same key only the last value would count.',
    fix: ['Remove all but one.'],
  },
  // {feature, dependency}
  'dependency-missing': {
    title: 'Feature {feature} depends on {dependency}, which is not in the file.',
    why: '',
    fix: ['Correct the backlog.'],
  },
  // {feature}
  'dependency-self': {
    title: 'Feature {feature} depends on itself.',
    why: '',
    fix: ['Correct the backlog.'],
  },
  // {feature, path}
  'dependency-cycle': {
    title: 'Features depend on each other in a cycle: {path}.',
    why: '',
    fix: ['Correct the backlog.'],
  },
} as const satisfies FailureSection;
