// Keeps one turn within its limits: applies the pure rules at every event and timer, sends their notices to the agent, and ends
// the turn when they require it. Owns the timers and the order; the limits themselves are turn-limits.ts and ../monitor.
import { MAX_TIMER_MS, type Alarm, type Clock } from '../../host/clock.ts';
import type { WrapUp } from '../../model/action.ts';
import type { AgentEvent } from '../../model/event.ts';
import {
  contextWindow,
  nextCheckMs,
  withEvent as monitorEvent,
  withFollowUp,
  withPrompt,
  withTimePassed,
  withTurnEnded,
  type MonitorAction,
  type MonitorResult,
  type MonitorState,
} from '../monitor/monitor.ts';
import type { Advice, MonitorRules, Stop } from '../monitor/rules.ts';
import type { Capabilities } from '../port.ts';
import { bytesOf } from './recorder.ts';
import { checkLimits, turnStarted, withEvent, type TurnLimit, type TurnLimits } from './turn-limits.ts';

type LimitEvent = Extract<AgentEvent, { t: 'limit' }>;

/** What the watchdog of every turn of a session needs. */
export type WatchdogOptions = {
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly limits: TurnLimits;
  /** Null: only the limits of time and output. */
  readonly rules: MonitorRules | null;
  readonly inject: Capabilities['inject'];
  /** The text of an advice. */
  readonly adviceText: (say: Advice, params: Extract<MonitorAction, { do: 'say' }>['params']) => string;
  /** Into the running turn, or before the next one. */
  readonly tell: (text: string) => Promise<'delivered' | 'next-turn' | 'unsupported'>;
  /** Ends what the agent is doing now. */
  readonly cut: () => void;
  readonly report: (event: Extract<AgentEvent, { t: 'limit' | 'context' }>) => void;
};

export type TurnWatchdog = {
  readonly onEvent: (event: AgentEvent) => void;
  /** What ended the turn; null: nothing did. */
  readonly endedBy: () => TurnLimit | Stop | null;
  readonly isFlooded: () => boolean;
  /** The prompt to continue with, where the agent was cut only to receive it; null: it was cut for good, or not at all. */
  readonly takeFollowUp: () => string | null;
  /** Call it when the agent has ended its turn, by itself or because it was cut. */
  readonly end: () => Promise<{ readonly state: MonitorState; readonly ms: number; readonly wrapUp: WrapUp | null }>;
};

export function startTurnWatchdog(options: WatchdogOptions, before: MonitorState, prompt: string): TurnWatchdog {
  const { clock, limits, rules } = options;
  const startedMs = clock.now();
  let progress = turnStarted(startedMs);
  let state = withPrompt(before, prompt);
  let endedBy: TurnLimit | Stop | null = null;
  let followUp: string | null = null;
  let hasEnded = false;
  let cancelAlarm = (): void => undefined;
  const msNow = (): number => Math.max(0, clock.now() - startedMs);
  // The wall limit is for the agent's time in all turns of the session.
  const left: TurnLimits = { ...limits, wallMs: limits.wallMs - before.ms };

  /** One after another, in the order they were decided: how a text reached the agent is only known later. */
  let reports: Promise<void> = Promise.resolve();
  const report = (
    limit: string,
    did: LimitEvent['did'],
    how: LimitEvent['how'] | Promise<LimitEvent['how']> = null,
  ): void => {
    const { used, source } = state.context;
    const window = rules === null ? 0 : contextWindow(state, rules);
    reports = reports.then(async () =>
      options.report({ t: 'limit', limit, did, how: await how, used: Math.round(used), window, source }),
    );
  };
  const perform = (action: MonitorAction): void => {
    if (action.do === 'stop') {
      endedBy = action.why;
      report(action.why, 'ended');
      // The event may be the last one of a turn that ends by itself: then there is nothing to cut.
      setImmediate(() => !hasEnded && options.cut());
      return;
    }
    const text = options.adviceText(action.say, action.params);
    if (action.do === 'wrap-up' && options.inject !== 'mid-turn') {
      followUp = text;
      report(action.say, 'wrap-up', 'new-turn');
      setImmediate(() => !hasEnded && options.cut());
      return;
    }
    const did = action.do === 'wrap-up' ? 'wrap-up' : 'told';
    report(action.say, did, options.tell(text));
  };
  let shownTenths = 0;
  /** Reports an estimated fill of the context, in tenths of the window, for an agent that does not report it. */
  const reportEstimate = (): void => {
    if (rules === null || state.context.source === 'reported') return;
    const window = contextWindow(state, rules);
    const tenths = Math.floor((10 * state.context.used) / window);
    if (tenths <= shownTenths) return;
    shownTenths = tenths;
    options.report({ t: 'context', used: Math.round(state.context.used), window, costUsd: null, source: 'estimated' });
  };
  const apply = (result: MonitorResult): void => {
    state = result.state;
    reportEstimate();
    for (const action of result.actions) if (endedBy === null) perform(action);
  };
  const check = (): void => {
    cancelAlarm();
    if (hasEnded || endedBy !== null) return;
    const checked = checkLimits(progress, left, clock.now());
    if (checked.over !== null) {
      endedBy = checked.over;
      report(checked.over, 'ended');
      options.cut();
      return;
    }
    if (rules !== null) apply(withTimePassed(state, rules, msNow()));
    const due = rules === null ? null : nextCheckMs(state, rules, msNow());
    const nextMs = Math.min(checked.nextMs, due ?? checked.nextMs, MAX_TIMER_MS);
    cancelAlarm = options.alarm(Math.max(1, nextMs), check);
  };
  check();

  return {
    onEvent(event) {
      progress = withEvent(progress, clock.now(), bytesOf(event));
      if (rules !== null && endedBy === null) apply(monitorEvent(state, event, rules, msNow()));
      if (progress.bytes > limits.outputBytes) check();
    },
    endedBy: () => endedBy,
    isFlooded: () => endedBy === 'output-limit',
    takeFollowUp() {
      const text = endedBy === null ? followUp : null;
      followUp = null;
      if (text !== null) state = withFollowUp(state, text);
      return text;
    },
    async end() {
      hasEnded = true;
      cancelAlarm();
      const ms = msNow();
      await reports;
      return { state: withTurnEnded(state, ms), ms, wrapUp: state.wrapUp?.why ?? null };
    },
  };
}
