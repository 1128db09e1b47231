// Decides by the results of reruns which failing tests are broken and which are flaky. Pure.
//
// A test that passed before and fails now is rerun on the same tree: never passes → broken. Otherwise it is rerun on the previous
// tree: passes and fails there too → flaky before, quarantined; only passes there → made flaky by this change. What cannot be
// shown counts against the work.
import type { TestId, TestStatus } from '../model/report.ts';

/** How often a test passed and failed in runs of one and the same tree. */
export type RerunCounts = { readonly passes: number; readonly fails: number };

export type Ruling = {
  /** Never passed on this tree. */
  readonly broken: readonly TestId[];
  /** Fails and passes here, never failed on the previous tree. */
  readonly becameFlaky: readonly TestId[];
  /** Fails and passes here; on the previous tree it never passed or could not be run. */
  readonly unproved: readonly TestId[];
  /** Flaky before too, but the quarantine is full. */
  readonly overCap: readonly TestId[];
  /** Flaky before too: proves nothing, blocks nothing. */
  readonly flaky: readonly TestId[];
};

/** At most this share of the known tests may be in quarantine, but one always. */
const CAP_SHARE = 0.02;
export const capOf = (known: number): number => Math.max(1, Math.floor(known * CAP_SHARE));

/** Statuses of one run; null: it was stopped, or wrote no report. */
export type RunStatuses = ReadonlyMap<TestId, TestStatus> | null;

/**
 * Passes and failures of each id in the runs. `unseen`: how a missing or skipped test counts: as a failure, or not at all where a
 * failure would excuse the work.
 */
export const seenIn = (
  ids: readonly TestId[],
  runs: readonly RunStatuses[],
  unseen: 'fails' | 'nothing',
): ReadonlyMap<TestId, RerunCounts> =>
  new Map(
    ids.map((id) => {
      const of = (status: TestStatus): number => runs.filter((run) => run?.get(id) === status).length;
      const passes = of('passed');
      return [id, { passes, fails: unseen === 'fails' ? runs.length - passes : of('failed') }];
    }),
  );

export const isMixed = ({ passes, fails }: RerunCounts): boolean => passes > 0 && fails > 0;

/**
 * `here`: every run on this tree, the failing first one among them. `before`: the runs on the tree before; null: it could
 * not be run. `known`: how many tests are known to pass. `held`: how many are already in quarantine.
 */
export function rule(found: {
  readonly failing: readonly TestId[];
  readonly here: ReadonlyMap<TestId, RerunCounts>;
  readonly before: ReadonlyMap<TestId, RerunCounts> | null;
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
