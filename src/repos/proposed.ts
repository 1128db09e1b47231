// The branch of a pull request, here: a new commit on it continues what was proposed before, so that a push only adds to it and the evidence of each
// proposal keeps its commit. A branch with commits of others is not touched.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { resolveCommit } from './head.ts';
import { readCommits } from './message.ts';

/** `tip`: what the branch is at; null: it does not exist. `parents`: of a new commit, beside the base. Fails with `pr-branch-edited`. */
export async function proposedBefore(
  git: Git,
  { branch, item, base }: { readonly branch: string; readonly item: string | null; readonly base: ObjectId },
): Promise<Result<{ readonly tip: ObjectId | null; readonly parents: readonly ObjectId[] }>> {
  const found = await resolveCommit(git, `refs/heads/${branch}`);
  if (!found.ok) return found;
  const tip = found.value;
  if (tip === null) return ok({ tip, parents: [] });
  const since = await readCommits(git, [tip, `^${base}`]);
  if (!since.ok) return since;
  const theirs = since.value.find(({ trailers }) => trailers['Harness-Item'] !== item);
  if (theirs !== undefined) return err(failure('pr-branch-edited', { branch, commit: theirs.commit.slice(0, 12) }));
  return ok({ tip, parents: since.value.length === 0 ? [] : [tip] });
}
