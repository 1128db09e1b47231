// `harness status --watch`: the screen of status, drawn again when something has changed, with a line per lane. Where the output is no
// terminal, one line per change; with --json, one object per change. Ends with Ctrl-C, or when its reader has left.
import { eventsFrom } from '../../../app/look/run-events.ts';
import { watchWork } from '../../../app/look/watch-work.ts';
import { openProjectView } from '../../../app/open/project-view.ts';
import type { Status } from '../../../app/look/status.ts';
import { status as operation } from '../../../app/operations/status.ts';
import { lockOwner } from '../../../host/lock.ts';
import { ok, type Result } from '../../../model/result.ts';
import type { Answer, Caller } from '../../command.ts';
import { showStatus } from '../status.ts';
import { afterEvent, NO_LANES, type LiveLane, type LiveRun } from './lanes.ts';
import { liveLines } from './lines.ts';
import { statusLine } from './status-line.ts';

/** The time in the lines passes. */
const TICK_MS = 1_000;

export async function watchStatus(caller: Caller): Promise<Result<Answer>> {
  const view = await openProjectView(caller);
  if (!view.ok) return view;
  const { workspaceDir } = view.value;
  const first = await operation.run(caller, {});
  if (!first.ok) return first;
  let now: Status = first.value.detail;
  let said = '';
  const log = openLog(workspaceDir);
  const stop = new AbortController();
  const region = await caller.openRegion('stdout', () => show());

  const lanesNow = (): readonly LiveLane[] =>
    log.lanes(
      now.owner?.run ?? null,
      now.lanes.map(({ session }) => session),
    );
  const show = (): void => {
    const lanes = lanesNow();
    if (region !== null) {
      const { columns, rows } = region;
      const live = liveLines(lanes, { columns: columns - 1, rows, now: Date.now() }, caller);
      return region.draw([...showStatus(now, caller, () => Date.now()), ...(live.length > 0 ? ['', ...live] : [])]);
    }
    const line = caller.json
      ? JSON.stringify({ schema: 'harness.status/1', ...now.json })
      : statusLine(now, lanes, caller);
    if (line === said) return;
    said = line;
    caller.print(caller.json ? line : `${new Date().toISOString().slice(0, 19).replace('T', ' ')}  ${line}`);
  };

  // One reading at a time; a change meanwhile asks for one more.
  let [isReading, isStale] = [false, false];
  const read = async (): Promise<void> => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale && !stop.signal.aborted) {
      isStale = false;
      const next = await operation.run(caller, {});
      // A file that is being replaced at this moment can be read at the next change.
      if (next.ok) now = next.value.detail;
    }
    isReading = false;
    if (!stop.signal.aborted) show();
  };
  // A run that ends, or is killed, frees its lock without a word in any file.
  const hasChangedHands = (): boolean => (lockOwner(workspaceDir)?.pid ?? null) !== (now.owner?.pid ?? null);
  const readAgain = (): void => void read().catch(() => undefined);

  show();
  const work = watchWork(view.value, {
    logged: () => (log.hasMore() || hasChangedHands() ? readAgain() : undefined),
    changed: readAgain,
  });
  const tick = region === null ? undefined : setInterval(show, TICK_MS);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      release();
      resolve();
    };
    const release = caller.onInterrupt(end, end, end);
  });
  stop.abort();
  clearInterval(tick);
  work.close();
  region?.close('keep');
  return ok({ exit: 0, json: null, lines: [] });
}

/** The event log of the live run, read on from where it was read before. */
function openLog(workspaceDir: string) {
  let [run, end, live]: [string | null, number, LiveRun] = [null, 0, NO_LANES];
  const readOn = (): boolean => {
    if (run === null) return true;
    const found = eventsFrom(workspaceDir, run, end);
    for (const event of found.events) live = afterEvent(live, event, Date.parse(event.ts));
    end = found.end;
    return found.events.length > 0;
  };
  return {
    hasMore: readOn,
    /** Those of these sessions. */
    lanes(of: string | null, sessions: readonly number[]): readonly LiveLane[] {
      if (of !== run) [run, end, live] = [of, 0, NO_LANES];
      if (run !== null) readOn();
      return live.lanes.filter(({ session }) => sessions.includes(session));
    },
  };
}
