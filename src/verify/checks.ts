// Runs checks in a box and says whether the work holds. Every run gets a fresh place for its report outside the work
// tree, so that nothing an agent left there can pass for one; what was run and what came of it is kept as evidence.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { z } from 'zod';
import type { CheckAsk, CheckSpec } from '../model/action.ts';
import type { TestBaseline, TestCounts, TestId, TestReport } from '../model/report.ts';
import type { CheckResult, Verdict } from '../model/verdict.ts';
import type { Clock } from '../host/clock.ts';
import type { Io } from '../host/io.ts';
import type { Exit } from '../host/process.ts';
import type { Box } from './box.ts';
import { readRegular } from '../host/regular.ts';
import { countsOf, keepEvidence, masked, type Ran } from './evidence.ts';
import { judge, type ReportRead } from './findings.ts';
import { adapterFor } from './reports/adapters.ts';
import { stripColours } from './reports/cases.ts';
import type { Adapter, Instrumented } from './reports/port.ts';
import type { Scripts } from './reports/scripts.ts';

export type CheckDeps = {
  readonly box: Box;
  readonly io: Io;
  readonly clock: Clock;
  /** The work tree, absolute. */
  readonly root: string;
  /** Git tree id of exactly what is checked. */
  readonly tree: string;
  /** null: none recorded yet, then nothing can regress. */
  readonly baseline: TestBaseline | null;
  /** A private folder outside the work tree; reports are written below it and removed again. */
  readonly scratch: string;
  /** The folder for the evidence of this very ask; what an interrupted run left there is replaced. */
  readonly evidence: string;
  /** Masks secrets in what is kept and shown. */
  readonly redact: (text: string) => string;
};

/** A report of more bytes is not read. */
const MAX_REPORT_BYTES = 128 * 1024 * 1024;
const MAX_PACKAGE_BYTES = 1024 * 1024;
const FLOOD_BYTES = 64 * 1024 * 1024;
const KEEP_BYTES = 1024 * 1024;
const TAIL_CHARACTERS = 2_000;

/** Checks run in order and end at the first that decides against the work. Never rejects but for a broken machine. */
export async function runChecks(ask: CheckAsk, deps: CheckDeps): Promise<Verdict> {
  const ran: Ran[] = [];
  for (const spec of ask.checks) {
    const one = await runCheck(spec, deps);
    ran.push(one);
    if (spec.weight !== 'warn' && one.findings.problems.length > 0) break;
  }
  const deciding = ran.filter((r) => r.spec.weight !== 'warn');
  const problems = deciding.flatMap((r) => r.findings.problems);
  const warnings = ran.flatMap((r) => [
    ...(r.spec.weight === 'warn' ? r.findings.problems : []),
    ...r.findings.remarks,
  ]);
  const passing = passingIds(deciding);
  const kept = keepEvidence(ask, { ...deps, sandbox: deps.box.level }, ran, passing);
  return {
    holds: problems.length === 0,
    problems: problems.map((p) => masked(p, deps.redact)),
    warnings: warnings.map((p) => masked(p, deps.redact)),
    checks: ran.map((r) => resultOf(r, shownBy(deps))),
    tests: widest(ran.map((r) => countsOf(r.read))),
    regressions: [...new Set(deciding.flatMap((r) => r.findings.regressions))].sort(),
    flaky: [],
    tampering: [],
    sandbox: deps.box.level,
    tree: deps.tree,
    evidence: shown(deps.root, deps.evidence),
    passing: kept.passing === null ? null : shown(deps.root, kept.passing),
  };
}

/** One check, judged and not kept: for those who keep evidence of their own. */
export async function runCheck(spec: CheckSpec, deps: CheckDeps): Promise<Ran> {
  const startedAt = deps.clock.iso();
  const name = randomBytes(12).toString('hex');
  const reportDir = join(deps.scratch, name);
  deps.io.remove(reportDir);
  mkdirSync(reportDir, { recursive: true, mode: 0o700 });
  try {
    const adapter = adapterFor(spec.runner);
    const reportPath = join(realpathSync(reportDir), `${name}.${adapter?.extension ?? 'txt'}`);
    const how = adapter?.instrument(spec.command, reportPath, scriptsIn(deps.root)) ?? null;
    for (const file of how?.needs ?? []) copyFileSync(file.from, file.path);
    // A command that asks for a report path gets one, also where nobody reads it.
    const command = how?.command ?? spec.command.replaceAll('{report}', reportPath);
    const exit = await deps.box.run({
      command,
      env: { CI: '1', ...how?.env },
      timeoutMs: spec.timeoutMs,
      reportDir: realpathSync(reportDir),
      network: spec.weight === 'environment' ? 'host' : 'none',
      keepBytes: how?.from === 'stdout' ? 2 * FLOOD_BYTES : KEEP_BYTES,
      floodBytes: FLOOD_BYTES,
    });
    const { read, raw } = readReport(adapter, how, exit, reportPath, realpathSync(deps.root));
    const findings = judge(spec, exit, read, deps.baseline, tailOf(exit, deps.redact));
    const extension = adapter?.extension ?? 'txt';
    return { spec, exit, read, rawReport: raw, extension, findings, ranAs: command, startedAt };
  } finally {
    deps.io.remove(reportDir);
  }
}

/** Scripts of package.json, as far as there are any. Written by whoever works here: they only say how to ask for reports. */
function scriptsIn(root: string): Scripts {
  const file = readRegular(join(root, 'package.json'), MAX_PACKAGE_BYTES);
  if (file.kind !== 'file') return {};
  try {
    const parsed = packageSchema.safeParse(JSON.parse(file.bytes.toString('utf8')));
    return parsed.success ? parsed.data.scripts : {};
  } catch {
    return {};
  }
}

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

function readReport(
  adapter: Adapter | null,
  how: Instrumented | null,
  exit: Exit,
  path: string,
  root: string,
): { readonly read: ReportRead; readonly raw: string | null } {
  if (adapter === null || how === null) return { read: { kind: 'none' }, raw: null };
  let raw = exit.stdout;
  if (how.from === 'file') {
    const file = readRegular(path, MAX_REPORT_BYTES);
    if (file.kind === 'absent') return { read: { kind: 'missing' }, raw: null };
    if (file.kind === 'other') return { read: { kind: 'unreadable', why: file.why }, raw: null };
    raw = file.bytes.toString('utf8');
  }
  const parsed = adapter.parse(raw, root);
  if (parsed.ok) return { read: { kind: 'read', report: parsed.value }, raw };
  return { read: { kind: 'unreadable', why: String(parsed.failure.params['why'] ?? '') }, raw };
}

/** Ids of the checks that may be believed: an id that failed in one run has not passed. null without any report. */
function passingIds(ran: readonly Ran[]): readonly TestId[] | null {
  const reports = ran.flatMap((r): TestReport[] => (r.read.kind === 'read' ? [r.read.report] : []));
  if (reports.length === 0) return null;
  const cases = reports.flatMap((r) => r.cases);
  const failed = new Set(cases.filter((c) => c.status === 'failed').map((c) => c.id));
  return [...new Set(cases.filter((c) => c.status === 'passed' && !failed.has(c.id)).map((c) => c.id))].sort();
}

function resultOf(r: Ran, redact: (text: string) => string): CheckResult {
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

/** The end of both streams; errors get at most the smaller part, so that a runner's summary is not pushed out. */
function tailOf(exit: Exit, redact: (text: string) => string): string {
  const end = (text: string, characters: number): string => text.slice(Math.max(0, text.length - characters));
  const clean = (text: string): string => redact(stripColours(text)).trimEnd();
  const [out, errors] = [clean(exit.stdout), clean(exit.stderr)];
  if (errors === '') return end(out, TAIL_CHARACTERS);
  const below = end(errors, Math.max(800, TAIL_CHARACTERS - 1 - out.length));
  return out === '' ? end(below, TAIL_CHARACTERS) : `${end(out, TAIL_CHARACTERS - 1 - below.length)}\n${below}`;
}

/** What is shown travels in commits and prompts: secrets are masked, folders of this machine are as seen from the work tree. */
function shownBy({ redact, root, scratch }: CheckDeps): (text: string) => string {
  const itself = new RegExp(`${root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g');
  return (text) => redact(text).replaceAll(scratch, '…').replaceAll(`${root}${sep}`, '').replaceAll(itself, '.');
}

/** Repository-relative inside the work tree, else as it is. */
export function shown(root: string, path: string): string {
  const below = relative(root, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below.split(sep).join('/');
}
