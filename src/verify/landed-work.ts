// What a bundle says about the landed work itself, from schema 2 on: the claim is a change of the item from open to done, and what
// landed is what was checked, but for the files that the harness writes. Pure: the caller reads the trees.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../model/json.ts';
import { breakOf, type Break } from './chain.ts';
import { CLAIM, MANIFEST, type LandedChange, type NewManifest } from './manifest.ts';

/** A list as of one tree, seen from the claimed item. */
export type ListAt = {
  readonly isDone: boolean;
  /** The item with all its fields. */
  readonly entry: Json;
  /** Everything else in the list. */
  readonly rest: Json;
};
/** `at`: null where the list is missing, cannot be read, or does not hold the item. */
export type ListChange = { readonly before: ListAt | null; readonly after: ListAt | null };
/** `claim.json`. `masked`: it held secrets, so it cannot be compared; null: it is missing or not valid. */
export type StoredClaim = { readonly before: Json; readonly after: Json } | 'masked' | null;

/** The claim against the trees. `list` null: the commit does not carry one, and something else says that the item is done. */
export function checkClaim(manifest: NewManifest, list: ListChange | null, stored: StoredClaim): Break | null {
  const { item, claim, landing } = manifest;
  if (claim === 'flip' && (landing.list === null || list === null))
    return breakOf(item, 'claim-not-made', 'open → done', '', MANIFEST);
  if (landing.list === null || list === null) return null;
  const { before, after } = list;
  const file = landing.list.path;
  if (before === null || after === null || before.isDone || !after.isDone)
    return breakOf(item, 'claim-not-made', 'open → done', `${stateOf(before)} → ${stateOf(after)}`, file);
  if (!isDeepStrictEqual(before.rest, after.rest)) return breakOf(item, 'list-differs', '', '', file);
  if (stored === 'masked') return null;
  const isSame = stored !== null && isDeepStrictEqual([stored.before, stored.after], [before.entry, after.entry]);
  return isSame ? null : breakOf(item, 'claim-differs', '', '', CLAIM);
}

const stateOf = (at: ListAt | null): string => (at === null ? '-' : at.isDone ? 'done' : 'open');

export type LandedTrees = {
  /** The id of the landed tree with the listed changes taken back. */
  readonly rebuilt: string;
  /** The entries at the listed paths, as the trees have them. */
  readonly landed: ReadonlyMap<string, LandedChange['landed']>;
  readonly parent: ReadonlyMap<string, LandedChange['landed']>;
};
/** Files that git stores in another form than the checked one: line ends, filters. */
export type Converted = readonly LandedChange[];

/** The landed tree against the checked one: a break, or what only git's own settings explain. */
export function checkLandedTree(manifest: NewManifest, trees: LandedTrees): Break | { readonly converted: Converted } {
  const { item, landing } = manifest;
  const converted: LandedChange[] = [];
  for (const change of landing.changes) {
    const { path, verified, landed } = change;
    if (!isDeepStrictEqual(trees.landed.get(path) ?? null, landed))
      return breakOf(item, 'checked-tree-differs', idOf(landed), idOf(trees.landed.get(path) ?? null), path);
    if (landing.own.includes(path)) continue;
    // No part of the checked tree, and nothing that landed here: a submodule, a tracked file of the state folder.
    if (verified === null && isDeepStrictEqual(trees.parent.get(path) ?? null, landed)) continue;
    if (verified === null || landed === null || verified.mode !== landed.mode)
      return breakOf(item, 'checked-tree-differs', idOf(verified), idOf(landed), path);
    converted.push(change);
  }
  return trees.rebuilt === landing.verified
    ? { converted }
    : breakOf(item, 'checked-tree-differs', landing.verified, trees.rebuilt, MANIFEST);
}

const idOf = (entry: LandedChange['landed']): string => (entry === null ? '-' : entry.id);
