// A freeze reaches a run at work, however it was asked for: also by a file that a user makes by hand.
import { existsSync, watch } from 'node:fs';
import { isFrozen } from '../open/run-blockers.ts';
import type { Target } from '../open/target.ts';

/** Calls `stop` once the repository is frozen. */
export function watchFrozen(target: Pick<Target, 'workspaceDir' | 'stateDir'>, stop: () => void): { close(): void } {
  const look = (): void => {
    if (isFrozen(target)) stop();
  };
  const { stateDir } = target;
  const watcher = existsSync(stateDir) ? watch(stateDir, { persistent: false }, look).on('error', look) : null;
  look();
  return { close: () => watcher?.close() };
}
