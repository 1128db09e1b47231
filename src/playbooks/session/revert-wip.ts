// A skipped item leaves nothing half done on the branch: what its sessions saved there is reverted by a commit of its own, once everything
// that had passed is shown to hold without it. The work itself stays in the history.
import { z } from 'zod';
import { defineProcedure } from '../../engine/definitions.ts';
import { failure, failureSchema } from '../../model/failure.ts';
import { baselineCheck } from './checks.ts';
import { proveAndCommit, rollBack } from './tree-change.ts';

export const revertWip = defineProcedure({
  id: 'unwind',
  input: z.object({ item: z.string() }),
  /** `count`: the work of so many commits is reverted; `failure`: why it stays. */
  output: z.union([
    z.object({ commit: z.string(), count: z.number(), failure: z.null() }),
    z.object({ commit: z.null(), failure: failureSchema }),
  ]),
  async perform(run, { item }, config) {
    const checks = baselineCheck(config);
    const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session: 0, item, why: 'pre_unwind' });
    const keep = [config.paths.backlog, config.paths.progress];
    // Other items may rest on it by now, and without a suite nothing would show it.
    const isProvable = checks.length > 0;
    const undone = await run.do('unwind', { kind: 'unwind', checkpoint, item, keep, isProvable });
    const about = { checkpoint, item, session: 0 };
    if (undone.tree === null) {
      if (undone.isTouched) await rollBack(run, about, undone.failure);
      return { commit: null, failure: undone.failure };
    }
    const change = {
      ...about,
      tree: undone.tree,
      purpose: 'unwind',
      checks,
      commit: {
        item,
        subject: `revert(harness): #${item} is left out, its unfinished work is taken back`,
        unwinds: true,
      },
      failing: { reason: 'unwind-failing', about: { item } },
      edited: failure('unwind-not-clean', { item }),
    } as const;
    const made = await proveAndCommit(run, change, config);
    return made.commit === null ? made : { ...made, count: undone.count };
  },
});
