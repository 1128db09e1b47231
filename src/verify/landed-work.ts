// What a bundle says about the landed work itself, from schema 2 on: the claim is a change of the item from open to done, and what
// landed is what was checked, but for the files that the harness writes. Pure: the caller reads the trees.
import type { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../host/files.ts';
import type { Json } from '../model/json.ts';
import { breakOf, type Break } from './chain.ts';
import { CHECKED, CLAIM, MANIFEST, type LandedChange, type NewManifest } from './manifest.ts';

/** A list as of one tree, seen from the claimed item. */
export type ListAt = {
  readonly isDone: boolean;
  /** The item with all its fields. */
  readonly entry: Json;
  /** Everything else in the list. */
  readonly rest: Json;
};
/** `at`: null where the list is missing, cannot be read, or does not hold the item. */
export type ListedChange = { readonly before: ListAt | null; readonly after: ListAt | null };
/** `claim.json`. `masked`: it held secrets, so it cannot be compared; null: it is missing or not valid. */
export type StoredClaim = { readonly before: Json; readonly after: Json } | 'masked' | null;

/** The claim against the trees. `list` null: the commit does not carry one, and something else says that the item is done. */
export function checkClaim(manifest: NewManifest, list: ListedChange | null, stored: StoredClaim): Break | null {
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

/** The progress log only grows. `before`: '' where there was none. */
export function checkLog({ item, landing }: NewManifest, before: string, after: string): Break | null {
  const lines = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();
  if (landing.log === null || lines(after).startsWith(lines(before))) return null;
  return breakOf(item, 'log-rewritten', '', '', landing.log);
}

const stateOf = (at: ListAt | null): string => (at === null ? '-' : at.isDone ? 'done' : 'open');

export type LandedTrees = {
  /** The id of the landed tree with the listed changes taken back. */
  readonly rebuilt: string;
  /** The entries at the listed paths, as the landed tree has them. */
  readonly landed: ReadonlyMap<string, LandedChange['landed']>;
  /** Where the bundle holds the checked tree: its id, and what else differs. null: it does not. */
  readonly checked: { readonly id: string; readonly more: readonly Difference[] } | null;
};
/** An entry outside of the harness's own files. The contents are null where they are not needed or not here. */
export type Difference = {
  readonly path: string;
  readonly verified: LandedChange['verified'];
  readonly landed: LandedChange['landed'];
  /** In the parent of the landing. */
  readonly parent: LandedChange['landed'];
  readonly checkedBytes: Buffer | null;
  readonly landedBytes: Buffer | null;
  /** Attributes in the landed tree name a filter or an encoding of the user: git stores what only that knows. */
  readonly isFiltered: boolean;
};

/** The landed tree against the checked one. `filtered`: files whose contents only a filter of the user can compare. */
export function checkLandedTree(
  { item, landing }: NewManifest,
  { rebuilt, landed, checked }: LandedTrees,
): Break | { readonly filtered: number } {
  const differs = (path: string, expected: string, found: string): Break =>
    breakOf(item, 'checked-tree-differs', expected, found, path);
  for (const change of landing.changes) {
    const found = landed.get(change.path) ?? null;
    if (!landing.own.includes(change.path)) return differs(change.path, idOf(change.verified), idOf(change.landed));
    if (!isDeepStrictEqual(found, change.landed)) return differs(change.path, idOf(change.landed), idOf(found));
  }
  if (checked === null)
    return rebuilt === landing.verified ? { filtered: 0 } : differs(MANIFEST, landing.verified, rebuilt);
  if (checked.id !== landing.verified) return differs(CHECKED, landing.verified, checked.id);
  let filtered = 0;
  for (const one of checked.more) {
    const kind = kindOf(one);
    if (kind === 'other') return differs(one.path, idOf(one.verified), idOf(one.landed));
    if (kind === 'filtered') filtered += 1;
  }
  return { filtered };
}

/** How a file that was checked in one form is stored in another. */
function kindOf(one: Difference): 'as-before' | 'converted' | 'filtered' | 'other' {
  const { verified, landed, parent, checkedBytes, landedBytes } = one;
  // No part of the checked tree, and nothing that landed here: a submodule, a tracked file of the state folder.
  if (verified === null) return isDeepStrictEqual(parent, landed) ? 'as-before' : 'other';
  if (landed === null) return 'other';
  // File systems without modes or links store the same bytes.
  if (verified.id === landed.id) return 'converted';
  if (checkedBytes === null || landedBytes === null) return 'other';
  if (withLineFeeds(checkedBytes) === withLineFeeds(landedBytes) || isPointerTo(landedBytes, checkedBytes))
    return 'converted';
  return one.isFiltered ? 'filtered' : 'other';
}

const withLineFeeds = (bytes: Buffer): string => bytes.toString('latin1').replaceAll('\r\n', '\n');

/** What Git LFS stores in the place of a large file. */
function isPointerTo(stored: Buffer, file: Buffer): boolean {
  if (stored.length > 1_024) return false;
  const text = stored.toString('utf8');
  const [, id = ''] = /^oid sha256:([0-9a-f]{64})$/m.exec(text) ?? [];
  const [, size = ''] = /^size (\d+)$/m.exec(text) ?? [];
  return text.startsWith('version https://git-lfs') && id === sha256(file) && Number(size) === file.length;
}

const idOf = (entry: LandedChange['landed']): string => (entry === null ? '-' : entry.id);
