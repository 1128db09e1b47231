// Sessions that an interrupted process left open. Protected files that their agents changed are restored before anything reads
// them; until then the configuration is read as it was when the session started.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { readText } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { runningItems, waitingItems, type UnderWay } from '../../loop/run-file.ts';
import { begunSessions, pointerOf, guardOfSession } from '../../loop/sessions.ts';
import type { WaitingItem } from '../../model/waiting-item.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { ok, type Result } from '../../model/result.ts';
import { closeTamperGuard, isTamperGuardOpen, keptTexts, settleTamperGuard } from '../../verify/tamper-guard.ts';
import type { ConfigText } from '../config/find.ts';
import { blockerOf, isInitUnfinished } from './run-blockers.ts';

/**
 * Sessions of items that the loop has not finished: the first session of each, and the later ones of the same item.
 * `only`: those of this item. An unreadable loop file yields none; the driver reports it.
 */
export function unfinishedSessions(workspaceDir: string, only: ItemId | null = null): readonly number[] {
  const text = readText(join(workspaceDir, 'loop.json'));
  if (!text.ok || text.value === null) return [];
  try {
    const { running } = runningItems.parse(JSON.parse(text.value));
    return running.flatMap(({ item: of, session: first }) => {
      if (only !== null && of !== only) return [];
      const item = itemOf(workspaceDir, first);
      const isLater = (n: number): boolean => n > first && item !== null && itemOf(workspaceDir, n) === item;
      return [first, ...begunSessions(workspaceDir).filter(isLater)];
    });
  } catch {
    return [];
  }
}

/** An item was begun and has not ended; an unreadable loop file counts as one: nothing is skipped. */
export function isUnderWay(workspaceDir: string): boolean {
  const text = readText(join(workspaceDir, 'loop.json'));
  if (!text.ok) return true;
  if (text.value === null) return false;
  try {
    return runningItems.parse(JSON.parse(text.value)).running.length > 0;
  } catch {
    return true;
  }
}

/** Items that wait for an answer. An unreadable loop file yields none; the driver reports it. */
export const waitingFor = (workspaceDir: string): readonly WaitingItem[] => waitingItems(itemsOfLoop(workspaceDir));

/** Items that a session is on, or that wait for an answer. */
export function itemsUnderWay(workspaceDir: string): ReadonlySet<ItemId> {
  const { running, parked } = itemsOfLoop(workspaceDir);
  return new Set([...running, ...parked].map(({ item }) => item));
}

/** Those of them whose work is beside the work tree. */
export const parkedItems = (workspaceDir: string): readonly WaitingItem[] => itemsOfLoop(workspaceDir).parked;

/** The item that a process was at work on when it ended, and not one that waits for an answer; an unreadable loop file has none. */
export const itemAtWork = (workspaceDir: string): string | null =>
  itemsOfLoop(workspaceDir).running.find(({ gate }) => gate === undefined)?.item ?? null;

/** As `isUnderWay`, but an unreadable loop file counts as none: for a run, whose driver reports it. */
export const isItemUnderWay = (workspaceDir: string): boolean => itemsOfLoop(workspaceDir).running.length > 0;

/** What keeps a session that works on no item from starting: as a run, and items that are at work, since theirs is the work tree of agents. */
export const blockerBesideItems = (target: {
  readonly workspaceDir: string;
  readonly stateDir: string;
}): Failure | null =>
  blockerOf(target, { work: true }) ?? (isItemUnderWay(target.workspaceDir) ? failure('items-under-way') : null);

/** The lanes that these items and those at work have a work tree in. */
export function lanesUnderWay(workspaceDir: string): ReadonlySet<number> {
  const { running, parked } = itemsOfLoop(workspaceDir);
  return new Set([...running, ...parked].map(({ lane }) => lane));
}

/** Items that a session is on or was on; those with a gate wait for an answer. */
export const runningItemsIn = (workspaceDir: string): readonly UnderWay[] => itemsOfLoop(workspaceDir).running;

function itemsOfLoop(workspaceDir: string): z.output<typeof runningItems> {
  const none = { running: [], parked: [] };
  const text = readText(join(workspaceDir, 'loop.json'));
  if (!text.ok || text.value === null) return none;
  try {
    return runningItems.parse(JSON.parse(text.value));
  } catch {
    return none;
  }
}

/** The token prefix shared by all sessions of one item. */
const itemOf = (workspaceDir: string, session: number): string | null =>
  /^.*#[^/]+\/\d+\//.exec(pointerOf(workspaceDir, session)?.token ?? '')?.[0] ?? null;

/** The tamper guards of open sessions; none of these sessions has a live process. */
export function openTamperGuards(workspaceDir: string): readonly string[] {
  const sessions = [
    ...unfinishedSessions(workspaceDir),
    ...(isInitUnfinished({ workspaceDir }) ? [0, ...begunBy(workspaceDir, 'r-init-').filter((n) => n !== 0)] : []),
  ];
  return sessions.flatMap((session) => {
    const guard = guardOfSession(workspaceDir, session);
    return guard !== null && isTamperGuardOpen(guard) ? [guard] : [];
  });
}

/** Sessions that a command began whose runs are named so. */
const begunBy = (workspaceDir: string, prefix: string): readonly number[] =>
  begunSessions(workspaceDir).filter((n) => pointerOf(workspaceDir, n)?.token.includes(`#${prefix}`) === true);

/** The state of `harness site-reverse`: its file exists exactly while one is unfinished. */
export const siteFile = (workspaceDir: string): string => join(workspaceDir, 'site-reverse.json');
export const siteJournal = (workspaceDir: string): string => join(workspaceDir, 'site-reverse.jsonl');
/** How its runs are named. */
export const SITE_RUN = 'r-site-';

/**
 * A `harness site-reverse` that was interrupted keeps no other command waiting: its guard is closed, and it is forgotten. Only under the lock, with no
 * earlier process alive.
 */
export function forgetSite(workspaceDir: string, io: Io): Result<null> {
  const [file, journal] = [siteFile(workspaceDir), siteJournal(workspaceDir)];
  if (!existsSync(file) && !existsSync(journal)) return ok(null);
  for (const session of begunBy(workspaceDir, SITE_RUN)) {
    const into = guardOfSession(workspaceDir, session);
    const closed = into === null || !isTamperGuardOpen(into) ? ok(null) : closeTamperGuard(io, { into });
    if (!closed.ok) return closed;
  }
  const procedures = join(workspaceDir, 'procedures');
  for (const name of existsSync(procedures) ? readdirSync(procedures) : [])
    if (name.includes(SITE_RUN)) io.remove(join(procedures, name));
  io.remove(journal);
  io.remove(file);
  return ok(null);
}

/** Restores protected files. Only under the lock, with no earlier process alive. Fails with `state-unreadable`. */
export function restoreTamperGuards(workspaceDir: string, io: Io): Result<null> {
  for (const into of openTamperGuards(workspaceDir)) {
    const settled = settleTamperGuard(io, { into });
    if (!settled.ok) return settled;
  }
  return ok(null);
}

/** As `restoreTamperGuards`, and ends the watch: later reports give the changes found now. */
export function closeTamperGuards(workspaceDir: string, io: Io): Result<null> {
  for (const into of openTamperGuards(workspaceDir)) {
    const closed = closeTamperGuard(io, { into });
    if (!closed.ok) return closed;
  }
  return ok(null);
}

/**
 * The configuration at the start of the open session; `source` null: it had none. Null: no session is open.
 * Fails with `state-unreadable`.
 */
export function configOfUnfinishedSession(workspaceDir: string): Result<{ readonly source: ConfigText | null } | null> {
  const [into] = openTamperGuards(workspaceDir);
  if (into === undefined) return ok(null);
  const kept = keptTexts(into, 'config-edited');
  if (!kept.ok) return kept;
  const [source] = kept.value.flatMap(({ path, text }) => (text === null ? [] : [{ file: path, text }]));
  return ok({ source: source ?? null });
}
