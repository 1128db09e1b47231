// What the daemon remembers between its looks, `tick.json` in the private folder: what it has started, what it waits for, which merges it has seen,
// what happened. Pure. What can be read elsewhere is read there: the run lock says whether a run is live, the plan files which are merged.
import { z } from 'zod';

/** Times are ISO 8601. */
const child = z.object({
  kind: z.enum(['run', 'look', 'fidelity']),
  /** The plan of a run. */
  plan: z.string().nullable(),
  since: z.string(),
  /** Its output, whose last line is its answer. */
  log: z.string(),
  /** null: it has not taken the run lock yet. */
  run: z.string().nullable(),
  pid: z.number().nullable(),
  /** Where the base branch of the remote was; null: it was not asked. */
  tip: z.string().nullable().default(null),
  /** All tokens that had been used before it. */
  spent: z.object({ input: z.number(), output: z.number(), cached: z.number() }).optional(),
});
export type Child = z.output<typeof child>;

/** Nothing is tried before `until`; what a user does in between may end it earlier. */
const rest = z.object({ since: z.string(), until: z.string(), count: z.number(), why: z.string() });
export type Rest = z.output<typeof rest>;

const historyEntry = z.looseObject({ at: z.string(), event: z.string() });
export type HistoryEntry = z.output<typeof historyEntry>;

export const tickRecord = z.object({
  schema: z.literal(1),
  active: child.nullable(),
  /** Newest last. */
  history: z.array(historyEntry).readonly(),
  /** Merged plans that were seen; null: it has not looked yet. */
  merged: z.array(z.string()).readonly().nullable(),
  /** Plans that its runs merged. */
  delivered: z.array(z.string()).readonly(),
  /** Merges since the product was compared with its specification. */
  sinceFidelity: z.number(),
  rest: rest.extend({ tip: z.string().nullable() }).nullable(),
  /** By plan: its runs ended without getting anywhere. */
  delayed: z.record(z.string(), rest),
  /** How often it has answered for an agent that was not available, since the last merge. */
  retries: z.number(),
  /** The question of the comparison for which it paused; null: it did not. */
  driftGate: z.string().nullable(),
  /** The ceiling of tokens whose reaching was logged. */
  ceiling: z.number().nullable(),
});
export type TickRecord = z.output<typeof tickRecord>;

export const EMPTY_RECORD: TickRecord = {
  schema: 1,
  active: null,
  history: [],
  merged: null,
  delivered: [],
  sinceFidelity: 0,
  rest: null,
  delayed: {},
  retries: 0,
  driftGate: null,
  ceiling: null,
};

const MOST_HISTORY = 500;
export const noted = (record: TickRecord, ...entries: readonly HistoryEntry[]): TickRecord => ({
  ...record,
  history: [...record.history, ...entries].slice(-MOST_HISTORY),
});

/** How a child ended, by its log. */
export type ChildEnd =
  | {
      readonly how: 'verdict';
      readonly result: string;
      readonly reason: string;
      readonly gates: readonly string[];
      readonly landed: readonly string[];
    }
  /** It refused to start. */
  | { readonly how: 'refused'; readonly reason: string }
  /** Killed, or a mistake of the program. */
  | { readonly how: 'died' };

/** What another process or a user decided: nothing is wrong. */
const DECIDED: readonly string[] = ['locked', 'paused', 'frozen', 'handed-off', 'stopped', 'asked', 'user_pause'];
/** Nothing is left to do for this plan. */
const IDLE: readonly string[] = ['item-not-ready', 'item-landed', 'nothing-ready', 'nothing-left', 'items-held'];

const LONGEST_MS = 15 * 60_000;
const FIRST_MS = 5_000;

/** Longer each time, up to a quarter of an hour. */
export function restAfter(before: Pick<Rest, 'count'> | null, now: number, why: string): Rest {
  const count = (before?.count ?? 0) + 1;
  const ms = Math.min(FIRST_MS * 2 ** Math.min(count - 1, 20), LONGEST_MS);
  return { since: isoOf(now), until: isoOf(now + ms), count, why };
}

export type AfterChild = {
  readonly now: number;
  /** A failure that says nothing about other plans. */
  readonly isOfPlanAlone: (reason: string) => boolean;
  /** The base branch as it was last seen. */
  readonly tip: string | null;
};

/** The record once the child has ended: its history, and when the like is tried again. */
export function afterChild(record: TickRecord, end: ChildEnd, about: AfterChild): TickRecord {
  const { active } = record;
  if (active === null) return record;
  const { now } = about;
  const { kind, plan, run } = active;
  const what = end.how === 'verdict' ? { result: end.result, reason: end.reason } : { result: reasonOf(end) };
  const entry = {
    at: isoOf(now),
    event: `${kind}-ended`,
    ...(plan === null ? {} : { plan }),
    ...(run === null ? {} : { run }),
    ...what,
  };
  const idle: TickRecord = { ...record, active: null };
  const ended = kind === 'look' && isWell(end) ? idle : noted(idle, entry);
  if (end.how === 'verdict' && end.landed.length > 0)
    return {
      ...ended,
      delivered: [...new Set([...ended.delivered, ...end.landed])],
      rest: null,
      retries: 0,
      delayed: without(ended.delayed, plan),
    };
  if (isWell(end) && plan === null) return { ...ended, rest: null };
  const reason = reasonOf(end);
  if (end.how === 'refused' && DECIDED.includes(reason)) return ended;
  // One that waits for an answer is not chosen anyway.
  if (
    plan !== null &&
    (isWell(end) ||
      end.how === 'died' ||
      IDLE.includes(reason) ||
      DECIDED.includes(reason) ||
      about.isOfPlanAlone(reason))
  )
    return { ...ended, delayed: { ...ended.delayed, [plan]: restAfter(ended.delayed[plan] ?? null, now, reason) } };
  // It is tried again after more merges, or, if it was left unfinished, later.
  if (kind === 'fidelity')
    return {
      ...ended,
      sinceFidelity: 0,
      delayed: { ...ended.delayed, [kind]: restAfter(ended.delayed[kind] ?? null, now, reason) },
    };
  return { ...ended, rest: { ...restAfter(ended.rest, now, reason), tip: about.tip } };
}

/** It did something, or waits for a user. */
const isWell = (end: ChildEnd): boolean =>
  end.how === 'verdict' &&
  (['landed', 'done', 'limit'].includes(end.result) || (end.result === 'gate' && end.gates.length > 0));

const reasonOf = (end: ChildEnd): string => (end.how === 'died' ? 'died' : end.reason);

const without = (delayed: TickRecord['delayed'], plan: string | null): TickRecord['delayed'] =>
  Object.fromEntries(Object.entries(delayed).filter(([one]) => one !== plan));

/** Merges that were not seen before. The first look finds those of before the daemon. */
export function withMerges(record: TickRecord, merged: readonly string[], now: number): TickRecord {
  if (record.merged === null) return { ...record, merged: [...merged] };
  const known = new Set(record.merged);
  const fresh = merged.filter((plan) => !known.has(plan));
  if (fresh.length === 0 && merged.length === known.size) return record;
  const entries = fresh.map((plan) => ({
    at: isoOf(now),
    event: 'merged',
    plan,
    by: record.delivered.includes(plan) ? 'harness' : 'others',
  }));
  return noted({ ...record, merged: [...merged], sinceFidelity: record.sinceFidelity + fresh.length }, ...entries);
}

/** Plans that may not be tried yet, and when the first of them may. `since`: a user has resumed then: delays of before are over. */
export function delayedNow(
  { delayed }: Pick<TickRecord, 'delayed'>,
  now: number,
  since: number,
): { readonly plans: readonly string[]; readonly until: number | null } {
  const valid = Object.entries(delayed).filter(
    ([, one]) => Date.parse(one.until) > now && Date.parse(one.since) >= since,
  );
  const times = valid.map(([, one]) => Date.parse(one.until));
  return { plans: valid.map(([plan]) => plan), until: times.length === 0 ? null : Math.min(...times) };
}

export const isoOf = (ms: number): string => new Date(ms).toISOString();
