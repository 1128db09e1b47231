// Which feature is next, and which wait for others. Linear in the size of the file.
import type { Item, ItemStatus } from '../../model/item.ts';
import { dependentsIn } from '../records/dependents.ts';
import { dependenciesOf, isFree, isPassing, isSkipped, maxAttemptsOf, type MissionFeature } from './schema.ts';

const isOpen = (feature: MissionFeature): boolean => !isPassing(feature) && !isSkipped(feature);
const canBeWorkedOn = (feature: MissionFeature): boolean => isOpen(feature) && feature.status !== 'blocked';

export function blockersOf(feature: MissionFeature, byId: ReadonlyMap<string, MissionFeature>): readonly string[] {
  return dependenciesOf(feature).filter((id) => {
    const other = byId.get(id);
    return other === undefined || !isFree(other);
  });
}

/**
 * The first of those that may start: `prefer` (one to continue), then those that fail since they landed, then fixes of issues that validators
 * found, then the lowest priority number, none last, then the order of the file. null: none may.
 */
export function nextFeature(
  features: readonly MissionFeature[],
  { prefer, taken }: { readonly prefer: string | null; readonly taken: ReadonlySet<string> },
): MissionFeature | null {
  const byId = new Map(features.map((feature) => [feature.id, feature]));
  let next: MissionFeature | null = null;
  for (const feature of features) {
    if (taken.has(feature.id) || !canBeWorkedOn(feature) || blockersOf(feature, byId).length > 0) continue;
    if (next === null || isBefore(feature, next, prefer)) next = feature;
  }
  return next;
}

function isBefore(a: MissionFeature, b: MissionFeature, prefer: string | null): boolean {
  const [first, second] = [rankOf(a, prefer), rankOf(b, prefer)];
  return first === second ? (a.priority ?? Infinity) < (b.priority ?? Infinity) : first < second;
}

function rankOf(feature: MissionFeature, prefer: string | null): number {
  if (feature.id === prefer) return 0;
  if (feature.failing) return 1;
  return feature.fixes ? 2 : 3;
}

export const canStart = (features: readonly MissionFeature[], id: string): boolean => {
  const byId = new Map(features.map((feature) => [feature.id, feature]));
  const feature = byId.get(id);
  return feature !== undefined && canBeWorkedOn(feature) && blockersOf(feature, byId).length === 0;
};

/** All features that depend on one, directly or not, in file order. */
export function dependentsOf(features: readonly MissionFeature[], id: string): readonly string[] {
  const reached = dependentsIn(features, dependenciesOf, [id]);
  return features.filter((feature) => feature.id !== id && reached.has(feature.id)).map((feature) => feature.id);
}

/** Every feature as an item. `blocked`: a user has to free it, or one that it depends on. */
export function toItems(features: readonly MissionFeature[]): readonly Item[] {
  const byId = new Map(features.map((feature) => [feature.id, feature]));
  const walls = features.filter((f) => (isSkipped(f) && !isFree(f)) || (isOpen(f) && f.status === 'blocked'));
  const stuck = dependentsIn(
    features.filter((feature) => !isFree(feature)),
    dependenciesOf,
    walls.map(({ id }) => id),
  );
  return features.map((feature) => {
    const blockers = isPassing(feature) ? [] : blockersOf(feature, byId);
    return {
      id: feature.id,
      title: feature.title,
      status: statusOf(feature, blockers.length > 0, stuck.has(feature.id)),
      dependsOn: dependenciesOf(feature),
      priority: feature.priority ?? null,
      attempts: feature.attempts,
      maxAttempts: maxAttemptsOf(feature),
      blockedBy: blockers,
    };
  });
}

function statusOf(feature: MissionFeature, waits: boolean, isStuck: boolean): ItemStatus {
  if (isPassing(feature)) return feature.override?.passes === true ? 'unproved' : 'landed';
  if (isSkipped(feature)) return 'skipped';
  if (isStuck || feature.status === 'blocked') return 'blocked';
  if (waits) return 'pending';
  return feature.failing ? 'failed' : 'ready';
}
