// Sessions that a dead life left open. What their agents wrote over the harness's own files is put back before anything there
// is believed; until then the configuration is read as it was when the session began.
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { runningItems } from '../../loop/run-file.ts';
import { begunSessions, pointerOf, windowOfSession } from '../../loop/sessions.ts';
import type { ItemId } from '../../model/item.ts';
import { ok, type Result } from '../../model/result.ts';
import { closeTamperGuard, isTamperGuardOpen, keptTexts, settleTamperGuard } from '../../verify/tamper-guard.ts';
import type { ConfigText } from '../config/find.ts';
import { isInitUnfinished } from './run-blockers.ts';

/**
 * Sessions on items that the loop has not seen the end of: of each the one that it was begun with, and those that came after it, since
 * an item may take many. `only`: those on this one. A loop's file that is broken is told of by the driver.
 */
export function sessionsUnderWay(privateDir: string, only: ItemId | null = null): readonly number[] {
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

/** What the tokens of all sessions on one item begin with: that of its own action in the loop. */
const itemOf = (privateDir: string, session: number): string | null =>
  /^.*#[^/]+\/\d+\//.exec(pointerOf(privateDir, session)?.token ?? '')?.[0] ?? null;

/** Of sessions that nobody works on any more. */
export function openWindows(privateDir: string): readonly string[] {
  const sessions = [...sessionsUnderWay(privateDir), ...(isInitUnfinished({ privateDir }) ? [0] : [])];
  return sessions.flatMap((session) => {
    const window = windowOfSession(privateDir, session);
    return window !== null && isTamperGuardOpen(window) ? [window] : [];
  });
}

/** Only under the lock, when no process of an earlier life is alive. Fails with `state-unreadable`. */
export function settleWindows(privateDir: string, io: Io): Result<null> {
  for (const into of openWindows(privateDir)) {
    const settled = settleTamperGuard(io, { into });
    if (!settled.ok) return settled;
  }
  return ok(null);
}

/** As `settleWindows`, and what an agent may not have written is looked at no more: whoever asks later hears what was found now. */
export function closeWindows(privateDir: string, io: Io): Result<null> {
  for (const into of openWindows(privateDir)) {
    const closed = closeTamperGuard(io, { into });
    if (!closed.ok) return closed;
  }
  return ok(null);
}

/**
 * The configuration as it was when the session under way began: `source` null where there was none, the whole null where
 * no session is under way. Fails with `state-unreadable`.
 */
export function configUnderWay(privateDir: string): Result<{ readonly source: ConfigText | null } | null> {
  const [into] = openWindows(privateDir);
  if (into === undefined) return ok(null);
  const kept = keptTexts(into, 'config-edited');
  if (!kept.ok) return kept;
  const [source] = kept.value.flatMap(({ path, text }) => (text === null ? [] : [{ file: path, text }]));
  return ok({ source: source ?? null });
}
