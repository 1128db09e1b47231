// Files that git ignores: what is installed (node_modules) is kept before a session, compared after it, and put back with a rollback; small
// other ones (.env) that are missing after a session are put back.
import { join } from 'node:path';
import type { TestBaseline } from '../model/report.ts';
import { ok, type Result } from '../model/result.ts';
import { keepInstalled, putInstalledBack, type PutBack } from '../repos/installed-copies.ts';
import { keepIgnored, putIgnoredBack } from '../repos/ignored-copies.ts';
import { ignoredPaths } from '../repos/ignored-paths.ts';
import { changedInstalled } from '../repos/installed.ts';
import { readBaseline } from '../verify/baseline.ts';
import type { RunHost, RunRepository, RunStores } from './run-context.ts';
import { baselineFiles } from './records/baseline.ts';

type Sessions = Pick<RunStores, 'sessions'>;

const ignoredCopiesOf = ({ treeDir }: Pick<RunRepository, 'treeDir'>): string => join(treeDir, 'ignored');
const copiesOf = (context: RunRepository): string => join(context.treeDir, 'installed');

/** Call it before the agent of a session can write. */
export async function keepForSession(context: RunRepository & RunHost): Promise<Result<null>> {
  const ignored = await ignoredPaths(context.git);
  if (!ignored.ok) return ignored;
  keepInstalled(context.io, context.root, ignored.value, copiesOf(context));
  keepIgnored(context.io, context.root, ignored.value, ignoredCopiesOf(context));
  return ok(null);
}

/** Ignored files that the agent has deleted: they are there again. Call it when the session has no process any more. */
export const putDeletedBack = ({ io, root, treeDir }: Pick<RunRepository & RunHost, 'io' | 'root' | 'treeDir'>) =>
  putIgnoredBack(io, root, ignoredCopiesOf({ treeDir }));

/** Call it when the session has no process any more. */
export async function putBackAfterSession(context: RunRepository & Sessions): Promise<Result<PutBack>> {
  const ignored = await ignoredPaths(context.git);
  if (!ignored.ok) return ignored;
  const changed = (): readonly string[] => {
    const baseline = readBaseline(baselineFiles(context).kept);
    return changedSinceLanding(context, ignored.value, baseline.ok ? baseline.value : null);
  };
  return ok(putInstalledBack(context.root, ignored.value, copiesOf(context), changed));
}

/** What changed while an agent could write since the last landing, or since tests were first counted. */
export function changedSinceLanding(
  context: RunRepository & Sessions,
  ignored: readonly string[],
  baseline: TestBaseline | null,
): readonly string[] {
  const since = baseline === null ? 0 : Date.parse(baseline.timestamp);
  return changedInstalled(context.root, ignored, context.sessions.times.since(since));
}
