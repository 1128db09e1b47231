// Questions to people: a gate is opened once, and the action waits, holding nothing, until somebody answers.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { GateAnswer } from '../../model/gate.ts';
import type { Lane } from '../lane.ts';
import { repeatable } from './repeatable.ts';

export const asks = (lane: Lane): Performer<ActionOf<Actions, 'ask'>, GateAnswer> => ({
  async perform({ kind: _kind, key, ...ask }, { token, epoch }) {
    // The question belongs to this life of the position: an answer to an earlier one must not pass it.
    const position = { key: `${key}@${token.slice(0, token.lastIndexOf('/'))}`, epoch };
    const gate = await lane.gates.ask(ask, position);
    if (!gate.ok) return { blocked: gate.failure };
    const answer = lane.gates.answerOf(position.key, epoch);
    if (!answer.ok) return { blocked: answer.failure };
    if (answer.value) return answer.value;
    const about = ask.item === null ? {} : { item: ask.item };
    lane.tell({
      type: 'gate-opened',
      level: 'critical',
      ...about,
      data: { gate: gate.value.id, subject: ask.subject },
    });
    return { parked: gate.value.id };
  },
  probe: repeatable,
});
