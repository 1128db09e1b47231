// The tree of a commit of the harness: the work tree as it was verified, with the files that the harness itself writes, or why there must be no such commit:
// the work tree is not what was verified any more, or others have committed what does not go together with it unproved.
import { join } from 'node:path';
import type { CommitAsk, CommitOutcome } from '../model/landing-action.ts';
import { ok, type Result } from '../model/result.ts';
import type { Problem } from '../model/verdict.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { pathsBetween } from './history.ts';
import { mergedTrees } from './merge.ts';
import { readObjects } from './objects.ts';
import { factsOf } from './paths.ts';
import { withFiles, withPlainFiles } from './put-files.ts';
import { hasConversions, readSettings, refuseSparse } from './settings.ts';
import { sinceVerified, type Stays } from './since-verified.ts';
import { cacheCommitTree, indexChecksum } from './tree-cache.ts';
import { withPathsOf } from './tree-paths.ts';
import { addExactly, addFolders, treeOf, type WorkTree, withWorkTree } from './tree.ts';
import { plainView, rawView, withIndex } from './view.ts';

export type LandingTreeAsk = Pick<CommitAsk, 'only'> & {
  /** What the harness itself writes, path → text: into the work tree and into the commit. */
  readonly files: { readonly [path: string]: string };
  /** `treeOf` when the work was verified: apart from `files` the work tree must still be that. null: any. */
  readonly expectTree: ObjectId | null;
  /**
   * Files that a user changed in the work tree: they are left out of the verified tree, stay in the work tree, uncommitted, and are no reason to
   * refuse.
   */
  readonly users?: readonly string[];
  /** The commit that the verified work was begun on. The branch may have moved since, by commits of a user. Left out: it is HEAD. */
  readonly from?: ObjectId;
};

export type RefusedCommit = CommitOutcome & { readonly refused: NonNullable<CommitOutcome['refused']> };
/** The tree of the commit; `landed` is called when the commit is HEAD. `stay`: files of the work tree that are not as in it. */
type Built = {
  readonly tree: ObjectId;
  readonly landed: (commit: ObjectId) => void;
  readonly stay: readonly string[];
};
const nothing = (): void => undefined;

/**
 * The verified work tree and the harness's own files. Where `git add` stores the bytes unchanged, the tree
 * is made of what was found. Otherwise git converts them, and the work tree is compared again afterwards: the user may
 * have saved a file meanwhile.
 */
export async function buildTree(git: Git, ask: LandingTreeAsk, head: ObjectId): Promise<Result<Built | RefusedCommit>> {
  const [view, settings] = [await rawView(git), await readSettings(git)];
  if (!view.ok) return view;
  if (!settings.ok) return settings;
  const canBePlain = ask.only === null && !hasConversions(git, settings.value);
  const plain = canBePlain ? refuseSparse(git, settings.value) : ok(null);
  if (!plain.ok) return plain;
  if (ask.expectTree !== null || canBePlain) {
    const found = await withWorkTree(
      git,
      view.value,
      'refuse',
      async (work): Promise<Result<Built | RefusedCommit | null>> => {
        const isPlain = canBePlain && work.isPlain;
        const differs = await sameAsVerified(git, ask, work.tree, head);
        if (!differs.ok) return differs;
        if ('refused' in differs.value) return ok(differs.value);
        if (!isPlain || differs.value.stay.length > 0) return ok(null);
        const before = indexChecksum(work.env);
        const tree = await withPlainFiles(git, ask.files, work);
        if (!tree.ok) return tree;
        const landed = cacheCommitTree(git, { view: view.value, env: work.env }, before, tree.value);
        return ok({ tree: tree.value, landed, stay: [] });
      },
    );
    if (!found.ok) return found;
    if (found.value !== null) return ok(found.value);
  }
  const converted = await convertedTree(git, ask, head);
  if (!converted.ok) return converted;
  const still = ask.expectTree === null ? ok<Stays>({ stay: [] }) : await stillVerified(git, ask, head);
  if (!still.ok) return still;
  if ('refused' in still.value) return ok(still.value);
  const { stay } = still.value;
  const carried = ask.only === null ? git.carried.filter((path) => !Object.hasOwn(ask.files, path)) : [];
  const tree = await withPathsOf(git, converted.value, head, [...carried, ...stay]);
  return tree.ok ? ok({ tree: tree.value, landed: nothing, stay }) : tree;
}

async function stillVerified(git: Git, ask: LandingTreeAsk, head: ObjectId): Promise<Result<RefusedCommit | Stays>> {
  const tree = await treeOf(git);
  return tree.ok ? sameAsVerified(git, ask, tree.value, head) : tree;
}

async function sameAsVerified(
  git: Git,
  { expectTree: expected, ...ask }: LandingTreeAsk,
  tree: ObjectId,
  head: ObjectId,
): Promise<Result<RefusedCommit | Stays>> {
  if (expected === null) return ok({ stay: [] });
  const found = await sinceVerified(git, { ...ask, expected }, { tree, head });
  if (!found.ok) return found;
  if ('stay' in found.value) return ok(found.value);
  const params = { expected, found: tree };
  return ok({ commit: null, tree, refused: { code: 'tree-changed-since-check', params, ids: found.value.refused } });
}

/** What `git add` makes of the work tree, or of some paths on top of HEAD. */
async function convertedTree(git: Git, ask: LandingTreeAsk, head: ObjectId): Promise<Result<ObjectId>> {
  const view = await plainView(git);
  if (!view.ok) return view;
  const { only } = ask;
  if (only === null) return withWorkTree(git, view.value, 'refuse', ({ env }) => withFiles(git, ask.files, env));
  return withIndex(git, null, async (index) => {
    const env = { ...view.value.env, ...index };
    const based = await git.run(['read-tree', head], { env });
    if (!based.ok) return based;
    const added = await addOnly(git, env, only);
    return added.ok ? withFiles(git, ask.files, env) : added;
  });
}

/** Files that are named are added though ignored, folders with what is not ignored in them; what was never there is not. */
async function addOnly(git: Git, env: WorkTree['env'], only: readonly string[]): Promise<Result<unknown>> {
  const known = await git.run(['ls-files', '-z', '--', ...only], { env: { ...env, GIT_LITERAL_PATHSPECS: '1' } });
  if (!known.ok) return known;
  const tracked = zeroSplit(known.value);
  const files: string[] = [];
  const folders: string[] = [];
  for (const path of only) {
    const facts = factsOf(join(git.root, path));
    const isTracked = tracked.some((name) => name === path || name.startsWith(`${path.replace(/\/$/, '')}/`));
    if (facts?.isDirectory() === true) folders.push(path);
    else if (facts !== null || isTracked) files.push(path);
  }
  const first = files.length === 0 ? ok('') : await addExactly(git, env, files);
  return first.ok && folders.length > 0 ? addFolders(git, env, folders) : first;
}

/** In the user's own work tree their commits are there before they are proved: what differs may be just that. */
export async function explained(
  git: Git,
  { from, users }: LandingTreeAsk,
  found: RefusedCommit,
  at: ObjectId,
): Promise<Result<CommitOutcome>> {
  const { ids = [] } = found.refused;
  if (from === undefined || from === at || ids.length === 0) return ok(found);
  const moved: RefusedCommit = { ...found, refused: { code: 'branch-moved', params: { commit: at } } };
  if (users !== undefined) return ok(moved);
  const differ = await pathsBetween(git, found.tree, at);
  if (!differ.ok) return differ;
  const isTheirs = !ids.some((path) => differ.value.includes(path));
  return ok(isTheirs ? moved : found);
}

/**
 * Commits of others since the work was begun: null where the tree has them already, for then it is what was proved. Otherwise both have to be
 * proved together. Files that the harness writes itself are left out: they were made from the newest commit.
 */
export async function withNewer(
  git: Git,
  ask: LandingTreeAsk,
  tree: ObjectId,
  at: ObjectId,
): Promise<Result<Problem | null>> {
  const { from } = ask;
  if (from === undefined || from === at) return ok(null);
  const own = Object.keys(ask.files);
  const trees = await readObjects(git, [`${from}^{tree}`, `${at}^{tree}`]);
  if (!trees.ok) return trees;
  const [base = '', theirs = ''] = trees.value.map((tree) => tree?.id ?? '');
  const work = await withPathsOf(git, tree, base, own);
  if (!work.ok) return work;
  const merged = await mergedTrees(git, { base, ours: work.value, theirs });
  if (!merged.ok) return merged;
  const params = { commit: at };
  if ('conflicts' in merged.value) return ok({ code: 'landing-conflict', params, ids: merged.value.conflicts });
  const whole = await withPathsOf(git, merged.value.tree, tree, own);
  if (!whole.ok) return whole;
  return ok<Problem | null>(whole.value === tree ? null : { code: 'branch-moved', params });
}
