// The index is derived again: at the start of a run from the newest commit of the base branch, and after each merge. In between it is noted in which phase
// a plan is.
import { defineProcedure, editCall } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { z } from 'zod';
import { migrateMerged } from './merged.ts';
import type { PlanPhase, Reached } from './phases.ts';
import { markMerged, notePhase, refreshIndex } from './plans.ts';

/** `isWhole`: files of merged plans are read again too. */
export async function refresh(run: Run<Actions>, isWhole = false): Promise<void> {
  await run.do('index', { kind: 'write', edit: editCall(refreshIndex, isWhole ? { isWhole } : {}), lines: [] });
}

/** For `harness status`: the phase that begins, and the one that is done. `phase` null: none begins. */
export async function atPhase(
  run: Run<Actions>,
  item: string,
  about: { readonly phase: PlanPhase | null; readonly reached: Reached['at'] | null },
): Promise<void> {
  await run.do('phase', { kind: 'write', edit: editCall(notePhase, { item, ...about }), lines: [] });
}

export const begin = defineProcedure({
  id: 'delivery.begin',
  input: z.object({}),
  output: z.object({ continues: z.boolean() }),
  async perform(run) {
    await run.do('follow', { kind: 'follow-base', item: null });
    await refresh(run, true);
    const items = await migrateMerged(run.scope('merged'));
    if (items.length > 0)
      await run
        .scope('migrated')
        .do('index', { kind: 'write', edit: editCall(markMerged, { items: [...items] }), lines: [] });
    return { continues: true };
  },
});
