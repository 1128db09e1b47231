// Holds one turn to its limits: asks the pure rules at every event and whenever time is due, says to the agent what they say, and
// ends the turn they end. Owns timers and the order of these; what the limits are, limits.ts and ../monitor know.
import type { Alarm, Clock } from '../../host/clock.ts';
import type { WrapUp } from '../../model/action.ts';
import type { AgentEvent } from '../../model/event.ts';
import {
  heardAnother,
  heardPrompt,
  nextLook,
  sawEvent as judgeEvent,
  sawTime,
  turnOver,
  windowOf,
} from '../monitor/monitor.ts';
import type { Judged, Order, Seen } from '../monitor/monitor.ts';
import type { Advice, MonitorRules, Stop } from '../monitor/rules.ts';
import type { Capabilities } from '../port.ts';
import { judge, LONGEST_TIMER_MS, sawEvent, startWatch, type Limit, type TurnLimits } from './limits.ts';
import { bytesOf } from './recorder.ts';

type How = Extract<AgentEvent, { t: 'limit' }>['how'];

/** What the rules need of the world, for a whole session. */
export type LeashDeps = {
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly limits: TurnLimits;
  /** null: nothing but the limits of time and output. */
  readonly rules: MonitorRules | null;
  readonly inject: Capabilities['inject'];
  /** The words of an advice. */
  readonly words: (say: Advice, params: Extract<Order, { do: 'say' }>['params']) => string;
  /** Into the running turn, or before the next. */
  readonly tell: (text: string) => Promise<'delivered' | 'next-turn' | 'unsupported'>;
  /** Ends what the agent is doing now. */
  readonly cut: () => void;
  readonly report: (event: Extract<AgentEvent, { t: 'limit' | 'context' }>) => void;
};
export type Leash = {
  readonly onEvent: (event: AgentEvent) => void;
  /** The agent's doing was ended by this; null: by nothing. */
  readonly over: () => Limit | Stop | null;
  readonly isFlooded: () => boolean;
  /** The words to go on with after the agent was cut only to hear them; null: it was cut for good, or not at all. */
  readonly redirected: () => string | null;
  /** The agent ended by itself or was ended. */
  readonly end: () => Promise<{ readonly seen: Seen; readonly ms: number; readonly wrapUp: WrapUp | null }>;
};

export function openLeash(deps: LeashDeps, before: Seen, prompt: string): Leash {
  const { clock, limits, rules } = deps;
  const startedMs = clock.now();
  let watch = startWatch(startedMs);
  let seen = heardPrompt(before, prompt);
  let over: Limit | Stop | null = null;
  let redirect: string | null = null;
  let isEnded = false;
  let quiet = (): void => undefined;
  const msNow = (): number => Math.max(0, clock.now() - startedMs);
  // The agent's time of all its turns is what the session's limit is about.
  const left: TurnLimits = { ...limits, wallMs: limits.wallMs - before.ms };

  /** One after another, in the order they were decided: how words reached the agent is known a little later. */
  let reports: Promise<void> = Promise.resolve();
  const report = (limit: string, did: 'told' | 'wrap-up' | 'ended', how: How | Promise<How> = null): void => {
    const { used, source } = seen.context;
    const window = rules === null ? 0 : windowOf(seen, rules);
    reports = reports.then(async () =>
      deps.report({ t: 'limit', limit, did, how: await how, used: Math.round(used), window, source }),
    );
  };
  const obey = (order: Order): void => {
    if (order.do === 'stop') {
      over = order.why;
      report(order.why, 'ended');
      // The event may be the last of a turn that ends by itself: then there is nothing to cut.
      setImmediate(() => !isEnded && deps.cut());
      return;
    }
    const text = deps.words(order.say, order.params);
    if (order.do === 'wrap-up' && deps.inject !== 'mid-turn') {
      redirect = text;
      report(order.say, 'wrap-up', 'new-turn');
      setImmediate(() => !isEnded && deps.cut());
      return;
    }
    const did = order.do === 'wrap-up' ? 'wrap-up' : 'told';
    report(order.say, did, deps.tell(text));
  };
  let shownTenths = 0;
  /** For whoever watches: an agent that says nothing of its context is told of in tenths of the window. */
  const show = (): void => {
    if (rules === null || seen.context.source === 'reported') return;
    const window = windowOf(seen, rules);
    const tenths = Math.floor((10 * seen.context.used) / window);
    if (tenths <= shownTenths) return;
    shownTenths = tenths;
    deps.report({ t: 'context', used: Math.round(seen.context.used), window, costUsd: null, source: 'estimated' });
  };
  const apply = (judged: Judged): void => {
    seen = judged.seen;
    show();
    for (const order of judged.orders) if (over === null) obey(order);
  };
  const look = (): void => {
    quiet();
    if (isEnded || over !== null) return;
    const found = judge(watch, left, clock.now());
    if (found.over !== null) {
      over = found.over;
      report(found.over, 'ended');
      deps.cut();
      return;
    }
    if (rules !== null) apply(sawTime(seen, rules, msNow()));
    const due = rules === null ? null : nextLook(seen, rules, msNow());
    const nextMs = Math.min(found.nextMs, due ?? found.nextMs, LONGEST_TIMER_MS);
    quiet = deps.alarm(Math.max(1, nextMs), look);
  };
  look();

  return {
    onEvent(event) {
      watch = sawEvent(watch, clock.now(), bytesOf(event));
      if (rules !== null && over === null) apply(judgeEvent(seen, event, rules, msNow()));
      if (watch.bytes > limits.outputBytes) look();
    },
    over: () => over,
    isFlooded: () => over === 'output-limit',
    redirected() {
      const text = over === null ? redirect : null;
      redirect = null;
      if (text !== null) seen = heardAnother(seen, text);
      return text;
    },
    async end() {
      isEnded = true;
      quiet();
      const ms = msNow();
      await reports;
      return { seen: turnOver(seen, ms), ms, wrapUp: seen.wrapUp?.why ?? null };
    },
  };
}
