// Missions of one workflow: a task through plan, generate, verify, evaluate, until it is committed as a person chose.
import type { CheckResult, Problem } from '../../../src/model/verdict.ts';
import { workflowPlaybook } from '../../../src/playbooks/workflow/playbook.ts';
import { ROLES } from '../../../src/playbooks/workflow/table/roles.ts';
import { put } from '../files.ts';
import type { Kind } from '../kind.ts';
import { MOODS, perform } from './behaviours.ts';
import { ALMOST, BRANCH, DONE, drawState, FILES, isBuilt, isDone, SPEC, STATE, WORK } from './desk.ts';
import { afterLife, checked, lands, watching, written } from './rules.ts';
import { stateText } from './watch.ts';
import { STEPS, RUN_STYLES } from '../../../src/playbooks/workflow/file/run-options.ts';

const look: Kind['look'] = (check, { tree, luck }) => {
  const isBad = check.weight === 'environment' ? luck < 0.02 : check.name === 'test' ? !isDone(tree) : !isBuilt(tree);
  const problems: Problem[] = isBad ? [{ code: 'check-failed', params: { count: 1, check: check.name } }] : [];
  const result: CheckResult = {
    name: check.name,
    command: check.command,
    passed: !isBad,
    exit: isBad ? 1 : 0,
    ms: 1_000,
    tests: null,
    tail: isBad ? `${WORK}: it does not` : 'it does',
  };
  return { result, problems, regressions: [], tests: null, passing: null };
};

export const WORKFLOW: Kind = {
  name: 'workflow',
  playbook: workflowPlaybook,
  roles: ROLES.map((role) => ['workflow', role] as const),
  config: {
    playbook: { backlog: 'workflow', machine: 'workflow' },
    paths: { backlog: STATE, progress: '.harness/progress.txt', stateDir: '.harness' },
  },
  branch: BRANCH,
  moods: MOODS,
  mostAtOnce: 3,
  // Most of them are waited for people.
  hours: 60,
  sessionsEach: 6,
  longest: { calls: 200, minutes: 60 },
  files: () => FILES,
  begin: (mission, dice) => put(mission, { [STATE]: `${JSON.stringify(drawState(dice), null, 2)}\n` }),
  called: (dice) => ({
    runOptions: {
      phase: dice.happens(0.08) ? dice.oneOf(STEPS) : null,
      style: dice.happens(0.08) ? dice.oneOf(RUN_STYLES) : null,
    },
  }),
  workOn: ({ role, output }) => (output === '' ? role : output),
  note: ({ role, session, turn }) => (role === 'generator' ? `src/notes/s${session}-t${turn}.txt` : null),
  perform,
  look,
  lands,
  checked,
  written,
  watching,
  meddle(mission, dice) {
    if (dice.happens(0.04)) put(mission, { [WORK]: dice.oneOf([DONE, ALMOST]) });
    if (dice.happens(0.04) && mission.repo.work.has(SPEC)) put(mission, { [SPEC]: '# Spec\n\nAs I want it.\n' });
    // Another program, or a person: the next run begins where the file says.
    const text = dice.happens(0.04) ? stateText(mission) : null;
    if (text !== null) mission.told.push('a person sets state.json back to plan_ready');
    if (text !== null) put(mission, { [STATE]: text.replace(/"phase": ?"\w+"/, '"phase": "plan_ready"') });
  },
  afterLife,
  atEnd: () => undefined,
};
