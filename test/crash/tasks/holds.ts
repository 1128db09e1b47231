// What holds of a list of tasks wherever the run crashed: in the very moment after it, and when all is over. The next run places a task that
// was cut by its commits, files and checkpoints (docs/tasks.md, "After a kill"), so no two crashes end with the same files.
import { readTasks } from '../../../src/playbooks/tasks/schema.ts';
import { lockOwner } from '../../../src/host/lock.ts';
import { gatesOf, leftoversOf } from '../end-state.ts';
import { unreadableIn } from '../kills/left.ts';
import type { Judge } from '../quick/grid.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { keptWork } from './kept.ts';
import { LIST, LOG, tasksOf } from './list.ts';
import { landedOf, logOf } from './log.ts';
import type { TaskScenario } from './scenarios.ts';

export const judgeOf = (scenario: TaskScenario): Judge<null> => ({
  of: () => null,
  afterDeath(shop) {
    const wrong = [
      ...listsOf(shop, scenario.ends, scenario.broken),
      ...unreadableIn(shop, 'torn').map((path) => `cannot be read: ${path}`),
    ];
    return wrong.length > 0 || scenario.isAdversarial || shop.read(LIST) === scenario.broken ? wrong : landedOf(shop);
  },
  atEnd(shop, reason, _end, faults) {
    const wrong = listsOf(shop, scenario.ends);
    if (wrong.length > 0) return wrong;
    return [
      ...(reason === scenario.reason ? [] : [`it ends with ${reason}, not ${scenario.reason}`]),
      ...Object.keys(scenario.ends).flatMap((id) => endOf(shop, scenario, id, faults.length)),
      ...landedOf(shop),
      ...logOf(shop),
      ...treeOf(shop, scenario),
      ...keptWork(shop),
      ...unreadableIn(shop, 'whole').map((path) => `cannot be read: ${path}`),
      // A journal that comes back belongs to a token that is never given again: it may lie there.
      ...(faults.includes('undeleted') ? [] : leftoversOf(shop).map((path) => `is left: ${path}`)),
      ...(lockOwner(shop.privateDir) === null ? [] : ['a lock is left']),
      ...(isAsked(shop, scenario) ? [] : [`people were asked ${JSON.stringify(gatesOf(shop))}`]),
    ];
  },
});

const isAsked = (shop: FixtureProject, { answers = [] }: TaskScenario): boolean => {
  const gates = gatesOf(shop);
  return Array.isArray(gates) && gates.length === answers.length;
};

/** The list and the copy beside it are as its owner wrote them, but for what the harness keeps up. */
function listsOf(shop: FixtureProject, ends: TaskScenario['ends'], broken?: string): readonly string[] {
  return [LIST, `${LIST}.bak`].flatMap((path) => {
    const text = shop.read(path);
    if (text === null) return path === LIST ? ['there is no list'] : [];
    if (path === LIST && text === broken) return [];
    const read = readTasks(text, path);
    if (!read.ok) return [`${path} cannot be read: ${JSON.stringify(read.failure)}`];
    const { tasks, ...file } = read.value as typeof read.value & { readonly team?: string };
    const foreign = tasks.filter((task) => task['owner'] !== `anna ${task.id.slice(-1)}`).map(({ id }) => id);
    return [
      ...(file.team === 'blue' && file.created === '2025-07-01T10:00:00Z' ? [] : [`${path} lost fields`]),
      ...(tasks.length === Object.keys(ends).length ? [] : [`${path} has ${tasks.length} tasks`]),
      ...foreign.map((id) => `${path} lost a field of ${id}`),
    ];
  });
}

function endOf(
  shop: FixtureProject,
  { ends, isAdversarial, broken }: TaskScenario,
  id: string,
  deaths: number,
): readonly string[] {
  const task = tasksOf(shop).find((one) => one.id === id);
  const { status, fails: [least, most] = [0, 0], known = 0, isGiven } = ends[id] ?? { status: 'completed' as const };
  if (task === undefined) return [`${id} is gone`];
  const { attempts = 0, max_attempts: max = 0, error_log: log, checkpoints } = task;
  const fails = (attempts ?? 0) - known;
  const accused = (log ?? []).filter((line) => line.includes('-edited'));
  const said = (log ?? []).filter((line) => !line.startsWith('[DEPENDENCY]')).length;
  const steps = (checkpoints ?? []).map(({ step, description }) => `${step} ${description}`);
  const cleaned = (task.on_failure?.cleanup ?? null) === null ? null : cleanups(shop).length;
  return [
    ...(task.status === status ? [] : [`${id} is ${task.status}, not ${status}`]),
    ...(fails >= least && fails <= most + deaths ? [] : [`${id} failed ${fails} times in ${deaths} deaths`]),
    ...((attempts ?? 0) <= (max ?? 0) ? [] : [`${id} was tried ${attempts} times of ${max}`]),
    ...(said === (attempts ?? 0) ? [] : [`${id} failed ${attempts} times and says ${said}`]),
    ...(isAdversarial || broken !== undefined
      ? []
      : accused.map((line) => `${id}: its agent did no such thing: ${line}`)),
    ...(isGiven && fails > 0 ? [`${id} was tried`] : []),
    ...(new Set(steps).size === steps.length ? [] : [`${id} made a step twice: ${steps.join(', ')}`]),
    ...(cleaned === null || cleaned >= fails
      ? []
      : [`${id} failed ${fails} times and was cleaned up ${cleaned} times`]),
    ...((status === 'completed') === (typeof task.completed_at === 'string')
      ? []
      : [`${id} has completed_at ${task.completed_at}`]),
  ];
}

const cleanups = (shop: FixtureProject): readonly string[] =>
  (shop.read('../cleaned.txt') ?? '').split('\n').filter(Boolean);

function treeOf(shop: FixtureProject, { isTracked, ends }: TaskScenario): readonly string[] {
  const [dirty = '', files = '', head = '', remote = '', branch = '', listed = ''] = shop.gits(
    ['status', '--porcelain'],
    ['ls-tree', '-r', '--name-only', 'HEAD'],
    ['rev-parse', 'HEAD'],
    ['ls-remote', 'origin'],
    ['symbolic-ref', 'HEAD'],
    ['log', '--format=%s', '--', LIST, LOG],
  );
  const wanted = isTracked ? `M ${LIST}` : '';
  const given = ['.gitignore', '.harness.yaml', 'README.md', ...(isTracked ? [LIST] : [])];
  const accepted = shop.git('log', '--format=%(trailers:key=Harness-Item,valueonly)').split('\n').filter(Boolean);
  const made = tasksOf(shop).flatMap(({ id, validation }) =>
    ends[id]?.status === 'completed' ? [/(\S+\.txt)/.exec(validation?.command ?? '')?.[1] ?? `${id}.txt`] : [],
  );
  const expected = [...given, ...made].sort().join(' ');
  const found = files.split('\n').sort().join(' ');
  return [
    ...(dirty.trim() === wanted ? [] : [`git status says: ${dirty}`]),
    ...(found === expected ? [] : [`the tree has ${found}, not ${expected}`]),
    ...(made.length === 0 || remote.startsWith(head) ? [] : ['the remote lags']),
    ...(accepted.length === made.length ? [] : [`${accepted.length} commits are of ${made.length} tasks`]),
    ...(listed === (isTracked ? 'start' : '') ? [] : [`commits carry the list: ${listed}`]),
    ...(branch === 'refs/heads/main' ? [] : [`it is on ${branch}`]),
  ];
}
