// What a landing would change in the user's work tree, and which files of the user are in its way: changed, staged, marked to be ignored,
// or there without being tracked.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import { areUnchanged } from './clean-tree.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import type { TreeEntry } from './edited-tree.ts';
import { readSmallIndex } from './index-file.ts';
import { GITLINK, listedEntry } from './listing.ts';
import { behindLinks, factsOf } from './paths.ts';
import { type EntryChange, entriesBetween } from './tree-walk.ts';
import { copyIndex, plainView, withIndex } from './view.ts';

export type PathChanges = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Mode and id of each changed and deleted path before. */
  readonly before: ReadonlyMap<string, TreeEntry>;
};

/** Commits inside of submodules are not the work tree's. */
export async function changesOfLanding(git: Git, from: ObjectId, to: ObjectId): Promise<Result<PathChanges>> {
  const entries = await entriesBetween(git, from, to);
  if (!entries.ok) return entries;
  const isFile = (entry: TreeEntry | null): entry is TreeEntry => entry !== null && entry.mode !== GITLINK;
  const of = (wanted: (one: EntryChange) => boolean): readonly string[] =>
    entries.value.flatMap((one) => (wanted(one) ? [one.path] : []));
  const isKeptSubmodule = ({ before, after }: EntryChange): boolean => !isFile(before) && !isFile(after);
  return ok({
    added: of((one) => one.before === null && isFile(one.after)),
    changed: of((one) => one.before !== null && one.after !== null && !isKeptSubmodule(one)),
    deleted: of((one) => isFile(one.before) && one.after === null),
    before: new Map(entries.value.flatMap(({ path, before }) => (before === null ? [] : [[path, before]]))),
  });
}

type Env = { readonly [name: string]: string | null };
/** What the user's index says of a path. `isOther`: the file is not as in it or behind a link, the index has it marked, or it is unmerged. */
type UserEntry = TreeEntry & { readonly isOther: boolean };

/** More paths than this are not named to git, which would compare each with each entry. */
const MOST_NAMED = 100;

/** What an index has of these paths, and which files are not as in it, deleted ones included. */
export async function entriesIn(
  git: Git,
  env: Env,
  paths: readonly string[],
): Promise<Result<ReadonlyMap<string, UserEntry>>> {
  if (paths.length === 0) return ok(new Map());
  const known = await unchangedIn(git, env, paths);
  if (known !== null) return ok(known);
  const named = paths.length > MOST_NAMED ? [] : paths;
  const args = ['--literal-pathspecs', 'ls-files', '-z', '-v', '-s', '-c', '-m', '-d', '--', ...named];
  const out = await git.run(args, { env });
  if (!out.ok) return out;
  // Nothing behind a link is part of the work tree; git follows it here.
  const isBehindLink = behindLinks(git.root);
  const found = new Map<string, UserEntry>();
  for (const line of zeroSplit(out.value)) {
    const { tag, mode, id, stage, path } = listedEntry(line);
    // Lower case and S: git says of marked files (assume-unchanged, skip-worktree) that they are as they were. C, R: changed, deleted.
    const isOther = tag !== 'H' || stage !== '0' || found.get(path)?.isOther === true || isBehindLink(path);
    found.set(path, { mode, id, isOther });
  }
  return ok(found);
}

/** The same where every file is as in the index, which is the usual case and needs no git process; null: it is for git to say. */
async function unchangedIn(
  git: Git,
  env: Env,
  paths: readonly string[],
): Promise<ReadonlyMap<string, UserEntry> | null> {
  const index = env['GIT_INDEX_FILE'] ?? join(git.gitDir, 'index');
  const entries = readSmallIndex(git, index);
  const wanted = new Set(paths);
  const named = entries?.filter(({ path }) => wanted.has(path)) ?? [];
  if (entries === null || !(await areUnchanged(git, { file: index, entries }, named))) return null;
  return new Map(named.map(({ path, mode, id }) => [path, { mode, id, isOther: false }]));
}

/**
 * Paths of the landing that the user does not have as in `from`, in the index or in the work tree; sorted. A new file that is there as in `to`,
 * without being tracked, is in nothing's way.
 */
export async function pathsInTheWay(
  user: Git,
  { to }: { readonly to: ObjectId },
  { added, changed, deleted, before }: PathChanges,
): Promise<Result<readonly string[]>> {
  const view = await plainView(user);
  if (!view.ok) return view;
  return withIndex(user, null, async (own): Promise<Result<readonly string[]>> => {
    const env = { ...view.value.env, ...own };
    copyIndex(join(user.gitDir, 'index'), own.GIT_INDEX_FILE);
    const all = [...added, ...changed, ...deleted];
    const entries = await entriesIn(user, env, all);
    if (!entries.ok) return entries;
    const isUsers = (path: string): boolean => {
      const [was, is] = [before.get(path), entries.value.get(path)];
      return is?.mode !== was?.mode || is?.id !== was?.id || is?.isOther === true;
    };
    const gone = new Set(deleted);
    const untracked = added.flatMap((path) => untrackedAt(user.root, path, gone));
    const same = await sameIn(
      user,
      to,
      untracked.filter((path) => added.includes(path)),
    );
    if (!same.ok) return same;
    const found = [...all.filter(isUsers), ...untracked.filter((path) => !same.value.has(path))];
    return ok([...new Set(found)].sort());
  });
}

/** Those of the files that are in this commit as they are in the work tree. */
async function sameIn(user: Git, to: ObjectId, paths: readonly string[]): Promise<Result<ReadonlySet<string>>> {
  if (paths.length === 0) return ok(new Set());
  const view = await plainView(user);
  if (!view.ok) return view;
  return withIndex(user, null, async (own): Promise<Result<ReadonlySet<string>>> => {
    const env = { ...view.value.env, ...own };
    const read = await user.run(['read-tree', to], { env });
    if (!read.ok) return read;
    const entries = await entriesIn(user, env, paths);
    return entries.ok ? ok(new Set(paths.filter((path) => entries.value.get(path)?.isOther === false))) : entries;
  });
}

/** What is where a new file, or a folder that it needs, would be, and does not go with the landing. */
function untrackedAt(root: string, path: string, gone: ReadonlySet<string>): readonly string[] {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const facts = factsOf(join(root, folder));
    if (facts !== null && !facts.isDirectory() && !gone.has(folder)) return [folder];
  }
  const facts = factsOf(join(root, path));
  if (facts === null) return [];
  return facts.isDirectory() ? filesBelow(root, path).filter((file) => !gone.has(file)) : [path];
}

const filesBelow = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
