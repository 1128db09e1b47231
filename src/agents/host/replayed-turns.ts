// Turns of a recording: passed on as they were, with the recorded outcome. No limit applies and nothing is judged again: what was said,
// cut or found is in the recording. As in turns.ts, an outcome is durable before it is reported.
import type { TurnOutcome } from '../../model/action.ts';
import { addUsage, NO_USAGE } from '../../model/usage.ts';
import type { AgentSession } from '../port.ts';
import { openRecorder } from './recorder.ts';
import { writeTurn } from './turn-results.ts';
import { masked, type Turns, type TurnsOptions } from './turns.ts';

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
