// Where items themselves have to change before one can start: items in a dependency cycle are edited or skipped, items that do not hold any more
// are flagged.
import { end, flagged, type LoopContext, type LoopStages } from '../positions.ts';
import { askCycle, flagOf } from '../wants.ts';

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
