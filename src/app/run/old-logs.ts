// Removes expired lines from the logs at the start of a run, under the lock. A file records when the next check is due, at
// most once a day, so the cost of a start does not grow with the logs.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular, readText } from '../../host/files.ts';
import { retainedOf } from '../../host/log-retention.ts';
import type { EventLevel } from '../../model/event.ts';
import { LOGS_KEPT } from '../../model/retention.ts';
import { LOG_KINDS, type LogKind } from '../look/logs.ts';
import { numberAt, plainObject } from '../open/loose-json.ts';
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

/** Idempotent: each log is replaced as a whole. */
export function dropOldLines({ io, clock, stateDir, workspaceDir, config }: LogTarget): void {
  const folder = join(stateDir, 'logs');
  const cap = config.logging.retentionDays;
  const nowMs = clock.now();
  const file = join(workspaceDir, 'log-retention.json');
  if (!isDue(file, { cap, nowMs }) || !isOwn(folder)) return;
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
  const due = Math.max(nowMs + DAY_MS, nextMs);
  io.replace(file, `${JSON.stringify({ at: nowMs, due, cap })}\n`);
}

/** True too after the setting changed or the clock was set back. */
function isDue(file: string, { cap, nowMs }: { readonly cap: number; readonly nowMs: number }): boolean {
  const text = readText(file);
  const note = plainObject(text.ok ? text.value : null);
  const [at, due] = [numberAt(note, 'at'), numberAt(note, 'due')];
  if (at === null || due === null || numberAt(note, 'cap') !== cap) return true;
  return nowMs < at || nowMs >= due;
}

/** False if the folder is a link: an agent may have made it point to other files. */
function isOwn(folder: string): boolean {
  try {
    return realpathSync(folder) === join(realpathSync(join(folder, '..')), 'logs');
  } catch {
    return false; // it does not exist
  }
}
