// A checkpoint on top of commits that came after it: what was not committed then, on the newest tip.
import type { Checkpoint } from '../model/checkpoint.ts';
import { ok, type Result } from '../model/result.ts';
import { commitTreeObject, treeAt, wholeTreeAt } from './checkpoint.ts';
import type { Git, ObjectId } from './git.ts';
import { setRef } from './head.ts';
import { pathsBetween } from './history.ts';
import { writeMessage } from './message.ts';
import { asUser } from './settings.ts';
import { withPathsOf } from './tree-paths.ts';
import { ignoreRules } from './view.ts';

/** Under the same ref: the checkpoint is not needed any more. Where both changed a file, the newer commits win. */
export async function checkpointOnto(git: Git, old: Checkpoint, head: ObjectId): Promise<Result<Checkpoint>> {
  const [user, brought] = [await asUser(git), await treeOnto(git, old, head)];
  if (!user.ok) return user;
  if (!brought.ok) return brought;
  const tree = brought.value;
  const whole = await wholeTreeAt(git, head);
  const index = await commitTreeObject(git, user.value, whole, [head], `index\n\n${ignoreRules(git)}\n`);
  if (!index.ok) return index;
  const trailers = { 'Harness-Branch': old.branch, 'Harness-Pending': '' };
  // The old one stays reachable: journals name it.
  const parents = [head, index.value, old.commit];
  const message = writeMessage('checkpoint on top of newer commits', '', trailers);
  const commit = await commitTreeObject(git, user.value, tree, parents, message);
  if (!commit.ok) return commit;
  const kept = await setRef(git, old.ref, commit.value);
  return kept.ok ? ok({ ...old, commit: commit.value, tree, head }) : kept;
}

/** Its tree alone. */
export async function treeOnto(
  git: Git,
  old: Pick<Checkpoint, 'head' | 'tree'>,
  head: ObjectId,
): Promise<Result<ObjectId>> {
  const [base, theirs] = [await treeAt(git, old.head), await treeAt(git, head)];
  if (!base.ok) return base;
  if (!theirs.ok) return theirs;
  const changed = await pathsBetween(git, base.value, theirs.value);
  return changed.ok ? withPathsOf(git, old.tree, theirs.value, changed.value) : changed;
}
