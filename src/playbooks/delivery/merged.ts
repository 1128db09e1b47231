// Merges by others: the pull request of a plan that a user merged counts as one that the harness merged. The plan file is moved, the branch here
// follows, and the work that was kept for the plan is dropped.
import { z } from 'zod';
import { defineSurvey, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { branchOf, markOf, recordFile } from './paths.ts';
import { keptIndex } from './plans.ts';
import { placeOfPlan } from './surveys.ts';

type R = Run<Actions>;

/** Plans that are not merged, and of which a review is kept or work is: they may have a pull request. */
const proposed = defineSurvey({
  id: 'delivery.proposed',
  input: z.object({}),
  facts: z.object({ items: z.array(z.string()).readonly() }),
  async read(context) {
    const { view } = context;
    const kept = new Set((await view.worksInProgress()).map(({ item }) => item));
    const items: string[] = [];
    for (const { id, merged } of (await keptIndex(context)).plans)
      if (!merged && (kept.has(id) || (await view.stat(recordFile(id))) !== null)) items.push(id);
    return { items };
  },
});

/** Plans that were merged by others, and are migrated now. */
export async function migrateMerged(run: R): Promise<readonly string[]> {
  const { items } = await readFacts(run, proposed, {});
  const merged: string[] = [];
  // Another plan that waits for an answer may have its work in the work tree, which then stays as it is.
  for (const item of items) if (await migrate(run.scope(`plan-${item}`), item, null)) merged.push(item);
  return merged;
}

/** Whether the plan was merged by others. `inTreeOf`: the plan that has the work tree; null: perhaps one that waits. */
export async function migrate(run: R, item: string, inTreeOf: string | null): Promise<boolean> {
  const { state } = await run.do('find-pull', { kind: 'find-pull', branch: branchOf(item), mark: markOf(item) });
  if (state !== 'merged') return false;
  await movePlan(run, item, inTreeOf);
  return true;
}

/** Whether others merged its pull request as it was before this commit; null: there is no such commit yet. */
export async function isMergedBefore(run: R, item: string, commit: string | null): Promise<boolean> {
  const asked = { branch: branchOf(item), mark: markOf(item) };
  const { state, head } = await run.do('find-pull', { kind: 'find-pull', ...asked });
  return state === 'merged' && (commit === null || head !== commit);
}

/** What follows a merge, the plan file is moved, the branch here follows, nothing is kept. */
export async function movePlan(run: R, item: string, inTreeOf: string | null = item): Promise<void> {
  const { place } = await readFacts(run, placeOfPlan, { item });
  if (place !== null) {
    const { name, from, to } = place;
    const subject = `chore: plan ${name} is merged`;
    await run.do('move-plan', { kind: 'move-file', item, from, to, subject, alike: `${item}-` });
  }
  await run.do('follow', { kind: 'follow-base', item: inTreeOf });
  await run.do('drop-wip', { kind: 'drop-wip', item });
}
