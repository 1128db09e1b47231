// Turns of a recording: handed out as they were, with the outcome as it was recorded. No limit is kept and nothing is judged
// anew: what was said, cut or found then is in the recording. Owns the order "durable, then told", as turns.ts does.
import type { TurnOutcome } from '../../model/action.ts';
import { addUsage, NO_USAGE } from '../../model/usage.ts';
import type { AgentSession } from '../port.ts';
import { openRecorder } from './recorder.ts';
import { writeTurn } from './results.ts';
import { masked, type Turns, type TurnsOptions } from './turns.ts';

export type Player = NonNullable<AgentSession['replay']>;

export function openPlayed(
  play: Player,
  options: Pick<TurnsOptions, 'session' | 'results' | 'redact' | 'clock' | 'io' | 'onEvent'>,
): Turns {
  const recorder = openRecorder({ ...options, report: options.onEvent });
  let total = NO_USAGE;
  let isClosed = false;
  return {
    async run(turn, prompt): Promise<TurnOutcome | null> {
      const played = await play(turn, prompt, (event) => recorder.event(turn, event));
      recorder.flush();
      total = addUsage(total, played.usage);
      if (isClosed) return null;
      const outcome = masked(options.redact, played);
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
