// English: the command line's arguments and the configuration file.
import type { FailureSection } from '../shape.ts';

export const config = {
  // {what, hint}
  usage: { title: 'The command was not understood: {what}', why: '', mend: ['{hint}'] },
  // {file}
  'config-not-found': {
    title: 'There is no configuration file[[ {file}]].',
    why: '',
    mend: ['Name one that is there: --config FILE', 'harness init   (makes one)'],
  },
  // {files}
  'config-ambiguous': {
    title: 'There is more than one configuration file: {files}.',
    why: 'Which one should hold cannot be guessed.',
    mend: ['Keep one of them and remove the others, or name it with --config FILE.'],
  },
  // {file, problem, detail}
  'config-unreadable': {
    title: 'The configuration {file} cannot be read[[: {#problem}]].',
    why: '[[{#detail}]]',
    mend: ['Correct the file, then: harness config check'],
  },
  // {file, count}, causes
  'config-invalid': {
    title: { one: 'The configuration {file} has a mistake.', other: 'The configuration {file} has {count} mistakes.' },
    why: '',
    mend: ['Correct the places that are named, then: harness config check', 'harness config schema   (all keys)'],
  },
  // {key, suggestion, allowed}
  'config-key-unknown': {
    title: '[[{key} ]]is no key that is known.[[ Did you mean {suggestion}?]]',
    why: '[[Allowed here: {allowed}.]]',
    mend: ['harness config schema'],
  },
  // {key, got, allowed, suggestion}
  'config-value-invalid': {
    title: '[[{key} ]]cannot be {got}; allowed: {#allowed}.[[ Did you mean {suggestion}?]]',
    why: '',
    mend: ['harness config schema'],
  },
  // {got, allowed, part}
  'config-not-supported': {
    title: '{got} is not supported yet[[ ({#part})]].',
    why: '[[Today it can be: {allowed}. ]]Nothing that is configured may silently do nothing.',
    mend: ['harness config schema'],
  },
  // {file, allowed}
  'config-misnamed': {
    title: '{file} is not a name the configuration is found by.',
    why: 'It must be one of: {allowed}.',
    mend: ['Rename the file.'],
  },
  // {problem, detail}
  'config-syntax': {
    title: '[[{file} cannot be understood: ]]{#problem}[[: {detail}]].',
    why: '',
    mend: ['Correct the file, then: harness config check'],
  },
  // {key, first, second}
  'config-key-twice': {
    title: '[[{key} ]]is written twice: as {first} and as {second}.',
    why: '',
    mend: ['Remove one of them.'],
  },
  // {key, allowed, why, found}
  'config-value-missing': {
    title: '[[{key} ]]is missing[[: {#why}]][[ ({found})]]; allowed: {#allowed}.',
    why: '',
    mend: ['Add it to the configuration, then: harness config check', 'harness config schema   (all keys)'],
  },
} as const satisfies FailureSection;
