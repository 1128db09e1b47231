// The features machine: one session on one feature, from preflight to landed, saved or rolled back.
//
//   preflight ─┬─▶ stuck? ─▶ oversized? ─▶ checkpoint ─▶ work ─┬─ holds ───────▶ accept ─▶ ended: landed
//              │     │            │                            ├─ unfinished ──▶ save ───▶ ended: partial
//              │     └─ flag ◀────┘                            └─ else ────────▶ reject ─▶ ended: rejected, failed, blocked
//              │                                               ├─ doubtful? ──▶ accept or reject, as a person says
//              │                          hybrid, manual: holds ─▶ show ─▶ manual? ─▶ accept, reject, or drop ─▶ flag
//              ├─ ended: blocked                          a budget used up: overspent? ─▶ raise ─▶ preflight, or the end
//              └─ no clean state: broken? ─▶ preflight, or the end
//
// Its file is the reference's session_state.json. A row of the table (stages/) owns what it wants and what each outcome means.
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { STAGES, type At, type Mem } from './positions.ts';
import { positionAt } from '../session/rows.ts';
import { emptySessionState, sessionStateSchema, type SessionState } from '../session/session-state.ts';
import { before } from './stages/before.ts';
import { closing } from './stages/closing.ts';
import { judged } from './stages/judged.ts';
import { money } from './stages/money.ts';
import { end, sessionOf, type S } from './stages/moves.ts';
import { working } from './stages/working.ts';

export function featuresMachine(input: ItemInput): Machine<SessionState, At, Mem, Actions> {
  const given = { input, config: input.config };
  return {
    name: 'features',
    version: 2,
    file: sessionStateSchema,
    position: positionAt(STAGES),
    place: () => ({ at: { stage: 'preflight' }, mem: { paused: false } }),
    on: paused,
    stages: { ...before(given), ...working(given), ...judged(given), ...closing(given), ...money(given) },
  };
}

/**
 * A pause before the session: it does not begin. In the middle of it: what is there is saved. Later the end is near and is
 * waited for; at a gate nothing runs anyway.
 */
function paused(s: S, event: External, at: string): S {
  if (event.type !== 'pause') return s;
  switch (s.at.stage) {
    case 'preflight':
    case 'checkpoint':
      return end({ ...s, mem: { ...s.mem, paused: true } }, { result: 'paused', reason: 'user_pause' });
    case 'flag': // the decision is written first: it would be asked for again
      return { ...s, mem: { ...s.mem, paused: true } };
    case 'work':
      return {
        ...s,
        mem: { ...s.mem, paused: true },
        at: { stage: 'save', ...sessionOf(s.at), text: '', endedAt: at, why: 'user_pause', failure: null },
      };
    default:
      return s;
  }
}

export const featuresItem = (input: ItemInput): Drivable<Actions> =>
  drivable(featuresMachine(input), () => emptySessionState(''));
