// A life that only writes down what people asked for: wherever the last one stood, it works nothing, asks nothing and waits for
// nothing, and leaves the position as it is.
import { applied, STAGES, type Given, type S, type Stages } from '../positions.ts';
import { changeOf } from '../wants.ts';

export function changesOnly({ where }: Given): Stages {
  const row = {
    wants(s: S) {
      const [change] = s.file.pending;
      return change ? [changeOf(change, where)] : { verdict: 'done', reason: 'applied' };
    },
    apply: (s: S, done: Parameters<typeof applied>[1]) => applied(s, done),
  };
  // In the middle of a session the files are somebody else's.
  const work = { ...row, wants: () => ({ verdict: 'blocked', reason: 'session-interrupted' }) };
  return { ...Object.fromEntries(STAGES.map((stage) => [stage, row])), work } as unknown as Stages;
}
