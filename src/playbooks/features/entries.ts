// What the edits and briefs of this playbook are given: inputs worked out from a session's facts, plain and repeatable.
import type { Config } from '../../model/config.ts';
import type { Json } from '../../model/json.ts';
import type { Problem } from '../../model/verdict.ts';
import type { Ended, ItemFacts } from '../session/facts.ts';
import { sanityChecks } from '../session/checks.ts';

/** The log entry of a session, and whose text it is based on. */
export function entryOf(
  input: Ended & { readonly session: number },
  config: Config,
  entry: { readonly verification: string; readonly state: readonly string[] },
): Json {
  return {
    backlog: config.paths.backlog,
    progress: config.paths.progress,
    project: config.project.name,
    item: input.facts.id,
    session: input.session,
    at: input.endedAt,
    base: input.checkpoint.ref,
    entry,
  };
}

/** The variable part of a coding or continuation prompt. */
export function orientationOf(
  input: { readonly facts: ItemFacts; readonly firstTask: readonly Problem[]; readonly session: number },
  config: Config,
): Json {
  const { facts, firstTask, session } = input;
  return {
    backlog: config.paths.backlog,
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
