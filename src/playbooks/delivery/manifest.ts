// What the program knows of the delivery before it loads it: its list, its roles, its question.
import type { PlaybookManifest } from '../../engine/manifest.ts';
import { FIDELITY, LIST, SPEC } from './paths.ts';
import { ASKED, PHASES } from './phases.ts';
import { BLOCKED, DRIFTED, NEEDS, REVIEW_BUDGET } from './questions.ts';
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
  runOptions: [
    { name: 'phase', values: ASKED, ofOneItem: PHASES, about: `of a plan: only ${PHASES.join(', ')}` },
    { name: 'skip-e2e', values: [], about: 'without end-to-end tests in this run' },
  ],
  gates: {
    'delivery-review': REVIEW_BUDGET,
    'delivery-needs': NEEDS,
    'delivery-blocked': BLOCKED,
    'delivery-drifted': DRIFTED,
  },
  misuses: ['delivery-phase-first'],
  tick: { fidelity: FIDELITY, release: async (from) => (await import('./release.ts')).releaseOf(from) },
  sentences: {
    en: async () => (await import('./sentences/en.ts')).sentences,
    de: async () => (await import('./sentences/de.ts')).sentences,
  },
  loadFormat: async () => (await import('./backlog.ts')).backlog,
  load: async () => (await import('./playbook.ts')).deliveryPlaybook,
};
