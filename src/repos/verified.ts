// The tree that a session's checks judged last, under a ref until it lands: a journal names it, and no `git gc` may take it away.
import { ok, type Result } from '../model/result.ts';
import { FOLDER } from './edited-tree.ts';
import type { Git, ObjectId } from './git.ts';
import { setRef } from './head.ts';
import { withEntries } from './tree-paths.ts';

export const VERIFIED = 'refs/harness/verified';
export const verifiedRef = (session: number): string => `${VERIFIED}/${session}`;

/** `beside`: other trees that are kept with it, such as the work by itself: then the ref holds a tree that has all of them as folders. */
export async function keepVerified(
  git: Git,
  session: number,
  tree: ObjectId,
  beside: readonly ObjectId[] = [],
): Promise<Result<null>> {
  const others = beside.filter((one) => one !== tree);
  const folders = new Map([tree, ...others].map((id, n) => [`%${n}`, { mode: FOLDER, id }]));
  const kept = others.length === 0 ? ok(tree) : await withEntries(git, tree, folders);
  return kept.ok ? setRef(git, verifiedRef(session), kept.value) : kept;
}
