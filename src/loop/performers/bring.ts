// Verified work brought onto commits that a user made meanwhile: both are merged in the work tree, to be proved together.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { BringOutcome } from '../../model/landing-action.ts';
import type { ItemId } from '../../model/item.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Git, ObjectId } from '../../repos/git.ts';
import { mergedTrees, writeOver } from '../../repos/merge.ts';
import { treeOf } from '../../repos/tree.ts';
import { withPathsOf } from '../../repos/tree-paths.ts';
import { adoptBaselineAt } from '../records/baseline.ts';
import type { RunContext } from '../run-context.ts';
import { checkpointNow } from './newer-commits.ts';
import { repeatable } from './repeatable.ts';
import { keepBeside } from './wip.ts';

export const brings = (context: RunContext): Performer<ActionOf<Actions, 'bring'>, BringOutcome> => ({
  async perform({ item, session, checkpoint, tree, work = tree, own }, { token }) {
    const { git } = context;
    const now = await checkpointNow(context, checkpoint, { item, session, token });
    if (!now.ok) return { blocked: now.failure };
    const onto = now.value;
    const conflict = (ids: readonly string[]): BringOutcome => ({
      tree: null,
      problem: { code: 'landing-conflict', params: { commit: onto.head }, ids },
    });
    const merged = await workOn(git, { work, base: checkpoint.tree, onto: onto.tree, own });
    if (!merged.ok) return { blocked: merged.failure };
    if ('conflicts' in merged.value) return conflict(merged.value.conflicts);
    const whole = merged.value.tree;
    const found = await written(context, { item, session, token, from: tree, to: whole });
    if (!found.ok) return { blocked: found.failure };
    // Something that git ignores is in the way, or somebody edits the files.
    if (found.value !== whole) return conflict([]);
    const adopted = await adoptBaselineAt(context, onto.head);
    if (!adopted.ok) return { blocked: adopted.failure };
    return { tree: whole, checkpoint: onto, problem: null };
  },
  probe: repeatable,
});

/**
 * Writes `to` over `from`, and says what is in the work tree then. In one of the harness's own, what a process that was killed wrote before the branch
 * moved again is kept as an attempt, and written over.
 */
async function written(
  context: RunContext,
  {
    from,
    to,
    ...about
  }: {
    readonly item: ItemId | null;
    readonly session: number;
    readonly token: string;
    readonly from: ObjectId;
    readonly to: ObjectId;
  },
): Promise<Result<ObjectId>> {
  const { git } = context;
  const first = from === to ? ok(null) : await writeOver(git, from, to);
  if (!first.ok) return first;
  const found = await treeOf(git);
  if (!found.ok || found.value === to || git.lands === null) return found;
  const kept = await keepBeside(context, { ...about, tree: from });
  if (!kept.ok) return kept;
  const again = await writeOver(git, found.value, to);
  return again.ok ? treeOf(git) : again;
}

/** The work on `base` merged with what `onto` has. The harness writes its own files itself, on the newer commits: they are not merged. */
export async function workOn(
  git: Git,
  {
    work,
    base,
    onto,
    own,
  }: { readonly work: ObjectId; readonly base: ObjectId; readonly onto: ObjectId; readonly own: readonly string[] },
): ReturnType<typeof mergedTrees> {
  const ours = await withPathsOf(git, work, base, own);
  if (!ours.ok) return ours;
  const merged = await mergedTrees(git, { base, ours: ours.value, theirs: onto });
  if (!merged.ok || 'conflicts' in merged.value) return merged;
  const whole = await withPathsOf(git, merged.value.tree, work, own);
  return whole.ok ? ok({ tree: whole.value }) : whole;
}
