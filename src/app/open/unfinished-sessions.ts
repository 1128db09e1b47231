// Sessions that an interrupted process left open. Protected files that their agents changed are restored before anything reads
// them; until then the configuration is read as it was when the session started.
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { runningItems } from '../../loop/run-file.ts';
import { begunSessions, pointerOf, guardOfSession } from '../../loop/sessions.ts';
import type { ItemId } from '../../model/item.ts';
import { ok, type Result } from '../../model/result.ts';
import { closeTamperGuard, isTamperGuardOpen, keptTexts, settleTamperGuard } from '../../verify/tamper-guard.ts';
import type { ConfigText } from '../config/find.ts';
import { isInitUnfinished } from './run-blockers.ts';

/**
 * Sessions of items that the loop has not finished: the first session of each, and the later ones of the same item.
 * `only`: those of this item. An unreadable loop file yields none; the driver reports it.
 */
export function unfinishedSessions(privateDir: string, only: ItemId | null = null): readonly number[] {
  const text = readText(join(privateDir, 'loop.json'));
  if (!text.ok || text.value === null) return [];
  try {
    const { running } = runningItems.parse(JSON.parse(text.value));
    return running.flatMap(({ item: of, session: first }) => {
      if (only !== null && of !== only) return [];
      const item = itemOf(privateDir, first);
      const isLater = (n: number): boolean => n > first && item !== null && itemOf(privateDir, n) === item;
      return [first, ...begunSessions(privateDir).filter(isLater)];
    });
  } catch {
    return [];
  }
}

/** The token prefix shared by all sessions of one item. */
const itemOf = (privateDir: string, session: number): string | null =>
  /^.*#[^/]+\/\d+\//.exec(pointerOf(privateDir, session)?.token ?? '')?.[0] ?? null;

/** The tamper guards of open sessions; none of these sessions has a live process. */
export function openTamperGuards(privateDir: string): readonly string[] {
  const sessions = [...unfinishedSessions(privateDir), ...(isInitUnfinished({ privateDir }) ? [0] : [])];
  return sessions.flatMap((session) => {
    const guard = guardOfSession(privateDir, session);
    return guard !== null && isTamperGuardOpen(guard) ? [guard] : [];
  });
}

/** Restores protected files. Only under the lock, with no earlier process alive. Fails with `state-unreadable`. */
export function restoreTamperGuards(privateDir: string, io: Io): Result<null> {
  for (const into of openTamperGuards(privateDir)) {
    const settled = settleTamperGuard(io, { into });
    if (!settled.ok) return settled;
  }
  return ok(null);
}

/** As `restoreTamperGuards`, and ends the watch: later reports give the changes found now. */
export function closeTamperGuards(privateDir: string, io: Io): Result<null> {
  for (const into of openTamperGuards(privateDir)) {
    const closed = closeTamperGuard(io, { into });
    if (!closed.ok) return closed;
  }
  return ok(null);
}

/**
 * The configuration at the start of the open session; `source` null: it had none. Null: no session is open.
 * Fails with `state-unreadable`.
 */
export function configOfUnfinishedSession(privateDir: string): Result<{ readonly source: ConfigText | null } | null> {
  const [into] = openTamperGuards(privateDir);
  if (into === undefined) return ok(null);
  const kept = keptTexts(into, 'config-edited');
  if (!kept.ok) return kept;
  const [source] = kept.value.flatMap(({ path, text }) => (text === null ? [] : [{ file: path, text }]));
  return ok({ source: source ?? null });
}
