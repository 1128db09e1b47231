// A life that only writes down what people asked for: wherever the last one stood, it works nothing, asks nothing and waits for
// nothing, and leaves the position as it is.
import { applied, STAGES, type Given, type S, type Stages } from '../positions.ts';
import { commitOf } from '../wants.ts';

export function changesOnly({ where }: Given): Stages {
  const row = {
    wants(s: S) {
      const [change] = s.file.pending;
      return change ? [commitOf(change, where)] : { verdict: 'done', reason: 'applied' };
    },
    apply: (s: S, done: { readonly kind: string; readonly key: string; readonly outcome: object }) =>
      done.kind === 'commit' && 'commit' in done.outcome
        ? applied(s, done.key, done.outcome.commit as string | null)
        : s,
  };
  // In the middle of a session the files are somebody else's.
  const work = { ...row, wants: () => ({ verdict: 'blocked', reason: 'session-interrupted' }) };
  return { ...Object.fromEntries(STAGES.map((stage) => [stage, row])), work } as unknown as Stages;
}
