// What the features machine adds to the endings of a session: list and log are part of its commits, and an item that a session broke is marked
// in the list.
import { editCall } from '../../engine/definitions.ts';
import type { Config } from '../../model/config.ts';
import { blame } from '../session/blame.ts';
import { proposingOf } from '../session/proposing.ts';
import type { ClosingSession, EndingHooks, LogFacts } from '../session/ending-hooks.ts';
import type { ItemFacts } from '../session/facts.ts';
import { accept, pendingEntry, propose } from './edits.ts';

export const roleOf = (facts: Pick<ItemFacts, 'partial'>): 'coding' | 'continuation' =>
  facts.partial === null ? 'coding' : 'continuation';

const entryOf = ({ facts, session, endedAt, checkpoint }: ClosingSession, entry: LogFacts) => ({
  item: facts.id,
  session,
  at: endedAt,
  base: checkpoint.ref,
  ...entry,
});

/** Agents claim in a list of the features format. */
export const hooksFor = (config: Config): EndingHooks => ({
  role: roleOf,
  claim: config.playbook.backlog === 'features' ? 'flip' : 'command',
  claimedIn: ({ paths, playbook }) => (playbook.backlog === 'features' ? [paths.backlog] : []),
  accepting: (closing, { land }, entry) =>
    land === 'pull-request'
      ? editCall(propose, { item: closing.facts.id, base: closing.checkpoint.ref })
      : editCall(accept, entryOf(closing, entry)),
  // No commit on the branch would carry the entry.
  logging: (closing, { land }, entry) =>
    land === 'pull-request' ? null : editCall(pendingEntry, entryOf(closing, entry)),
  ...proposingOf(config),
  blame,
});
