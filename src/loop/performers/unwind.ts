// The unfinished work of an item that is left out, taken out of the work tree for checks to be run without it.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, UnwindOutcome } from '../../model/action.ts';
import { failure, type Failure, filesNamed } from '../../model/failure.ts';
import type { Merged } from '../../repos/merge.ts';
import { unwindInWorkTree } from '../../repos/unwind.ts';
import type { RunEvents, RunRepository } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

export const unwinds = (context: RunRepository & RunEvents): Performer<ActionOf<Actions, 'unwind'>, UnwindOutcome> => ({
  async perform({ checkpoint, item, keep, isProvable }) {
    const refused = (why: Failure, isTouched: boolean): UnwindOutcome => {
      context.notify({ type: 'not-unwound', level: 'important', item, data: { reason: why.reason } });
      return { tree: null, failure: why, isTouched };
    };
    if (!isProvable) return refused(failure('unwind-unproved', { item }), false);
    const unwound = await unwindInWorkTree(context.git, { before: checkpoint, item, keep });
    if (!unwound.ok) return { blocked: unwound.failure };
    const { merged, count } = unwound.value;
    if (merged.is === 'merged') return { tree: merged.tree, count, failure: null };
    return refused(refusalOf(merged, item), merged.is === 'unfinished');
  },
  probe: repeatable,
});

function refusalOf(merged: Exclude<Merged, { is: 'merged' }>, item: string): Failure {
  if (merged.is !== 'conflict' && merged.is !== 'reserved') return failure('unwind-not-clean', { item });
  return failure('unwind-conflict', { item, ...filesNamed(merged.files) });
}
