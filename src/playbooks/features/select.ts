// Which feature is next, and which wait for others. Linear in the size of the file.
import type { Item, ItemStatus } from '../../model/item.ts';
import { dependentsIn } from '../records/dependents.ts';
import { indexById } from '../records/graph.ts';
import { dependenciesOf, type Feature } from './schema.ts';

const isSkipped = (f: Feature): boolean => f.skipped !== undefined && f.skipped !== null;
/** Features that depend on it may start: it passes, or the user skipped it and freed its dependents. */
const isFree = (f: Feature): boolean => f.passes || f.skipped?.unblock === true;
const isOpen = (f: Feature): boolean => !f.passes && !isSkipped(f);

/** Dependencies that block a feature, in the order of its depends_on. */
export function blockedBy(feature: Feature, byId: ReadonlyMap<number, Feature>): readonly number[] {
  const dependencies = dependenciesOf(feature);
  if (dependencies.length === 0) return dependencies;
  return dependencies.filter((id) => {
    const other = byId.get(id);
    return other === undefined || !isFree(other);
  });
}

export type Selection = {
  /** null: nothing can be worked on now. */
  readonly next: Feature | null;
  /** Neither passing nor skipped, blocked ones included. */
  readonly remaining: number;
  readonly passing: number;
  readonly skipped: number;
  readonly total: number;
};

/**
 * A feature is available if it does not pass, is not skipped, and all its dependencies pass or are freed. Order: `prefer` (a partial one
 * to continue), then failing ones (a regression is fixed first), then the lowest priority number, no priority last, then the lowest id.
 */
export function select(features: readonly Feature[], prefer: number | null = null): Selection {
  const byId = indexById(features);
  let next: Feature | null = null;
  let remaining = 0;
  let passing = 0;
  for (const f of features) {
    if (f.passes) passing++;
    if (!isOpen(f)) continue;
    remaining++;
    if ((next === null || isBefore(f, next, prefer)) && blockedBy(f, byId).length === 0) next = f;
  }
  return { next, remaining, passing, skipped: features.length - passing - remaining, total: features.length };
}

function isBefore(a: Feature, b: Feature, prefer: number | null): boolean {
  if ((a.id === prefer) !== (b.id === prefer)) return a.id === prefer;
  const [failingA, failingB] = [Boolean(a.failing), Boolean(b.failing)];
  if (failingA !== failingB) return failingA;
  const [first, second] = [a.priority ?? Infinity, b.priority ?? Infinity];
  return first === second ? a.id < b.id : first < second;
}

/** All features that depend on one, directly or not, in file order. */
export function dependentsOf(features: readonly Feature[], id: number): readonly number[] {
  const reached = dependentsIn(features, dependenciesOf, [id]);
  return features.filter((f) => f.id !== id && reached.has(f.id)).map((f) => f.id);
}

/** Every feature as an item. `blocked`: it depends on a skipped feature, so only the user can free it. */
export function toItems(features: readonly Feature[]): readonly Item[] {
  const byId = indexById(features);
  const walls = features.filter((f) => isSkipped(f) && !isFree(f)).map((f) => f.id);
  const stuck = dependentsIn(
    features.filter((f) => !isFree(f)),
    dependenciesOf,
    walls,
  );
  return features.map((f) => {
    const blockers = f.passes ? [] : blockedBy(f, byId);
    return {
      id: String(f.id),
      title: f.description,
      status: statusOf(f, blockers.length > 0, stuck.has(f.id)),
      dependsOn: dependenciesOf(f).map(String),
      priority: f.priority ?? null,
      attempts: 0,
      blockedBy: blockers.map(String),
    };
  });
}

function statusOf(f: Feature, waits: boolean, stuck: boolean): ItemStatus {
  if (f.passes) return f.override?.passes === true ? 'unproved' : 'landed';
  if (isSkipped(f)) return 'skipped';
  if (stuck) return 'blocked';
  if (waits) return 'pending';
  return f.failing ? 'failed' : 'ready';
}
