// Turns under limits: runs them one after another on a session, ends the ones that go too far, and keeps each outcome.
// Owns the watch over a turn and the order "durable, then told". Knows nothing of pipes and processes.
import type { Clock } from '../../host/clock.ts';
import type { Io } from '../../host/io.ts';
import type { TurnOutcome } from '../../model/action.ts';
import type { AgentEvent } from '../../model/event.ts';
import { addUsage, NO_USAGE, type Usage } from '../../model/usage.ts';
import type { AgentSession, TurnResult } from '../port.ts';
import { judge, LONGEST_TIMER_MS, sawEvent, startWatch, type Limit, type TurnLimits } from './limits.ts';
import { bytesOf, maskStrings, openRecorder, type Redact } from './recorder.ts';
import { writeTurn } from './results.ts';
import type { Watch } from './watch.ts';

export type TurnsOptions = {
  readonly session: AgentSession;
  readonly limits: TurnLimits;
  readonly results: string;
  readonly clock: Clock;
  readonly io: Io;
  readonly redact: Redact;
  readonly onEvent: (turn: number, event: AgentEvent) => void;
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

export function openTurns(options: TurnsOptions): Turns {
  const { session, clock, limits } = options;
  const recorder = openRecorder({ ...options, report: options.onEvent });
  let total = NO_USAGE;
  let closed = false;
  let stop: (() => void) | null = null;

  async function run(turn: number, prompt: string): Promise<TurnOutcome | null> {
    let watch = startWatch(clock.now());
    let over: Limit | null = null;
    let stopped = false;
    let toolCalls = 0;
    let timer: NodeJS.Timeout | undefined;
    let patience: NodeJS.Timeout | undefined;
    const gaveUp = Promise.withResolvers<TurnResult>();
    const end = (): void => {
      if (stopped) return;
      stopped = true;
      patience = setTimeout(() => {
        void session.close();
        gaveUp.resolve({ end: 'aborted', text: '', usage: NO_USAGE });
      }, options.abortWithinMs ?? ABORT_WITHIN_MS);
      void session.abort();
    };
    stop = end;
    const look = (): void => {
      clearTimeout(timer);
      if (stopped) return;
      const judged = judge(watch, limits, clock.now());
      if (judged.over === null) timer = setTimeout(look, Math.min(judged.nextMs, LONGEST_TIMER_MS));
      else {
        over = judged.over;
        end();
      }
    };
    look();
    const onEvent = (event: AgentEvent): void => {
      watch = sawEvent(watch, clock.now(), bytesOf(event));
      // once the output limit is broken only the closing figures are of interest
      if (over === 'output-limit' && event.t !== 'usage') return;
      if (event.t === 'tool-start') toolCalls++;
      recorder.event(turn, event);
      for (const found of options.watch?.see(event) ?? []) recorder.event(turn, found);
      if (watch.bytes > limits.outputBytes) look();
    };
    const result = await Promise.race([session.turn(prompt, onEvent), gaveUp.promise]);
    clearTimeout(timer);
    clearTimeout(patience);
    stop = null;
    stopped = true;
    recorder.flush();
    for (const found of options.watch?.end() ?? []) recorder.event(turn, found);
    total = addUsage(total, result.usage);
    if (closed) return null;
    const outcome = masked(options.redact, {
      end: over ?? result.end,
      failure: over === null && result.end === 'agent-failed' ? result.failure : null,
      text: result.text,
      resume: session.id(),
      usage: result.usage,
      toolCalls,
      ms: Math.max(0, clock.now() - watch.startedMs),
    });
    writeTurn(options.io, options.results, turn, outcome);
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

/** The provider's id is kept as it is: a session could not be found again by a masked one. */
function masked(redact: Redact, outcome: TurnOutcome): TurnOutcome {
  const text = redact(outcome.text).slice(-TEXT_CHARS);
  const failure = maskStrings(outcome.failure, redact) as TurnOutcome['failure'];
  return { ...outcome, text, failure };
}
