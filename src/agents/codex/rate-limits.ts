// What the program reports about the limits of its account: how long to wait, by its message or by the windows that are used up, and how
// much of each window is used. Pure.
import { z } from 'zod';
import { entryOf } from '../../model/entry.ts';
import { windowName, type QuotaWindow } from '../../model/quota.ts';

const UNITS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

const AMOUNT = /(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)\b/gi;
/** "try again in 3 minutes", "in 1 hour 5 minutes", "in 11.054s" */
const IN =
  /try again in ((?:(?:,|and|\s)*\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)\b)+)/i;
/** "try again at 7:20 PM", "at Nov 22nd, 2026 7:20 PM" */
const AT = /try again at (?:([A-Za-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}):(\d{2}) ?([AP]M)/i;

/** Milliseconds from `now`; null: the message has no time. Times of day are those of this machine. */
export function retryDelayIn(text: string, now: number): number | null {
  const span = IN.exec(text)?.[1];
  if (span !== undefined) return [...span.matchAll(AMOUNT)].reduce((sum, [, n, unit]) => sum + ms(n, unit), 0);
  const at = AT.exec(text);
  if (at === null) return null;
  const [, month, day, year, hour, minute, half] = at;
  const then = new Date(now);
  const index = MONTHS.indexOf((month ?? '').toLowerCase());
  if (month !== undefined && index < 0) return null;
  if (month !== undefined) then.setFullYear(Number(year), index, Number(day));
  then.setHours((Number(hour) % 12) + (half?.toUpperCase() === 'PM' ? 12 : 0), Number(minute), 0, 0);
  const wait = then.getTime() - now;
  return wait >= 0 || month !== undefined ? Math.max(0, wait) : wait + DAY_MS;
}

function ms(amount: string | undefined, unit = ''): number {
  const word = unit.toLowerCase();
  const key = word.startsWith('ms') || word.startsWith('milli') ? 'ms' : word.charAt(0);
  return Math.ceil(Number(amount) * (entryOf(UNITS, key) ?? 0));
}

const limitWindow = z
  .looseObject({
    usedPercent: z.number(),
    resetsAt: z.number().nullish(),
    windowDurationMins: z.number().nullish().catch(null),
  })
  .nullish()
  .catch(null);
const snapshot = z.looseObject({ rateLimits: z.looseObject({ primary: limitWindow, secondary: limitWindow }) });

/** When the last of the used-up windows resets, in milliseconds; null: none is used up, or its time is unknown. */
export function resetTimeIn(params: unknown): number | null {
  const read = snapshot.safeParse(params);
  if (!read.success) return null;
  const { primary, secondary } = read.data.rateLimits;
  const full = [primary, secondary].flatMap((w) => (w && w.usedPercent >= 100 && w.resetsAt ? [w.resetsAt] : []));
  return full.length === 0 ? null : Math.max(...full) * 1_000;
}

/** The windows of the account, each with its used share. */
export function windowsIn(params: unknown): readonly QuotaWindow[] {
  const read = snapshot.safeParse(params);
  if (!read.success) return [];
  const { primary, secondary } = read.data.rateLimits;
  return Object.entries({ primary, secondary }).flatMap(([name, w]) =>
    w
      ? [
          {
            window: w.windowDurationMins ? windowName(w.windowDurationMins) : name,
            used: w.usedPercent / 100,
            resetsAt: w.resetsAt ? new Date(w.resetsAt * 1_000).toISOString() : null,
          },
        ]
      : [],
  );
}
