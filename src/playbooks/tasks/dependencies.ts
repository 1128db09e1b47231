// Which tasks can never begin, and why (reference 003, Task Selection Algorithm, dependency validation): they wait for themselves, for
// one that will not be tried again, or for one that is not there. Pure and iterative.
//
// Where this is not the reference's letter: a completed task waits for nobody, so no circle leads through it; a line [DEPENDENCY] says
// what is so now, and goes when its cause has gone (the reference never takes one back).
import { DEPENDENCY, dependenciesOf, hasAttemptsLeft, type Task, type TaskId } from './schema.ts';

/** Steps that are taken to find the ways round, all together: a knot of thousands is told without them. */
const MOST_STEPS = 1_000_000;

/** By id, the line for the task's log. In the order of the file. */
export function dependencyFaults(tasks: readonly Task[]): ReadonlyMap<TaskId, string> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const waiting = (id: TaskId): readonly TaskId[] => {
    const task = byId.get(id);
    return task === undefined || task.status === 'completed' ? [] : dependenciesOf(task).filter((one) => byId.has(one));
  };
  const why = new Map<TaskId, string>();
  const circle = circlesOf(tasks, waiting);
  for (const { id } of tasks) {
    const path = circle(id);
    if (path !== null) why.set(id, `${DEPENDENCY} Circular dependency detected: ${path.join(' -> ')}`);
  }
  for (const task of tasks) {
    const missing = task.status === 'completed' ? undefined : dependenciesOf(task).find((id) => !byId.has(id));
    if (missing !== undefined && !why.has(task.id)) why.set(task.id, `${DEPENDENCY} There is no ${missing}`);
  }
  propagate(tasks, why);
  return new Map(tasks.flatMap(({ id }) => (why.has(id) ? [[id, why.get(id) ?? '']] : [])));
}

/** Who waits for one that failed for good fails as well, near or far. */
function propagate(tasks: readonly Task[], why: Map<TaskId, string>): void {
  const open = tasks.filter(({ status }) => status !== 'completed');
  const waitFor = new Map<TaskId, TaskId[]>();
  for (const task of open)
    for (const id of dependenciesOf(task)) {
      const others = waitFor.get(id);
      if (others === undefined) waitFor.set(id, [task.id]);
      else others.push(task.id);
    }
  // A set that is walked through while it grows: each is looked at once.
  const lost = new Set(open.filter((task) => why.has(task.id) || isGivenUp(task)).map(({ id }) => id));
  for (const id of lost) for (const waiting of waitFor.get(id) ?? []) lost.add(waiting);
  for (const task of open) {
    const first = why.has(task.id) ? undefined : dependenciesOf(task).find((id) => lost.has(id));
    if (first !== undefined) why.set(task.id, `${DEPENDENCY} Blocked by failed ${first}`);
  }
}

/** It was tried as often as it may be. */
const isGivenUp = (task: Task): boolean => task.status === 'failed' && !hasAttemptsLeft(task);

/** Gives the way from a task back to itself, the shortest; null: there is none. */
function circlesOf(
  tasks: readonly Task[],
  waiting: (id: TaskId) => readonly TaskId[],
): (id: TaskId) => readonly TaskId[] | null {
  const knotOf = knots(tasks, waiting);
  let steps = 0;
  return (start) => {
    const knot = knotOf.get(start);
    if (knot === undefined) return null;
    const from = new Map<TaskId, TaskId>([[start, start]]);
    for (const id of from.keys())
      for (const to of waiting(id)) {
        if ((steps += 1) > MOST_STEPS) return [start, '…', start];
        if (to === start) return [...wayTo(id, start, from), start];
        if (knotOf.get(to) === knot && !from.has(to)) from.set(to, id);
      }
    return null;
  };
}

function wayTo(last: TaskId, start: TaskId, from: ReadonlyMap<TaskId, TaskId>): readonly TaskId[] {
  const back = [last];
  for (let at = last; at !== start;) {
    at = from.get(at) ?? start;
    back.push(at);
  }
  return back.reverse();
}

/** Tasks that wait for each other, by the number of their knot (Tarjan's strongly connected components); others are not in it. */
function knots(tasks: readonly Task[], waiting: (id: TaskId) => readonly TaskId[]): ReadonlyMap<TaskId, number> {
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
