// The tree that a session's checks judged last, under a ref until it lands: a journal names it, and no `git gc` may take it away.
import { ok, type Result } from '../model/result.ts';
import { FOLDER } from './edited-tree.ts';
import type { Git, ObjectId } from './git.ts';
import { setRef } from './head.ts';
import { withEntries } from './tree-paths.ts';

export const VERIFIED = 'refs/harness/verified';
export const verifiedRef = (session: number): string => `${VERIFIED}/${session}`;

/** `work`: the work by itself, where `tree` has newer commits too: the ref holds a tree that has both as folders. */
export async function keepVerified(
  git: Git,
  session: number,
  tree: ObjectId,
  work: ObjectId = tree,
): Promise<Result<null>> {
  const both = { '%tree': { mode: FOLDER, id: tree }, '%work': { mode: FOLDER, id: work } };
  const kept = work === tree ? ok(tree) : await withEntries(git, tree, new Map(Object.entries(both)));
  return kept.ok ? setRef(git, verifiedRef(session), kept.value) : kept;
}
