// One item: its session ended with its work kept, rolled back, given back, or a message to its agent.
import { z } from 'zod';
import { holdItem, releaseItem, writeToAgent } from '../handover/hold-item.ts';
import { openTarget } from '../open/target.ts';
import { ok } from '../../model/result.ts';
import { operation } from './operation.ts';
import { liveShape, takenShape } from './steer.ts';

const item = z.string().describe('its id, with or without #, or a unique prefix');
/** What is asked of an item, and how the hold is called that follows. */
const AS = { pause: 'paused', handoff: 'handed-off', rollback: 'rolled-back', abort: 'aborted' } as const;
export type HoldWord = keyof typeof AS;

export const hold = operation({
  name: 'hold',
  kind: 'write',
  about: 'Ends the session of one item and keeps its work; others continue.',
  command: 'pause ITEM',
  words: ({ item: named, as }) => [as, '--', named],
  input: z.object({
    item,
    as: z
      .enum(['pause', 'handoff', 'rollback', 'abort'])
      .default('pause')
      .describe(
        'pause, handoff: it is not chosen until it is released · rollback: its work becomes an attempt and it begins again · abort: both',
      ),
  }),
  output: z.object({
    item: z.string(),
    as: z.enum(['paused', 'handed-off', 'rolled-back', 'aborted']),
    ending: z.boolean().describe('its session ends first'),
    had_work: z.boolean().describe('false: there was no unfinished work of it'),
    work: z.string().nullable().describe('the ref of its work in progress'),
    live: liveShape,
    taken: takenShape,
  }),
  async run(asker, { item: word, as }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const held = await holdItem(target.value, word, AS[as], `harness ${as}`);
    if (!held.ok) return held;
    const { subject, isEnding, hadWork, work, worker, taken } = held.value;
    const answer = { item: subject.id, as: AS[as], ending: isEnding, had_work: hadWork, work, live: worker, taken };
    return ok({ answer, detail: held.value });
  },
});

export const release = operation({
  name: 'release',
  kind: 'write',
  about: 'Gives a held item back: runs choose it again.',
  command: 'resume ITEM',
  input: z.object({ item }),
  output: z.object({ item: z.string(), was: hold.output.shape.as.nullable(), live: liveShape }),
  async run(asker, { item: word }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const released = await releaseItem(target.value, word);
    if (!released.ok) return released;
    const { subject, was, worker } = released.value;
    return ok({ answer: { item: subject.id, was, live: worker }, detail: released.value });
  },
});

export const message = operation({
  name: 'message',
  kind: 'write',
  about:
    'Writes to the agent of one item: into its turn where it can receive messages there, else in front of its next turn.',
  command: 'message ITEM TEXT',
  input: z.object({ item, text: z.string().trim().min(1).max(20_000) }),
  output: z.object({ item: z.string(), at_work: z.boolean().describe('its agent is at work') }),
  async run(asker, { item: word, text }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const sent = await writeToAgent(target.value, word, text);
    if (!sent.ok) return sent;
    return ok({ answer: { item: sent.value.subject.id, at_work: sent.value.isAtWork }, detail: sent.value });
  },
});
