// Which tests that fail are broken and which are flaky: the rule over what reruns showed. Pure.
//
// A test that held before and fails now is run again on the same tree: never passes → it is broken. Else it is run on the
// tree before as well: fails and passes there too → it was flaky before and goes into quarantine; only passes there → this
// change made it so. Whatever cannot be shown counts against the work.
import type { TestId, TestStatus } from '../model/report.ts';

/** How often a test passed and failed in runs of one and the same tree. */
export type Seen = { readonly passes: number; readonly fails: number };

export type Ruling = {
  /** Never passed on this tree. */
  readonly broken: readonly TestId[];
  /** Fails and passes here, never failed on the tree before. */
  readonly becameFlaky: readonly TestId[];
  /** Fails and passes here; on the tree before it never passed, or could not be run. */
  readonly unproved: readonly TestId[];
  /** Flaky before too, but there is no more room in the quarantine. */
  readonly overCap: readonly TestId[];
  /** Flaky before too: proves nothing, breaks nothing. */
  readonly flaky: readonly TestId[];
};

/** At most this share of the known tests may be in quarantine, but one always. */
const CAP_SHARE = 0.02;
export const capOf = (known: number): number => Math.max(1, Math.floor(known * CAP_SHARE));

/** What one run said of its tests; null: it was ended, or left no report. */
export type RunSaid = ReadonlyMap<TestId, TestStatus> | null;

/**
 * Of each id what it did in the runs. `unseen`: not to be told in a run, or to be skipped, is to fail in it (where that
 * counts against the work), or nothing at all (where a failure would forgive).
 */
export const seenIn = (
  ids: readonly TestId[],
  runs: readonly RunSaid[],
  unseen: 'fails' | 'nothing',
): ReadonlyMap<TestId, Seen> =>
  new Map(
    ids.map((id) => {
      const of = (status: TestStatus): number => runs.filter((run) => run?.get(id) === status).length;
      const passes = of('passed');
      return [id, { passes, fails: unseen === 'fails' ? runs.length - passes : of('failed') }];
    }),
  );

export const isMixed = ({ passes, fails }: Seen): boolean => passes > 0 && fails > 0;

/**
 * `here`: every run on this tree, the failing first one among them. `before`: the runs on the tree before; null: it could
 * not be run. `known`: how many tests are known to pass. `held`: how many are in quarantine already.
 */
export function rule(found: {
  readonly failing: readonly TestId[];
  readonly here: ReadonlyMap<TestId, Seen>;
  readonly before: ReadonlyMap<TestId, Seen> | null;
  readonly known: number;
  readonly held: number;
}): Ruling {
  const kindOf = (id: TestId): keyof Ruling => {
    if ((found.here.get(id)?.passes ?? 0) === 0) return 'broken';
    const before = found.before?.get(id);
    if (before === undefined || before.passes === 0) return 'unproved';
    return before.fails === 0 ? 'becameFlaky' : 'flaky';
  };
  const of = (kind: keyof Ruling): readonly TestId[] => found.failing.filter((id) => kindOf(id) === kind);
  const flaky = of('flaky');
  const fits = found.held + flaky.length <= capOf(found.known);
  return {
    broken: of('broken'),
    becameFlaky: of('becameFlaky'),
    unproved: of('unproved'),
    overCap: fits ? [] : flaky,
    flaky: fits ? flaky : [],
  };
}
