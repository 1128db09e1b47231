// What holds of a workflow wherever the run crashed: in the very moment after it, and when all is over.
import { existsSync, readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join, relative } from 'node:path';
import { lockOwner } from '../../../src/host/lock.ts';
import { endState, leftoversOf, type EndState } from '../end-state.ts';
import { unreadableIn } from '../kills/left.ts';
import type { Judge } from '../quick/grid.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { askedOf, passedUnasked } from './asked.ts';
import { DOCS, OWN } from './desk.ts';
import { keptCode } from './kept.ts';
import { landedOf } from './landed.ts';
import type { WorkflowScenario } from './scenario.ts';
import { phaseOf, stateOf } from './stands.ts';

export const judgeOf = (scenario: WorkflowScenario): Judge<EndState> => ({
  of: (shop) => endOf(shop, scenario),
  afterDeath: (shop) => [
    ...(scenario.isAdversarial ? [] : stateOf(shop).wrong),
    ...unreadableIn(shop, 'torn').map((path) => `cannot be read: ${path}`),
    ...(scenario.isAdversarial ? [] : passedUnasked(shop, scenario)),
    ...landedOf(shop),
  ],
  atEnd(shop, reason, end, faults) {
    const found = endOf(shop, scenario);
    return [
      ...(reason === scenario.reason ? [] : [`it ends with ${reason}, not ${scenario.reason}`]),
      ...Object.entries(end)
        .filter(([name, value]) => !isDeepStrictEqual(found[name], value))
        .map(([name, value]) => `${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(value)}`),
      ...stateOf(shop).wrong,
      ...phaseOf(shop, scenario),
      ...askedOf(shop, scenario),
      ...landedOf(shop, scenario),
      ...ownOf(shop),
      ...assignmentsOf(shop),
      ...(scenario.isLoose || faults.length > 0 ? [] : toldOf(shop)),
      ...keptCode(shop),
      ...(scenario.phase === null ? papersOf(shop, scenario) : givenBack(shop, scenario)),
      ...unreadableIn(shop, 'whole').map((path) => `cannot be read: ${path}`),
      // A journal that comes back belongs to a token that is never given again: it may lie there.
      ...(faults.includes('undeleted') ? [] : leftoversOf(shop).map((path) => `is left: ${path}`)),
      ...(lockOwner(shop.privateDir) === null ? [] : ['a lock is left']),
    ];
  },
});

/** What must be as without a death. `isLoose`: only what comes of it, not how. */
function endOf(shop: FixtureProject, { isLoose }: WorkflowScenario): EndState {
  const { tree, branch, dirty, remote, evidence, commits, costs, sessions, attempts } = endState(shop);
  const whole = { tree, branch, dirty, remote, files: filesOf(shop) };
  return isLoose ? whole : { ...whole, evidence, commits, costs, sessions, attempts };
}

/** Everything that lies in the work tree, but what the harness keeps there. */
function filesOf(shop: FixtureProject): readonly (readonly [path: string, text: string | null])[] {
  const paths = readdirSync(shop.root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(shop.root, join(entry.parentPath, entry.name)));
  return paths
    .filter((path) => !/^\.(?:git|harness)\//.test(path))
    .sort()
    .map((path) => [path, shop.read(path)]);
}

const ownOf = (shop: FixtureProject): readonly string[] =>
  Object.entries(OWN)
    .filter(([path, text]) => shop.read(path) !== text)
    .map(([path]) => `a person's ${path} is ${JSON.stringify(shop.read(path))}`);

/** A number is one session, and each session that was begun has a record. */
function assignmentsOf(shop: FixtureProject): readonly string[] {
  const folder = join(shop.privateDir, 'sessions');
  const begun = (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name.split('-')[0] ?? '');
  return [
    ...(new Set(begun).size === begun.length ? [] : [`a number is of two sessions: ${begun.join(' ')}`]),
    ...begun
      .filter((number) => shop.read(`.harness/sessions/${number}/session.json`) === null)
      .map((number) => `session ${number} has no record`),
  ];
}

/** Without a crash or a cut, each turn played is a session of its own, and is paid for. */
function toldOf(shop: FixtureProject): readonly string[] {
  const played = shop.turnsPlayed();
  const records = readdirSync(join(shop.stateDir, 'sessions')).length;
  const paid = /total_sessions: (\d+)/.exec(shop.read('.harness/costs.yaml') ?? '')?.[1] ?? '0';
  return records === played && Number(paid) === played
    ? []
    : [`${played} agents were heard: ${records} are told of, ${paid} are paid`];
}

/** The workflow's own documents in the state folder are gone; with `code-only` also those of the docs folder. */
function papersOf(shop: FixtureProject, { asked }: WorkflowScenario): readonly string[] {
  const away = ['.harness/planner', '.harness/generator', '.harness/autofix_pre_apply', '.harness/conventions.md'];
  const names = new Set(readdirSync(shop.root, { recursive: true }).map(String));
  const papers = asked.at(-1)?.[1] === 'code-only' ? [DOCS.replace(/\/$/, '')] : [];
  return [...away, ...papers].filter((path) => names.has(path)).map((path) => `is left: ${path}`);
}

/** A commit that was refused leaves what a person looked at when they were asked about it. */
const givenBack = (shop: FixtureProject, { phase }: WorkflowScenario): readonly string[] =>
  ['spec.md', 'qa_report.md']
    .filter((name) => phase === 'completed' && shop.read(`${DOCS}${name}`) === null)
    .map((name) => `is not given back: ${name}`);
