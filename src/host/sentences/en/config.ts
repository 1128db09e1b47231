// English: the command line's arguments and the configuration file.
import type { FailureSection } from '../shape.ts';

export const config = {
  // {what, hint}
  usage: { title: 'The command was not understood: {what}', why: '', fix: ['{hint}'] },
  // {file}
  'config-not-found': {
    title: 'There is no configuration file[[ {file}]].',
    why: '',
    fix: ['Name an existing one: --config FILE', 'harness init   (creates one)'],
  },
  // {files}
  'config-ambiguous': {
    title: 'There is more than one configuration file: {files}.',
    why: 'It is not clear which one applies.',
    fix: ['Keep one of them and remove the others, or name it with --config FILE.'],
  },
  // {file, problem, detail}
  'config-unreadable': {
    title: 'The configuration {file} cannot be read[[: {#problem}]].',
    why: '[[{#detail}]]',
    fix: ['Correct the file, then: harness config check'],
  },
  // {file, count}, causes
  'config-invalid': {
    title: { one: 'The configuration {file} has an error.', other: 'The configuration {file} has {count} errors.' },
    why: '',
    fix: ['Correct the listed places, then: harness config check', 'harness config schema   (all keys)'],
  },
  // {key, suggestion, allowed}
  'config-key-unknown': {
    title: '[[{key} ]]is not a known key.[[ Did you mean {suggestion}?]]',
    why: '[[Allowed here: {allowed}.]]',
    fix: ['harness config schema'],
  },
  // {key, got, allowed, suggestion}
  'config-value-invalid': {
    title: '[[{key} ]]cannot be {got}; allowed: {#allowed}.[[ Did you mean {suggestion}?]]',
    why: '',
    fix: ['harness config schema'],
  },
  // {got, allowed, part}
  'config-not-supported': {
    title: '{got} is not supported yet[[ ({#part})]].',
    why: '[[Supported: {allowed}. ]]A setting is never silently ignored.',
    fix: ['harness config schema'],
  },
  // {file, allowed}
  'config-misnamed': {
    title: '{file} is not a valid name for the configuration file.',
    why: 'It must be one of: {allowed}.',
    fix: ['Rename the file.'],
  },
  // {problem, detail}
  'config-syntax': {
    title: '[[{file} cannot be parsed: ]]{#problem}[[: {detail}]].',
    why: '',
    fix: ['Correct the file, then: harness config check'],
  },
  // {key, first, second}
  'config-key-twice': {
    title: '[[{key} ]]is set twice: as {first} and as {second}.',
    why: '',
    fix: ['Remove one of them.'],
  },
  // {key, allowed, why, found}
  'config-value-missing': {
    title: '[[{key} ]]is missing[[: {#why}]][[ ({found})]]; allowed: {#allowed}.',
    why: '',
    fix: ['Add it to the configuration, then: harness config check', 'harness config schema   (all keys)'],
  },
} as const satisfies FailureSection;
