// A run that only applies the changes that users asked for: whatever the last position is, it works on no item, asks and waits for nothing, and
// leaves the position as it is.
import { applied, isListChange, type LoopContext, type LoopState, type LoopStages } from '../positions.ts';
import { Bug } from '../../model/bug.ts';
import type { Done } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { changeOf } from '../wants.ts';

export function changesOnly({ path }: Pick<LoopContext, 'path'>): LoopStages {
  const stage = {
    wants(s: LoopState) {
      const [change] = s.file.pending;
      return change ? [changeOf(change, path)] : { verdict: 'done', reason: 'applied' };
    },
    apply(s: LoopState, done: Done<Actions>) {
      if (!isListChange(done)) throw new Bug(`a ${done.kind} is no change of the list`);
      return applied(s, done);
    },
  };
  return {
    choose: stage,
    // In the middle of a session the list belongs to the session.
    work: { ...stage, wants: () => ({ verdict: 'blocked', reason: 'session-interrupted' }) },
    backoff: stage,
    unavailable: stage,
    final: stage,
    maintain: stage,
    'false-positives': stage,
    'revert-wip': stage,
    cycle: stage,
    flag: stage,
    ended: stage,
  };
}
