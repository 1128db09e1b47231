// What the program knows of the mission before it loads it: its list, its roles, its questions.
import type { PlaybookManifest } from '../../engine/manifest.ts';
import { CONTRACT, LIST, SPEC } from './paths.ts';
import { CHECKPOINT, UNCLEAR } from './questions.ts';
import { PLAN_ROLES, ROLES } from './roles.ts';

export const missionManifest: PlaybookManifest = {
  name: 'mission',
  roles: [...PLAN_ROLES, ...ROLES],
  list: { path: LIST, isIn: (files, path) => files.has(path), needsTestCommand: true, beside: [CONTRACT] },
  machine: { log: '.harness/mission.log', initScript: 'init.sh', recovery: 'restore', isolation: 'worktree' },
  specFile: SPEC,
  gates: { 'mission-checkpoint': CHECKPOINT, 'mission-unclear': UNCLEAR },
  sentences: {
    en: async () => (await import('./sentences/en.ts')).sentences,
    de: async () => (await import('./sentences/de.ts')).sentences,
  },
  loadFormat: async () => (await import('./backlog.ts')).backlog,
  load: async () => (await import('./playbook.ts')).missionPlaybook,
};
