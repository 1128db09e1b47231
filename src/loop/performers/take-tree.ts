// A kept tree into the work tree: of the attempt that won, or that is continued with.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { TakeTreeOutcome } from '../../model/landing-action.ts';
import { failure } from '../../model/failure.ts';
import { writeOver } from '../../repos/merge.ts';
import { treeOf } from '../../repos/tree.ts';
import type { RunRepository } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

export const takesTrees = ({ git }: RunRepository): Performer<ActionOf<Actions, 'take-tree'>, TakeTreeOutcome> => ({
  async perform({ tree }) {
    const now = await treeOf(git);
    if (!now.ok) return { blocked: now.failure };
    if (now.value === tree) return { tree };
    // After a crash in the middle it continues from what was written.
    const written = await writeOver(git, now.value, tree);
    if (!written.ok) return { blocked: written.failure };
    const found = await treeOf(git);
    if (!found.ok) return { blocked: found.failure };
    // Something that git ignores is in the way, or a user edits the files.
    if (found.value !== tree) return { blocked: failure('restore-incomplete', { expected: tree, found: found.value }) };
    return { tree };
  },
  probe: repeatable,
});
