// What holds of a delivery wherever the run crashed: at each moment of the remote, and at the end here and there. Numbers of sessions may be lost with
// a run, so no two crashes end with the same files.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSource } from '../../../src/app/evidence/source.ts';
import { verifyEvidence } from '../../../src/app/evidence/verify.ts';
import { lockOwner } from '../../../src/host/lock.ts';
import { gatesOf, leftoversOf } from '../end-state.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { unreadableIn } from '../kills/left.ts';
import type { Judge } from '../quick/grid.ts';
import { NEVER_FIXED, type DeliveryScenario } from './scenarios.ts';
import { baseOn, filesOn, pullsOn, readOn } from './shop.ts';

const idOf = (plan: string): string => plan.slice(0, 4);
const wordOf = (plan: string): string => plan.slice(5);
const movedSubject = (plan: string): string => `chore: plan ${plan} is merged`;

export const judgeOf = (scenario: DeliveryScenario): Judge<null> => ({
  of: () => null,
  afterDeath: (shop) => [
    ...remoteOf(shop, scenario),
    ...unreadableIn(shop, 'torn').map((path) => `cannot be read: ${path}`),
  ],
  atEnd: async (shop, reason, _end, faults) => [
    ...(reason === scenario.reason ? [] : [`it ends with ${reason}, not ${scenario.reason}`]),
    ...remoteOf(shop, scenario),
    ...mergedOf(shop, scenario),
    ...treeOf(shop, scenario),
    ...promptsOf(shop),
    ...keptWork(shop),
    ...(await evidenceOf(shop, scenario)),
    ...unreadableIn(shop, 'whole').map((path) => `cannot be read: ${path}`),
    // A journal that comes back belongs to a token that is never given again: it may be there.
    ...(faults.includes('undeleted') ? [] : leftoversOf(shop).map((path) => `is left: ${path}`)),
    ...(lockOwner(shop.privateDir) === null ? [] : ['a lock is left']),
    ...askedOf(shop, scenario),
  ],
});

/** At any moment: at most one pull request and one merge for each plan, each step only after the one before it. */
function remoteOf(shop: FixtureProject, { plans }: DeliveryScenario): readonly string[] {
  const [pulls, base, files] = [pullsOn(shop), baseOn(shop), filesOn(shop)];
  return plans.flatMap((plan) => {
    const own = pulls.filter(({ head }) => head === `harness/${idOf(plan)}`);
    const merges = base.filter(({ id, parents }) => parents === 2 && own.some(({ commit }) => commit === id));
    const moves = base.filter(({ subject }) => subject === movedSubject(plan));
    const isAt = (folder: string): boolean => files.includes(`docs/plans/${folder}${plan}.md`);
    const isMerged = own.some(({ state }) => state === 'merged');
    return [
      ...(own.length <= 1 ? [] : [`${plan} has ${own.length} pull requests`]),
      ...(merges.length === (isMerged ? 1 : 0) ? [] : [`${plan} is ${own[0]?.state} with ${merges.length} merges`]),
      ...(isMerged && own.some(({ labels }) => !labels.includes('ready-to-merge')) ? [`${plan} has no label`] : []),
      ...(moves.length <= (isMerged ? 1 : 0) ? [] : [`the file of ${plan} was moved ${moves.length} times`]),
      ...(isAt('completed/') === (moves.length === 1) && isAt('') === (moves.length === 0)
        ? []
        : [`the file of ${plan} is at ${files.filter((path) => path.includes(plan)).join(' ')}`]),
      ...(isMerged === readOn(shop, 'shop.txt').split('\n').includes(wordOf(plan))
        ? []
        : [`${plan}: merged is not sold`]),
    ];
  });
}

function mergedOf(shop: FixtureProject, { plans, shown, isBeside, files = {} }: DeliveryScenario): readonly string[] {
  const [pulls, base] = [pullsOn(shop), baseOn(shop)];
  const wanted = plans.flatMap((plan, n) => [`Sell ${wordOf(plan)} (#${n + 1})`, movedSubject(plan)]);
  const found = base.map(({ subject }) => subject).filter((one) => one !== 'start' && one !== 'a person was here');
  return [
    ...(JSON.stringify(found) === JSON.stringify(wanted) ? [] : [`the base branch has ${found.join(', ')}`]),
    ...(base.some(({ subject }) => subject === 'a person was here') === isBeside
      ? []
      : ['a commit of a person is lost']),
    ...plans
      .filter((plan) => readOn(shop, `docs/plans/completed/${plan}.md`) !== files[`docs/plans/${plan}.md`])
      .map((plan) => `the text of ${plan} was changed`),
    ...pulls.filter(({ state }) => state !== 'merged').map(({ number, state }) => `#${number} is ${state}`),
    ...pulls.flatMap(({ number, body }) =>
      shown.filter((part) => !body.includes(part)).map((part) => `#${number} does not say "${part}"`),
    ),
  ];
}

function treeOf(shop: FixtureProject, { files = {}, made, plans }: DeliveryScenario): readonly string[] {
  const [dirty = '', listed = '', head = '', remote = '', branch = '', stray = '', wips = ''] = shop.gits(
    ['status', '--porcelain'],
    ['ls-tree', '-r', '--name-only', 'HEAD'],
    ['rev-parse', 'HEAD'],
    ['ls-remote', 'origin', 'refs/heads/main'],
    ['symbolic-ref', 'HEAD'],
    ['worktree', 'list', '--porcelain'],
    ['for-each-ref', '--format=%(refname)', 'refs/harness/wip', 'refs/harness/parked', 'refs/harness/pending'],
  );
  const isPlan = (path: string): boolean => plans.some((plan) => path === `docs/plans/${plan}.md`);
  const moved = plans.map((plan) => `docs/plans/completed/${plan}.md`);
  const wanted = [...Object.keys(files).filter((path) => !isPlan(path)), ...moved, ...made].sort().join(' ');
  const found = listed.split('\n').sort().join(' ');
  const sold = (shop.read('shop.txt') ?? '').split('\n').filter(Boolean);
  return [
    ...(dirty === '' ? [] : [`git status says: ${dirty}`]),
    ...(found === wanted ? [] : [`the tree has ${found}, not ${wanted}`]),
    ...(remote.startsWith(head) ? [] : ['the branch here is not the one of the remote']),
    ...(branch === 'refs/heads/main' ? [] : [`HEAD is on ${branch}`]),
    ...(new Set(sold).size === sold.length ? [] : [`work is there twice: ${sold.join(' ')}`]),
    ...(stray.includes('prunable') ? [`a work tree is left: ${stray}`] : []),
    ...(wips === '' ? [] : [`work in progress is left: ${wips}`]),
  ];
}

/** Lows, opinions and old problems are in no prompt of a fixer. */
function promptsOf(shop: FixtureProject): readonly string[] {
  const sessions = join(shop.stateDir, 'sessions');
  return (existsSync(sessions) ? readdirSync(sessions) : []).flatMap((session) =>
    readdirSync(join(sessions, session))
      .filter((name) => name.startsWith('prompt-'))
      .map((name) => shop.read(join('.harness', 'sessions', session, name)) ?? '')
      .filter((text) => /^ROLE=fixer$/m.test(text))
      .flatMap((text) => NEVER_FIXED.filter((mark) => text.includes(mark)))
      .map((mark) => `the fixer of session ${session} was given ${mark}`),
  );
}

/** Nothing that an agent wrote is lost: it landed, or it is kept beside the branch. */
function keptWork(shop: FixtureProject): readonly string[] {
  const rowsIn = (text: string): readonly string[] => text.split('\n').filter((row) => row !== '');
  const written = new Set<string>();
  for (const line of rowsIn(shop.read('../written.txt') ?? '')) {
    const [sign, what] = [line[0], line.slice(2)];
    if (sign === '+') written.add(what);
    else written.delete(what);
  }
  const refs = rowsIn(shop.git('for-each-ref', '--format=%(refname)', 'refs/harness'));
  const objects = new Set(rowsIn(shop.git('rev-list', '--objects', 'HEAD', ...refs)).map((row) => row.split(' ')[0]));
  return [...written].filter((what) => !objects.has(what.split(' ')[0])).map((what) => `an agent wrote ${what}: lost`);
}

/** Every bundle holds, and what was merged has one that names its commit. */
async function evidenceOf(shop: FixtureProject, { plans }: DeliveryScenario): Promise<readonly string[]> {
  const source = await openSource({ repo: shop.root, from: null });
  if (!source.ok) return [`evidence: ${source.failure.reason}`];
  const verified = await verifyEvidence(source.value, null);
  source.value.close();
  if (!verified.ok) return [`evidence: ${verified.failure.reason}`];
  const { broken, bundles } = verified.value;
  const landed = new Set(bundles.flatMap(({ landing, checked }) => (landing === null ? [] : [checked.manifest.item])));
  return [
    ...(broken === null ? [] : [`evidence is broken: ${JSON.stringify(broken)}`]),
    ...plans.filter((plan) => !landed.has(idOf(plan))).map((plan) => `${plan} has no evidence`),
  ];
}

const askedOf = (shop: FixtureProject, { answers = [] }: DeliveryScenario): readonly string[] => {
  const gates = gatesOf(shop);
  return Array.isArray(gates) && gates.length === answers.length ? [] : [`people were asked ${JSON.stringify(gates)}`];
};
