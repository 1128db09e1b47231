// Watches one session: how full its context is, whether it gets on, what it costs, how long it works. Pure: what happened and
// the time go in, what to tell the agent and when to end it come out. It outlives turns: what was seen is data.
import { z } from 'zod';
import type { AgentEvent } from '../../model/event.ts';
import type { Params } from '../../model/failure.ts';
import { costOf } from '../../model/prices.ts';
import { percentOf } from '../../model/quota.ts';
import { STOPS, type Advice, type MonitorRules, type Stop } from './rules.ts';
import { addSigns, errorOf, isProgress, NO_SIGNS, signsOf } from './signs.ts';

export const seenSchema = z.object({
  context: z.object({
    /** Input of the last request, cached included, and its output; in tokens. */
    used: z.number(),
    /** estimated: counted from the text that passed, until the agent reports it. */
    source: z.enum(['reported', 'estimated']),
    /** As the agent reports it. */
    window: z.number().nullable(),
    /** How often the agent's own program shortened it. */
    compacted: z.number(),
  }),
  /** Tokens that came into the context anew, since the session began and at the last look. */
  fresh: z.number(),
  lookedAt: z.number(),
  lookedHalfway: z.boolean(),
  signs: z.object({ files: z.number(), tests: z.number(), commands: z.number() }),
  stuckLooks: z.number(),
  errors: z.record(z.string(), z.number()),
  told: z.array(z.string()),
  /** The fullest window of the provider's quota, and the most that its use grew between two words of it. */
  quota: z
    .object({ window: z.string(), used: z.number(), step: z.number(), resetsAt: z.string().nullable() })
    .nullable()
    .default(null),
  wrapUp: z.object({ why: z.enum(STOPS), fresh: z.number(), ms: z.number() }).nullable(),
  /** Milliseconds of the turns that ended. */
  ms: z.number(),
  /** US dollars: of the turns that ended; of this one, by the agent's running total, its reports, and the price of what is in neither. */
  costUsd: z.object({ before: z.number(), total: z.number(), reported: z.number(), priced: z.number() }),
});
export type Seen = z.output<typeof seenSchema>;

export const NOTHING_SEEN: Seen = {
  context: { used: 0, source: 'estimated', window: null, compacted: 0 },
  fresh: 0,
  lookedAt: 0,
  lookedHalfway: false,
  signs: NO_SIGNS,
  stuckLooks: 0,
  errors: {},
  told: [],
  quota: null,
  wrapUp: null,
  ms: 0,
  costUsd: { before: 0, total: 0, reported: 0, priced: 0 },
};

export type Order =
  | { readonly do: 'say'; readonly say: Advice; readonly params: Params }
  /** It must stop its work now, and leave a note. */
  | { readonly do: 'wrap-up'; readonly say: Advice; readonly params: Params; readonly why: Stop }
  | { readonly do: 'stop'; readonly why: Stop };
export type Judged = { readonly seen: Seen; readonly orders: readonly Order[] };

/** Rough, and the usual rule: four characters are a token. */
const CHARS_PER_TOKEN = 4;
/** An agent that was told to wrap up gets so much of the window, and so long, before it is ended. */
const GRACE_SHARE = 0.1;
const GRACE_MS = 5 * 60_000;
/** Of different errors in one session: more are forgotten, the rarest first. */
const MOST_ERRORS = 100;

export const windowOf = (seen: Seen, rules: Pick<MonitorRules, 'windowTokens'>): number =>
  Math.min(seen.context.window ?? rules.windowTokens, rules.windowTokens);

/** What the session cost so far, US dollars. */
export const costSoFar = ({ costUsd: { before, total, reported, priced } }: Seen): number =>
  before + Math.max(total, reported + priced);

/**
 * Words that go to the agent fill its context too, where it does not report how full that is. What it is told is no work of
 * its own: the next look begins after it.
 */
export function heardPrompt(seen: Seen, text: string): Seen {
  const heard = withTokens(seen, text.length / CHARS_PER_TOKEN);
  return { ...heard, lookedAt: seen.lookedAt + heard.fresh - seen.fresh };
}

/** The agent begins anew within our turn: what it tells as a total so far is one of this prompt alone. */
export const heardAnother = (seen: Seen, text: string): Seen => heardPrompt(paidSoFar(seen), text);

const paidSoFar = (seen: Seen): Seen => ({
  ...seen,
  costUsd: { before: costSoFar(seen), total: 0, reported: 0, priced: 0 },
});

/** An event of the agent. `ms`: since the running turn began. */
export function sawEvent(before: Seen, event: AgentEvent, rules: MonitorRules, ms: number): Judged {
  const signs = addSigns(before.signs, signsOf(event, rules.tests));
  const counted = withError(withUse({ ...before, signs }, event, rules), errorOf(event));
  return judged(counted, rules, ms);
}

/** Time went on. */
export const sawTime = (seen: Seen, rules: MonitorRules, ms: number): Judged => judged(seen, rules, ms);

/** Milliseconds until time alone could change something; null: never. */
export function nextLook(seen: Seen, rules: MonitorRules, ms: number): number | null {
  const worked = seen.ms + ms;
  const due = [
    ...(seen.told.includes('time-warning') ? [] : [rules.warnMs - worked]),
    ...(seen.wrapUp === null ? [] : [seen.wrapUp.ms + GRACE_MS - worked]),
  ].filter((left) => left > 0);
  return due.length === 0 ? null : Math.min(...due);
}

/** The turn is over: its time and its cost belong to the session. */
export const turnOver = (seen: Seen, ms: number): Seen => ({ ...paidSoFar(seen), ms: seen.ms + ms });

function judged(seen: Seen, rules: MonitorRules, ms: number): Judged {
  const stop = stopOf(seen, rules, ms);
  if (stop !== null) return { seen, orders: [{ do: 'stop', why: stop }] };
  const steps = [withLook, withContext, withErrors, withTime, withBudget, withQuota];
  return steps.reduce<Judged>(
    (so, step) => {
      const next = step(so.seen, rules, ms);
      return { seen: next.seen, orders: [...so.orders, ...next.orders] };
    },
    { seen, orders: [] },
  );
}

function stopOf(seen: Seen, rules: MonitorRules, ms: number): Stop | null {
  const window = windowOf(seen, rules);
  if (rules.budgetUsd !== null && costSoFar(seen) >= rules.budgetUsd) return 'budget-limit';
  if (seen.context.used >= window) return 'context-limit';
  const { wrapUp } = seen;
  if (wrapUp === null) return null;
  const isOver = seen.fresh - wrapUp.fresh >= window * GRACE_SHARE || seen.ms + ms - wrapUp.ms >= GRACE_MS;
  return isOver ? wrapUp.why : null;
}

/** The look for progress: every so many tokens, and once when the window is half full. */
function withLook(seen: Seen, rules: MonitorRules, ms: number): Judged {
  const isHalfway = !seen.lookedHalfway && seen.context.used >= windowOf(seen, rules) / 2;
  if (seen.wrapUp !== null || (!isHalfway && seen.fresh - seen.lookedAt < rules.checkTokens)) return quiet(seen);
  const isStuck = !isProgress(seen.signs);
  // Halfway may come right after a look: too little has happened since then to speak of being stuck.
  const isEarly = seen.fresh - seen.lookedAt < rules.checkTokens / 2;
  if (isHalfway && isEarly) return quiet({ ...seen, lookedHalfway: true });
  const looked: Seen = {
    ...seen,
    lookedHalfway: seen.lookedHalfway || isHalfway,
    lookedAt: seen.fresh,
    signs: NO_SIGNS,
    stuckLooks: isStuck ? seen.stuckLooks + 1 : 0,
  };
  if (!isStuck) return quiet(looked);
  if (looked.stuckLooks >= rules.stuckChecks)
    return wrapUp(looked, 'stuck', 'stuck-wrap-up', { notes: rules.notes }, ms);
  const params = { words: rules.stuckWords, tokens: seen.fresh - seen.lookedAt };
  return { seen: looked, orders: [{ do: 'say', say: 'stuck', params }] };
}

function withContext(seen: Seen, rules: MonitorRules, ms: number): Judged {
  const share = seen.context.used / windowOf(seen, rules);
  const params = { percent: Math.floor(share * 100), notes: rules.notes };
  if (share >= rules.forceShare && seen.wrapUp === null)
    return wrapUp(seen, 'context-limit', 'context-wrap-up', params, ms);
  return share >= rules.warnShare ? once(seen, 'context-warning', params) : quiet(seen);
}

function withErrors(seen: Seen, rules: MonitorRules): Judged {
  const [error, count] = Object.entries(seen.errors).find(
    ([text, times]) => times >= rules.sameErrors && !seen.told.includes(`same-error ${text}`),
  ) ?? ['', 0];
  if (count === 0 || seen.wrapUp !== null) return quiet(seen);
  return {
    seen: { ...seen, told: [...seen.told, `same-error ${error}`] },
    orders: [{ do: 'say', say: 'same-error', params: { count, error } }],
  };
}

function withTime(seen: Seen, rules: MonitorRules, ms: number): Judged {
  const worked = seen.ms + ms;
  if (worked < rules.warnMs) return quiet(seen);
  const minutes = Math.max(1, Math.round((rules.wallMs - worked) / 60_000));
  return once(seen, 'time-warning', { minutes, count: minutes, notes: rules.notes });
}

const BUDGET_SHARE = 0.9;
function withBudget(seen: Seen, { budgetUsd, notes }: MonitorRules, ms: number): Judged {
  if (budgetUsd === null || seen.wrapUp !== null || costSoFar(seen) < budgetUsd * BUDGET_SHARE) return quiet(seen);
  return wrapUp(seen, 'budget-limit', 'budget-wrap-up', { notes }, ms);
}

/** Requests that a session needs to hand over: their use of the window must still be there. */
const LAST_REQUESTS = 2;
function withQuota(seen: Seen, { quotaShare, notes }: MonitorRules, ms: number): Judged {
  if (seen.quota === null || seen.wrapUp !== null) return quiet(seen);
  const { window, used, step } = seen.quota;
  if (used < quotaShare && used + LAST_REQUESTS * step < 1) return quiet(seen);
  const params = { percent: percentOf(seen.quota), window, notes };
  return wrapUp(seen, 'quota-limit', 'quota-wrap-up', params, ms);
}

const quiet = (seen: Seen): Judged => ({ seen, orders: [] });

function once(seen: Seen, say: Advice, params: Params): Judged {
  if (seen.told.includes(say) || seen.wrapUp !== null) return quiet(seen);
  return { seen: { ...seen, told: [...seen.told, say] }, orders: [{ do: 'say', say, params }] };
}

const wrapUp = (seen: Seen, why: Stop, say: Advice, params: Params, ms: number): Judged => ({
  seen: { ...seen, told: [...seen.told, say], wrapUp: { why, fresh: seen.fresh, ms: seen.ms + ms } },
  orders: [{ do: 'wrap-up', say, params, why }],
});

/** What the event says of context and money; where the agent never says it, the text counts. */
function withUse(seen: Seen, event: AgentEvent, { price }: MonitorRules): Seen {
  switch (event.t) {
    case 'context': {
      const { used, window, source } = seen.context;
      const context = {
        ...seen.context,
        used: event.used,
        source: 'reported' as const,
        window: event.window ?? window,
      };
      const costUsd = { ...seen.costUsd, total: Math.max(seen.costUsd.total, event.costUsd ?? 0) };
      const grown = Math.max(0, event.used - (source === 'reported' ? used : seen.fresh));
      // The first report has the agent's own instructions in it: they are no work either.
      const lookedAt = source === 'reported' ? seen.lookedAt : seen.lookedAt + grown;
      return { ...seen, context, fresh: seen.fresh + grown, lookedAt, costUsd };
    }
    case 'compacted':
      return { ...seen, context: { ...seen.context, compacted: seen.context.compacted + 1 } };
    case 'usage': {
      const { reported, priced } = seen.costUsd;
      const more = price === null ? 0 : costOf(event, price);
      const costUsd =
        event.costUsd === null
          ? { ...seen.costUsd, priced: priced + more }
          : { ...seen.costUsd, reported: reported + event.costUsd, priced: 0 };
      return { ...seen, costUsd };
    }
    case 'quota': {
      const { window, used, resetsAt } = event;
      const grown = seen.quota?.window === window && seen.quota.resetsAt === resetsAt ? used - seen.quota.used : 0;
      return { ...seen, quota: { window, used, resetsAt, step: Math.max(seen.quota?.step ?? 0, grown) } };
    }
    case 'text':
    case 'thought':
      return withTokens(seen, event.text.length / CHARS_PER_TOKEN);
    case 'tool-start':
      return withTokens(seen, JSON.stringify(event.input).length / CHARS_PER_TOKEN);
    case 'tool-end':
      return withTokens(seen, event.output.length / CHARS_PER_TOKEN);
    default:
      return seen;
  }
}

function withTokens(seen: Seen, tokens: number): Seen {
  if (seen.context.source === 'reported') return seen;
  return { ...seen, fresh: seen.fresh + tokens, context: { ...seen.context, used: seen.context.used + tokens } };
}

function withError(seen: Seen, error: string | null): Seen {
  if (error === null) return seen;
  const all = { ...seen.errors, [error]: (seen.errors[error] ?? 0) + 1 };
  const often = Object.entries(all).sort((a, b) => b[1] - a[1]);
  return { ...seen, errors: Object.fromEntries(often.slice(0, MOST_ERRORS)) };
}
