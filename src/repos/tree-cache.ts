// The last tree of the work tree, for the next look: where nothing changed it is the answer.
// It counts only while everything it depends on is the same: the ignore rules, the index, and which tracked files are
// ignored. Files touched since the index was made are read again, even if their times and sizes are the same. HEAD may have moved: what only
// the new one has is looked for.
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { ignoredEntries, knowNotIgnored, rulesFor, type IndexView } from './ignored-entries.ts';
import { checksumOf } from './index.ts';
import {
  findInner,
  GITLINK,
  hasAttributes,
  isFileOrLink,
  isOurs,
  listFiles,
  type FileListing,
  type Tracked,
  trackedThoughIgnored,
} from './listing.ts';
import type { CacheKey } from './answer-cache.ts';
import { hasContent } from './file-content.ts';
import { readIndex } from './index-file.ts';
import { isObject } from './objects.ts';
import { behindLinks, factsOf } from './paths.ts';
import { entriesBetween } from './tree-walk.ts';
import { copyIndex, keptIndex, type GitView } from './view.ts';
import { isSameBeside, lastLook, lookAtFiles, whileUntouched, type Bound, type FilesLook } from './work-tree-facts.ts';

export type TreeLookup = {
  readonly view: GitView;
  /** With the private index of this operation. */
  readonly env: { readonly [name: string]: string | null };
  readonly head: ObjectId | null;
  /** The time of the index; 0: it is new. */
  readonly sinceMs: number;
};

type Last = {
  readonly head: ObjectId | null;
  readonly tree: ObjectId;
  /** Files the user tracks although they are ignored, and such files in the private index. */
  readonly hidden: string;
  readonly ignored: string;
  /** Files of HEAD that were missing: if an ignored one returns, it is in the tree again. */
  readonly gone: readonly string[];
  readonly isPlain: boolean;
};
export type KnownTree = Omit<Last, 'hidden' | 'head'> & { readonly hidden: readonly string[] };
/** What git lists of a work tree, by the index and the rules. */
const LISTED: CacheKey<Bound<FileListing>> = { name: 'listed-files' };
const LAST_TREE: CacheKey<Last> = { name: 'last-tree' };

/** Nothing changed; or what changed in a tree without special cases, where adding it to the index is enough. */
export type CachedTree =
  | { readonly is: 'same'; readonly tree: ObjectId; readonly isPlain: boolean }
  | ({
      readonly is: 'changed';
      readonly listing: FileListing;
      /** The files as they were listed; null: not known. */
      readonly facts: string | null;
      /** The tree of before. */
      readonly base: ObjectId;
      /** Under which the files were listed (ignored-entries.ts). */
      readonly rules: string | null;
    } & Pick<KnownTree, 'hidden' | 'gone' | 'isPlain'>);

/** What decides a listing beside the files; null: that is not known. */
const listedUnder = ({ rules }: GitView, checksum: string): string | null =>
  checksum === '' ? null : JSON.stringify([rules, checksum]);

/** What git last listed under this index, and the files as they were then; undefined: it is not kept. */
function lastListed(git: Git, view: GitView, checksum: string): Bound<FileListing> | undefined {
  const circumstances = listedUnder(view, checksum);
  return circumstances === null ? undefined : git.memory.get(LISTED, circumstances);
}

/**
 * The private index holds the whole work tree, which looks like this: git would list its entries, and nothing that changed or is untracked. A file
 * that is written again within a step of the clock looks the same, and is read again, since it was touched after the index (`touchedFiles`).
 */
function cacheListing(git: Git, { view, env }: Pick<TreeLookup, 'view' | 'env'>, facts: string): void {
  const circumstances = listedUnder(view, indexChecksum(env));
  const entries = readIndex(git, env['GIT_INDEX_FILE'] ?? '');
  if (circumstances === null || entries === null || entries.some(({ stage, isIntent }) => stage !== 0 || isIntent))
    return;
  const tracked = entries.map(({ path, mode, id }) => ({ path, mode, id }));
  git.memory.set(LISTED, circumstances, { answer: { tracked, untracked: [], changed: new Set<string>() }, facts });
}

/** null: the tree must be built from HEAD. */
export async function treeFromCache(git: Git, place: TreeLookup): Promise<Result<CachedTree | null>> {
  const { view, env, sinceMs } = place;
  const known = await lastAt(git, place);
  if (!known.ok) return known;
  const last = known.value;
  if (last === null || !(await isObject(git, last.tree))) return ok(null);
  const rules = rulesFor(git, privateIndex(place));
  const [listed, hidden] = await Promise.all([
    whileUntouched(git, LISTED, listedUnder(view, indexChecksum(env)), () => listFiles(git, env, { changes: true })),
    trackedThoughIgnored(git, view),
  ]);
  if (!listed.ok) return listed;
  if (!hidden.ok) return hidden;
  const ignored = await ignoredInside(git, place);
  if (!ignored.ok) return ignored;
  if (JSON.stringify(hidden.value) !== last.hidden || ignored.value !== last.ignored) return ok(null);
  if (listed.value.untracked.some((path) => isOurs(git, path)) || findInner(git, listed.value).length > 0)
    return ok(null);
  // A file of HEAD that is there again and not listed is ignored: it belongs to the tree.
  const returned = last.gone.filter((path) => isFileOrLink(git, path));
  if (returned.length > 0 && !areListed(listed.value, returned)) return ok(null);
  const facts = lastListed(git, view, indexChecksum(env))?.facts ?? null;
  const { touched, gone } = touchedFiles(git, listed.value.tracked, sinceMs);
  if (touched.length > MOST_READ) return ok(null);
  const { changed, untracked } = listed.value;
  const unseen = touched.filter((one) => !changed.has(one.path) && !hasContent(join(git.root, one.path), one));
  const isPlain = !hasAttributes(git, listed.value);
  if (changed.size + untracked.length + unseen.length === 0) return ok({ is: 'same', tree: last.tree, isPlain });
  const forgotten = await forceReread(git, env, unseen);
  if (!forgotten.ok) return forgotten;
  const hiddenNow = hidden.value;
  const base = last.tree;
  return ok({
    is: 'changed',
    base,
    listing: listed.value,
    facts,
    rules,
    hidden: hiddenNow,
    gone: [...last.gone, ...gone],
    isPlain,
  });
}

function areListed({ tracked, untracked }: FileListing, paths: readonly string[]): boolean {
  const listed = new Set([...untracked, ...tracked.map(({ path }) => path)]);
  return paths.every((path) => listed.has(path));
}

/** More files than this that a new HEAD brings: git builds the tree. */
const MOST_BROUGHT = 10_000;

/** The last tree of this index. Where HEAD has moved since, files that the old one did not have count as files of HEAD that were missing. */
async function lastAt(git: Git, { head, ...place }: TreeLookup): Promise<Result<Last | null>> {
  const last = git.memory.get(LAST_TREE, cacheKey(place)) ?? null;
  if (last === null || last.head === head) return ok(last);
  if (last.head === null || head === null || last.hidden !== NONE || last.ignored !== '') return ok(null);
  const changes = await entriesBetween(git, last.head, head);
  if (!changes.ok) return changes;
  if (changes.value.some(({ before, after }) => before?.mode === GITLINK || after?.mode === GITLINK)) return ok(null);
  const brought = changes.value.filter(({ before }) => before === null).map(({ path }) => path);
  return ok(brought.length > MOST_BROUGHT ? null : { ...last, head, gone: [...last.gone, ...brought] });
}

/** `hidden` without a file. */
const NONE = '[]';

/**
 * Keeps the tree for the next look. Only for a tree without nested repositories and without the harness's own folder. `facts`: the files as they
 * were when the index was brought to them.
 */
export function cacheTree(git: Git, place: TreeLookup, { hidden, ...last }: KnownTree, facts: string | null): void {
  git.memory.set(LAST_TREE, cacheKey(place), { ...last, head: place.head, hidden: JSON.stringify(hidden) });
  if (facts !== null && lookAtFiles(git)?.text === facts) cacheListing(git, place, facts);
}

/** A private index that holds the work tree, before git writes another tree into both. `files`: as they were listed; null: not all are known. */
export type IndexBefore = {
  readonly checksum: string;
  readonly rules: string | null;
  readonly files: FilesLook | null;
};
export function indexBefore(git: Git, { view, env }: Pick<TreeLookup, 'view' | 'env'>): IndexBefore {
  const checksum = indexChecksum(env);
  const listed = lastListed(git, view, checksum);
  const isWhole = listed !== undefined && listed.answer.changed.size + listed.answer.untracked.length === 0;
  const rules = rulesFor(git, privateIndex({ view, env }));
  return { checksum, rules, files: isWhole ? lastLook(git, listed.facts) : null };
}

/**
 * Git has written `tree` into the work tree and into this private index, and no file that is new in it is ignored: the next look begins with it.
 * Only where the tree of before was known, and had no ignored files.
 */
export async function cacheWrittenTree(
  git: Git,
  place: Pick<TreeLookup, 'view' | 'env'>,
  before: IndexBefore,
  { from, tree }: { readonly from: ObjectId; readonly tree: ObjectId },
): Promise<Result<null>> {
  const { view } = place;
  const last = git.memory.get(LAST_TREE, keyOf(view, before.checksum));
  if (last === undefined || last.tree !== from || last.hidden !== NONE || last.ignored !== '') return ok(null);
  const changes = await entriesBetween(git, from, tree);
  if (!changes.ok) return changes;
  if (changes.value.some(({ path, after }) => after?.mode === GITLINK || path.endsWith('.gitattributes')))
    return ok(null);
  const pathsWithout = (side: 'before' | 'after'): readonly string[] =>
    changes.value.filter((one) => one[side] === null).map(({ path }) => path);
  knowNotIgnored(git, privateIndex(place), before.rules, pathsWithout('before'));
  git.memory.set(LAST_TREE, cacheKey(place), { ...last, tree, gone: [...last.gone, ...pathsWithout('after')] });
  const now = before.files === null ? null : lookAtFiles(git);
  const written = changes.value.map(({ path }) => path);
  if (before.files !== null && now !== null && isSameBeside(before.files, now, written))
    cacheListing(git, place, now.text);
  return ok(null);
}

/**
 * For a commit that is about to be made of this index: call the result once it is HEAD. Only if no tracked file was
 * ignored: otherwise the tree must be built from HEAD.
 */
export function cacheCommitTree(
  git: Git,
  { view, env }: Pick<TreeLookup, 'view' | 'env'>,
  before: string,
  tree: ObjectId,
): (commit: ObjectId) => void {
  const last = git.memory.get(LAST_TREE, keyOf(view, before));
  const after = cacheKey({ view, env });
  if (last === undefined || last.hidden !== NONE || last.ignored !== '') return () => undefined;
  // Where it is not made after all, the work tree differs from its index by the files of the commit alone.
  git.memory.set(LAST_TREE, after, { ...last, tree });
  return (commit) => git.memory.set(LAST_TREE, after, { ...last, head: commit, tree, gone: [] });
}

/**
 * In a work tree of the harness's own: makes its index equal to this tree, by a copy of the private one that the last look left. False: that one
 * holds another tree, or it is not known to hold this one, or the disk is full.
 */
export async function indexFromCache(git: Git, view: GitView, tree: ObjectId): Promise<boolean> {
  const kept = keptIndex(git, view.kind);
  const last = git.memory.get(LAST_TREE, keyOf(view, checksumOf(kept)));
  if (last?.tree !== tree || last.hidden !== NONE || last.ignored !== '') return false;
  const copy = join(git.privateDir, `index-${randomUUID()}`);
  await git.io.effect('git index', async () => {
    copyIndex(kept, copy);
    if (existsSync(copy)) renameSync(copy, join(git.gitDir, 'index'));
  });
  return checksumOf(join(git.gitDir, 'index')) === checksumOf(kept);
}

const cacheKey = ({ view, env }: Pick<TreeLookup, 'view' | 'env'>): string => keyOf(view, indexChecksum(env));
const keyOf = ({ rules }: GitView, checksum: string): string => JSON.stringify([rules, checksum]);

/** Of the private index of an operation; '' if there is none yet: no tree is kept under it. */
export const indexChecksum = (env: TreeLookup['env']): string => checksumOf(env['GIT_INDEX_FILE'] ?? '');

/** Entries of the private index that are ignored. */
export const ignoredInside = (git: Git, place: TreeLookup): Promise<Result<string>> =>
  ignoredEntries(git, privateIndex(place));

export const privateIndex = ({ view, env }: Pick<TreeLookup, 'view' | 'env'>): IndexView => ({
  file: env['GIT_INDEX_FILE'] ?? '',
  env,
  rules: view.rules,
});

/** The index has times in whole seconds: an edit may be this much older than it seems. */
const TICK_MS = 1_000;
/** More files than this are read faster by git. */
const MOST_READ = 1_000;

/** Files that may have changed since the index was made although it looks otherwise, and files that are not there. */
export function touchedFiles(
  git: Git,
  tracked: readonly Tracked[],
  sinceMs: number,
): { readonly touched: readonly Tracked[]; readonly gone: readonly string[] } {
  const touched: Tracked[] = [];
  const gone: string[] = [];
  // Nothing behind a link is part of this work tree.
  const isBehindLink = behindLinks(git.root);
  for (const one of tracked) {
    const facts = factsOf(`${git.root}/${one.path}`);
    if (facts === null || facts.isDirectory() || isBehindLink(one.path)) gone.push(one.path);
    else if (sinceMs > 0 && facts.ctimeMs >= sinceMs - TICK_MS) touched.push(one);
  }
  return { touched, gone };
}

/**
 * Makes git read these files again. Git compares whole seconds, so an edit of the same size within one second, with its
 * old time put back, would pass for no edit.
 */
export async function forceReread(
  git: Git,
  env: TreeLookup['env'],
  files: readonly Tracked[],
): Promise<Result<unknown>> {
  if (files.length === 0) return ok(null);
  const stdin = files.map(({ path, mode, id }) => `${mode} ${id} 0\t${path}\0`).join('');
  return git.run(['update-index', '-z', '--index-info'], { env, stdin });
}
