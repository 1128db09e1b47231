// The branch of a pull request, here: a new commit on it continues what was proposed before, so that a push only adds to it and the evidence of each
// proposal keeps its commit. A branch with commits of others is not touched.
import type { Found } from './by-token.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { resolveCommit } from './head.ts';
import { EVIDENCE_TRAILER, readCommits } from './message.ts';

/** `tip`: what the branch is at; null: it does not exist. `parents`: of a new commit, beside the base. Fails with `pr-branch-edited`. */
export async function proposedBefore(
  git: Git,
  { branch, item, base }: { readonly branch: string; readonly item: string | null; readonly base: ObjectId },
): Promise<Result<{ readonly tip: ObjectId | null; readonly parents: readonly ObjectId[] }>> {
  const found = await resolveCommit(git, `refs/heads/${branch}`);
  if (!found.ok) return found;
  const tip = found.value;
  if (tip === null) return ok({ tip, parents: [] });
  const own = await ownCommits(git, { branch, item, base, tip });
  return own.ok ? ok({ tip, parents: own.value === 0 ? [] : [tip] }) : own;
}

/** How many commits the branch has above the base, all made for this item by the harness. Fails with `pr-branch-edited`. */
export async function ownCommits(
  git: Git,
  {
    branch,
    item,
    base,
    tip,
  }: { readonly branch: string; readonly item: string | null; readonly base: ObjectId; readonly tip: ObjectId },
): Promise<Result<number>> {
  const since = await readCommits(git, [tip, `^${base}`]);
  if (!since.ok) return since;
  const theirs = since.value.find(({ trailers }) => trailers['Harness-Item'] !== item);
  return theirs === undefined
    ? ok(since.value.length)
    : err(failure('pr-branch-edited', { branch, commit: theirs.commit.slice(0, 12) }));
}

/**
 * What the branch has already: these very files on the same base, proved for the same item. A session that only continues what was proposed makes no
 * other commit, whose checks would have to run again. null: it has something else, or does not exist.
 */
export async function sameProposal(
  git: Git,
  {
    branch,
    item,
    tree,
    base,
  }: { readonly branch: string; readonly item: string | null; readonly tree: ObjectId; readonly base: ObjectId },
): Promise<Result<Found | null>> {
  const tip = await resolveCommit(git, `refs/heads/${branch}`);
  if (!tip.ok || tip.value === null) return tip.ok ? ok(null) : tip;
  const read = await readCommits(git, ['-n1', tip.value]);
  if (!read.ok) return read;
  const [one] = read.value;
  const isSame = one?.tree === tree && one.parents[0] === base && one.trailers['Harness-Item'] === item;
  const evidence = isSame ? (one.trailers[EVIDENCE_TRAILER] ?? '') : '';
  return ok(one === undefined || evidence === '' ? null : { commit: one.commit, tree, evidence });
}
