// English: this machine, its files and its environment.
import type { FailureSection } from '../shape.ts';

export const machine = {
  // {dir, code}
  'lock-unavailable': {
    title: 'The lock of this repository cannot be taken: {dir} is not usable[[ ({code})]].',
    why: 'Without it two runs could overwrite each other.',
    mend: ['See that the folder can be written and is on a local disk.', 'harness doctor'],
  },
  // {file, code}
  'file-unreadable': {
    title: '{file} cannot be read[[ ({#code})]].',
    why: '',
    mend: ['See who may read it: ls -l {file}'],
  },
  // {name, variable}
  'environment-variable-missing': {
    title: 'The environment variable {name} is not set[[, but {variable} is made from it]].',
    why: '',
    mend: ['Set {name} before you start the harness, or change the env: of the agent in the configuration.'],
  },
} as const satisfies FailureSection;
