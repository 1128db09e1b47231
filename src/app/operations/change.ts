// Decisions about one item: left out, or no longer in the way of others.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import type { Subject } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { changedJson, decide, type ChangeResult } from '../backlog/changes.ts';
import { findToDecide } from '../backlog/find-item.ts';
import { retryItems } from '../backlog/retry.ts';
import { answerGate, listGates } from '../look/questions.ts';
import { openProjectView } from '../open/project-view.ts';
import { openTarget, type Target } from '../open/target.ts';
import { resumeTicking } from '../tick/switch.ts';
import { operation, type Asker } from './operation.ts';

export const changedShape = z.object({
  result: z.enum(['applied', 'already', 'queued']),
  commit: z.string().nullable(),
  behind: z.enum(['run', 'command', 'session']).nullable().describe('what a queued change waits for'),
});
const itemInput = z.string().describe('its id, with or without #, or a unique prefix');

/** The details for people: the item, the change, and the file that has it. */
type Changed = { readonly subject: Subject; readonly changed: ChangeResult; readonly file: string };

async function found(
  asker: Asker,
  word: string,
): Promise<Result<{ readonly target: Target; readonly subject: Subject }>> {
  const target = await openTarget(asker);
  if (!target.ok) return target;
  const subject = await findToDecide(target.value, word);
  return subject.ok ? ok({ target: target.value, subject: subject.value }) : subject;
}

const skippedAs = async (
  target: Target,
  subject: Subject,
  why: { readonly reason: string; readonly unblock: boolean },
  command: string,
): Promise<Result<Changed>> => {
  const change = { type: 'skipped', ...why, at: target.clock.iso() } as const;
  const changed = await decide(target, subject, change, `chore(harness): #${subject.id} is skipped`, command);
  return changed.ok ? ok({ subject, changed: changed.value, file: target.config.paths.backlog }) : changed;
};

export const skip = operation({
  name: 'skip',
  kind: 'write',
  about: 'Leaves an item out; items that depend on it wait, or with `unblock` may start.',
  command: 'skip ITEM --reason TEXT',
  words: ({ item, reason, unblock: frees }) => [
    'skip',
    `--reason=${reason}`,
    ...(frees ? ['--unblock'] : []),
    '--',
    item,
  ],
  input: z.object({
    item: itemInput,
    reason: z.string().default('').describe('why; shown with the item'),
    unblock: z.boolean().default(false).describe('items that depend on it may start'),
  }),
  output: changedShape.extend({
    item: z.string(),
    reason: z.string(),
    unblock: z.boolean(),
    dependents: z.array(z.string()).readonly(),
  }),
  async run(asker, { item, reason: said, unblock }) {
    const one = await found(asker, item);
    if (!one.ok) return one;
    const { target, subject } = one.value;
    const reason = said.trim();
    if (reason === '') return err(failure('reason-needed', { command: 'harness skip' }));
    const done = await skippedAs(target, subject, { reason, unblock }, 'harness skip');
    if (!done.ok) return done;
    const { id, dependents } = subject;
    const answer = { item: id, reason, unblock, dependents, ...changedJson(done.value.changed) };
    return ok({ answer, detail: done.value });
  },
});

export const unblock = operation({
  name: 'unblock',
  kind: 'write',
  about: 'Lets the items start that depend on a skipped one; gives a plan back that a daemon could not work on.',
  command: 'unblock ITEM',
  words: ({ item }) => ['unblock', '--', item],
  input: z.object({ item: itemInput }),
  output: changedShape.extend({ item: z.string(), dependents: z.array(z.string()).readonly() }),
  async run(asker, { item }) {
    const one = await found(asker, item);
    if (!one.ok) return one;
    const { target, subject } = one.value;
    const { id, dependents, skipped, title } = subject;
    if (skipped === null && target.playbook.tick !== undefined) {
      const again = await givenBack(asker, target, subject);
      return again.ok
        ? ok({
            answer: { item: id, dependents, ...changedJson(again.value.changed) },
            detail: { ...again.value, isAgain: true },
          })
        : again;
    }
    if (skipped === null) return err(failure('item-not-skipped', { item: id, title }));
    const done = await skippedAs(target, subject, { reason: skipped.reason, unblock: true }, 'harness unblock');
    if (!done.ok) return done;
    const detail = { ...done.value, isAgain: false };
    return ok({ answer: { item: id, dependents, ...changedJson(done.value.changed) }, detail });
  },
});

/** A plan that waits at a question is given back by its answer; else its trouble is forgotten. A daemon tries it again at once. */
async function givenBack(asker: Asker, target: Target, subject: Subject): Promise<Result<Changed>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const file = target.config.paths.backlog;
  const open = listGates(view.value, { open: true });
  if (!open.ok) return open;
  const gates = open.value.filter(
    ({ gate }) => gate.item === subject.id && gate.options.some(({ id }) => id === 'retry'),
  );
  for (const { gate } of gates) {
    const answered = await answerGate(view.value, gate.id, { choice: 'retry', note: '' });
    if (!answered.ok) return answered;
  }
  resumeTicking(target, target.clock.iso());
  if (gates.length > 0) return ok({ subject, changed: { result: 'applied', commit: null, withEdits: false }, file });
  const done = await retryItems(target, view.value, subject.id, 'harness unblock');
  return done.ok ? ok({ subject, changed: done.value.changed, file }) : done;
}

export const retry = operation({
  name: 'retry',
  kind: 'write',
  about: 'Gives attempts back: an item that was given up may be tried again.',
  command: 'retry ITEM',
  words: ({ item }) => (item === null ? ['retry', '--all'] : ['retry', '--', item]),
  input: z.object({ item: itemInput.nullable().default(null).describe('null: all items that have not landed') }),
  output: changedShape.extend({ items: z.array(z.string()).readonly() }),
  async run(asker, { item }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const done = await retryItems(target.value, view.value, item, 'harness retry');
    if (!done.ok) return done;
    const { items, changed } = done.value;
    const detail = { items, changed, file: target.value.machine.ledger };
    return ok({ answer: { items, ...changedJson(changed) }, detail });
  },
});
