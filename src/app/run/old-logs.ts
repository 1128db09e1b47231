// Removes expired lines from the logs at the start of a run, under the lock. A file records when the next check is due, at
// most once a day, so the cost of a start does not grow with the logs.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../../host/files.ts';
import { retainedOf } from '../../host/log-retention.ts';
import type { EventLevel } from '../../model/event.ts';
import { LOGS_KEPT } from '../../model/retention.ts';
import { LOG_KINDS, type LogKind } from '../look/logs.ts';
import { checkNoteFile, checkNoteIn, countedNow, type CheckNote } from '../open/counted-time.ts';
import type { Target } from '../open/target.ts';

/** The level of lines that have none. */
const LEVELS: readonly (readonly [LogKind, EventLevel])[] = [
  ['events', 'important'],
  ['decisions', 'critical'],
  ['actions', 'routine'],
];
const DAY_MS = 86_400_000;
/** A longer log would not fit in memory and is left alone. */
const MOST_BYTES = 2 ** 31;

type LogTarget = Pick<Target, 'io' | 'clock' | 'stateDir' | 'workspaceDir' | 'config'>;

/** Idempotent: each log is replaced as a whole. True: a check was due. */
export function dropOldLines({ io, clock, stateDir, workspaceDir, config }: LogTarget): boolean {
  const folder = join(stateDir, 'logs');
  const cap = config.logging.retentionDays;
  const note = checkNoteIn(workspaceDir);
  const clockMs = clock.now();
  if (!isDue(note, { cap, nowMs: clockMs })) return false;
  if (!isOwn(folder)) return true;
  const nowMs = countedNow({ workspaceDir, clock: { now: () => clockMs } }, note);
  const keptMs = (level: EventLevel): number =>
    (level === 'critical' ? LOGS_KEPT.critical : Math.min(cap, LOGS_KEPT[level])) * DAY_MS;
  // New lines last at least this long.
  let nextMs = nowMs + keptMs('debug');
  for (const [kind, level] of LEVELS) {
    const path = join(folder, LOG_KINDS[kind]);
    const log = readRegular(path, MOST_BYTES);
    if (log.kind !== 'file') continue;
    const retained = retainedOf(log.bytes, { nowMs, keptMs, level });
    if (retained.bytes !== null) io.replace(path, retained.bytes);
    nextMs = Math.min(nextMs, retained.nextMs);
  }
  const due = Math.max(clockMs + DAY_MS, nextMs);
  io.replace(checkNoteFile(workspaceDir), `${JSON.stringify({ at: nowMs, clock: clockMs, due, cap })}\n`);
  return true;
}

/** True too after the setting changed or the clock was set back. */
function isDue(
  { clock, due, cap: before }: CheckNote,
  { cap, nowMs }: { readonly cap: number; readonly nowMs: number },
): boolean {
  if (clock === null || due === null || before !== cap) return true;
  return nowMs < clock || nowMs >= due;
}

/** False if the folder is a link: an agent may have made it point to other files. */
function isOwn(folder: string): boolean {
  try {
    return realpathSync(folder) === join(realpathSync(join(folder, '..')), 'logs');
  } catch {
    return false; // it does not exist
  }
}
