// What the program knows of the delivery before it loads it: its list, its roles, its question.
import type { PlaybookManifest } from '../../engine/manifest.ts';
import { LIST, SPEC } from './paths.ts';
import { REVIEW_BUDGET } from './questions.ts';
import { PLAN_ROLES, ROLES, SITE_ROLES } from './roles.ts';

export const deliveryManifest: PlaybookManifest = {
  name: 'delivery',
  roles: [...PLAN_ROLES, ...ROLES, ...SITE_ROLES],
  list: {
    path: LIST,
    isIn: (files, path) => files.has(path),
    derive: async (from) => (await import('./plans.ts')).derivedIndex(from),
    needsTestCommand: true,
  },
  machine: { log: '.harness/delivery.log', initScript: 'init.sh', recovery: 'restore', isolation: 'worktree' },
  specFile: SPEC,
  isInseparable: true,
  readsSites: true,
  gates: { 'delivery-review': REVIEW_BUDGET },
  sentences: {
    en: async () => (await import('./sentences/en.ts')).sentences,
    de: async () => (await import('./sentences/de.ts')).sentences,
  },
  loadFormat: async () => (await import('./backlog.ts')).backlog,
  load: async () => (await import('./playbook.ts')).deliveryPlaybook,
};
