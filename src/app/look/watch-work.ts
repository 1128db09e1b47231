// Notices when what answers are made of may have changed: the event logs of runs, and folders of the work tree. Reads names only; what has
// changed is asked for by those who are called.
import { existsSync, mkdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { eventsFolder } from '../../host/run-events.ts';

export type WorkWatch = { close(): void };

/** A folder that cannot be watched is looked at so often. */
const LOOK_MS = 1_000;
/** Several files change with one step of a run. */
const SETTLE_MS = 100;

type Places = { readonly workspaceDir: string; readonly privateDir: string; readonly stateDir: string };

/** `logged`: at each change of an event log, and regularly. `changed`: after gates or the state of the work tree changed. */
export function watchWork(
  { workspaceDir, privateDir, stateDir }: Places,
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
  const unwatched = new Set([join(privateDir, 'gates'), workspaceDir, stateDir]);
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
