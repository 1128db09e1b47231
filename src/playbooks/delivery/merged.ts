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

/** Whether any plan of these was merged by others, and is migrated now. */
export async function migrateMerged(run: R): Promise<boolean> {
  const { items } = await readFacts(run, proposed, {});
  let any = false;
  for (const item of items) if (await migrate(run.scope(`plan-${item}`), item)) any = true;
  return any;
}

/** Whether the plan was merged by others. */
export async function migrate(run: R, item: string): Promise<boolean> {
  const { state } = await run.do('find-pull', { kind: 'find-pull', branch: branchOf(item), mark: markOf(item) });
  if (state !== 'merged') return false;
  await movePlan(run, item);
  return true;
}

/** What follows a merge, the plan file is moved, the branch here follows, nothing is kept. */
export async function movePlan(run: R, item: string): Promise<void> {
  const { place } = await readFacts(run, placeOfPlan, { item });
  if (place !== null) {
    const { name, from, to } = place;
    await run.do('move-plan', { kind: 'move-file', item, from, to, subject: `chore: plan ${name} is merged` });
  }
  await run.do('follow', { kind: 'follow-base', item });
  await run.do('drop-wip', { kind: 'drop-wip', item });
}
