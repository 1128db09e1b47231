// Monitors one session: how full its context is, whether it makes progress, what it uses, how long it works. Pure: events and the time go
// in, what to tell the agent and when to end it come out. The state is stored with each turn, so that it outlives processes.
import { z } from 'zod';
import type { AgentEvent } from '../../model/event.ts';
import type { Params } from '../../model/failure.ts';
import { WRAP_UP_SHARE, type Amounts, type Left } from '../../model/budget.ts';
import { costOf } from '../../model/prices.ts';
import { percentOf } from '../../model/quota.ts';
import { STOPS, type Advice, type MonitorRules, type Stop } from './rules.ts';
import { addSigns, errorOf, isProgress, NO_SIGNS, signsOf } from './signs.ts';

export const monitorStateSchema = z.object({
  context: z.object({
    /** Input of the last request, cached included, and its output; in tokens. */
    used: z.number(),
    /** `estimated`: counted from the text of both sides, until the agent reports it. */
    source: z.enum(['reported', 'estimated']),
    /** The size that the agent reports. */
    window: z.number().nullable(),
    /** How often the agent's own program compacted it. */
    compacted: z.number(),
  }),
  /** New tokens in the context since the session began, and as many at the last progress check. */
  fresh: z.number(),
  lookedAt: z.number(),
  lookedHalfway: z.boolean(),
  signs: z.object({ files: z.number(), tests: z.number(), commands: z.number() }),
  stuckLooks: z.number(),
  errors: z.record(z.string(), z.number()),
  told: z.array(z.string()),
  /** The fullest window of the provider's quota. `step`: the largest increase between two reports. */
  quota: z
    .object({ window: z.string(), used: z.number(), step: z.number(), resetsAt: z.string().nullable() })
    .nullable()
    .default(null),
  wrapUp: z.object({ why: z.enum(STOPS), fresh: z.number(), ms: z.number() }).nullable(),
  /** Milliseconds of the ended turns. */
  ms: z.number(),
  /** US dollars: of the ended turns; and of this turn, by the agent's running total, by its reports, and by the price of what is in neither. */
  costUsd: z.object({ before: z.number(), total: z.number(), reported: z.number(), priced: z.number() }),
  /** Input and output: of the ended turns; and of this turn, by the agent's reports, and by how much fuller the reported context became. */
  tokens: z
    .object({ before: z.number(), reported: z.number(), grown: z.number() })
    .default({ before: 0, reported: 0, grown: 0 }),
});
export type MonitorState = z.output<typeof monitorStateSchema>;

export const INITIAL_STATE: MonitorState = {
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
  tokens: { before: 0, reported: 0, grown: 0 },
};

export type MonitorAction =
  | { readonly do: 'say'; readonly say: Advice; readonly params: Params }
  /** The agent has to stop its work now and leave notes. */
  | { readonly do: 'wrap-up'; readonly say: Advice; readonly params: Params; readonly why: Stop }
  | { readonly do: 'stop'; readonly why: Stop };
export type MonitorResult = { readonly state: MonitorState; readonly actions: readonly MonitorAction[] };

/** The usual rough rule. */
const CHARS_PER_TOKEN = 4;
/** How much of the window, and how much time, an agent gets to wrap up before it is ended. */
const GRACE_SHARE = 0.1;
const GRACE_MS = 5 * 60_000;
/** Different errors that are counted in one session; beyond that the rarest are dropped. */
const MOST_ERRORS = 100;

export const contextWindow = (state: MonitorState, rules: Pick<MonitorRules, 'windowTokens'>): number =>
  Math.min(state.context.window ?? rules.windowTokens, rules.windowTokens);

/** What the session has cost so far, in US dollars. */
export const costSoFar = ({ costUsd: { before, total, reported, priced } }: MonitorState): number =>
  before + Math.max(total, reported + priced);

/** The context counts what the provider's cache holds as well, so that it is used only until the agent reports its tokens. */
const tokensSoFar = ({ tokens: { before, reported, grown } }: MonitorState): number =>
  before + (reported > 0 ? reported : grown);

/** What the session has used so far. `ms`: since the running turn began. */
const usedSoFar = (state: MonitorState, ms: number): Amounts => ({
  usd: costSoFar(state),
  tokens: tokensSoFar(state),
  minutes: (state.ms + ms) / MINUTE_MS,
});
const MINUTE_MS = 60_000;

/** Whether this share of what was left is used, in any unit. */
const isUsed = (used: Amounts, left: Left, share: number): boolean =>
  [
    [used.usd, left.usd],
    [used.tokens, left.tokens],
    [used.minutes, left.minutes],
  ].some(([amount, limit]) => typeof amount === 'number' && typeof limit === 'number' && amount >= limit * share);

/**
 * After a prompt. Where the agent does not report how full its context is, the prompt counts too. It is not work of the agent: the next
 * progress check counts from after it.
 */
export function withPrompt(state: MonitorState, text: string): MonitorState {
  const prompted = withTokens(state, text.length / CHARS_PER_TOKEN);
  return { ...prompted, lookedAt: state.lookedAt + prompted.fresh - state.fresh };
}

/** After a second prompt within our turn: the totals that the agent then reports are of this prompt alone. */
export const withFollowUp = (state: MonitorState, text: string): MonitorState => withPrompt(paidSoFar(state), text);

const paidSoFar = (state: MonitorState): MonitorState => ({
  ...state,
  costUsd: { before: costSoFar(state), total: 0, reported: 0, priced: 0 },
  tokens: { before: tokensSoFar(state), reported: 0, grown: 0 },
});

/** After an event of the agent. `ms`: since the running turn began. */
export function withEvent(before: MonitorState, event: AgentEvent, rules: MonitorRules, ms: number): MonitorResult {
  const signs = addSigns(before.signs, signsOf(event, rules.tests));
  const counted = withError(withUse({ ...before, signs }, event, rules), errorOf(event));
  return evaluate(counted, rules, ms);
}

/** After some time without an event. */
export const withTimePassed = (state: MonitorState, rules: MonitorRules, ms: number): MonitorResult =>
  evaluate(state, rules, ms);

/** Milliseconds until time alone can change the result; null: never. */
export function nextCheckMs(state: MonitorState, rules: MonitorRules, ms: number): number | null {
  const worked = state.ms + ms;
  const due = [
    ...(state.told.includes('time-warning') ? [] : [rules.warnMs - worked]),
    ...(state.wrapUp === null ? [] : [state.wrapUp.ms + GRACE_MS - worked]),
    ...(rules.left.minutes === null ? [] : [WRAP_UP_SHARE, 1].map((share) => budgetMs(rules, share) - worked)),
  ].filter((left) => left > 0);
  return due.length === 0 ? null : Math.min(...due);
}

const budgetMs = ({ left }: MonitorRules, share: number): number => Math.ceil((left.minutes ?? 0) * MINUTE_MS * share);

/** After the end of a turn, whose time and cost now belong to the session. */
export const withTurnEnded = (state: MonitorState, ms: number): MonitorState => ({
  ...paidSoFar(state),
  ms: state.ms + ms,
});

function evaluate(state: MonitorState, rules: MonitorRules, ms: number): MonitorResult {
  const stop = stopOf(state, rules, ms);
  if (stop !== null) return { state, actions: [{ do: 'stop', why: stop }] };
  const steps = [withProgress, withContext, withErrors, withTime, withBudget, withQuota];
  return steps.reduce<MonitorResult>(
    (before, step) => {
      const next = step(before.state, rules, ms);
      return { state: next.state, actions: [...before.actions, ...next.actions] };
    },
    { state, actions: [] },
  );
}

function stopOf(state: MonitorState, rules: MonitorRules, ms: number): Stop | null {
  const window = contextWindow(state, rules);
  if (isUsed(usedSoFar(state, ms), rules.left, 1)) return 'budget-limit';
  if (state.context.used >= window) return 'context-limit';
  const { wrapUp } = state;
  if (wrapUp === null) return null;
  const isOver = state.fresh - wrapUp.fresh >= window * GRACE_SHARE || state.ms + ms - wrapUp.ms >= GRACE_MS;
  return isOver ? wrapUp.why : null;
}

/** The progress check: after every `checkTokens` new tokens, and once when the window is half full. */
function withProgress(state: MonitorState, rules: MonitorRules, ms: number): MonitorResult {
  const isHalfway = !state.lookedHalfway && state.context.used >= contextWindow(state, rules) / 2;
  if (state.wrapUp !== null || (!isHalfway && state.fresh - state.lookedAt < rules.checkTokens))
    return unchanged(state);
  const isStuck = !isProgress(state.signs);
  // Halfway may come right after a check: too little has happened since then to call the agent stuck.
  const isEarly = state.fresh - state.lookedAt < rules.checkTokens / 2;
  if (isHalfway && isEarly) return unchanged({ ...state, lookedHalfway: true });
  const checked: MonitorState = {
    ...state,
    lookedHalfway: state.lookedHalfway || isHalfway,
    lookedAt: state.fresh,
    signs: NO_SIGNS,
    stuckLooks: isStuck ? state.stuckLooks + 1 : 0,
  };
  if (!isStuck) return unchanged(checked);
  if (checked.stuckLooks >= rules.stuckChecks)
    return wrapUp(checked, 'stuck', 'stuck-wrap-up', { notes: rules.notes }, ms);
  const params = { words: rules.stuckWords, tokens: state.fresh - state.lookedAt };
  return { state: checked, actions: [{ do: 'say', say: 'stuck', params }] };
}

function withContext(state: MonitorState, rules: MonitorRules, ms: number): MonitorResult {
  const share = state.context.used / contextWindow(state, rules);
  const params = { percent: Math.floor(share * 100), notes: rules.notes };
  if (share >= rules.forceShare && state.wrapUp === null)
    return wrapUp(state, 'context-limit', 'context-wrap-up', params, ms);
  return share >= rules.warnShare ? once(state, 'context-warning', params) : unchanged(state);
}

function withErrors(state: MonitorState, rules: MonitorRules): MonitorResult {
  const [error, count] = Object.entries(state.errors).find(
    ([text, times]) => times >= rules.sameErrors && !state.told.includes(`same-error ${text}`),
  ) ?? ['', 0];
  if (count === 0 || state.wrapUp !== null) return unchanged(state);
  return {
    state: { ...state, told: [...state.told, `same-error ${error}`] },
    actions: [{ do: 'say', say: 'same-error', params: { count, error } }],
  };
}

function withTime(state: MonitorState, rules: MonitorRules, ms: number): MonitorResult {
  const worked = state.ms + ms;
  if (worked < rules.warnMs) return unchanged(state);
  const minutes = Math.max(1, Math.round((rules.wallMs - worked) / 60_000));
  return once(state, 'time-warning', { minutes, count: minutes, notes: rules.notes });
}

function withBudget(state: MonitorState, { left, notes }: MonitorRules, ms: number): MonitorResult {
  if (state.wrapUp !== null || !isUsed(usedSoFar(state, ms), left, WRAP_UP_SHARE)) return unchanged(state);
  return wrapUp(state, 'budget-limit', 'budget-wrap-up', { notes }, ms);
}

/** Requests that a session needs to hand over: the window has to have room for them. */
const LAST_REQUESTS = 2;
function withQuota(state: MonitorState, { quotaShare, notes }: MonitorRules, ms: number): MonitorResult {
  if (state.quota === null || state.wrapUp !== null) return unchanged(state);
  const { window, used, step } = state.quota;
  if (used < quotaShare && used + LAST_REQUESTS * step < 1) return unchanged(state);
  const params = { percent: percentOf(state.quota), window, notes };
  return wrapUp(state, 'quota-limit', 'quota-wrap-up', params, ms);
}

const unchanged = (state: MonitorState): MonitorResult => ({ state, actions: [] });

function once(state: MonitorState, say: Advice, params: Params): MonitorResult {
  if (state.told.includes(say) || state.wrapUp !== null) return unchanged(state);
  return { state: { ...state, told: [...state.told, say] }, actions: [{ do: 'say', say, params }] };
}

const wrapUp = (state: MonitorState, why: Stop, say: Advice, params: Params, ms: number): MonitorResult => ({
  state: { ...state, told: [...state.told, say], wrapUp: { why, fresh: state.fresh, ms: state.ms + ms } },
  actions: [{ do: 'wrap-up', say, params, why }],
});

/** What the event reports about context and cost; where the agent never reports it, the text is counted. */
function withUse(state: MonitorState, event: AgentEvent, { price }: MonitorRules): MonitorState {
  switch (event.t) {
    case 'context': {
      const { used, window, source } = state.context;
      const context = {
        ...state.context,
        used: event.used,
        source: 'reported' as const,
        window: event.window ?? window,
      };
      const costUsd = { ...state.costUsd, total: Math.max(state.costUsd.total, event.costUsd ?? 0) };
      const grown = Math.max(0, event.used - (source === 'reported' ? used : state.fresh));
      // The first report includes the agent's own instructions, which are no work either.
      const lookedAt = source === 'reported' ? state.lookedAt : state.lookedAt + grown;
      // The agent's own instructions are read and paid.
      const read = Math.max(0, event.used - (source === 'reported' ? used : 0));
      const tokens = { ...state.tokens, grown: state.tokens.grown + read };
      return { ...state, context, fresh: state.fresh + grown, lookedAt, costUsd, tokens };
    }
    case 'compacted':
      return { ...state, context: { ...state.context, compacted: state.context.compacted + 1 } };
    case 'usage': {
      const { reported, priced } = state.costUsd;
      const more = price === null ? 0 : costOf(event, price);
      const costUsd =
        event.costUsd === null
          ? { ...state.costUsd, priced: priced + more }
          : { ...state.costUsd, reported: reported + event.costUsd, priced: 0 };
      const { tokens } = state;
      const sum = tokens.reported + event.inputTokens + event.outputTokens;
      return { ...state, costUsd, tokens: { ...tokens, reported: sum } };
    }
    case 'quota': {
      const { window, used, resetsAt } = event;
      const grown = state.quota?.window === window && state.quota.resetsAt === resetsAt ? used - state.quota.used : 0;
      return { ...state, quota: { window, used, resetsAt, step: Math.max(state.quota?.step ?? 0, grown) } };
    }
    case 'text':
    case 'thought':
      return withTokens(state, event.text.length / CHARS_PER_TOKEN);
    case 'tool-start':
      return withTokens(state, JSON.stringify(event.input).length / CHARS_PER_TOKEN);
    case 'tool-end':
      return withTokens(state, event.output.length / CHARS_PER_TOKEN);
    default:
      return state;
  }
}

function withTokens(state: MonitorState, tokens: number): MonitorState {
  if (state.context.source === 'reported') return state;
  return { ...state, fresh: state.fresh + tokens, context: { ...state.context, used: state.context.used + tokens } };
}

function withError(state: MonitorState, error: string | null): MonitorState {
  if (error === null) return state;
  const all = { ...state.errors, [error]: (state.errors[error] ?? 0) + 1 };
  const often = Object.entries(all).sort((a, b) => b[1] - a[1]);
  return { ...state, errors: Object.fromEntries(often.slice(0, MOST_ERRORS)) };
}
