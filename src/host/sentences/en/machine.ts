// English: this machine, its files and its environment.
import type { FailureSection } from '../shape.ts';

export const machine = {
  // {dir, code}, and of a full disk {full}, of a lock that cannot be read {db}
  'lock-unavailable': {
    title: 'The lock of this repository cannot be taken: {dir} is not usable[[ ({#code})]].',
    why: 'Without it two runs could overwrite each other.',
    fix: [
      'Check that the folder is writable and on a local disk.',
      '[[Free some space on its disk: df -h {full}]]',
      '[[If {db} in it is damaged and no run is active: remove {db}.]]',
    ],
  },
  // {path, words}
  'workspace-unusable': {
    title: 'The work tree that agents work in cannot be used: {path}[[ ({words})]].',
    why: 'isolation: worktree gives agents a work tree of their own beside the repository.',
    fix: [
      'Move away what is in that place, or make its folder writable with enough space on the disk.',
      'isolation: in-place   (in .harness.yaml: agents work in the repository itself)',
    ],
  },
  // {file, code}
  'file-unreadable': {
    title: '{file} cannot be read[[ ({#code})]].',
    why: '',
    fix: ['Check what it is and who may read it: ls -ld {file}'],
  },
  // {file, code, call}, and of a full disk {full}, else {path}
  'path-unusable': {
    title: '{file} cannot be used: {#code}.',
    why: 'The harness was about to read or write it; earlier work is safe.',
    fix: [
      '[[Free some space on its disk: df -h {full}]]',
      '[[Check what it is and who may write it: ls -ld {path}]]',
      'Fix the cause, then run the command again.',
    ],
  },
  // {name, variable}
  'environment-variable-missing': {
    title: 'The environment variable {name} is not set[[, but {variable} is derived from it]].',
    why: '',
    fix: ['Set {name} before you start the harness, or change the env: of the agent in the configuration.'],
  },
} as const satisfies FailureSection;
