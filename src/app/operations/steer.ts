// Steering: a message to the live run through its inbox, or a file that keeps runs from starting.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { acceptEdits } from '../backlog/accept-edits.ts';
import * as steer from '../handover/steer.ts';
import { answerGate } from '../look/questions.ts';
import { openProjectView } from '../open/project-view.ts';
import { isHandedOff } from '../open/run-blockers.ts';
import { openTarget } from '../open/target.ts';
import { resumeTicking, stopTicking } from '../tick/switch.ts';
import { changedJson } from '../backlog/changes.ts';
import { changedShape } from './change.ts';
import { operation } from './operation.ts';

const NOTHING = z.object({});
export const liveShape = z
  .object({ run: z.string().nullable(), pid: z.number().nullable(), command: z.string(), since: z.string().nullable() })
  .nullable()
  .describe('the process that holds the lock; its run is null for a command');
export const takenShape = z.boolean().describe('the live run has read the message');

export const answer = operation({
  name: 'answer',
  kind: 'write',
  about: 'Answers a question; the first answer counts.',
  command: 'answer GATE OPTION -m NOTE',
  input: z.object({
    gate: z.string(),
    option: z.string().nullable().default(null).describe('the id of an option; null: the recommended one'),
    note: z.string().max(20_000).default('').describe('why, or what to do; passed to the agent'),
  }),
  output: z.object({
    gate: z.string(),
    item: z.string().nullable(),
    option: z.string(),
    note: z.string(),
    by: z.string(),
    at: z.string(),
  }),
  async run(asker, { gate, option, note }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const replied = await answerGate(view.value, gate, { choice: option ?? { recommended: true }, note });
    if (!replied.ok) return replied;
    const { record, answer: given } = replied.value;
    const { id, item } = record.gate;
    const said = { gate: id, item, option: given.option, note: given.note, by: given.by, at: given.at };
    return ok({ answer: said, detail: null });
  },
});

export const pause = operation({
  name: 'pause',
  kind: 'write',
  about: 'Ends the live session, keeps its work, and starts no other until it is resumed.',
  command: 'pause',
  input: NOTHING,
  output: z.object({ paused: z.literal(true), was_paused: z.boolean(), live: liveShape, taken: takenShape }),
  async run(asker) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const { worker, taken, wasPaused } = await steer.pause(target.value);
    const said = { paused: true as const, was_paused: wasPaused, live: worker, taken };
    return ok({ answer: said, detail: null });
  },
});

export const resume = operation({
  name: 'resume',
  kind: 'write',
  about: 'Lets runs start again, and names the next item; starts nothing.',
  command: 'resume',
  input: z.object({
    accept_edits: z.boolean().default(false).describe('take the edits of the list that were kept in .harness/edits/'),
  }),
  words: ({ accept_edits: takesEdits }) => (takesEdits ? ['resume', '--accept-edits'] : null),
  output: z.object({
    paused: z.literal(false),
    was_paused: z.boolean(),
    live: liveShape,
    next: z.object({ item: z.string().nullable(), title: z.string(), prompt: z.string(), session: z.number() }),
    remaining: z.number(),
    gates: z.array(z.string()).readonly(),
    edits: changedShape.extend({ files: z.array(z.string()).readonly() }).optional(),
  }),
  async run(asker, { accept_edits: takesEdits }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    if (isHandedOff(target.value)) return err(failure('handed-off'));
    const accepted = takesEdits ? await acceptEdits(target.value) : null;
    if (accepted?.ok === false) return accepted;
    resumeTicking(target.value, target.value.clock.iso());
    const resumed = await steer.resume(target.value);
    const { item, title, prompt, session, remaining } = resumed.next;
    const said = {
      paused: false as const,
      was_paused: resumed.wasPaused,
      live: resumed.worker,
      next: { item, title, prompt, session },
      remaining,
      gates: resumed.gates,
      ...(accepted === null ? {} : { edits: { files: accepted.value.files, ...changedJson(accepted.value.changed) } }),
    };
    return ok({ answer: said, detail: { resumed, accepted: accepted?.value ?? null } });
  },
});

export const stop = operation({
  name: 'stop',
  kind: 'write',
  about: 'Stops the live run after its session, or at once.',
  command: 'stop',
  input: z.object({
    now: z.boolean().default(false).describe('in the middle of the session, which a later run resumes'),
  }),
  output: z.object({ stopping: z.boolean(), now: z.boolean(), live: liveShape, taken: takenShape }),
  async run(asker, { now }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    // The daemon first: it would begin the next item.
    stopTicking(target.value, target.value.clock.iso());
    const { worker, taken } = await steer.stop(target.value, now);
    const said = { stopping: worker?.run !== undefined && worker.run !== null, now, live: worker, taken };
    return ok({ answer: said, detail: null });
  },
});

export const freeze = operation({
  name: 'freeze',
  kind: 'write',
  about: 'Refuses every run until it is lifted; a live one stops now, and its session is resumed later.',
  command: 'freeze',
  input: NOTHING,
  output: z.object({ frozen: z.literal(true), was_frozen: z.boolean(), live: liveShape, taken: takenShape }),
  async run(asker) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const { worker, taken, wasFrozen } = await steer.freeze(target.value);
    return ok({ answer: { frozen: true as const, was_frozen: wasFrozen, live: worker, taken }, detail: null });
  },
});

export const unfreeze = operation({
  name: 'unfreeze',
  kind: 'write',
  about: 'Lifts a freeze.',
  command: 'unfreeze',
  input: NOTHING,
  output: z.object({ frozen: z.literal(false), was_frozen: z.boolean() }),
  async run(asker) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const { wasFrozen } = steer.unfreeze(target.value);
    return ok({ answer: { frozen: false as const, was_frozen: wasFrozen }, detail: null });
  },
});
