// The tasks playbook as the command line lists it, before its machine is loaded.
import type { PlaybookManifest } from '../../engine/manifest.ts';

export const tasksManifest: PlaybookManifest = {
  name: 'tasks',
  roles: ['executor'],
  // A task brings the command that proves it.
  list: { path: 'harness-tasks.json', isIn: (files, path) => files.has(path), needsTestCommand: false },
  machine: {
    log: 'harness-progress.txt',
    initScript: 'harness-init.sh',
    recovery: 'checked',
    hasRecoveryTables: true,
  },
  loadFormat: async () => (await import('./backlog.ts')).backlog,
  load: async () => (await import('./playbook.ts')).tasksPlaybook,
};
