// Questions to people: a gate is opened once, and the action waits, holding nothing, until somebody answers.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { GateAnswer } from '../../model/gate.ts';
import type { Lane } from '../lane.ts';
import { repeatable } from './repeatable.ts';

export const asks = (lane: Lane): Performer<ActionOf<Actions, 'ask'>, GateAnswer> => ({
  async perform({ kind: _kind, key, ...ask }, { token, epoch }) {
    // The question belongs to this life of the position: an answer to an earlier one must not pass it.
    const gate = lane.gates.ask(ask, { key: `${key}@${token.slice(0, token.lastIndexOf('/'))}`, epoch });
    const answer = lane.gates.answerOf(gate.key, epoch);
    if (answer) return answer;
    lane.tell({
      type: 'gate-opened',
      level: 'critical',
      ...(ask.item === null ? {} : { item: ask.item }),
      data: { gate: gate.id, subject: ask.subject },
    });
    return { parked: gate.id };
  },
  probe: repeatable,
});
