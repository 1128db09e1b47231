// A verdict as messages and records tell of it, and what is kept of it for later.
import type { BaselineRecord } from '../../model/action.ts';
import type { Verdict } from '../../model/verdict.ts';

/** Commits travel: where the git folder lies outside of the work tree, its place on this machine is left out. */
export const portable = (evidence: string): string => evidence.replace(/^\/.*\/(?=harness\/evidence\/)/, '.git/');

/** Of a commit's message; '' where nothing is kept. */
export const evidenceLine = ({ evidence }: Verdict): string =>
  evidence === null ? '' : `Evidence: ${portable(evidence)}`;

/** What the harness ran, as a person would have: the command and the end of its output. */
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

/** What must hold from now on: the ids that passed, where there is a report, and how the suite ended. null: no suite ran. */
export function baselineFrom(verdict: Verdict, tree: string): BaselineRecord | null {
  const { passing, tests } = verdict;
  const full = verdict.checks.find((check) => check.name === 'full');
  const suite = full?.exit === 0 ? 'green' : 'red';
  if (passing !== null) return { passing, total: tests?.total ?? 0, tree, suite };
  return full === undefined ? null : { passing: null, total: 0, tree, suite };
}
