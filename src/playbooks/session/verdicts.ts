// A verdict in messages and records, and the baseline that is kept of it.
import type { BaselineRecord } from '../../model/action.ts';
import type { Verdict } from '../../model/verdict.ts';

/** Commits are shared, so the path of a git folder outside the work tree is left out. */
export const portable = (evidence: string): string => evidence.replace(/^\/.*\/(?=harness\/evidence\/)/, '.git/');

/** A line of a commit's message; '' if no evidence is kept. */
export const evidenceLine = ({ evidence }: Verdict): string =>
  evidence === null ? '' : `Evidence: ${portable(evidence)}`;

/** What the harness ran: each command and the end of its output. */
export const shownChecks = (verdict: Verdict): string =>
  verdict.checks
    .map(({ command, tail }) => `$ ${command}\n${tail.split('\n').slice(-12).join('\n')}`.trim())
    .join('\n\n');

export function stateOf(verdict: Verdict): readonly string[] {
  const { tests, warnings } = verdict;
  const counted = tests === null ? 'Verified by exit code alone' : `${tests.passed} of ${tests.total} tests pass`;
  const quality = warnings.filter(({ code }) => code !== 'tool-violation');
  const broken = warnings.find(({ code }) => code === 'tool-violation')?.ids ?? [];
  return [
    counted,
    quality.length === 0 ? 'No lint errors' : `${quality.length} quality warnings, left for cleanup`,
    ...(broken.length === 0 ? [] : [`${broken.length} tool calls against the rules: see the session's record`]),
  ];
}

/** The baseline from now on: the ids that passed, if there is a report, and how the suite ended. null: no suite ran. */
export function baselineFrom(verdict: Verdict, tree: string): BaselineRecord | null {
  const { passing, tests } = verdict;
  const full = verdict.checks.find((check) => check.name === 'full');
  const suite = full?.exit === 0 ? 'green' : 'red';
  if (passing !== null) return { passing, total: tests?.total ?? 0, tree, suite };
  return full === undefined ? null : { passing: null, total: 0, tree, suite };
}
