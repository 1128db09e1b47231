// What the loop's stages ask for, in one form each: commits between items, rests, and questions about the run as a whole.
import type { ActionOf } from '../engine/types.ts';
import type { Actions } from '../model/action.ts';
import type { Failure } from '../model/failure.ts';
import { escalation } from '../model/gate.ts';
import type { ItemId } from '../model/item.ts';
import type { Json } from '../model/json.ts';
import { MOST_RESTS, restMs } from '../model/retry.ts';
import type { Broken, Circle, Pending, Where } from './run-file.ts';

/** A change of the backlog: a commit of its own, or a file that no commit carries. */
export const changeOf = (change: Pending, where: Where): ActionOf<Actions, 'commit' | 'write'> =>
  where.isOwn === true ? { kind: 'write', key: change.id, edit: change.edit, lines: [] } : commitOf(change, where);

const commitOf = (change: Pending, where: Where): ActionOf<Actions, 'commit'> => ({
  kind: 'commit',
  key: change.id,
  style: 'plain',
  item: change.item,
  session: 0,
  subject: change.subject,
  body: '',
  tree: null,
  only: [where.backlog],
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
export const askFalse = (n: number, { problems, tests, broken }: Broken): ActionOf<Actions, 'ask'> =>
  escalation('false-positives', `false-positives-${n}`, null, {
    params: { count: tests?.failed ?? problems.length, items: named(broken) },
    problems,
  });

/** Escalation 8: items wait for each other, and none can begin. */
export const askCircle = (n: number, { items, paths }: Circle): ActionOf<Actions, 'ask'> =>
  escalation('dependency-cycle', `circle-${n}`, null, { params: { cycle: paths.join('; '), items: named(items) } });

const named = (items: readonly ItemId[]): string => items.map((id) => `#${id}`).join(', ');

/** What is written on items one after another, each as a commit of its own. */
export type Mark = { readonly as: 'failing' } | { readonly as: 'skipped'; readonly why: string; readonly at: string };

export const markOf = (n: number, item: ItemId, mark: Mark, where: Where): ActionOf<Actions, 'commit' | 'write'> =>
  changeOf(
    {
      id: `${mark.as}-${n}-${item}`,
      item,
      subject:
        mark.as === 'failing'
          ? `fix(harness): #${item} does not hold any more`
          : `chore(harness): #${item} is skipped: it is part of a circle`,
      edit: { name: 'flag', input: { backlog: where.backlog, item, change: fieldsOf(mark) } },
    },
    where,
  );

const fieldsOf = (mark: Mark): Json =>
  mark.as === 'failing'
    ? { type: 'failing', why: 'found failing when everything had landed' }
    : { type: 'skipped', reason: mark.why || 'part of a circle of dependencies', unblock: false, at: mark.at };

/** After hours in which the agent could not be had, somebody should look. */
export const askUnavailable = (n: number, why: Failure, rests: number): ActionOf<Actions, 'ask'> =>
  escalation('agent-unavailable', `unavailable-${n}`, null, {
    params: { ...why.params, reason: why.reason, rests: rests - 1 },
  });
