// Reruns failed tests on this tree and on the previous one, and applies the rule of flaky.ts. Also makes the first baseline, from
// more than one run, so that it contains no flaky test.
import type { CheckSpec } from '../model/action.ts';
import { fileOfTest, type TestBaseline, type TestCase, type TestId, type TestReport } from '../model/report.ts';
import type { Result } from '../model/result.ts';
import type { Problem, ProblemCode } from '../model/verdict.ts';
import { compareWithBaseline, statusesOf } from './baseline.ts';
import { capOf, isMixed, rule, seenIn, type RunStatuses, type RerunCounts } from './flaky.ts';
import { idsProblem, type Findings } from './findings.ts';
import { heldAt, withFlaky, type Quarantine } from './quarantine.ts';
import { UNLOADED } from './runners/cases.ts';
import { select, type TestSelection } from './runners/select.ts';
import { runOnce, type RunDeps } from './run-once.ts';

export type FlakyDeps = {
  /** Number of reruns of failed tests on each tree; 0: none, every failure is a broken test. */
  readonly reruns: number;
  /** Number of runs for a first baseline. */
  readonly baselineRuns: number;
  /** The command that tests one file, with `{test_file}`. */
  readonly ofFile: string | null;
  /** As stored, including expired entries. */
  readonly quarantine: Quarantine;
  /** Provides a workspace with another tree, the one before. Fails if the tree does not exist. */
  readonly withTree: <T>(tree: string, use: (place: Pick<RunDeps, 'box' | 'root'>) => Promise<T>) => Promise<Result<T>>;
};

/** For the evidence: commands, number of runs, and results of the tests. */
export type TestRerun = {
  readonly where: 'this tree' | 'the tree before';
  readonly by: TestSelection['by'];
  readonly commands: readonly string[];
  readonly runs: number;
  readonly seen: { readonly [id: TestId]: RerunCounts };
};

/** The result of a check after reruns. */
export type RerunResult = {
  readonly findings: Findings;
  readonly reruns: readonly TestRerun[];
  readonly quarantine: Quarantine;
  /** Neither baseline nor proof: flaky, or not stable enough for a first baseline. */
  readonly unsteady: readonly TestId[];
};

export type RerunAsk = {
  readonly spec: CheckSpec;
  readonly report: TestReport;
  readonly baseline: TestBaseline | null;
  /** Git tree id of the checked tree. */
  readonly tree: string;
  readonly session: number | null;
  readonly quarantine: Quarantine;
  /** Judges the first run again, against these ids only. */
  readonly judge: (passing: readonly TestId[]) => Findings;
};
type Deps = RunDeps & { readonly flaky: FlakyDeps };

/** The tests that must pass, without quarantined ones. */
const expected = (baseline: TestBaseline | null, quarantine: Quarantine, at: string): readonly TestId[] => {
  const held = new Set(heldAt(quarantine, at).map(({ id }) => id));
  return (baseline?.passing_tests ?? []).filter((id) => !held.has(id));
};

/** Judges a run against the baseline with reruns. None if other tests are missing or skipped: the work is rejected anyway. */
export async function prove(asked: RerunAsk, deps: Deps): Promise<RerunResult> {
  const { spec, report, baseline, quarantine } = asked;
  const at = deps.clock.iso();
  const passing = expected(baseline, quarantine, at);
  const plain = { findings: asked.judge(passing), reruns: [], quarantine, unsteady: [] };
  const times = deps.flaky.reruns;
  const failing = failingIds(passing, report);
  if (times === 0 || baseline === null || failing === null || failing.length === 0) return plain;

  const first = statusesOf(report.cases);
  const again = await rerun(spec, failing, times, 'this tree', deps);
  const here = seenIn(failing, [first, ...again.runs], 'fails');
  const suspects = failing.filter((id) => (here.get(id)?.passes ?? 0) > 0);
  const reruns = [noteOf(again)];
  let before: ReadonlyMap<TestId, RerunCounts> | null = null;
  if (baseline.tree === asked.tree) before = here;
  else if (suspects.length > 0 && baseline.tree !== undefined) {
    const there = await deps.flaky.withTree(baseline.tree, (place) =>
      rerun(spec, suspects, times, 'the tree before', { ...deps, ...place }),
    );
    if (there.ok) {
      before = seenIn(suspects, there.value.runs, 'nothing');
      reruns.push(noteOf(there.value));
    }
  }
  const held = heldAt(quarantine, at).length;
  const ruling = rule({ failing, here, before, known: baseline.passing_tests.length, held });
  const found = new Map(
    ruling.flaky.flatMap((id) => pair(id, sum(here.get(id), before === here ? undefined : before?.get(id)))),
  );
  const settled = new Set([...ruling.flaky, ...ruling.becameFlaky, ...ruling.unproved, ...ruling.overCap]);
  const rest = asked.judge(passing.filter((id) => !settled.has(id)));
  const problemsOf = (code: ProblemCode, ids: readonly TestId[], params = {}): readonly Problem[] =>
    ids.length === 0 ? [] : [idsProblem(spec, code, ids, { runs: times, ...params })];
  const against = [...ruling.becameFlaky, ...ruling.unproved, ...ruling.overCap];
  return {
    findings: {
      problems: [
        ...rest.problems,
        ...problemsOf('became-flaky', ruling.becameFlaky),
        ...problemsOf('flaky-unproved', ruling.unproved),
        ...problemsOf('flaky-over-cap', ruling.overCap, { cap: capOf(baseline.passing_tests.length), held }),
      ],
      remarks: [...rest.remarks, ...problemsOf('test-quarantined', ruling.flaky)],
      regressions: [...new Set([...rest.regressions, ...against])].sort(),
    },
    reruns,
    quarantine: found.size === 0 ? quarantine : withFlaky(quarantine, found, { at, session: asked.session }),
    unsteady: [...settled],
  };
}

/** A first baseline: runs the suite again. Tests with differing results are left out. */
export async function firstBaseline(asked: RerunAsk, deps: Deps): Promise<RerunResult> {
  const { spec, report, quarantine } = asked;
  const at = deps.clock.iso();
  const findings = asked.judge([]);
  const times = deps.flaky.baselineRuns - 1;
  const first = statusesOf(report.cases);
  const executed = [...first].flatMap(([id, status]) => (status === 'skipped' ? [] : [id]));
  if (times < 1 || executed.length === 0) return { findings, reruns: [], quarantine, unsteady: [] };
  const whole = { commands: [spec.command], by: 'command' } as const;
  const again = await runAll(spec, whole, executed, times, 'this tree', deps);
  // A run that was stopped has no results for single tests.
  const complete = again.runs.filter((run) => run !== null);
  const seen = seenIn(executed, [first, ...complete], 'fails');
  const unsteady = executed.filter((id) => isMixed(seen.get(id) ?? { passes: 0, fails: 0 }));
  const room = capOf(executed.length) - heldAt(quarantine, at).length;
  const fits = unsteady.length <= room;
  const found = new Map((fits ? unsteady : []).flatMap((id) => pair(id, seen.get(id))));
  const remarks =
    unsteady.length === 0
      ? []
      : [idsProblem(spec, fits ? 'test-quarantined' : 'unsteady-tests', unsteady, { runs: times + 1 })];
  return {
    findings: { ...findings, remarks: [...findings.remarks, ...remarks] },
    reruns: [noteOf(again)],
    quarantine: found.size === 0 ? quarantine : withFlaky(quarantine, found, { at, session: asked.session }),
    unsteady,
  };
}

/**
 * Ids that passed before and fail now, including those whose file did not load. null: others are missing or skipped, so reruns
 * cannot help.
 */
function failingIds(passing: readonly TestId[], report: TestReport): readonly TestId[] | null {
  const { failed, missing, skipped } = compareWithBaseline(passing, report.cases);
  const unloaded = new Set(report.cases.filter((c) => c.name === UNLOADED).map((c) => c.file));
  const isOfUnloaded = (id: TestId): boolean => unloaded.has(fileOfTest(id));
  return skipped.length > 0 || !missing.every(isOfUnloaded) ? null : [...failed, ...missing];
}

type Reruns = Omit<TestRerun, 'runs' | 'seen'> & {
  readonly ids: readonly TestId[];
  readonly runs: readonly RunStatuses[];
};

/** Runs the narrowest selection whose report contains the ids. */
async function rerun(
  spec: CheckSpec,
  ids: readonly TestId[],
  times: number,
  where: TestRerun['where'],
  deps: Deps,
): Promise<Reruns> {
  const narrow = select(spec.runner, spec.command, deps.flaky.ofFile, ids);
  const tried = await runAll(spec, narrow, ids, times, where, deps);
  const isSeen = tried.runs.some((run) => ids.some((id) => run?.has(id) === true));
  if (isSeen || narrow.by === 'command') return tried;
  return runAll(spec, { commands: [spec.command], by: 'command' }, ids, times, where, deps);
}

async function runAll(
  spec: CheckSpec,
  { commands, by }: TestSelection,
  ids: readonly TestId[],
  times: number,
  where: TestRerun['where'],
  deps: Deps,
): Promise<Reruns> {
  const runs: RunStatuses[] = [];
  for (let n = 0; n < times; n++) {
    const cases: TestCase[] = [];
    let isWhole = true;
    for (const command of commands) {
      const { exit, read } = await runOnce(spec, command, deps);
      if (exit.ended === null && read.kind === 'read') cases.push(...read.report.cases);
      else isWhole = false;
    }
    runs.push(isWhole ? statuses(cases, ids) : null);
  }
  return { where, by, commands, ids, runs };
}

/** A test of a file that did not load has failed. */
function statuses(cases: readonly TestCase[], ids: readonly TestId[]): RunStatuses {
  const unloaded = new Set(cases.filter((c) => c.name === UNLOADED).map((c) => c.file));
  const byId = new Map(statusesOf(cases));
  for (const id of ids) if (!byId.has(id) && unloaded.has(fileOfTest(id))) byId.set(id, 'failed');
  return byId;
}

const noteOf = ({ where, by, commands, ids, runs }: Reruns): TestRerun => {
  const seen = seenIn(ids, runs, 'nothing');
  // A first baseline covers every test: long lists are left out.
  const listed = where === 'this tree' && by === 'command' && ids.length > MAX_LISTED ? [] : [...seen];
  return { where, by, commands, runs: runs.length, seen: Object.fromEntries(listed) };
};
const MAX_LISTED = 200;

const pair = (id: TestId, seen: RerunCounts | undefined): readonly [TestId, RerunCounts][] =>
  seen === undefined ? [] : [[id, seen]];

const sum = (a: RerunCounts | undefined, b: RerunCounts | undefined): RerunCounts => ({
  passes: (a?.passes ?? 0) + (b?.passes ?? 0),
  fails: (a?.fails ?? 0) + (b?.fails ?? 0),
});
