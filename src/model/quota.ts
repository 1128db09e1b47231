// Quota: how much of a provider's quota windows all sessions of a user have used, and which agent may start one. Pure.
// A window is a period in which a provider grants an account a fixed amount, for example five hours.
import * as z from 'zod/mini';
import type { AgentEvent } from './event.ts';

/** `used`: a share, 0 to 1, above 1 if exceeded. `resetsAt`: ISO 8601; null: unknown. */
export type QuotaWindow = { readonly window: string; readonly used: number; readonly resetsAt: string | null };

/** A window as configured by the user, if the provider does not report usage. */
export type WindowRule = { readonly hours: number; readonly tokens: number };

/** What one session recorded about its account. Only that session writes it, so that no locking is needed. */
export const pageShape = z.object({
  schema: z.literal(1),
  reported: z.record(z.string(), z.object({ used: z.number(), resetsAt: z.nullable(z.string()), at: z.string() })),
  /** By the minute in which they were reported, ISO 8601 in UTC. */
  tokens: z.record(z.string(), z.number()),
});
export type Page = z.output<typeof pageShape>;

export const EMPTY_PAGE: Page = { schema: 1, reported: {}, tokens: {} };

/** A short name: `5h`, `7d`. */
export const windowName = (minutes: number): string =>
  minutes >= DAY && minutes % DAY === 0 ? `${minutes / DAY}d` : `${Math.round((minutes / 60) * 100) / 100}h`;
const DAY = 24 * 60;

const HOUR_MS = 3_600_000;
/** How long a report without a reset time counts. */
const BELIEVED_MS = HOUR_MS / 4;

const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}:00.000Z`;

/** The page after an event; the same page if the event does not concern quota. */
export function noted(page: Page, event: AgentEvent, now: number): Page {
  if (event.t === 'quota') {
    const { window, used, resetsAt } = event;
    const at = new Date(now).toISOString();
    return { ...page, reported: { ...page.reported, [window]: { used, resetsAt, at } } };
  }
  // What is read from the cache hardly counts with any provider.
  const tokens = event.t === 'usage' ? event.inputTokens + event.outputTokens : 0;
  if (tokens === 0) return page;
  const minute = minuteOf(now);
  return { ...page, tokens: { ...page.tokens, [minute]: (page.tokens[minute] ?? 0) + tokens } };
}

/** Estimated use that is not reported yet; `context`: its fill at that time, in tokens. */
export type Guess = { readonly context: number; readonly tokens: number };
export const NO_GUESS: Guess = { context: 0, tokens: 0 };

/**
 * For an agent that reports its use only at the end of a turn: until then the growth of its context is the estimate; the report
 * replaces it.
 */
export function guessed(before: Guess, event: AgentEvent): { readonly guess: Guess; readonly event: AgentEvent } {
  const use = (tokens: number): AgentEvent => ({
    t: 'usage',
    inputTokens: tokens,
    outputTokens: 0,
    cachedTokens: 0,
    costUsd: null,
  });
  if (event.t === 'context') {
    const grown = Math.max(0, event.used - before.context);
    return { guess: { context: event.used, tokens: before.tokens + grown }, event: use(grown) };
  }
  if (event.t !== 'usage') return { guess: before, event };
  const rest = Math.max(0, event.inputTokens + event.outputTokens - before.tokens);
  return { guess: { ...before, tokens: 0 }, event: use(rest) };
}

/** The current windows of an account, from the pages of all its sessions. Windows that have been reset are left out. */
export function windowsOf(pages: readonly Page[], rules: readonly WindowRule[], now: number): readonly QuotaWindow[] {
  return [...reportedIn(pages, now), ...rules.flatMap((rule) => counted(pages, rule, now) ?? [])];
}

/** The newest report of each window. */
function reportedIn(pages: readonly Page[], now: number): readonly QuotaWindow[] {
  const newest = new Map<string, Page['reported'][string]>();
  for (const { reported } of pages)
    for (const [window, said] of Object.entries(reported)) {
      const known = newest.get(window);
      if (known === undefined || said.at >= known.at) newest.set(window, said);
    }
  return [...newest].flatMap(([window, said]) =>
    endOf(said) <= now ? [] : [{ window, used: said.used, resetsAt: said.resetsAt }],
  );
}

const endOf = ({ resetsAt, at }: Page['reported'][string]): number =>
  resetsAt === null ? Date.parse(at) + BELIEVED_MS : Date.parse(resetsAt);

/** A window starts with the first use after the previous one ended, as with providers; null: none is open. */
function counted(pages: readonly Page[], { hours, tokens }: WindowRule, now: number): QuotaWindow | null {
  const uses = pages
    .flatMap((page) => Object.entries(page.tokens).map(([at, used]) => ({ at: Date.parse(at), used })))
    .sort((a, b) => a.at - b.at);
  let since = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const { at, used } of uses) {
    if (at >= since + hours * HOUR_MS) [since, sum] = [at, 0];
    sum += used;
  }
  const until = since + hours * HOUR_MS;
  if (until <= now || sum === 0) return null;
  return { window: windowName(hours * 60), used: sum / tokens, resetsAt: new Date(until).toISOString() };
}

/** True if nothing on this page counts any more, for any window. */
export function isOver(page: Page, rules: readonly WindowRule[], now: number): boolean {
  const longestMs = Math.max(...rules.map(({ hours }) => hours), 7 * 24) * HOUR_MS;
  const ends = [
    ...Object.values(page.reported).map(endOf),
    // A window that started with a use ends within its length; its start depends on the window before it.
    ...Object.keys(page.tokens).map((at) => Date.parse(at) + 2 * longestMs),
  ];
  return ends.every((end) => end <= now);
}

/** For display; an exceeded window is full. */
export const percentOf = ({ used }: Pick<QuotaWindow, 'used'>): number => Math.min(100, Math.floor(used * 100));

/** The window with the highest use; null: none is known. */
export const fullest = (windows: readonly QuotaWindow[]): QuotaWindow | null =>
  windows.reduce<QuotaWindow | null>((most, one) => (most === null || one.used > most.used ? one : most), null);

/** The window of an account whose provider refuses requests: it counts as full. */
export const CLOSED = 'refused';

export type Free = {
  readonly agent: number;
  /** If it is not the first agent: the window that the first one waits for. */
  readonly instead: QuotaWindow | null;
};
export type Chosen = Free | { readonly agent: null; readonly soonest: number; readonly window: QuotaWindow };

/**
 * The first agent whose account has enough quota left to start a session; else the one that can start soonest. `accounts`: the
 * windows of each agent's account, in order of preference.
 */
export function chooseAgent(
  accounts: readonly (readonly QuotaWindow[])[],
  { beginBelow }: { readonly beginBelow: number },
): Chosen {
  const walls = accounts.map((windows) => lastToOpen(windows.filter(({ used }) => used >= beginBelow)));
  const agent = walls.indexOf(null);
  if (agent >= 0) return { agent, instead: walls[0] ?? null };
  const soonest = walls.reduce((best, wall, n) => (opensAt(wall) < opensAt(walls[best] ?? null) ? n : best), 0);
  return { agent: null, soonest, window: walls[soonest] ?? { window: CLOSED, used: 1, resetsAt: null } };
}

const opensAt = (wall: QuotaWindow | null): number =>
  wall === null || wall.resetsAt === null ? Number.NEGATIVE_INFINITY : Date.parse(wall.resetsAt);

/** The last of them to reset. */
const lastToOpen = (walls: readonly QuotaWindow[]): QuotaWindow | null =>
  walls.reduce<QuotaWindow | null>((last, one) => (last === null || opensAt(one) > opensAt(last) ? one : last), null);
