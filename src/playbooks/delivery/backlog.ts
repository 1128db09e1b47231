// The index of plans as a backlog. A plan is added as a file (adding.ts), never as an entry of the index.
import type { Backlog, Listing } from '../../engine/backlog.ts';
import { unreachable } from '../../model/bug.ts';
import type { Item, ItemChange, ItemStatus, Subject } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { ok } from '../../model/result.ts';
import { dependentsIn } from '../records/dependents.ts';
import { patchEntries, type Patch } from '../records/edit.ts';
import { dependencyCycles, pathText } from '../records/graph.ts';
import { draftPlan } from './new-plan.ts';
import { dependenciesOf, indexText, isDone, isFree, isSkipped, MEMBER, readIndex, type Plan } from './plan-index.ts';

export const backlog: Backlog = {
  read(text, file, { allowCycles = false } = {}) {
    const read = readIndex(text, file, { allowCycles });
    return read.ok ? ok(listing(read.value.plans)) : read;
  },
  change: (text, id, change) => patchEntries(text, MEMBER, new Map([[id, patchOf(change)]])),
  insert: (text) => text,
  raw(text, id) {
    const read = readIndex(text, '', { allowCycles: true });
    const plan = read.ok ? read.value.plans.find((one) => one.id === id) : undefined;
    return plan === undefined ? null : toJson(plan);
  },
  empty: indexText({ plans: [] }),
  draft(text, file, wanted, { queued = [] } = {}) {
    const read = readIndex(text, file, { allowCycles: true });
    return read.ok ? draftPlan(read.value.plans, wanted, queued) : read;
  },
  prompts: ['test-file', 'depends-on'],
  cycle(text) {
    const read = readIndex(text, '', { allowCycles: true });
    const cycles = read.ok ? dependencyCycles(read.value.plans) : [];
    if (cycles.length === 0) return null;
    return {
      items: [...new Set(cycles.flatMap(({ path }) => path))].sort(),
      paths: cycles.map(({ path }) => pathText(path)),
    };
  },
};

/** As fields to set; undefined removes one. Whether it is merged, its file alone says. */
function patchOf(change: ItemChange): Patch {
  switch (change.type) {
    case 'landed':
      return { merged: true, failing: undefined, skipped: undefined, override: undefined };
    case 'failing':
      return { failing: { reason: change.why } };
    case 'skipped':
      return { skipped: toJson({ reason: change.reason, at: change.at, unblock: change.unblock }) };
    case 'overridden': {
      const { passes, reason, by, at } = change;
      return { override: { passes, reason, by, at }, ...(passes ? { failing: undefined, skipped: undefined } : {}) };
    }
    case 'size-accepted':
    case 'retitled':
      return {};
    default:
      return unreachable(change);
  }
}

function listing(plans: readonly Plan[]): Listing {
  const byId = new Map(plans.map((plan) => [plan.id, plan]));
  const blockers = (plan: Plan): readonly string[] =>
    dependenciesOf(plan).filter((id) => {
      const other = byId.get(id);
      return other === undefined || !isFree(other);
    });
  const isOpen = (plan: Plan): boolean => !isDone(plan) && !isSkipped(plan);
  const canStart = (plan: Plan): boolean => isOpen(plan) && blockers(plan).length === 0;
  const walls = plans.filter((plan) => isSkipped(plan) && !isFree(plan)).map(({ id }) => id);
  const stuck = dependentsIn(
    plans.filter((plan) => !isFree(plan)),
    dependenciesOf,
    walls,
  );
  const statusOf = (plan: Plan): ItemStatus => {
    if (plan.merged) return 'landed';
    if (isDone(plan)) return 'unproved';
    if (isSkipped(plan)) return 'skipped';
    if (stuck.has(plan.id)) return 'blocked';
    if (blockers(plan).length > 0) return 'pending';
    return plan.failing ? 'failed' : 'ready';
  };
  return {
    items: plans.map((plan): Item => ({
      id: plan.id,
      title: plan.title,
      status: statusOf(plan),
      dependsOn: dependenciesOf(plan),
      priority: plan.priority ?? null,
      attempts: 0,
      blockedBy: isDone(plan) ? [] : blockers(plan),
    })),
    next({ prefer = null, taken = new Set<string>() } = {}) {
      const ready = plans.filter((plan) => canStart(plan) && !taken.has(plan.id));
      const preferred = ready.find(({ id }) => id === prefer);
      const rank = ({ priority }: Plan): number => priority ?? Infinity;
      const first = ready.reduce<Plan | null>(
        (best, plan) => (best === null || rank(plan) < rank(best) ? plan : best),
        null,
      );
      return (preferred ?? first)?.id ?? null;
    },
    stage: (id) => byId.get(id)?.phase ?? null,
    ...statusOfAll(plans),
    canStart(id) {
      const plan = byId.get(id);
      return plan !== undefined && canStart(plan);
    },
    subject(id) {
      const plan = byId.get(id);
      return plan === undefined ? null : subjectOf(plan, plans);
    },
  };
}

/** Of plans that are under way: the phase of each, and what it has reached. */
function statusOfAll(plans: readonly Plan[]): Pick<Listing, 'status'> {
  const underWay = plans.filter((plan) => !isDone(plan) && (plan.phase ?? plan.reached ?? null) !== null);
  if (underWay.length === 0) return {};
  const lines = underWay.map(({ id, phase = null, reached = null }) => ({
    label: `Plan ${id}`,
    value: [
      ...(phase === null ? [] : [phase]),
      ...(reached === null ? [] : [`reached: ${shownReached(reached)}`]),
    ].join(', '),
  }));
  const json = underWay.map(({ id, phase = null, reached = null }) => ({
    id,
    phase,
    reached: reached === null ? null : shownReached(reached),
  }));
  return { status: { name: 'delivery', lines, json: { plans: json } } };
}

/** A review with findings is over, too. */
const shownReached = (reached: string): string => (reached === 'findings' ? 'review' : reached);

const subjectOf = (plan: Plan, plans: readonly Plan[]): Subject => ({
  id: plan.id,
  title: plan.title,
  category: '',
  testFile: plan.test_file ?? null,
  mayChangeTests: [],
  oversized: [],
  byHand: null,
  steps: plan.tags ?? [],
  verification: 'automated',
  manualChecks: [],
  passes: isDone(plan),
  skipped: plan.skipped ?? null,
  override: plan.override ?? null,
  failing: plan.failing ?? null,
  get dependents() {
    const reached = dependentsIn(plans, dependenciesOf, [plan.id]);
    return plans.filter(({ id }) => id !== plan.id && reached.has(id)).map(({ id }) => id);
  },
});
