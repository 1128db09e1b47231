// Notices when what answers are made of may have changed: the event logs of runs, folders of the work tree, and its HEAD. Reads names only; what has
// changed is asked for by those who are called.
import { existsSync, mkdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { eventsFolder } from '../../host/run-events.ts';
import { gitFolders } from '../../repos/folders.ts';
import type { ProjectView } from '../open/project-view.ts';

export type WorkWatch = { close(): void };

/** A folder that cannot be watched is looked at so often. */
const LOOK_MS = 1_000;
/** Several files change with one step of a run. */
const SETTLE_MS = 100;

export type WatchedPlaces = Pick<ProjectView, 'root' | 'workspaceDir' | 'privateDir' | 'stateDir'>;

/**
 * `logged`: at each change of an event log, and regularly. `changed`: after gates, the state of the work tree or its HEAD changed, as when a user
 * merges what landed.
 */
export function watchWork(
  { root, workspaceDir, privateDir, stateDir }: WatchedPlaces,
  { logged, changed }: { readonly logged: () => void; readonly changed: () => void },
): WorkWatch {
  const watchers: FSWatcher[] = [];
  let settling: NodeJS.Timeout | undefined;
  const events = eventsFolder(workspaceDir);
  mkdirSync(events, { recursive: true, mode: 0o700 });
  const settle = (): void => {
    settling ??= setTimeout(() => {
      settling = undefined;
      changed();
    }, SETTLE_MS);
  };
  const look = (folder: string, then: () => void): void => {
    try {
      watchers.push(watch(folder, { persistent: false }, then).on('error', () => undefined));
    } catch {
      // the regular look finds it
    }
  };
  look(events, logged);
  // Reading changes the git folder too, but not its log of HEAD.
  const heads = join(gitFolders(root).gitDir, 'logs');
  const unwatched = new Set([join(privateDir, 'gates'), workspaceDir, stateDir, heads]);
  const watchFolders = (): void => {
    for (const folder of unwatched) {
      if (!existsSync(folder)) continue; // made with the first question
      unwatched.delete(folder);
      look(folder, settle);
    }
  };
  watchFolders();
  const regular = setInterval(() => {
    const before = unwatched.size;
    watchFolders();
    if (unwatched.size < before) settle();
    logged();
  }, LOOK_MS);
  return {
    close() {
      clearInterval(regular);
      clearTimeout(settling);
      for (const watcher of watchers) watcher.close();
    },
  };
}
