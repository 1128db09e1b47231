// What a session changed in features.json, and whether that is a claim. One change is allowed: `passes` of the session's item from
// false to true. Every other change is a problem and is not kept.
import { Bug } from '../../model/bug.ts';
import type { ItemId } from '../../model/item.ts';
import type { Params } from '../../model/failure.ts';
import type { Problem, ProblemCode } from '../../model/verdict.ts';
import { isObject, parseRecords, shown } from '../records/read.ts';

export type ClaimCheck = {
  readonly problems: readonly Problem[];
  /** Every feature whose `passes` went from false to true. */
  readonly claimed: readonly ItemId[];
};

type Fields = { readonly [field: string]: unknown };
/** Fields that only the harness writes: a change has no effect. */
const IGNORED = new Set(['last_updated']);
/** Fields that only the user may set. */
const DECISIONS = new Set(['skipped', 'override', 'size_accepted', 'failing']);
/** Field names come from the agent: at most this many are reported by name. */
const MAX_FIELDS = 20;

/**
 * @param before the text at the checkpoint: a features.json that `readFeatures` accepts
 * @param after the text in the work tree; null: the file was removed
 */
export function checkClaim(before: string, after: string | null, item: ItemId): ClaimCheck {
  const was = parsed(before);
  if (was === null) throw new Bug('the list at the checkpoint is not a feature list');
  const is = parsed(after);
  if (is === null) {
    const why = after === null ? 'missing' : 'not-json';
    return { problems: [{ code: 'backlog-unreadable', params: { why } }], claimed: [] };
  }
  const old = byId(was['features']);
  const now = byId(is['features']);
  const found = new Findings();
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (key === 'features' || IGNORED.has(key)) continue;
    if (!deepEqual(was[key], is[key])) found.add('backlog-edited', { field: cut(key) });
  }
  const claimed: ItemId[] = [];
  for (const [id, feature] of old.first) {
    const next = now.first.get(id);
    if (next === undefined) found.add('item-removed', {}, id);
    else if (compare(id, feature, next, found)) claimed.push(id);
  }
  for (const id of now.first.keys()) if (!old.first.has(id)) found.add('item-added', {}, id);
  for (const id of now.again) found.add('item-added', { why: 'repeated' }, id);
  if (isReordered(old.first, now.first)) found.add('items-reordered');
  const isItem = claimed.includes(item);
  const others = claimed.filter((id) => id !== item);
  if (claimed.length > 1) found.addAll('too-many-claims', { claimed: claimed.length, allowed: 1 }, claimed);
  if (claimed.length > 0 && !isItem) found.addAll('wrong-claim', { item }, others);
  if (claimed.length === 0) found.add('nothing-claimed', { item });
  return { problems: found.problems(), claimed };
}

function parsed(text: string | null): Fields | null {
  if (text === null) return null;
  try {
    const value = parseRecords(text);
    return isObject(value) && Array.isArray(value['features']) ? value : null;
  } catch {
    return null;
  }
}

/** Features by id, in file order. One without a valid id is named by its index, so that it counts as added. */
function byId(list: unknown): { first: Map<ItemId, Fields>; again: ItemId[] } {
  const first = new Map<ItemId, Fields>();
  const again: ItemId[] = [];
  for (const [index, one] of (Array.isArray(list) ? list : []).entries()) {
    const feature: Fields = isObject(one) ? one : {};
    const id = Number.isSafeInteger(feature['id']) ? String(feature['id']) : `[${index}]`;
    if (first.has(id)) again.push(id);
    else first.set(id, feature);
  }
  return { first, again };
}

/** Reports what differs. True if `passes` went from false to true. */
function compare(id: ItemId, was: Fields, is: Fields, found: Findings): boolean {
  const differs = (field: string): void => {
    if (DECISIONS.has(field)) found.add('decision-forged', { field }, id);
    else found.add('item-edited', { field: cut(field) }, id);
  };
  for (const field of Object.keys(was)) {
    if (field !== 'passes' && !deepEqual(was[field], is[field])) differs(field);
  }
  for (const field of Object.keys(is)) if (field !== 'passes' && !Object.hasOwn(was, field)) differs(field);
  if (was['passes'] === is['passes']) return false;
  if (is['passes'] === true) return true;
  if (is['passes'] === false) found.add('claim-withdrawn', {}, id);
  else found.add('item-edited', { field: 'passes', got: shown(is['passes']) }, id);
  return false;
}

/** Whether two JSON values are the same, in any order of keys. No recursion: an agent may nest as deep as it likes. */
function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const open: [unknown, unknown][] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      open.push([Reflect.get(a, key), Reflect.get(b, key)]);
    }
  }
  return true;
}

function isReordered(was: ReadonlyMap<ItemId, Fields>, is: ReadonlyMap<ItemId, Fields>): boolean {
  const kept = [...is.keys()].filter((id) => was.has(id));
  const expected = [...was.keys()].filter((id) => is.has(id));
  return kept.some((id, place) => id !== expected[place]);
}

const cut = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);

/** Groups problems by code and parameters, each with all its ids, so that ten thousand edits are one sentence. */
class Findings {
  private readonly groups = new Map<string, { code: ProblemCode; params: Params; ids: ItemId[] }>();

  add(code: ProblemCode, params: Params = {}, id?: ItemId): void {
    this.addAll(code, params, id === undefined ? [] : [id]);
  }

  addAll(code: ProblemCode, params: Params, ids: readonly ItemId[]): void {
    let key = JSON.stringify([code, params]);
    if (!this.groups.has(key) && this.groups.size >= MAX_FIELDS && 'field' in params) {
      key = code;
      params = { ...params, field: '…' };
    }
    const group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, { code, params, ids: [...ids] });
    else for (const id of ids) group.ids.push(id);
  }

  problems(): Problem[] {
    return [...this.groups.values()].map(({ code, params, ids }) =>
      ids.length === 0 ? { code, params } : { code, params: { ...params, count: ids.length }, ids },
    );
  }
}
