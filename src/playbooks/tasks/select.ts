// Which task is next: one that was never tried, then one that failed and may be tried again. Before that, the dependencies are applied.
import { dependentsIn } from '../records/dependents.ts';
import {
  attemptsOf,
  DEPENDENCY,
  dependenciesOf,
  hasAttemptsLeft,
  isFree,
  isKeptBack,
  isSkipped,
  rankOf,
  type Task,
  type TaskId,
} from './schema.ts';

/** A limit for the search of all cycles together: cycles among thousands of tasks are reported without their paths. */
const MOST_STEPS = 1_000_000;

/**
 * Tasks that can never start, each with the line for its log: they depend on themselves, on a task that is not tried again, or on one that does
 * not exist. A completed task waits for no other, so no cycle leads through it. No recursion: a list may be long.
 */
export function dependencyFaults(tasks: readonly Task[]): ReadonlyMap<TaskId, string> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const waiting = (id: TaskId): readonly TaskId[] => {
    const task = byId.get(id);
    return task === undefined || task.status === 'completed' ? [] : dependenciesOf(task).filter((one) => byId.has(one));
  };
  const why = new Map<TaskId, string>();
  const cycleOf = cyclesOf(tasks, waiting);
  for (const { id } of tasks) {
    const path = cycleOf(id);
    if (path !== null) why.set(id, `${DEPENDENCY} Circular dependency detected: ${path.join(' -> ')}`);
  }
  for (const task of tasks) {
    const missing = task.status === 'completed' ? undefined : dependenciesOf(task).find((id) => !byId.has(id));
    if (missing !== undefined && !why.has(task.id)) why.set(task.id, `${DEPENDENCY} There is no ${missing}`);
  }
  propagate(tasks, why);
  return new Map(tasks.flatMap(({ id }) => (why.has(id) ? [[id, why.get(id) ?? '']] : [])));
}

/** A task that depends on one that failed for good fails as well, directly or not. */
function propagate(tasks: readonly Task[], why: Map<TaskId, string>): void {
  const open = tasks.filter(({ status }) => status !== 'completed');
  const failed = open.filter((task) => why.has(task.id) || isGivenUp(task)).map(({ id }) => id);
  const lost = new Set([...failed, ...dependentsIn(open, dependenciesOf, failed)]);
  for (const task of open) {
    const first = why.has(task.id) ? undefined : dependenciesOf(task).find((id) => lost.has(id));
    if (first !== undefined) why.set(task.id, `${DEPENDENCY} Blocked by failed ${first}`);
  }
}

/** No attempts are left. */
const isGivenUp = (task: Task): boolean => task.status === 'failed' && !hasAttemptsLeft(task);

/** Returns a function that finds the shortest path from a task back to itself; null: there is none. */
function cyclesOf(
  tasks: readonly Task[],
  waiting: (id: TaskId) => readonly TaskId[],
): (id: TaskId) => readonly TaskId[] | null {
  const componentOf = components(tasks, waiting);
  let steps = 0;
  return (start) => {
    const component = componentOf.get(start);
    if (component === undefined) return null;
    const from = new Map<TaskId, TaskId>([[start, start]]);
    for (const id of from.keys())
      for (const to of waiting(id)) {
        if ((steps += 1) > MOST_STEPS) return [start, '…', start];
        if (to === start) return [...pathTo(id, start, from), start];
        if (componentOf.get(to) === component && !from.has(to)) from.set(to, id);
      }
    return null;
  };
}

function pathTo(last: TaskId, start: TaskId, from: ReadonlyMap<TaskId, TaskId>): readonly TaskId[] {
  const back = [last];
  for (let at = last; at !== start;) {
    at = from.get(at) ?? start;
    back.push(at);
  }
  return back.reverse();
}

/** The strongly connected component of each task that depends on itself through others (Tarjan). Other tasks are not in the map. */
function components(tasks: readonly Task[], waiting: (id: TaskId) => readonly TaskId[]): ReadonlyMap<TaskId, number> {
  const order = new Map<TaskId, number>();
  const low = new Map<TaskId, number>();
  const open: TaskId[] = [];
  const isOpen = new Set<TaskId>();
  const found = new Map<TaskId, number>();
  let count = 0;
  const lower = (id: TaskId, value: number): void => void low.set(id, Math.min(low.get(id) ?? value, value));
  const leave = (id: TaskId): void => {
    if (low.get(id) !== order.get(id)) return;
    const members = open.splice(open.lastIndexOf(id));
    for (const member of members) isOpen.delete(member);
    if (members.length > 1 || waiting(id).includes(id)) for (const member of members) found.set(member, count);
    count += 1;
  };
  for (const { id: root } of tasks) {
    if (order.has(root)) continue;
    const path: { readonly id: TaskId; place: number }[] = [];
    const enter = (id: TaskId): void => {
      order.set(id, order.size);
      lower(id, order.get(id) ?? 0);
      open.push(id);
      isOpen.add(id);
      path.push({ id, place: 0 });
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = waiting(top.id)[top.place++];
      if (to === undefined) {
        path.pop();
        leave(top.id);
        const below = path.at(-1);
        if (below !== undefined) lower(below.id, low.get(top.id) ?? Infinity);
      } else if (!order.has(to)) enter(to);
      else if (isOpen.has(to)) lower(top.id, order.get(to) ?? Infinity);
    }
  }
  return found;
}

/** The tasks with their dependencies applied: one that can never start fails, one that can start again is pending again. Idempotent. */
export function settled(tasks: readonly Task[]): readonly Task[] {
  const faults = dependencyFaults(tasks);
  return tasks.map((task) => {
    const fault = faults.get(task.id);
    const log = task.error_log ?? [];
    const others = log.filter((line) => !line.startsWith(DEPENDENCY));
    if (fault === undefined)
      return isKeptBack(task)
        ? { ...task, status: attemptsOf(task) > 0 ? 'failed' : 'pending', error_log: others }
        : task;
    if (task.status === 'failed' && log.at(-1) === fault && others.length === log.length - 1) return task;
    return { ...task, status: 'failed', error_log: [...others, fault] };
  });
}

/** `failedAt`: ISO 8601 by id. The file has no field for it. Tasks without a time are ordered by id. */
export function nextTask(tasks: readonly Task[], failedAt: ReadonlyMap<TaskId, string> = new Map()): Task | null {
  const completed = new Set(tasks.filter(isFree).map(({ id }) => id));
  const isReady = (task: Task): boolean => dependenciesOf(task).every((id) => completed.has(id));
  const fresh = tasks.filter((task) => task.status === 'pending' && !isSkipped(task) && isReady(task));
  if (fresh.length > 0) return first(fresh, byId);
  const again = tasks.filter(
    (task) =>
      task.status === 'failed' && !isSkipped(task) && hasAttemptsLeft(task) && !isKeptBack(task) && isReady(task),
  );
  const oldest = (a: Task, b: Task): number =>
    compare(failedAt.get(a.id) ?? '', failedAt.get(b.id) ?? '') || byId(a, b);
  return first(again, oldest);
}

type Order = (a: Task, b: Task) => number;

const first = (tasks: readonly Task[], order: Order): Task | null =>
  tasks.reduce<Task | null>(
    (best, task) => (best === null || (rankOf(task) - rankOf(best) || order(task, best)) < 0 ? task : best),
    null,
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** task-9 before task-10: runs of digits count as numbers. */
const NATURAL = new Intl.Collator('en', { numeric: true });
const byId: Order = (a, b) => NATURAL.compare(a.id, b.id) || compare(a.id, b.id);
