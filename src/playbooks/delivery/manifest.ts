// What the program knows of the delivery before it loads it: its list, its roles, its question.
import type { PlaybookManifest } from '../../engine/manifest.ts';
import { FIDELITY, LIST } from './paths.ts';
import { BLOCKED, DRIFTED, REVIEW_BUDGET } from './questions.ts';
import { ROLES } from './roles.ts';

export const deliveryManifest: PlaybookManifest = {
  name: 'delivery',
  roles: ROLES,
  list: {
    path: LIST,
    isIn: (files, path) => files.has(path),
    derive: async (from) => (await import('./plans.ts')).derivedIndex(from),
    needsTestCommand: true,
  },
  machine: { log: '.harness/delivery.log', initScript: 'init.sh', recovery: 'restore', isolation: 'worktree' },
  isInseparable: true,
  gates: { 'delivery-review': REVIEW_BUDGET, 'delivery-blocked': BLOCKED, 'delivery-drifted': DRIFTED },
  tick: { fidelity: FIDELITY, release: async (from) => (await import('./release.ts')).releaseOf(from) },
  sentences: {
    en: async () => (await import('./sentences/en.ts')).sentences,
    de: async () => (await import('./sentences/de.ts')).sentences,
  },
  loadFormat: async () => (await import('./backlog.ts')).backlog,
  load: async () => (await import('./playbook.ts')).deliveryPlaybook,
};
