// The tasks machine: one task through one attempt (reference 003, Task Execution Cycle and Context Window Recovery Protocol).
//
//   (a budget used up: overspent? ─▶ raise ─▶ prepare, or the end)
//
//   look ─┬─ ready ─▶ prepare ─▶ checkpoint ─▶ claim ─▶ work ─┬─ holds ──▶ accept ─▶ complete ─▶ ended: landed
//         │              │                                    ├─ not ────▶ fail ───▶ failed ───▶ ended: rejected, failed
//         │              └─ no clean state, twice ─▶ stop     ├─ a limit ▶ save ───▶ saved ────▶ ended: partial
//         │                                                   ├─ no fault of the task ▶ release ▶ released ▶ ended: partial, blocked
//         │                                                   └─ unproved?, doubtful? ─▶ accept, fail, or release
//         └─ cut ─▶ recover ─▶ recovered ─▶ accept, fail, checkpoint (resumed), or stop
//
// Each end first does what is to be done to the repository, then writes list and log: what they say is so. Its own file is the record
// of sessions (session_state.json); the task's state is in harness-tasks.json, which it writes by fields.
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { go, positionAt } from '../session/rows.ts';
import { emptySessionState, sessionStateSchema, type SessionState } from '../session/session-state.ts';
import { STAGES, type At, type Mem } from './positions.ts';
import { before } from './stages/before.ts';
import { closing } from './stages/closing.ts';
import { judged } from './stages/judged.ts';
import { begunOf, end, type S } from './stages/moves.ts';
import { money } from './stages/money.ts';
import { working } from './stages/working.ts';

export function tasksMachine(input: ItemInput): Machine<SessionState, At, Mem, Actions> {
  const given = { input, config: input.config };
  return {
    name: 'tasks',
    version: 1,
    file: sessionStateSchema,
    position: positionAt(STAGES),
    place: () => ({ at: { stage: 'look' }, mem: { paused: false } }),
    on: heard,
    stages: { ...before(given), ...working(given), ...judged(given), ...closing(given), ...money(given) },
  };
}

/** Another life finds a session that nobody ended: it was cut. A pause keeps what is there. */
function heard(s: S, event: External, at: string): S {
  if (event.type === 'life-started') return s.at.stage === 'work' ? go(s, { stage: 'recover', facts: s.at.facts }) : s;
  if (event.type !== 'pause') return s;
  const paused = { ...s, mem: { ...s.mem, paused: true } };
  switch (s.at.stage) {
    case 'look':
    case 'prepare':
    case 'checkpoint':
      return end(paused, { result: 'paused', reason: 'user_pause' });
    case 'work':
      return go(paused, { stage: 'save', ...begunOf(s.at), text: '', endedAt: at, why: 'user_pause', failure: null });
    default:
      return paused;
  }
}

export const tasksItem = (input: ItemInput): Drivable<Actions> =>
  drivable(tasksMachine(input), () => emptySessionState(''));
