// The screen of `verify`: the commands, their counts, problems and regressions.
import { proofLine } from './proof.ts';
import { proofJson } from '../../app/run/run-summary.ts';
import type { Subject } from '../../model/item.ts';
import { nameOfTest } from '../../model/report.ts';
import type { VerifyReport } from '../../app/run/verify.ts';
import type { Json } from '../../model/json.ts';
import type { Problem } from '../../model/verdict.ts';
import { proofOf } from '../../playbooks/session/proof.ts';
import type { Caller } from '../command.ts';

const SHOWN_REGRESSIONS = 20;

export function showVerified(
  { verdict, notRun, hasBaseline }: VerifyReport,
  subject: Subject | null,
  caller: Caller,
): readonly string[] {
  const { text } = caller.catalogue;
  const { holds, tests, regressions, flaky } = verdict;
  const lines: string[] = [];
  if (subject?.testFile) lines.push(text('manual.file', { file: subject.testFile }));
  for (const { name, command, passed, ms, tests: counts } of verdict.checks) {
    const word = passed ? caller.paint('green', text('verify.ok')) : caller.paint('red', text('verify.failed'));
    lines.push('', `$ ${command}`, `  ${name}: ${word} (${(ms / 1000).toFixed(1)} s)${counts === null ? '' : ','}`);
    if (counts !== null) lines[lines.length - 1] += ` ${countsOf(counts, caller)}`;
  }
  for (const name of notRun) lines.push('', text('verify.not-run', { name }));
  lines.push('', ...said(verdict.problems, caller), ...said(verdict.warnings, caller).map(yellow(caller)));
  if (regressions.length > 0) {
    lines.push(text('verify.regressions', { count: regressions.length }));
    lines.push(...regressions.slice(0, SHOWN_REGRESSIONS).map((id) => `  ${nameOfTest(id)}`));
    const more = regressions.length - SHOWN_REGRESSIONS;
    if (more > 0) lines.push(`  ${text('ids.more', { count: more })}`);
  }
  if (flaky.length > 0)
    lines.push(text('verify.flaky', { count: flaky.length }), ...flaky.map((id) => `  ${nameOfTest(id)}`));
  if (!hasBaseline && verdict.checks.some((c) => c.name === 'full')) lines.push(text('verify.nothing-kept'));
  if (verdict.evidence !== null) lines.push(text('run.evidence', { evidence: verdict.evidence }));
  if (tests !== null && verdict.checks.length > 1) lines.push(countsOf(tests, caller));
  if (holds) lines.push(proofLine(proofOf({ verdict, strength: null }), caller));
  lines.push(caller.paint(holds ? 'green' : 'red', text(endOf(subject, holds), { item: subject?.id ?? '' })));
  return lines.filter((line, n) => line !== '' || (n > 0 && lines[n - 1] !== ''));
}

function endOf(subject: Subject | null, holds: boolean) {
  if (subject === null) return holds ? 'verify.passed' : 'verify.not-passed';
  return holds ? 'verify.item-passed' : 'verify.item-failed';
}
const yellow = (caller: Caller) => (line: string) => caller.paint('yellow', line);

const said = (problems: readonly Problem[], { catalogue }: Caller): readonly string[] =>
  problems.flatMap((problem) => catalogue.problem(problem).split('\n'));

const countsOf = (
  { passed, total, skipped }: { readonly passed: number; readonly total: number; readonly skipped: number },
  { catalogue }: Caller,
): string => catalogue.text('verify.counts', { passed, total, skipped: skipped === 0 ? '' : skipped });

export const verifiedJson = (
  { verdict, notRun, hasBaseline }: VerifyReport,
  subject: Subject | null,
  { catalogue }: Caller,
): { readonly [key: string]: Json } => ({
  item: subject?.id ?? null,
  passed: verdict.holds,
  proof: proofJson(proofOf({ verdict, strength: null })),
  checks: verdict.checks,
  tests: verdict.tests,
  problems: verdict.problems.map((problem) => ({ ...problem, message: catalogue.problem(problem) })),
  warnings: verdict.warnings.map((problem) => ({ ...problem, message: catalogue.problem(problem) })),
  regressions: verdict.regressions,
  flaky: verdict.flaky,
  tampering: verdict.tampering,
  sandbox: verdict.sandbox,
  tree: verdict.tree,
  evidence: verdict.evidence,
  not_run: notRun,
  baseline: hasBaseline,
  /** Part of the contract of older versions: the commands run in a clean workspace. */
  left_traces: false,
});
