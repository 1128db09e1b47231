// Turns under limits: runs them one after another on a session, ends the ones that exceed a limit, and stores each outcome before it is
// reported. Knows nothing of pipes and processes.
import { systemAlarm, type Alarm, type Clock } from '../../host/clock.ts';
import type { Io } from '../../host/io.ts';
import type { TurnEnd, TurnOutcome } from '../../model/action.ts';
import type { AgentEvent } from '../../model/event.ts';
import { addUsage, NO_USAGE, type Usage } from '../../model/usage.ts';
import { INITIAL_STATE } from '../monitor/monitor.ts';
import { STOPS, type MonitorRules } from '../monitor/rules.ts';
import type { AgentSession, Capabilities, TurnResult } from '../port.ts';
import type { QuotaLedger } from '../quota/ledger.ts';
import { mapStrings, openRecorder, type Redact } from './recorder.ts';
import type { TurnLimits } from './turn-limits.ts';
import { keepCutUsage, lastMonitorState, writeTurn } from './turn-results.ts';
import { startTurnWatchdog, type TurnWatchdog, type WatchdogOptions } from './turn-watchdog.ts';
import type { ViolationDetector } from './violations.ts';

export type TurnsOptions = {
  readonly session: AgentSession;
  readonly limits: TurnLimits;
  readonly results: string;
  readonly clock: Clock;
  /** Default: real time. */
  readonly alarm?: Alarm;
  readonly io: Io;
  readonly redact: Redact;
  readonly onEvent: (turn: number, event: AgentEvent) => void;
  /** Default: only the limits apply. */
  readonly monitor?: {
    readonly rules: MonitorRules;
    readonly inject: Capabilities['inject'];
    readonly adviceText: WatchdogOptions['adviceText'];
  };
  /** Records the quota of the account; default: none. */
  readonly quota?: QuotaLedger;
  /** Finds calls that the tool policy would have refused. */
  readonly violations?: ViolationDetector;
  /** An adapter that does not end an aborted turn within this time is closed; milliseconds. */
  readonly abortWithinMs?: number;
};
export type Turns = {
  /** Null: the session was closed meanwhile. A turn that was cut that way has no outcome. */
  readonly run: (turn: number, prompt: string, stable?: number) => Promise<TurnOutcome | null>;
  readonly abort: () => Promise<void>;
  /** Ends the agent; the usage of all turns so far. */
  readonly close: () => Promise<Usage>;
};

const ABORT_WITHIN_MS = 15_000;
const TEXT_CHARS = 4_000;
const HEAD_CHARS = 1_000;

export function openTurns(options: TurnsOptions): Turns {
  const { session, clock, limits, monitor, quota, violations, alarm = systemAlarm } = options;
  const recorder = openRecorder({ ...options, report: options.onEvent });
  let total = NO_USAGE;
  let isClosed = false;
  let stop: (() => void) | null = null;

  async function run(turn: number, prompt: string, stable?: number): Promise<TurnOutcome | null> {
    let isAborted = false;
    let toolCalls = 0;
    const agent = cuttable(session, options.abortWithinMs ?? ABORT_WITHIN_MS, alarm);
    const watchdog = startTurnWatchdog(
      {
        clock,
        alarm,
        limits,
        rules: monitor?.rules ?? null,
        inject: monitor?.inject ?? 'none',
        adviceText: monitor?.adviceText ?? (() => ''),
        tell: (text) => session.inject(text),
        cut: () => agent.cut(),
        report: (event) => recorder.event(turn, event),
      },
      lastMonitorState(options.results) ?? INITIAL_STATE,
      prompt,
    );
    stop = () => {
      isAborted = true;
      agent.cut();
    };
    const onEvent = (event: AgentEvent): void => {
      const account = quota?.record(event) ?? null;
      // A session only knows its own part of the account's use: what counts is the sum of all sessions.
      if (event.t !== 'quota' || quota === undefined) receive(event);
      if (account !== null) receive({ t: 'quota', ...account });
    };
    const receive = (event: AgentEvent): void => {
      const isFlooded = watchdog.isFlooded();
      watchdog.onEvent(event);
      // Once the output limit is exceeded only the final figures matter.
      if (isFlooded && event.t !== 'usage') return;
      if (event.t === 'tool-start') toolCalls++;
      recorder.event(turn, event);
      for (const found of violations?.see(event) ?? []) recorder.event(turn, found);
    };
    let result = await agent.turn(prompt, onEvent, stable);
    let usage = result.usage;
    // Agents that take no message during a turn are cut and get the message to wrap up as their next prompt.
    for (let text = watchdog.takeFollowUp(); text !== null; text = watchdog.takeFollowUp()) {
      if (result.end !== 'aborted' || isAborted || isClosed || agent.isClosed()) break;
      result = await agent.turn(text, onEvent);
      usage = addUsage(usage, result.usage);
    }
    stop = null;
    recorder.flush();
    for (const found of violations?.end() ?? []) recorder.event(turn, found);
    const { state, ms, wrapUp } = await watchdog.end();
    total = addUsage(total, usage);
    if (isClosed) {
      // The driver has exited: what the turn used is only known here.
      keepCutUsage(options.io, options.results, turn, { resume: session.id(), usage, ms });
      return null;
    }
    const end = endOf(watchdog, result);
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
    writeTurn(options.io, options.results, turn, outcome, state);
    return outcome;
  }

  return {
    run,
    abort: () => {
      stop?.();
      return Promise.resolve();
    },
    async close() {
      isClosed = true;
      await session.close();
      recorder.flush();
      return total;
    },
  };
}

/** A rule that only the last report of a turn exceeded does not change the end of a turn that the agent had ended itself. */
function endOf(watchdog: TurnWatchdog, result: TurnResult): TurnEnd {
  const limit = watchdog.endedBy();
  const isOwnEnd = result.end === 'end-turn' && STOPS.some((one) => one === limit);
  return limit === null || isOwnEnd ? result.end : limit;
}

/** The agent's turns, each cut at most once. An adapter that does not end a turn after that is closed. */
function cuttable(session: AgentSession, abortWithinMs: number, alarm: Alarm) {
  const gaveUp = Promise.withResolvers<TurnResult>();
  let cancelAlarm = (): void => undefined;
  let isCut = false;
  let isClosed = false;
  return {
    async turn(prompt: string, onEvent: (event: AgentEvent) => void, stable?: number): Promise<TurnResult> {
      isCut = false;
      const result = await Promise.race([session.turn(prompt, onEvent, stable), gaveUp.promise]);
      cancelAlarm();
      isCut = true;
      return result;
    },
    cut(): void {
      if (isCut) return;
      isCut = true;
      cancelAlarm = alarm(abortWithinMs, () => {
        isClosed = true;
        void session.close();
        gaveUp.resolve({ end: 'aborted', text: '', usage: NO_USAGE });
      });
      void session.abort();
    },
    isClosed: () => isClosed,
  };
}

/** The provider's session id stays as it is: a session cannot be resumed by a masked id. */
export function masked(redact: Redact, outcome: TurnOutcome): TurnOutcome {
  const text = redact(outcome.text);
  const head = text.length > TEXT_CHARS ? { head: text.slice(0, HEAD_CHARS) } : {};
  return { ...outcome, text: text.slice(-TEXT_CHARS), ...head, failure: mapStrings(outcome.failure, redact) };
}

/**
 * Turns of a recording: passed on unchanged, with the recorded outcome. No limits apply and nothing is judged again. As above, an outcome
 * is durable before it is reported.
 */
export function openReplayedTurns(
  replay: NonNullable<AgentSession['replay']>,
  options: Pick<TurnsOptions, 'session' | 'results' | 'redact' | 'clock' | 'io' | 'onEvent'>,
): Turns {
  const recorder = openRecorder({ ...options, report: options.onEvent });
  let total = NO_USAGE;
  let isClosed = false;
  return {
    async run(turn, prompt): Promise<TurnOutcome | null> {
      const recorded = await replay(turn, prompt, (event) => recorder.event(turn, event));
      recorder.flush();
      total = addUsage(total, recorded.usage);
      if (isClosed) return null;
      const outcome = masked(options.redact, recorded);
      writeTurn(options.io, options.results, turn, outcome);
      return outcome;
    },
    abort: () => Promise.resolve(),
    async close() {
      isClosed = true;
      await options.session.close();
      return total;
    },
  };
}
