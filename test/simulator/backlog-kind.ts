// Missions over a list of items: worked by the features machine, or by the tasks machine over the same list.
import { flagEdit } from '../../src/engine/list-edits.ts';
import type { ItemChange } from '../../src/model/item.ts';
import { featuresPlaybook } from '../../src/playbooks/features/playbook.ts';
import { tasksPlaybook } from '../../src/playbooks/tasks/playbook.ts';
import type { CheckResult, Problem } from '../../src/model/verdict.ts';
import { MOODS, performing } from './backlog-behaviours.ts';
import { InvariantViolation } from './invariant-violation.ts';
import type { Kind } from './kind.ts';
import { drawBacklog, isTrue, itemOfTest, itemsIn, testOf } from './list.ts';
import type { Mission } from './mission.ts';
import { headOf } from './repository.ts';

const FIRST_FILES: { readonly [path: string]: string } = {
  '.harness.yaml': 'playbook: features\n',
  '.gitignore': '.harness/\n',
  'claude-progress.txt': '# Progress: simulated\n',
  'init.sh': '#!/bin/sh\n',
  'reset.sh': '#!/bin/sh\n',
};

/** Its log is in the state folder, with its ledger. */
const TASKS_CONFIG: Kind['config'] = {
  playbook: { backlog: 'features', machine: 'tasks' },
  recovery: 'checked',
  paths: { backlog: 'features.json', progress: '.harness/tasks/harness-progress.txt', stateDir: '.harness' },
};

const idOfTest = (item: string): string => `tap|${testOf(item)}|works`;

const look: Kind['look'] = (check, { tree, known, luck }) => {
  const own = itemOfTest(check.command);
  const isSuite = check.name === 'full';
  const ids = isSuite ? itemsIn(tree).map((one) => String(one.id)) : own === '' ? [] : [own];
  const passed = ids.filter((id) => isTrue(tree, id));
  const regressions = isSuite ? known.filter((test) => !isTrue(tree, itemOfTest(test))) : [];
  const isBad =
    check.weight === 'environment' ? luck < 0.02 : isSuite ? regressions.length > 0 : own !== '' && passed.length === 0;
  const problems: Problem[] = !isBad
    ? []
    : [
        isSuite
          ? { code: 'regression', params: { count: regressions.length }, ids: regressions }
          : { code: own === '' ? 'check-failed' : 'tests-failed', params: { count: 1, check: check.name } },
      ];
  const counts = { total: ids.length, passed: passed.length, failed: ids.length - passed.length, skipped: 0 };
  const result: CheckResult = {
    name: check.name,
    command: check.command,
    passed: !isBad,
    exit: isBad || counts.failed > 0 ? 1 : 0,
    ms: 1_000,
    tests: ids.length > 0 ? counts : null,
    tail: `${passed.length} passed`,
  };
  return {
    result,
    problems,
    regressions,
    tests: ids.length > 0 ? counts : null,
    passing: isSuite ? passed.map(idOfTest) : null,
  };
};

/** Something was accepted: what it claims is true, and was not so before. */
const lands: Kind['lands'] = ({ ledger, repo }, { commit, item, session }) => {
  const rule = 'what lands is true';
  const say = (how: string): InvariantViolation => new InvariantViolation(rule, `#${item}, session ${session}: ${how}`);
  const before = new Map(itemsIn(repo.commits.get(commit.parent ?? '')?.tree ?? new Map()).map((one) => [one.id, one]));
  for (const one of itemsIn(commit.tree)) {
    const isIt = String(one.id) === item;
    const was = before.get(one.id)?.passes === true;
    if (isIt && !one.passes) throw say('it is not marked as done');
    // What a person vouched for while it was at work lands with its proof.
    if (isIt && was && !ledger.vouched.has(item))
      throw new InvariantViolation('nothing lands twice', `#${item}, session ${session}`);
    if (!isIt && one.passes && !was) throw say(`#${one.id} is marked as done with it`);
    if (one.passes && !isTrue(commit.tree, String(one.id)) && !ledger.vouched.has(String(one.id)))
      throw say(`the test of #${one.id} fails in what was accepted`);
  }
  if (ledger.landed.some((one) => one.session === session))
    throw new InvariantViolation('nothing lands twice', `session ${session} lands again, with #${item}`);
  ledger.landed.push({ item, session, commit: commit.id });
};

function landedIsTrue({ repo, ledger }: Mission): void {
  // Work in progress may break what it likes, and a person may leave it so: what lands on top of it is looked at again.
  const { tree, id: head } = headOf(repo);
  if (ledger.landed.at(-1)?.commit !== head) return;
  for (const { id, passes } of itemsIn(tree))
    if (passes && !isTrue(tree, String(id)) && !ledger.vouched.has(String(id)))
      throw new InvariantViolation('what lands is true', `#${id} is marked as done and is not`);
}

/** A change of the backlog, as `harness skip` and `harness override` ask for it. */
const letter: Kind['letter'] = ({ repo, time, ledger }, dice) => {
  const all = itemsIn(headOf(repo).tree).filter((one) => !one.passes);
  if (all.length === 0) return null;
  const item = String(dice.oneOf(all).id);
  const at = time.clock.iso();
  const isSkip = dice.happens(0.6);
  if (!isSkip) ledger.vouched.add(item);
  const change: ItemChange = isSkip
    ? { type: 'skipped', reason: 'not now', unblock: dice.happens(0.5), at }
    : { type: 'overridden', passes: true, reason: 'I looked', by: 'Ada', at };
  return { subject: `chore(harness): #${item} as a person said`, item, edit: flagEdit('features.json', item, change) };
};

/** What every mission over the list of features has. */
export const LIST: Omit<Kind, 'name' | 'playbook' | 'roles' | 'config' | 'perform'> = {
  branch: 'main',
  moods: MOODS,
  mostAtOnce: 1,
  hours: 10,
  sessionsEach: 1,
  longest: { calls: 900, minutes: 240 },
  files: (dice) => ({ ...FIRST_FILES, 'features.json': drawBacklog(dice) }),
  workOn: ({ item }) => item ?? '',
  note: ({ session }, n) => `notes/s${session}-${n}.txt`,
  look,
  lands,
  letter,
  afterLife: landedIsTrue,
  atEnd: landedIsTrue,
};

export const FEATURES: Kind = {
  ...LIST,
  name: 'features',
  playbook: featuresPlaybook,
  roles: [
    ['features', 'coding'],
    ['features', 'continuation'],
    ['features', 'cleanup'],
  ],
  config: {},
  perform: performing(true),
};

export const TASKS: Kind = {
  ...LIST,
  name: 'tasks',
  // One kind of repository for both.
  playbook: { backlog: featuresPlaybook.backlog, machine: tasksPlaybook.machine },
  roles: [['tasks', 'executor']],
  config: TASKS_CONFIG,
  perform: performing(false),
};
