// Numbers of sessions that a machine asks for itself, beside the one that the loop gave its item.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, NumberOutcome } from '../../model/action.ts';
import { reserveSessionNumber } from '../records/session-numbers.ts';
import type { RunHost, RunRepository, RunSettings, RunStores } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

/** Performed again after a crash it gives another number, and the first stays unused. */
export const numbers = (
  context: RunRepository & RunHost & RunSettings & RunStores,
): Performer<ActionOf<Actions, 'number'>, NumberOutcome> => ({
  perform() {
    const reserved = reserveSessionNumber(context);
    return Promise.resolve(reserved.ok ? { session: reserved.value } : { blocked: reserved.failure });
  },
  probe: repeatable,
});
