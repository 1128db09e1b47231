// Changes of the list: of items in a cycle or that fail, and a run that only applies what users asked for.
import type { Done } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { applied, end, flagged, listChange, type LoopContext, type LoopStages, type LoopState } from '../positions.ts';
import { askCycle, changeOf, flagOf } from '../wants.ts';

/** Items in a dependency cycle are edited or skipped; items that fail are flagged. */
export const flagging = ({ path }: Pick<LoopContext, 'path'>) =>
  ({
    cycle: {
      wants: (s) => [askCycle(s.at.n, s.at.cycle)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { n, cycle } = s.at;
        const { option, note } = done.outcome;
        if (option === 'abort') return end(s, 'blocked', 'decided-abort');
        if (option === 'edit') return flagged(s);
        return { ...s, at: { stage: 'flag', n, items: cycle.items, flag: { as: 'skipped', why: note, at: done.at } } };
      },
    },

    flag: {
      wants: (s) => [flagOf(s.at.n, s.at.items[0] ?? '', s.at.flag, path)],
      apply(s, done) {
        if (done.kind !== 'commit' && done.kind !== 'write') return s;
        const items = s.at.items.slice(1);
        return items.length > 0 ? { ...s, at: { ...s.at, items } } : flagged(s);
      },
    },
  }) satisfies Partial<LoopStages>;

/** A run that only applies changes that users asked for. It keeps the position, works on no item and asks nothing. */
export function changesOnly(context: Pick<LoopContext, 'path' | 'machine'>): LoopStages {
  const stage = {
    wants(s: LoopState) {
      const [change] = s.file.pending;
      return change ? [changeOf(change, context)] : { verdict: 'done', reason: 'applied' };
    },
    apply(s: LoopState, done: Done<Actions>) {
      const change = listChange(done, s);
      if (!change) throw new Bug(`a ${done.kind} is no change of the list`);
      return applied(s, change);
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
