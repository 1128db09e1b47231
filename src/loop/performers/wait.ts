// Waits that outlive the process: the moment they end is stored first, and a later process waits for the same moment.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { WaitOutcome } from '../../model/wait.ts';
import type { RunEvents, RunHost, RunRepository, RunStores } from '../run-context.ts';
import { beginWait, endWait, waitOf } from '../records/waits.ts';
import { repeatable } from './repeatable.ts';

export const waits = (
  context: RunRepository & RunHost & RunStores & RunEvents,
): Performer<ActionOf<Actions, 'wait'>, WaitOutcome> => ({
  async perform(ask, { token, signal }) {
    const known = waitOf(context.workspaceDir, token);
    const { until, since } = known ?? beginWait(context, token, ask);
    if (known === null)
      context.notify({
        type: 'waiting',
        level: 'important',
        ...(ask.item === null ? {} : { item: ask.item }),
        ...(ask.session === null ? {} : { session: ask.session }),
        data: { why: ask.why, until, since, attempt: ask.attempt, of: ask.of },
      });
    const left = Date.parse(until) - context.clock.now();
    // A clock that was set back does not make the wait longer.
    const longest = Date.parse(until) - Date.parse(since);
    // A replay does not repeat the waits of the recorded run.
    const isPast = context.tape?.is === 'playing' && ask.why !== 'maintenance';
    if (left > 0 && !isPast) await context.sleep(Math.min(left, longest), signal);
    return signal.aborted ? { parked: 'stopped' } : { until };
  },
  probe: repeatable,
  settled: (_ask, { token }) => endWait(context, token),
});
