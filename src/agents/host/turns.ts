// Turns under limits: runs them one after another on a session, ends the ones that go too far, and keeps each outcome.
// Owns the order "durable, then told", and an adapter that does not obey. Knows nothing of pipes and processes.
import { systemAlarm, type Alarm, type Clock } from '../../host/clock.ts';
import type { Io } from '../../host/io.ts';
import type { TurnEnd, TurnOutcome } from '../../model/action.ts';
import type { AgentEvent } from '../../model/event.ts';
import { addUsage, NO_USAGE, type Usage } from '../../model/usage.ts';
import { NOTHING_SEEN } from '../monitor/monitor.ts';
import { STOPS, type MonitorRules } from '../monitor/rules.ts';
import type { AgentSession, Capabilities, TurnResult } from '../port.ts';
import type { Book } from '../quota/book.ts';
import { openLeash, type Leash, type LeashDeps } from './leash.ts';
import type { TurnLimits } from './limits.ts';
import { maskStrings, openRecorder, type Redact } from './recorder.ts';
import { keepCut, lastSeen, writeTurn } from './results.ts';
import type { Watch } from './watch.ts';

export type TurnsOptions = {
  readonly session: AgentSession;
  readonly limits: TurnLimits;
  readonly results: string;
  readonly clock: Clock;
  /** Left out: real time. */
  readonly alarm?: Alarm;
  readonly io: Io;
  readonly redact: Redact;
  readonly onEvent: (turn: number, event: AgentEvent) => void;
  /** What the session is watched by beside its limits; left out: nothing. */
  readonly monitor?: {
    readonly rules: MonitorRules;
    readonly inject: Capabilities['inject'];
    readonly words: LeashDeps['words'];
  };
  /** Notes what is heard of the account's quota; left out: nothing is. */
  readonly quota?: Book;
  /** Finds what the tool policy would have refused. */
  readonly watch?: Watch;
  /** An adapter that does not end an aborted turn within this time is closed; milliseconds. */
  readonly abortWithinMs?: number;
};
export type Turns = {
  /** null: the session was closed meanwhile; a turn that was cut has no outcome, so that nobody takes it for one. */
  readonly run: (turn: number, prompt: string) => Promise<TurnOutcome | null>;
  readonly abort: () => Promise<void>;
  /** Ends the agent; the usage of all turns so far. */
  readonly close: () => Promise<Usage>;
};

const ABORT_WITHIN_MS = 15_000;
const TEXT_CHARS = 4_000;
const HEAD_CHARS = 1_000;

export function openTurns(options: TurnsOptions): Turns {
  const { session, clock, limits, monitor, alarm = systemAlarm } = options;
  const recorder = openRecorder({ ...options, report: options.onEvent });
  let total = NO_USAGE;
  let closed = false;
  let stop: (() => void) | null = null;

  async function run(turn: number, prompt: string): Promise<TurnOutcome | null> {
    let isAborted = false;
    let toolCalls = 0;
    const agent = handle(session, options.abortWithinMs ?? ABORT_WITHIN_MS, alarm);
    const leash = openLeash(
      {
        clock,
        alarm,
        limits,
        rules: monitor?.rules ?? null,
        inject: monitor?.inject ?? 'none',
        words: monitor?.words ?? (() => ''),
        tell: (text) => session.inject(text),
        cut: () => agent.cut(),
        report: (event) => recorder.event(turn, event),
      },
      lastSeen(options.results) ?? NOTHING_SEEN,
      prompt,
    );
    stop = () => {
      isAborted = true;
      agent.cut();
    };
    const onEvent = (event: AgentEvent): void => {
      const account = options.quota?.heard(event) ?? null;
      // What one session hears of its account is a part: all of them together are what counts.
      if (event.t !== 'quota' || options.quota === undefined) take(event);
      if (account !== null) take({ t: 'quota', ...account });
    };
    const take = (event: AgentEvent): void => {
      const isFlooded = leash.isFlooded();
      leash.onEvent(event);
      // once the output limit is broken only the closing figures are of interest
      if (isFlooded && event.t !== 'usage') return;
      if (event.t === 'tool-start') toolCalls++;
      recorder.event(turn, event);
      for (const found of options.watch?.see(event) ?? []) recorder.event(turn, found);
    };
    let result = await agent.turn(prompt, onEvent);
    let usage = result.usage;
    // Agents that hear nothing in the middle of a turn are cut to hear that they must wrap up.
    for (let words = leash.redirected(); words !== null; words = leash.redirected()) {
      if (result.end !== 'aborted' || isAborted || closed || agent.isGone()) break;
      result = await agent.turn(words, onEvent);
      usage = addUsage(usage, result.usage);
    }
    stop = null;
    recorder.flush();
    for (const found of options.watch?.end() ?? []) recorder.event(turn, found);
    const { seen, ms, wrapUp } = await leash.end();
    total = addUsage(total, usage);
    if (closed) {
      // Its driver is gone: what it used is known here and nowhere else.
      if (usage.source !== 'none') keepCut(options.io, options.results, turn, { resume: session.id(), usage, ms });
      return null;
    }
    const end = endOf(leash, result);
    const outcome = masked(options.redact, {
      end,
      failure: end === 'agent-failed' && result.end === 'agent-failed' ? result.failure : null,
      text: result.text,
      resume: session.id(),
      usage,
      toolCalls,
      ms,
      wrapUp,
    });
    writeTurn(options.io, options.results, turn, outcome, seen);
    return outcome;
  }

  return {
    run,
    abort: () => {
      stop?.();
      return Promise.resolve();
    },
    async close() {
      closed = true;
      await session.close();
      recorder.flush();
      return total;
    },
  };
}

/** What the last report of a turn brought over a limit does not undo that the agent had ended by itself. */
function endOf(leash: Leash, result: TurnResult): TurnEnd {
  const over = leash.over();
  const isOwnEnd = result.end === 'end-turn' && STOPS.some((one) => one === over);
  return over === null || isOwnEnd ? result.end : over;
}

/** One agent's turns, cut at most once each; an adapter that does not obey is closed. */
function handle(session: AgentSession, abortWithinMs: number, alarm: Alarm) {
  const gaveUp = Promise.withResolvers<TurnResult>();
  let patience = (): void => undefined;
  let isCut = false;
  let isGone = false;
  return {
    async turn(prompt: string, onEvent: (event: AgentEvent) => void): Promise<TurnResult> {
      isCut = false;
      const result = await Promise.race([session.turn(prompt, onEvent), gaveUp.promise]);
      patience();
      isCut = true;
      return result;
    },
    cut(): void {
      if (isCut) return;
      isCut = true;
      patience = alarm(abortWithinMs, () => {
        isGone = true;
        void session.close();
        gaveUp.resolve({ end: 'aborted', text: '', usage: NO_USAGE });
      });
      void session.abort();
    },
    isGone: () => isGone,
  };
}

/** The provider's id is kept as it is: a session could not be found again by a masked one. */
export function masked(redact: Redact, outcome: TurnOutcome): TurnOutcome {
  const said = redact(outcome.text);
  const failure = maskStrings(outcome.failure, redact) as TurnOutcome['failure'];
  const head = said.length > TEXT_CHARS ? { head: said.slice(0, HEAD_CHARS) } : {};
  return { ...outcome, text: said.slice(-TEXT_CHARS), ...head, failure };
}
