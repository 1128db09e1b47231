// Files that git ignores are not part of what is proved: where the checks fail, those that the agent wrote are named.
import { join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import type { Problem } from '../model/verdict.ts';
import { ignoredPaths } from '../repos/ignored-paths.ts';
import { isInstalledFolder } from '../repos/installed.ts';
import type { RunContext } from './run-context.ts';

/** Written by tools on the way. */
const BY_TOOLS =
  /(?:^|\/)(?:__pycache__|\.[\w-]*cache|\.nyc_output|coverage|htmlcov|\.coverage|\.harness|\.vite|\.turbo|\.next|tmp|temp|logs?)\/?$|\.(?:pyc|log|tsbuildinfo|tmp|swp|pid|lock)$/;
const MOST_NAMED = 10;

/** Ignored files and folders that hold work, as far as their names say; folders end with a slash. `sinceMs`: changed since then. */
export async function ignoredWorkIn(
  { git, root }: Pick<RunContext, 'git' | 'root'>,
  sinceMs: number,
): Promise<readonly string[]> {
  const ignored = await ignoredPaths(git);
  if (!ignored.ok) return []; // it only explains a failure that is reported anyway
  return ignored.value
    .filter((path) => !BY_TOOLS.test(path) && !isInstalledFolder(path.replace(/\/$/, '')))
    .filter((path) => (statsOf(join(root, path))?.ctimeMs ?? 0) >= sinceMs)
    .slice(0, MOST_NAMED);
}

/** Those that the agent of a session changed. */
export async function ignoredWork(
  context: Pick<RunContext, 'git' | 'root' | 'sessions'>,
  session: number,
): Promise<readonly Problem[]> {
  const startedAt = context.sessions.pointer(session)?.startedAt;
  if (startedAt === undefined) return [];
  const paths = await ignoredWorkIn(context, Date.parse(startedAt));
  return paths.length === 0
    ? []
    : [{ code: 'ignored-work', params: { count: paths.length, files: paths.join(', ') }, ids: paths }];
}
