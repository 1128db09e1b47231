// Where items themselves have to change before one can begin: who waits in a circle is edited or left out, what does not hold
// any more is marked.
import { end, marked, type Given, type Stages } from '../positions.ts';
import { askCircle, markOf } from '../wants.ts';

export const marking = ({ where }: Given) =>
  ({
    circle: {
      wants: (s) => [askCircle(s.at.n, s.at.circle)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { n, circle } = s.at;
        const { option, note } = done.outcome;
        if (option === 'abort') return end(s, 'blocked', 'decided-abort');
        if (option === 'edit') return marked(s);
        return {
          ...s,
          at: { stage: 'mark', n, items: circle.items, mark: { as: 'skipped', why: note, at: done.at } },
        };
      },
    },

    mark: {
      wants: (s) => [markOf(s.at.n, s.at.items[0] ?? '', s.at.mark, where)],
      apply(s, done) {
        if (done.kind !== 'commit' && done.kind !== 'write') return s;
        const items = s.at.items.slice(1);
        return items.length > 0 ? { ...s, at: { ...s.at, items } } : marked(s);
      },
    },
  }) satisfies Partial<Stages>;
