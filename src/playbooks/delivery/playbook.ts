// The delivery playbook: plan files become pull requests that are reviewed, checked and merged, one after the other.
import { INIT_SCRIPT } from '../session/scripts.ts';
import { openingBy } from '../session/item/opening.ts';
import { openingSay } from '../../engine/definitions.ts';
import type { ItemMachine, Playbook } from '../../engine/playbook.ts';
import { final } from '../session/final.ts';
import { beginAgain } from '../session/begin-again.ts';
import { revertWip } from '../session/tree-change.ts';
import { acceptanceOf } from './acceptance.ts';
import { addPlan } from './adding.ts';
import { backlog } from './backlog.ts';
import { implementer } from './briefs.ts';
import { fidelityItem } from './fidelity.ts';
import { begin } from './index-step.ts';
import { deliveryItem } from './machine.ts';
import { FIDELITY, LIST, PLAN_RECORDS } from './paths.ts';
import { deliveryPlan } from './planner.ts';
import { PLAN_ROLES, ROLES, SITE_ROLES } from './roles.ts';
import { siteFileIn, siteReverse } from './site.ts';
import { item, next } from './surveys.ts';
import { retry } from './trouble.ts';

const machine: ItemMachine = {
  name: 'delivery',
  roles: ROLES,
  ledger: 'session_state.json',
  runs: 'until-done',
  itemKey: 'PLAN_ID',
  escalationFile: '.harness/escalation.md',
  files: () => ({ own: [LIST], guarded: [], records: PLAN_RECORDS }),
  item: (input) => (input.item === FIDELITY ? fidelityItem(input) : deliveryItem(input)),
  asksAfterTrouble: true,
  begin,
  adds: addPlan,
  next,
  final,
  revertWip,
  retry,
  beginAgain,
  opening: openingBy(item, ({ id, attempt, testFile, partial, failed }) => ({
    role: 'implementer',
    say: openingSay(implementer, { item: id, attempt, partial, failed, first: [] }),
    testFile,
  })),
};

const README =
  '# Plans\n\nOne file for each: `0001-what-it-is-about.md`. Below its title, or as front matter:\n\n- Depends on: numbers of other plans\n- Test: the test file that proves it\n- Tags: acceptance criteria that it covers\n';

export const deliveryPlaybook: Playbook = {
  name: 'delivery',
  backlog,
  machine,
  frame: ({ config: { planDir } }) => ({
    files: { [`${planDir}/README.md`]: README, 'init.sh': INIT_SCRIPT },
    scripts: ['init.sh'],
    settings: ['environment: { init: ./init.sh }'],
  }),
  fromSpec: {
    roles: PLAN_ROLES,
    start: ({ path, text, beside, isFirst }) => deliveryPlan({ path, text, acceptance: beside, isFirst }),
    beside: acceptanceOf,
    adds: true,
  },
  fromSite: { roles: SITE_ROLES, start: siteReverse, beside: acceptanceOf, fileIn: siteFileIn },
};
