// Several lanes that ask for the same check at the same time: one of them runs it, and the others get its verdict. All lanes of a run begin
// at one commit, and the suite of a large project, once for each lane, would keep the machine busy before the first agent works.
import { settledOrAborted } from '../host/clock.ts';
import type { Result } from '../model/result.ts';
import type { Verdict } from '../model/verdict.ts';

export type SharedChecks = {
  /**
   * `key`: all that decides how the check ends. Runs it, or waits for the lane that does and gives what `take` makes of its verdict. A run
   * that failed or was aborted gives the others nothing: one of them runs the check.
   */
  run(
    key: string,
    signal: AbortSignal,
    own: () => Promise<Result<Verdict>>,
    take: (verdict: Verdict) => Result<Verdict>,
  ): Promise<Result<Verdict>>;
};

export function openSharedChecks(): SharedChecks {
  const underWay = new Map<string, Promise<Verdict | null>>();
  return {
    async run(key, signal, own, take) {
      for (let other = underWay.get(key); other !== undefined; other = underWay.get(key)) {
        await settledOrAborted(other, signal);
        if (signal.aborted) return own();
        const verdict = await other;
        if (verdict !== null) return take(verdict);
      }
      const { promise, resolve } = Promise.withResolvers<Verdict | null>();
      underWay.set(key, promise);
      let verdict: Verdict | null = null;
      try {
        const judged = await own();
        if (judged.ok && !signal.aborted) verdict = judged.value;
        return judged;
      } finally {
        underWay.delete(key);
        resolve(verdict);
      }
    },
  };
}
