// Changes features.json by the smallest edit of its text: indentation, key order, unknown fields and line ends survive.

import { unreachable } from '../../model/bug.ts';
import type { ItemId, ItemChange } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { startOfMember, skipSpace } from '../../model/json-text.ts';
import { addEntry, patchEntries, patchFile, type Patch } from '../records/edit.ts';

/** The change as fields to set; undefined removes one. `last_updated` moves only with a landing. */
function patchOf(change: ItemChange): Patch {
  switch (change.type) {
    case 'landed':
      return { passes: true, failing: undefined, skipped: undefined, override: undefined };
    case 'failing':
      return { passes: false, failing: { reason: change.why } };
    case 'skipped':
      return { skipped: toJson({ reason: change.reason, at: change.at, unblock: change.unblock }) };
    case 'overridden': {
      const { passes, reason, by, at } = change;
      const cleared = passes ? { failing: undefined, skipped: undefined } : {};
      return { passes, ...cleared, override: { passes, reason, by, at } };
    }
    case 'size-accepted':
      return { size_accepted: true };
    case 'retitled':
      return { description: change.title };
    default:
      return unreachable(change);
  }
}

/**
 * The text with one feature changed. Idempotent.
 * The text must be a features.json that `readFeatures` accepts and hold the id; otherwise throws a Bug.
 */
export function changeFeatures(text: string, id: ItemId, change: ItemChange): string {
  const changed = patchFeature(text, id, patchOf(change));
  if (change.type !== 'landed' || change.at === undefined) return changed;
  const isDated = startOfMember(changed, skipSpace(changed, 0), 'last_updated') !== null;
  return isDated ? patchFile(changed, { last_updated: change.at }) : changed;
}

/** The claim alone: `passes` of one feature, nothing else. */
export const flipPasses = (text: string, id: ItemId): string => patchFeature(text, id, { passes: true });

const patchFeature = (text: string, id: ItemId, patch: Patch): string =>
  patchEntries(text, 'features', new Map([[id, patch]]));

/** The lowest id that no feature has. */
export function nextId(features: readonly { readonly id: number }[]): number {
  let highest = 0;
  for (const f of features) highest = Math.max(highest, f.id);
  return highest + 1;
}

/** The text with one more feature at the end of the list, laid out like its neighbours. The feature is not validated. */
export const addFeature = (text: string, feature: object): string => addEntry(text, 'features', toJson(feature));
