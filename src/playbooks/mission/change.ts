// Changes of `.harness/features.json` by the smallest edit of its text: indentation, key order, unknown fields and line ends survive.
import { unreachable } from '../../model/bug.ts';
import type { ItemChange, ItemId } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { addEntry, patchEntries, patchFile, type Patch } from '../records/edit.ts';
import { MEMBER, type Granted, type MissionFeature, type MissionFile } from './schema.ts';

/** The change as fields to set; undefined removes one. */
function patchOf(change: ItemChange): Patch {
  switch (change.type) {
    case 'landed':
      return { status: 'passing', failing: undefined, skipped: undefined, override: undefined };
    case 'failing':
      return { status: 'failing', failing: { reason: change.why } };
    case 'skipped':
      return { skipped: toJson({ reason: change.reason, at: change.at, unblock: change.unblock }) };
    case 'overridden': {
      const { passes, reason, by, at } = change;
      const override = { passes, reason, by, at };
      return passes
        ? { status: 'passing', failing: undefined, skipped: undefined, override }
        : { status: 'pending', override };
    }
    case 'size-accepted':
      return {};
    case 'retitled':
      return { title: change.title };
    default:
      return unreachable(change);
  }
}

/**
 * The text with one feature changed. Idempotent. The text must be one that `readMission` accepts and hold the id; otherwise throws a Bug.
 */
export const changeFeature = (text: string, id: ItemId, change: ItemChange): string =>
  patchEntries(text, MEMBER, new Map([[id, patchOf(change)]]));

/** The feature landed in its session number `attempts`, counted from 1. */
export const landFeature = (text: string, id: ItemId, attempts: number): string =>
  patchEntries(text, MEMBER, new Map([[id, { ...patchOf({ type: 'landed' }), attempts }]]));

/** The text with one more feature at the end of the list. The feature is not validated. */
export const addFeature = (text: string, feature: MissionFeature): string => addEntry(text, MEMBER, toJson(feature));

/** The next free id with this prefix: `F-` gives F-004, `F-FIX-` gives F-FIX-001. */
export function nextId(features: readonly Pick<MissionFeature, 'id'>[], prefix: string): string {
  const numbers = features.flatMap(({ id }) => {
    const rest = id.startsWith(prefix) ? id.slice(prefix.length) : '';
    return /^\d{1,9}$/.test(rest) ? [Number(rest)] : [];
  });
  return `${prefix}${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
}

/** A checkpoint that a user granted; the first grant of a name counts. */
export function grantCheckpoint(text: string, { checkpoints }: MissionFile, granted: Granted): string {
  const known = checkpoints ?? [];
  if (known.some(({ name }) => name === granted.name)) return text;
  return patchFile(text, { checkpoints: toJson([...known, granted]) });
}
