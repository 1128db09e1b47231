// The evidence of a check, for people who want to verify it: commands, exits, outputs, reports, hashes.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckAsk, CheckSpec } from '../model/action.ts';
import { countTests, type TestCounts, type TestId } from '../model/report.ts';
import type { Problem } from '../model/verdict.ts';
import type { Io } from '../host/io.ts';
import type { Exit } from '../host/process.ts';
import type { Findings, ReportRead } from './findings.ts';
import type { TestRerun } from './rerun.ts';

/** One check as it ran. */
export type CheckRun = {
  readonly spec: CheckSpec;
  readonly exit: Exit;
  readonly read: ReportRead;
  readonly rawReport: string | null;
  readonly extension: string;
  readonly findings: Findings;
  readonly reruns: readonly TestRerun[];
  /** How the command ended on the files before the work; left out: it did not run there. */
  readonly before?: Pick<Exit, 'code' | 'ended' | 'ms'>;
  readonly ranAs: string;
  readonly startedAt: string;
};

export type EvidenceDeps = {
  readonly io: Io;
  readonly evidence: string;
  readonly tree: string;
  readonly sandbox: string;
  readonly redact: (text: string) => string;
};

const PASSING = 'passing.json';
const CHECKS = 'checks.json';

export const countsOf = (read: ReportRead): TestCounts | null =>
  read.kind === 'read' ? countTests(read.report.cases) : null;

/**
 * checks.json is written last: if it exists after a crash, the evidence is complete. It is not waited for, so a power failure may take it, or outputs
 * whose hashes it has: a landing without one of them is refused, and the work is checked again. `passing.json` is waited for, since the tests
 * that must pass from now on are taken from it later, without another check.
 */
export function keepEvidence(
  ask: CheckAsk,
  deps: EvidenceDeps,
  ran: readonly CheckRun[],
  passing: readonly TestId[] | null,
): { readonly passing: string | null } {
  const { io, redact, evidence } = deps;
  const files: { path: string; text: string; how?: 'may-be-lost' }[] = [];
  const keep = (name: string, text: string) => {
    const content = redact(text);
    files.push({ path: join(evidence, name), text: content, how: 'may-be-lost' });
    return { file: name, sha256: createHash('sha256').update(content).digest('hex'), masked: content !== text };
  };
  const checks = ran.map((r, index) => {
    const stem = `${index + 1}-${r.spec.name.replace(/[^\w.-]+/g, '-').slice(0, 40)}`;
    const { code, signal, ended, ms, bytes, stdout, stderr } = r.exit;
    return {
      name: r.spec.name,
      command: redact(r.spec.command),
      ran: redact(r.ranAs),
      runner: r.spec.runner,
      weight: r.spec.weight,
      against: r.spec.against,
      ...(r.spec.since === undefined ? {} : { since: r.spec.since }),
      ...(r.before === undefined ? {} : { before: r.before }),
      needsTests: r.spec.needsTests,
      timeoutMs: r.spec.timeoutMs,
      started: r.startedAt,
      exit: { code, signal, ended, ms, bytes },
      tests: countsOf(r.read),
      perTest: r.read.kind,
      problems: r.findings.problems.map((p) => masked(p, redact)),
      remarks: r.findings.remarks.map((p) => masked(p, redact)),
      regressions: r.findings.regressions,
      reruns: r.reruns.map((again) => maskedRerun(again, redact)),
      stdout: keep(`${stem}.stdout.txt`, stdout),
      stderr: keep(`${stem}.stderr.txt`, stderr),
      report: r.rawReport === null ? null : keep(`${stem}.report.${r.extension}`, r.rawReport),
    };
  });
  const passed = passing === null ? null : join(evidence, PASSING);
  if (passed !== null) files.push({ path: passed, text: `${JSON.stringify(passing, null, 1)}\n` });
  const head = { schema: 1, purpose: ask.purpose, session: ask.session, tree: deps.tree, sandbox: deps.sandbox };
  const summary = `${JSON.stringify({ ...head, checks }, null, 2)}\n`;
  io.remove(evidence);
  io.replaceAll([...files, { path: join(evidence, CHECKS), text: summary, how: 'may-be-lost' }]);
  return { passing: passed };
}

/** The evidence of the same check that ran for another caller, as that of this one. */
export function copyEvidence(io: Io, from: string, to: string): void {
  const names = readdirSync(from).filter((name) => name !== CHECKS);
  // As in the original, the one that says that all are there is the last.
  const files = [...names, CHECKS].map((name) => ({
    path: join(to, name),
    text: readFileSync(join(from, name)),
    ...(name === PASSING ? {} : { how: 'may-be-lost' as const }),
  }));
  io.remove(to);
  io.replaceAll(files);
}

const maskedRerun = (again: TestRerun, redact: (text: string) => string): TestRerun => ({
  ...again,
  commands: again.commands.map(redact),
  seen: Object.fromEntries(Object.entries(again.seen).map(([id, seen]) => [redact(id), seen])),
});

/** Masks secrets in problems: test names and parser messages can contain them. */
export function masked(p: Problem, redact: (text: string) => string): Problem {
  const params = Object.fromEntries(
    Object.entries(p.params).map(([key, v]) => [key, typeof v === 'string' ? redact(v) : v]),
  );
  return p.ids === undefined ? { ...p, params } : { ...p, params, ids: p.ids.map(redact) };
}
