// Runs checks in a sandbox and decides whether the work passes; commands and results are kept as evidence.
import { isAbsolute, relative, sep } from 'node:path';
import type { CheckAsk, CheckSpec } from '../model/action.ts';
import type { TestBaseline, TestCase, TestCounts, TestId, TestReport } from '../model/report.ts';
import type { CheckResult, Problem, Verdict } from '../model/verdict.ts';
import type { Exit } from '../host/process.ts';
import { countsOf, keepEvidence, masked, type CheckRun } from './evidence.ts';
import { addedTo, idsProblem, judge, type Findings } from './findings.ts';
import { addedFindings } from './lint-findings.ts';
import { heldAt, type Quarantine } from './quarantine.ts';
import { stripColours } from './runners/cases.ts';
import { firstBaseline, prove, type FlakyDeps } from './rerun.ts';
import { runOnce, type RunDeps } from './run-once.ts';

export type CheckDeps = RunDeps & {
  /** The work tree of the user, absolute: paths of evidence are relative to it. */
  readonly top: string;
  /** Git tree id of exactly what is checked. */
  readonly tree: string;
  /** null: none recorded yet, so nothing can regress. */
  readonly baseline: TestBaseline | null;
  /** The folder for the evidence of this call; files of an interrupted run in it are replaced. */
  readonly evidence: string;
  /** Masks secrets in everything stored or shown. */
  readonly redact: (text: string) => string;
  /** Left out: nothing is rerun, and no test counts as flaky. */
  readonly flaky?: FlakyDeps & {
    /** Called with the new quarantine if it has changed, before the verdict is returned. */
    readonly keep: (quarantine: Quarantine) => void;
  };
};

const TAIL_CHARACTERS = 2_000;

/** Runs the checks in order up to the first failure, unless all are requested. Rejects only on errors of the operating system. */
export async function runChecks(ask: CheckAsk, deps: CheckDeps): Promise<Verdict> {
  const ran: CheckRun[] = [];
  const before = deps.flaky?.quarantine ?? [];
  const known: Known = { quarantine: before, unsteady: new Set() };
  for (const spec of ask.checks) {
    const one = await withoutOld(await proved(await runCheck(spec, deps), ask, deps, known), deps);
    ran.push(one);
    if (ask.goesOn !== true && spec.weight !== 'warn' && one.findings.problems.length > 0) break;
  }
  if (known.quarantine !== before) deps.flaky?.keep(known.quarantine);
  const flaky = heldAt(known.quarantine, deps.clock.iso()).map(({ id }) => id);
  const deciding = ran.filter((r) => r.spec.weight !== 'warn');
  const problems = [...deciding.flatMap((r) => r.findings.problems), ...ownFlaky(deciding, flaky)];
  const warnings = ran.flatMap((r) => [
    ...(r.spec.weight === 'warn' ? r.findings.problems : []),
    ...r.findings.remarks,
  ]);
  const passing = passingIds(deciding, new Set([...flaky, ...known.unsteady]));
  const kept = keepEvidence(ask, { ...deps, sandbox: deps.box.level }, ran, passing);
  return {
    holds: problems.length === 0,
    problems: problems.map((p) => masked(p, deps.redact)),
    warnings: warnings.map((p) => masked(p, deps.redact)),
    checks: ran.map((r) => resultOf(r, shownBy(deps))),
    tests: widest(ran.map((r) => countsOf(r.read))),
    regressions: [...new Set(deciding.flatMap((r) => r.findings.regressions))].sort(),
    flaky,
    tampering: [],
    sandbox: deps.box.level,
    tree: deps.tree,
    evidence: shown(deps.top, deps.evidence),
    passing: kept.passing === null ? null : shown(deps.top, kept.passing),
  };
}

/** One check, judged by a single run, without evidence. */
export async function runCheck(spec: CheckSpec, deps: CheckDeps): Promise<CheckRun> {
  const once = await runOnce(spec, spec.command, deps);
  const findings = judge(spec, once.exit, once.read, deps.baseline, tailOf(once.exit, deps.redact));
  return { spec, ...once, findings, reruns: [] };
}

/** Flaky tests found so far: later checks take into account what earlier ones found. */
type Known = { quarantine: Quarantine; readonly unsteady: Set<TestId> };

/** Judges a check against the baseline: quarantined tests do not count, and failed tests are rerun before they do. */
async function proved(ran: CheckRun, ask: CheckAsk, deps: CheckDeps, known: Known): Promise<CheckRun> {
  const { spec, exit, read } = ran;
  const { flaky, baseline, tree } = deps;
  if (flaky === undefined || spec.against !== 'baseline' || read.kind !== 'read' || exit.ended !== null) return ran;
  const tail = tailOf(exit, deps.redact);
  const judged = (passing: readonly TestId[]): Findings =>
    judge(spec, exit, read, baseline && { ...baseline, passing_tests: passing }, tail);
  const { quarantine } = known;
  const asked = { spec, report: read.report, baseline, tree, session: ask.session, quarantine, judge: judged };
  const isFirst = baseline === null && ask.purpose === 'baseline';
  const proof = await (isFirst ? firstBaseline : prove)(asked, { ...deps, flaky });
  known.quarantine = proof.quarantine;
  for (const id of proof.unsteady) known.unsteady.add(id);
  return { ...ran, findings: proof.findings, reruns: proof.reruns };
}

/** A check that fails and counts only what the work brought: its command runs on the files before the work as well. */
async function withoutOld(ran: CheckRun, deps: CheckDeps): Promise<CheckRun> {
  const { spec, findings } = ran;
  const [problem] = findings.problems;
  if (spec.since === undefined || problem === undefined || deps.flaky === undefined) return ran;
  const before = await deps.flaky.withTree(spec.since, async (place) => {
    const there = { ...deps, ...place };
    const run = await runCheck(spec, there);
    return { run, output: outputOf(run.exit, there) };
  });
  if (!before.ok) return ran;
  const { run, output } = before.value;
  return {
    ...ran,
    before: { code: run.exit.code, ended: run.exit.ended, ms: run.exit.ms },
    findings: addedTo(run.findings, findings, addedFindings(output, outputOf(ran.exit, deps))),
  };
}

const outputOf = ({ stdout, stderr }: Exit, deps: CheckDeps): string => shownBy(deps)(`${stdout}\n${stderr}`);

/** An item's own test that passes alone, but fails in the whole suite or is known to be flaky, proves nothing. */
function ownFlaky(ran: readonly CheckRun[], flaky: readonly TestId[]): readonly Problem[] {
  const casesOf = (r: CheckRun): readonly TestCase[] => (r.read.kind === 'read' ? r.read.report.cases : []);
  const others = ran.filter((r) => r.spec.against === 'baseline').flatMap(casesOf);
  const unsteady = new Set([...flaky, ...others.filter((c) => c.status === 'failed').map((c) => c.id)]);
  const own = ran.find((r) => r.spec.against === null && r.spec.needsTests);
  if (own === undefined || !ran.some((r) => r.spec.against === 'baseline')) return [];
  const passed = casesOf(own).filter((c) => c.status === 'passed' && unsteady.has(c.id));
  return passed.length === 0
    ? []
    : [
        idsProblem(
          own.spec,
          'own-test-flaky',
          passed.map((c) => c.id),
        ),
      ];
}

/** Ids that passed in every run; null: no check wrote a report. */
function passingIds(ran: readonly CheckRun[], flaky: ReadonlySet<TestId>): readonly TestId[] | null {
  const reports = ran.flatMap((r): TestReport[] => (r.read.kind === 'read' ? [r.read.report] : []));
  if (reports.length === 0) return null;
  const cases = reports.flatMap((r) => r.cases);
  const failed = new Set(cases.filter((c) => c.status === 'failed').map((c) => c.id));
  return [
    ...new Set(cases.filter((c) => c.status === 'passed' && !failed.has(c.id) && !flaky.has(c.id)).map((c) => c.id)),
  ].sort();
}

function resultOf(r: CheckRun, redact: (text: string) => string): CheckResult {
  return {
    name: r.spec.name,
    command: redact(r.spec.command),
    passed: r.findings.problems.length === 0,
    exit: r.exit.code,
    ms: r.exit.ms,
    tests: countsOf(r.read),
    tail: tailOf(r.exit, redact),
  };
}

function widest(counts: readonly (TestCounts | null)[]): TestCounts | null {
  return counts.reduce((best, c) => (c !== null && (best === null || c.total > best.total) ? c : best), null);
}

/** The end of both streams; stderr gets at most the smaller part, so that a runner's summary is not cut off. */
function tailOf(exit: Exit, redact: (text: string) => string): string {
  const end = (text: string, characters: number): string => text.slice(Math.max(0, text.length - characters));
  const clean = (text: string): string => redact(stripColours(text)).trimEnd();
  const [out, errors] = [clean(exit.stdout), clean(exit.stderr)];
  if (errors === '') return end(out, TAIL_CHARACTERS);
  const below = end(errors, Math.max(800, TAIL_CHARACTERS - 1 - out.length));
  return out === '' ? end(below, TAIL_CHARACTERS) : `${end(out, TAIL_CHARACTERS - 1 - below.length)}\n${below}`;
}

/** Shown texts end up in commits and prompts: secrets are masked, and paths are relative to the work tree. */
function shownBy({ redact, root, top, scratch }: CheckDeps): (text: string) => string {
  const itself = (folder: string): RegExp =>
    new RegExp(`${folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g');
  const plain = (text: string, folder: string): string =>
    text.replaceAll(`${folder}${sep}`, '').replaceAll(itself(folder), '.');
  return (text) => plain(plain(redact(text).replaceAll(scratch, '…'), root), top);
}

/** Repository-relative inside the work tree, else as it is. */
export function shown(root: string, path: string): string {
  const below = relative(root, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below.split(sep).join('/');
}
