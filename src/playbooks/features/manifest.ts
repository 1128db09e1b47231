// The features playbook as the command line lists it, before its machine is loaded.
import type { PlaybookManifest } from '../../engine/manifest.ts';

export const featuresManifest: PlaybookManifest = {
  name: 'features',
  roles: ['initializer', 'coding', 'continuation', 'cleanup'],
  list: { path: null, isIn: (files, path) => files.has(path), needsTestCommand: true },
  machine: { log: null, initScript: 'init.sh', recovery: 'restore' },
  loadFormat: async () => (await import('./backlog.ts')).backlog,
  load: async () => (await import('./playbook.ts')).featuresPlaybook,
};
