// Where an accepting commit goes: under the provisional commits of its own item, and under nobody else's.
import { Bug } from '../model/bug.ts';
import { PROVISIONAL } from '../model/provisional.ts';
import { ok, type Result } from '../model/result.ts';
import type { Git, ObjectId } from './git.ts';
import { branchCommits } from './message.ts';

/**
 * The parent of a new commit on top of `head`. For `accept`: the nearest ancestor that is no provisional commit of the
 * item. A merge, a commit of somebody else, or one that a remote-tracking ref already has ends the walk.
 */
export async function parentFor(
  git: Git,
  { style, item }: { readonly style: string; readonly item: string | null },
  head: ObjectId,
): Promise<Result<{ readonly commit: ObjectId; readonly tree: ObjectId }>> {
  const read = await branchCommits(git, head);
  if (!read.ok) return read;
  const [top] = read.value;
  if (top === undefined) throw new Bug(`commit ${head} has no record`);
  if (style !== 'accept' || item === null) return ok(top);
  const isOurs = (at: number) => {
    const record = read.value[at];
    return record?.trailers[PROVISIONAL] === item && record.parents.length === 1;
  };
  if (!isOurs(0)) return ok(top);
  const local = await git.run(['rev-list', '--first-parent', `-n${read.value.length}`, head, '--not', '--remotes']);
  if (!local.ok) return local;
  const unpushed = new Set(local.value.split('\n'));
  let at = 0;
  while (at + 1 < read.value.length && isOurs(at) && unpushed.has(read.value[at]?.commit ?? '')) at++;
  return ok(read.value[at] ?? top);
}
