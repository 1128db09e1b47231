// English: the command line's arguments and the configuration file.
import type { FailureSection } from '../shape.ts';

export const config = {
  // {detail}
  usage: { title: 'The command was not understood: {detail}', why: '', mend: ['harness --help'] },
  // {looked}
  'config-not-found': {
    title: 'There is no configuration file.',
    why: '[[Looked for: {looked}.]]',
    mend: ['harness init', 'harness --config FILE …'],
  },
  // {files}
  'config-ambiguous': {
    title: 'There is more than one configuration file: {files}.',
    why: 'Which one should hold cannot be guessed.',
    mend: ['Keep one of them and remove the others, or name it with --config FILE.'],
  },
  // {file, detail}
  'config-unreadable': {
    title: 'The configuration {file} cannot be read.',
    why: '{detail}',
    mend: ['Correct the file, then: harness config check'],
  },
  // {file, count}, causes
  'config-invalid': {
    title: { one: 'The configuration {file} has a mistake.', other: 'The configuration {file} has {count} mistakes.' },
    why: '',
    mend: ['harness config schema', 'harness config check'],
  },
  // {key, suggestion, allowed}
  'config-key-unknown': {
    title: 'There is no key {key}.[[ Did you mean {suggestion}?]]',
    why: '[[Allowed here: {allowed}.]]',
    mend: ['harness config schema'],
  },
  // {key, got, expected}
  'config-value-invalid': {
    title: '{key} must be {expected}[[, not {got}]].',
    why: '',
    mend: ['harness config schema'],
  },
  // {key, detail}
  'config-not-supported': {
    title: '{key} is known, but not supported yet.',
    why: '[[{detail}]]',
    mend: ['Remove the key; nothing that is configured may silently do nothing.'],
  },
} as const satisfies FailureSection;
