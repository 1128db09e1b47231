// What the loop's stages ask for: commits between items, waits, and questions about the run as a whole.
import { z } from 'zod';
import { procedureAction } from '../engine/definitions.ts';
import type { BrokenProject, ItemMachine } from '../engine/playbook.ts';
import { callOf, filesBeside, flagEdit } from '../engine/list-edits.ts';
import type { ActionOf } from '../engine/types.ts';
import type { Actions } from '../model/action.ts';
import type { UnparkAsk, WaitingItem } from '../model/waiting-item.ts';
import type { Failure } from '../model/failure.ts';
import { escalation } from '../model/gate.ts';
import type { ItemChange, ItemId } from '../model/item.ts';
import { MOST_RESTS, restMs } from '../model/retry.ts';
import type { BacklogPath, ListChange, UnderWay } from './run-file.ts';

/** A change of the list that a user asked for. */
export const changeOf = (
  change: ListChange,
  { path, machine: { adds } }: { readonly path: BacklogPath; readonly machine: Pick<ItemMachine, 'adds'> },
): ActionOf<Actions, 'commit' | 'write' | 'procedure'> =>
  adds !== undefined && change.edit.name === 'add'
    ? procedureAction(adds, { entry: change.edit.input.entry, subject: change.subject }, change.id)
    : editOf(change, path);

/** A commit of its own, or a file that no commit carries. Attempts are counted in no commit. */
const editOf = (change: ListChange, path: BacklogPath): ActionOf<Actions, 'commit' | 'write'> =>
  path.isOwn || change.edit.name === 'retry'
    ? { kind: 'write', key: change.id, edit: callOf(change.edit), lines: [] }
    : {
        kind: 'commit',
        key: change.id,
        style: 'plain',
        item: change.item,
        session: 0,
        subject: change.subject,
        body: '',
        tree: null,
        only: [path.backlog, ...filesBeside(change.edit)],
        edit: callOf(change.edit),
        checkpoint: null,
      };

/** The work of an item that waits for an answer makes room for another item. */
export const parkOf = (n: number, { item, lane, session, resumes }: WaitingItem): ActionOf<Actions, 'park'> => ({
  kind: 'park',
  key: `park-${item}-s${session}-${n}`,
  item,
  session,
  resumes,
  ...(lane === 0 ? {} : { lane }),
});

/** `lane`: where it continues. */
export const unparkOf = (
  n: number,
  { item, session, resumes }: WaitingItem,
  to: UnparkAsk['to'],
  lane: number,
): ActionOf<Actions, 'unpark'> => ({
  kind: 'unpark',
  key: `unpark-${item}-s${session}-${n}`,
  item,
  session,
  resumes,
  to,
  ...(lane === 0 ? {} : { lane }),
});

/** `n`: of the position that it began in; files of older versions do not say. */
export const itemOf = (
  n: number,
  { item, lane, session, resumes, n: began }: UnderWay,
  overtaken: readonly string[],
): ActionOf<Actions, 'item'> => ({
  kind: 'item',
  key: `item-${item}-s${session}-${began ?? n}`,
  item,
  lane,
  session,
  ...(resumes === undefined ? {} : { resumes }),
  ...(overtaken.includes(item) ? { landsFirst: true } : {}),
});

export const backoffOf = (n: number, why: Failure, backoffs: number): ActionOf<Actions, 'wait'> => ({
  kind: 'wait',
  key: `backoff-${n}`,
  why: why.reason,
  attempt: backoffs,
  of: MOST_RESTS,
  delayMs: restMs(why, backoffs),
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

/** Every item is marked as done, and tests fail. */
export const askFalsePositives = (n: number, { problems, tests, broken }: BrokenProject): ActionOf<Actions, 'ask'> =>
  escalation('false-positives', `false-positives-${n}`, null, {
    params: { count: tests?.failed ?? problems.length, items: named(broken) },
    problems,
  });

/** Items wait for each other, and none can start. */
export const askCycle = (
  n: number,
  { items, paths }: { readonly items: readonly ItemId[]; readonly paths: readonly string[] },
): ActionOf<Actions, 'ask'> =>
  escalation('dependency-cycle', `cycle-${n}`, null, { params: { cycle: paths.join('; '), items: named(items) } });

const named = (items: readonly ItemId[]): string => items.map((id) => `#${id}`).join(', ');

/** What is written on items one after another, each as a commit of its own. */
export const flagSchema = z.discriminatedUnion('as', [
  /** `why` left out: it was found when everything had landed. */
  z.object({ as: z.literal('failing'), why: z.string().optional() }),
  z.object({ as: z.literal('skipped'), why: z.string(), at: z.string() }),
]);
type Flag = z.output<typeof flagSchema>;

export const flagOf = (
  n: number,
  item: ItemId,
  flag: Flag,
  path: BacklogPath,
): ActionOf<Actions, 'commit' | 'write'> => {
  const isFailing = flag.as === 'failing';
  const subject = isFailing
    ? `fix(harness): #${item} does not hold any more`
    : `chore(harness): #${item} is skipped: it is part of a circle`;
  return editOf(
    { id: `${flag.as}-${n}-${item}`, item, subject, edit: flagEdit(path.backlog, item, changeBy(flag)) },
    path,
  );
};

const changeBy = (flag: Flag): ItemChange =>
  flag.as === 'failing'
    ? { type: 'failing', why: flag.why ?? 'found failing when everything had landed' }
    : { type: 'skipped', reason: flag.why || 'part of a circle of dependencies', unblock: false, at: flag.at };

/** After hours in which the agent was unavailable, a user should look. */
export const askUnavailable = (n: number, why: Failure, backoffs: number): ActionOf<Actions, 'ask'> =>
  escalation('agent-unavailable', `unavailable-${n}`, null, {
    params: { ...why.params, reason: why.reason, rests: backoffs - 1 },
  });
