// What holds of a mission wherever the run crashed. Numbers of sessions may be lost with a run, so no two crashes end with the same files: what
// counts is in the commits, the list and the contract, the records, and what people were asked.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockOwner } from '../../../src/host/lock.ts';
import { fitOf, readContract } from '../../../src/playbooks/mission/contract.ts';
import { readMission } from '../../../src/playbooks/mission/schema.ts';
import { CONTRACT, LIST } from '../../support/mission.ts';
import { gatesOf, leftoversOf } from '../end-state.ts';
import { unreadableIn } from '../kills/left.ts';
import type { Judge } from '../quick/grid.ts';
import type { FixtureProject } from '../fixture-project.ts';
import type { MissionScenario } from './scenarios.ts';
import { featuresIn } from './shop.ts';

export const judgeOf = (scenario: MissionScenario): Judge<null> => ({
  of: () => null,
  afterDeath: (shop) => [
    ...planOf(shop),
    ...landedOf(shop),
    ...unreadableIn(shop, 'torn').map((path) => `cannot be read: ${path}`),
  ],
  atEnd: (shop, reason, _end, faults) => [
    ...(reason === scenario.reason ? [] : [`it ends with ${reason}, not ${scenario.reason}`]),
    ...planOf(shop),
    ...landedOf(shop),
    ...endsOf(shop, scenario, faults.length),
    ...sessionsOf(shop),
    ...treeOf(shop, scenario),
    ...keptWork(shop),
    ...filesBelow(join(shop.stateDir, 'plan')).map((path) => `a draft is left: ${path}`),
    ...filesBelow(join(shop.stateDir, 'issues')).map((path) => `an issue is left: ${path}`),
    ...unreadableIn(shop, 'whole').map((path) => `cannot be read: ${path}`),
    // A journal that comes back belongs to a token that is never given again: it may be there.
    ...(faults.includes('undeleted') ? [] : leftoversOf(shop).map((path) => `is left: ${path}`)),
    ...(lockOwner(shop.privateDir) === null ? [] : ['a lock is left']),
    ...askedOf(shop, scenario),
  ],
});

const rowsIn = (text: string): readonly string[] => text.split('\n').filter((row) => row !== '');
const has = (shop: FixtureProject, path: string): boolean =>
  shop.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n').includes(path);

/** In every commit that has one of them, list and contract are there, can be read and fit; the plan is committed as a whole or not at all. */
function planOf(shop: FixtureProject): readonly string[] {
  const [list, contract] = [has(shop, LIST), has(shop, CONTRACT)];
  if (!list && !contract) return [];
  if (!list || !contract) return ['only a part of the plan is committed'];
  const [listed = '', spelled = ''] = shop.gits(['show', `HEAD:${LIST}`], ['show', `HEAD:${CONTRACT}`]);
  const read = readMission(listed, LIST);
  if (!read.ok) return [`the committed list cannot be read: ${JSON.stringify(read.failure)}`];
  const { unresolved, unclaimed, empty } = fitOf(read.value.features, readContract(spelled));
  const wrong = [...unresolved.map(({ claim }) => claim), ...unclaimed, ...empty];
  const foreign = (read.value as { readonly team?: string }).team === 'blue' ? [] : ['the list lost a field'];
  return [...wrong.map((what) => `plan and contract do not fit: ${what}`), ...foreign];
}

type Landed = { readonly item: string; readonly session: string; readonly hash: string };
const acceptedIn = (shop: FixtureProject): readonly Landed[] =>
  shop
    .git(
      'log',
      '--format=%H|%(trailers:key=Harness-Item,valueonly,separator=)|%(trailers:key=Harness-Session,valueonly,separator=)|%(trailers:key=Harness-Evidence,valueonly,separator=)',
    )
    .split('\n')
    .flatMap((row) => {
      const [hash = '', item = '', session = '', evidence = ''] = row.split('|');
      return evidence === '' ? [] : [{ hash, item, session }];
    });

/** What the committed list calls passing is in exactly one commit, and nothing else is. */
function landedOf(shop: FixtureProject): readonly string[] {
  if (!has(shop, LIST)) return [];
  const accepted = acceptedIn(shop);
  return featuresIn(shop.git('show', `HEAD:${LIST}`)).flatMap(({ id, status }) => {
    const count = accepted.filter(({ item }) => item === id).length;
    return count === (status === 'passing' ? 1 : 0) ? [] : [`${id} is ${status} and has ${count} accepting commits`];
  });
}

function endsOf(shop: FixtureProject, { ends, granted = [] }: MissionScenario, deaths: number): readonly string[] {
  const features = featuresIn(shop.read(LIST));
  const { checkpoints = [] } = JSON.parse(shop.read(LIST) ?? '{}') as {
    checkpoints?: readonly { readonly name: string }[];
  };
  return [
    ...(features.map(({ id }) => id).join() === Object.keys(ends).join()
      ? []
      : [`it has ${features.map(({ id }) => id).join()}`]),
    ...(checkpoints.map(({ name }) => name).join() === granted.join()
      ? []
      : [`granted: ${JSON.stringify(checkpoints)}`]),
    ...features.flatMap(({ id, status, attempts }) => {
      const least = ends[id] ?? 1;
      return [
        ...(status === 'passing' ? [] : [`${id} is ${status}`]),
        ...(attempts >= least && attempts <= least + deaths
          ? []
          : [`${id} has ${attempts} attempts after ${deaths} deaths`]),
      ];
    }),
  ];
}

/** Each session has one role, one item and one number; the one that landed says so. */
function sessionsOf(shop: FixtureProject): readonly string[] {
  const folder = join(shop.stateDir, 'sessions');
  const records = new Map(
    (existsSync(folder) ? readdirSync(folder) : []).flatMap((number) => {
      const file = join(folder, number, 'session.json');
      return existsSync(file)
        ? [
            [
              number,
              JSON.parse(readFileSync(file, 'utf8')) as { readonly result?: string; readonly feature_id?: string },
            ],
          ]
        : [];
    }) as readonly (readonly [string, { readonly result?: string; readonly feature_id?: string }])[],
  );
  const accepted = acceptedIn(shop);
  return [
    ...(new Set(accepted.map(({ session }) => session)).size === accepted.length
      ? []
      : ['two landings have one session']),
    ...accepted.flatMap(({ item, session }) => {
      const record = records.get(session);
      return record?.result === 'landed' && String(record.feature_id) === item
        ? []
        : [`session ${session} landed ${item}, and its record is ${JSON.stringify(record)}`];
    }),
  ];
}

function treeOf(shop: FixtureProject, { files = {}, made = [], ends }: MissionScenario): readonly string[] {
  const [dirty = '', listed = '', subjects = '', head = '', remote = '', stray = ''] = shop.gits(
    ['status', '--porcelain'],
    ['ls-tree', '-r', '--name-only', 'HEAD'],
    ['log', '--format=%s'],
    ['rev-parse', 'HEAD'],
    ['ls-remote', 'origin'],
    ['worktree', 'list', '--porcelain'],
  );
  const wanted = [...Object.keys(files), ...made, LIST, CONTRACT].sort().join(' ');
  const found = listed.split('\n').sort().join(' ');
  const all = subjects.split('\n');
  const words = (shop.read('shop.txt') ?? '').split('\n').filter(Boolean);
  return [
    ...(dirty === '' ? [] : [`git status says: ${dirty}`]),
    ...(found === wanted ? [] : [`the tree has ${found}, not ${wanted}`]),
    ...all.filter((one, n) => all.indexOf(one) !== n).map((one) => `two commits are "${one}"`),
    ...(new Set(words).size === words.length ? [] : [`work is there twice: ${words.join(' ')}`]),
    ...(acceptedIn(shop).length === Object.keys(ends).length ? [] : ['not every feature landed']),
    ...(remote.startsWith(head) || !all[0]?.startsWith('feat') ? [] : ['the remote lags']),
    ...(stray.includes('prunable') ? [`a work tree is left: ${stray}`] : []),
  ];
}

/** Nothing that an agent wrote is lost: it landed, or it is kept beside the branch. Drafts of roles are taken over as texts. */
function keptWork(shop: FixtureProject): readonly string[] {
  const written = new Set<string>();
  for (const line of rowsIn(shop.read('../written.txt') ?? '')) {
    const [sign, what] = [line[0], line.slice(2)];
    if (what.includes(' .harness/')) continue;
    if (sign === '+') written.add(what);
    else written.delete(what);
  }
  const refs = rowsIn(shop.git('for-each-ref', '--format=%(refname)', 'refs/harness'));
  const objects = new Set(rowsIn(shop.git('rev-list', '--objects', 'HEAD', ...refs)).map((row) => row.split(' ')[0]));
  return [...written].filter((what) => !objects.has(what.split(' ')[0])).map((what) => `an agent wrote ${what}: lost`);
}

const askedOf = (shop: FixtureProject, { answers = [] }: MissionScenario): readonly string[] => {
  const gates = gatesOf(shop);
  return Array.isArray(gates) && gates.length === answers.length ? [] : [`people were asked ${JSON.stringify(gates)}`];
};

const filesBelow = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
