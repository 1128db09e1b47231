// What the loop's stages ask for, in one form each: commits between items, rests, and questions about the run as a whole.
import type { ActionOf } from '../engine/types.ts';
import type { Actions } from '../model/action.ts';
import type { Failure } from '../model/failure.ts';
import { askedOf } from '../model/gate.ts';
import type { ItemId } from '../model/item.ts';
import { MOST_RESTS, restMs } from '../model/retry.ts';
import type { Broken, Pending, Where } from './run-file.ts';

export const commitOf = (change: Pending, where: Where): ActionOf<Actions, 'commit'> => ({
  kind: 'commit',
  key: change.id,
  style: 'plain',
  item: change.item,
  session: 0,
  subject: change.subject,
  body: '',
  tree: null,
  only: [where.features],
  edit: change.edit,
  checkpoint: null,
});

export const restOf = (n: number, why: Failure, rests: number): ActionOf<Actions, 'wait'> => ({
  kind: 'wait',
  key: `rest-${n}`,
  why: why.reason,
  attempt: rests,
  of: MOST_RESTS,
  delayMs: restMs(why, rests),
  item: null,
  session: null,
});

export const lookLater = (n: number, delayMs: number): ActionOf<Actions, 'wait'> => ({
  kind: 'wait',
  key: `maintain-${n}`,
  why: 'maintenance',
  attempt: 1,
  of: 1,
  delayMs,
  item: null,
  session: null,
});

/** Escalation 9: everything is marked as done, and tests fail. */
export const askFalse = (n: number, { problems, tests, broken }: Broken): ActionOf<Actions, 'ask'> => ({
  kind: 'ask',
  key: `false-positives-${n}`,
  gate: 'escalation',
  ...askedOf('false-positives'),
  item: null,
  params: { count: tests?.failed ?? problems.length, items: broken.map((id) => `#${id}`).join(', ') },
  problems,
  evidence: [],
});

export const failing = (n: number, item: ItemId, where: Where): ActionOf<Actions, 'commit'> => ({
  ...commitOf(
    {
      id: `reset-${n}-${item}`,
      item,
      subject: `fix(harness): #${item} does not hold any more`,
      edit: {
        name: 'flag',
        input: {
          features: where.features,
          item,
          change: { type: 'failing', why: 'found failing when everything had landed' },
        },
      },
    },
    where,
  ),
});

/** After hours in which the agent could not be had, somebody should look. */
export const askUnavailable = (n: number, why: Failure, rests: number): ActionOf<Actions, 'ask'> => ({
  kind: 'ask',
  key: `unavailable-${n}`,
  gate: 'escalation',
  ...askedOf('agent-unavailable'),
  item: null,
  params: { ...why.params, reason: why.reason, rests: rests - 1 },
  evidence: [],
});
