// Wakes the daemon when something changed that it decides by: a question was answered, a pause or a freeze came or went, it was started or stopped.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_TIMER_MS } from '../../host/clock.ts';
import { watchWork, type WatchedPlaces } from '../look/watch-work.ts';

export type Wakes = {
  /** Until so much time has passed, it is woken, or the signal comes. null: without a limit in time. */
  sleep(ms: number | null, signal: AbortSignal): Promise<void>;
  wake(): void;
  close(): void;
};

export function openWakes(places: WatchedPlaces): Wakes {
  let known = signature(places);
  /** It was woken while it did not sleep. */
  let isDue = false;
  let rouse: (() => void) | null = null;
  const wake = (): void => {
    isDue = rouse === null;
    rouse?.();
  };
  const work = watchWork(places, {
    logged: () => undefined,
    changed() {
      const now = signature(places);
      if (now === known) return;
      known = now;
      wake();
    },
  });
  return {
    wake,
    close: () => work.close(),
    async sleep(ms, signal) {
      if (isDue || signal.aborted) {
        isDue = false;
        return;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, Math.min(Math.max(ms ?? MAX_TIMER_MS, 0), MAX_TIMER_MS));
        function done(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          rouse = null;
          resolve();
        }
        signal.addEventListener('abort', done);
        rouse = done;
      });
    },
  };
}

/** Files that say what users decided, with their times, and how many questions are closed. */
function signature({ workspaceDir, privateDir, stateDir }: WatchedPlaces): string {
  const files = ['paused.json', 'frozen.json', 'handoff.json', 'daemon.json'].map((name) => join(workspaceDir, name));
  const times = [...files, join(stateDir, 'FROZEN')].map(timeOf);
  return JSON.stringify([...times, closedIn(join(privateDir, 'gates'))]);
}

function timeOf(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0; // there is none
  }
}

const closedIn = (folder: string): number =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.closed.json')).length : 0;
