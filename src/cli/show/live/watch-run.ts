// The live lines of `harness run` on a terminal, one per lane, below the lines of its narrator. Elsewhere there are only those.
import type { Watcher } from '../../../app/open/run-context.ts';
import { watchedEvent } from '../../../host/run-events.ts';
import type { Caller } from '../../command.ts';
import { afterEvent, NO_LANES } from './lanes.ts';
import { liveLines } from './lines.ts';

/** Several events come at once: they are drawn together. */
const SETTLE_MS = 80;
/** The time in the lines passes. */
const TICK_MS = 1_000;

export type LiveWatcher = Watcher & { close(): void };

/** Close it before anything else is printed or asked. */
export async function liveWatcher(caller: Caller, narrator: Watcher): Promise<LiveWatcher> {
  let lanes = NO_LANES;
  const region = await caller.openRegion('stderr', () => draw());
  if (region === null) return { ...narrator, close: () => undefined };
  let settling: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const { columns, rows } = region;
    region.draw(liveLines(lanes.lanes, { columns: columns - 1, rows, now: Date.now() }, caller));
  };
  const soon = (): void => {
    settling ??= setTimeout(() => {
      settling = undefined;
      draw();
    }, SETTLE_MS).unref();
  };
  const tick = setInterval(draw, TICK_MS).unref();
  const see = (event: Parameters<typeof afterEvent>[1]): void => {
    lanes = afterEvent(lanes, event, Date.now());
    soon();
  };
  return {
    event(event) {
      see(event);
      narrator.event(event);
    },
    agent(session, event) {
      const seen = watchedEvent(event);
      if (seen !== null) see({ ...seen, session });
      narrator.agent(session, event);
    },
    close() {
      clearTimeout(settling);
      clearInterval(tick);
      region.close();
    },
  };
}
