// Missions of a delivery: forty plans through implement, review, fix, checks and merge, on a forge in memory.
import { deliveryPlaybook } from '../../../src/playbooks/delivery/playbook.ts';
import { ROLES } from '../../../src/playbooks/delivery/roles.ts';
import type { CheckResult, Problem } from '../../../src/model/verdict.ts';
import type { Kind } from '../kind.ts';
import { MOODS, perform } from './behaviours.ts';
import { FILES, IDS, isTrue, openRemote, planOfTest, remoteOf, testOf, workOf } from './desk.ts';
import { forge } from './forge.ts';
import { afterLife } from './rules.ts';

const testId = (id: string): string => `tap|${testOf(id)}|works`;

const look: Kind['look'] = (check, { tree, known, luck }) => {
  const own = planOfTest(check.command);
  const isSuite = check.name === 'full';
  const ids = isSuite ? IDS.filter((id) => tree.has(workOf(id))) : own === '' ? [] : [own];
  const passed = ids.filter((id) => isTrue(tree, id));
  const regressions = isSuite ? known.filter((test) => !isTrue(tree, planOfTest(test))) : [];
  const isBad =
    check.weight === 'environment' ? luck < 0.02 : isSuite ? regressions.length > 0 : own !== '' && passed.length === 0;
  const code = isSuite ? 'regression' : own === '' ? 'check-failed' : 'tests-failed';
  const problems: Problem[] = isBad ? [{ code, params: { count: 1, check: check.name }, ids: regressions }] : [];
  const tests = { total: ids.length, passed: passed.length, failed: ids.length - passed.length, skipped: 0 };
  const counted = ids.length > 0 ? tests : null;
  const about = { name: check.name, command: check.command, ms: 1_000, tail: `${passed.length} passed` };
  const result: CheckResult = { ...about, passed: !isBad, exit: isBad ? 1 : 0, tests: counted };
  return { result, problems, regressions, tests: counted, passing: isSuite ? passed.map(testId) : null };
};

export const DELIVERY: Kind = {
  name: 'delivery',
  playbook: deliveryPlaybook,
  roles: ROLES.map((role) => ['delivery', role] as const),
  config: {
    playbook: { backlog: 'delivery', machine: 'delivery' },
    recovery: 'checked',
    paths: { backlog: '.harness/plans.json', progress: '.harness/delivery.log', stateDir: '.harness' },
  },
  branch: 'main',
  moods: MOODS,
  mostAtOnce: 1,
  hours: 10,
  sessionsEach: 8,
  longest: { calls: 3_000, minutes: 500 },
  dies: 0.8,
  files: () => FILES,
  begin: (mission, dice) => openRemote(mission, dice),
  workOn: ({ item }) => item ?? '',
  note: ({ role, session }, n) => (role === 'implementer' || role === 'fixer' ? `notes/s${session}-${n}.txt` : null),
  perform,
  look,
  // What lands is merged: the forge looks at it.
  lands: () => undefined,
  newest: (mission) => remoteOf(mission).base,
  forge,
  afterLife,
  atEnd: () => undefined,
};
