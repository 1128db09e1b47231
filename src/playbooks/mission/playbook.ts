// The mission playbook: a specification becomes a plan with a validation contract, and many roles carry it out, each a process of its own.
import { INIT_SCRIPT } from '../session/scripts.ts';
import { openingBy } from '../session/item/opening.ts';
import { openingSay } from '../../engine/definitions.ts';
import type { ItemMachine, Playbook } from '../../engine/playbook.ts';
import { retryEdit } from '../session/retry.ts';
import { beginAgain } from '../session/begin-again.ts';
import { revertWip } from '../session/tree-change.ts';
import { backlog } from './backlog.ts';
import { worker } from './briefs.ts';
import { finish } from './finish.ts';
import { begin } from './gates.ts';
import { missionItem } from './machine.ts';
import { CONTRACT, DRAFT, ESCALATION, LIST } from './paths.ts';
import { missionPlan } from './planner.ts';
import { PLAN_ROLES, ROLES } from './roles.ts';
import { item, next } from './surveys.ts';

const machine: ItemMachine = {
  name: 'mission',
  roles: ROLES,
  ledger: 'session_state.json',
  runs: 'until-done',
  itemKey: 'FEATURE_ID',
  remembers: true,
  escalationFile: ESCALATION,
  mostSessions: ({ mission }) => mission.maxIterations,
  files: ({ playbook }) =>
    playbook.backlog === playbook.machine
      ? { own: [], guarded: [CONTRACT], carried: [LIST, CONTRACT] }
      : { own: [], guarded: [CONTRACT] },
  item: missionItem,
  begin,
  next,
  final: finish,
  revertWip,
  retry: retryEdit('mission.retry'),
  beginAgain,
  opening: openingBy(item, ({ id, attempt, testFile, partial, failed }) => ({
    role: 'worker',
    say: openingSay(worker, { item: id, attempt, partial, failed, first: [] }),
    testFile,
  })),
};

export const missionPlaybook: Playbook = {
  name: 'mission',
  backlog,
  machine,
  frame: ({ config: { paths }, name }) => ({
    files: {
      [paths.backlog]: `${JSON.stringify({ mission: name, features: [] }, null, 2)}\n`,
      [CONTRACT]: '# Validation contract\n',
      'init.sh': INIT_SCRIPT,
    },
    scripts: ['init.sh'],
    settings: ['environment: { init: ./init.sh }'],
  }),
  fromSpec: { roles: PLAN_ROLES, rejected: DRAFT.review, start: ({ path, text }) => missionPlan({ path, text }) },
};
