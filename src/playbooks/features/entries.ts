// What the edits and briefs of this playbook are given: inputs worked out from a session's facts, plain and repeatable.
import type { Config } from '../../model/config.ts';
import type { Json } from '../../model/json.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import type { Ended, FeatureFacts } from './positions.ts';
import { sanityChecks } from './checks.ts';

/** The log entry of a session, and whose text it is based on. */
export function entryOf(
  input: Ended & { readonly session: number },
  config: Config,
  entry: { readonly verification: string; readonly state: readonly string[] },
): Json {
  return {
    features: config.paths.features,
    progress: config.paths.progress,
    project: config.project.name,
    item: input.facts.id,
    session: input.session,
    at: input.endedAt,
    base: input.checkpoint.ref,
    entry,
  };
}

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

/** The variable part of a coding or continuation prompt. */
export function orientationOf(
  input: { readonly facts: FeatureFacts; readonly firstTask: readonly Problem[]; readonly session: number },
  config: Config,
): Json {
  const { facts, firstTask, session } = input;
  return {
    features: config.paths.features,
    progress: config.paths.progress,
    item: facts.id,
    session,
    project: config.project.name,
    health: firstTask.length === 0 ? 'all baseline tests pass' : `${firstTask.length} things to mend first`,
    last: facts.last,
    failed: facts.failed as unknown as Json,
    first: firstTask as unknown as Json,
    partial: facts.partial,
    commands: {
      init: config.environment.init,
      reset: config.environment.reset,
      feature: config.testing.feature,
      full: config.testing.full,
      sanity: sanityChecks(config).map((c) => c.command),
    },
  };
}

/** What must hold from now on: the ids that passed, where there is a report, and how the suite ended. null: no suite ran. */
export function takenFrom(verdict: Verdict, tree: string): Json | null {
  const { passing, tests } = verdict;
  const full = verdict.checks.find((check) => check.name === 'full');
  const suite = full?.exit === 0 ? 'green' : 'red';
  if (passing !== null) return { passing, total: tests?.total ?? 0, tree, suite };
  return full === undefined ? null : { passing: null, total: 0, tree, suite };
}
