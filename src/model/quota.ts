// Quota: how much of a provider's windows is used by all sessions of a person together, and who may begin one. Pure.
// A window is a time in which a provider lets an account use so much, and which then begins anew.
import * as z from 'zod/mini';
import type { AgentEvent } from './event.ts';

/** `used`: a share, 0 to 1, above where it was passed. `resetsAt`: ISO 8601; null: nobody says. */
export type QuotaWindow = { readonly window: string; readonly used: number; readonly resetsAt: string | null };

/** A window as a person configured it, where the provider does not say how much is used. */
export type WindowRule = { readonly hours: number; readonly tokens: number };

/** What one session noted of its account. Nobody else writes it, so that sessions need not wait for each other. */
export const pageShape = z.object({
  schema: z.literal(1),
  reported: z.record(z.string(), z.object({ used: z.number(), resetsAt: z.nullable(z.string()), at: z.string() })),
  /** By the minute in which they were heard of, ISO 8601 in UTC. */
  tokens: z.record(z.string(), z.number()),
});
export type Page = z.output<typeof pageShape>;

export const EMPTY_PAGE: Page = { schema: 1, reported: {}, tokens: {} };

/** As people say it: `5h`, `7d`. */
export const windowName = (minutes: number): string =>
  minutes >= DAY && minutes % DAY === 0 ? `${minutes / DAY}d` : `${Math.round((minutes / 60) * 100) / 100}h`;
const DAY = 24 * 60;

const HOUR_MS = 3_600_000;
/** What a provider says without the time of its reset is believed so long. */
const BELIEVED_MS = HOUR_MS / 4;

const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}:00.000Z`;

/** The page after an event; the same page where the event says nothing of quota. */
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

/** What is thought to be used and not reported yet; `context`: how full it was then, in tokens. */
export type Guess = { readonly context: number; readonly tokens: number };
export const NO_GUESS: Guess = { context: 0, tokens: 0 };

/**
 * An agent that reports its use only when a turn is over: until then what its context grew by stands for it, and is not counted
 * again with the report.
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

/** The windows of an account as they stand, from what all its sessions noted. One that has begun anew is not among them. */
export function windowsOf(pages: readonly Page[], rules: readonly WindowRule[], now: number): readonly QuotaWindow[] {
  return [...reportedIn(pages, now), ...rules.flatMap((rule) => counted(pages, rule, now) ?? [])];
}

/** Of each window the newest word. */
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

/** A window begins with the first use after the one before it, as it does with providers; null: none is open. */
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

/** Whether nothing of this page counts any more, whatever windows there are. */
export function isOver(page: Page, rules: readonly WindowRule[], now: number): boolean {
  const longestMs = Math.max(...rules.map(({ hours }) => hours), 7 * 24) * HOUR_MS;
  const ends = [
    ...Object.values(page.reported).map(endOf),
    // A window that began with a use ends within its length; the one before it says when this one began.
    ...Object.keys(page.tokens).map((at) => Date.parse(at) + 2 * longestMs),
  ];
  return ends.every((end) => end <= now);
}

/** As it is told; one that was passed is full. */
export const percentOf = ({ used }: Pick<QuotaWindow, 'used'>): number => Math.min(100, Math.floor(used * 100));

/** The window that is used most; null: none is known. */
export const fullest = (windows: readonly QuotaWindow[]): QuotaWindow | null =>
  windows.reduce<QuotaWindow | null>((most, one) => (most === null || one.used > most.used ? one : most), null);

/** An account whose provider refuses: closed as a window that is full. */
export const CLOSED = 'refused';

export type Free = {
  readonly agent: number;
  /** Where it is not the first: what the first one waits for. */
  readonly instead: QuotaWindow | null;
};
export type Chosen = Free | { readonly agent: null; readonly soonest: number; readonly window: QuotaWindow };

/**
 * The first agent whose account is not too full to begin a session; else the one that can begin soonest. `accounts`: the windows
 * of each agent's account, in the order in which they are wanted.
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

/** All of them must have begun anew. */
const lastToOpen = (walls: readonly QuotaWindow[]): QuotaWindow | null =>
  walls.reduce<QuotaWindow | null>((last, one) => (last === null || opensAt(one) > opensAt(last) ? one : last), null);
