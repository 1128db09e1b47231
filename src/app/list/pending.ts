// Changes of the list that were asked for and are not in it yet.
import type { Json } from '../../model/json.ts';
import type { Target } from '../open/target.ts';
import { takenChanges, waiting, type InboxMessage } from './inbox.ts';

export type ChangeRequest = Omit<Extract<InboxMessage, { readonly type: 'change' }>, 'type'>;
export type Queued = Pick<ChangeRequest, 'item' | 'edit'>;

/** Requested changes that are not in the backlog yet, oldest first: those the loop has taken, then those in the inbox. */
export function pendingChanges(target: Pick<Target, 'workspaceDir'>): readonly Queued[] {
  const inbox = waiting(target.workspaceDir);
  const known = new Set(inbox.map(({ id }) => id));
  const taken = takenChanges(target.workspaceDir).filter(({ id }) => !known.has(id));
  return [...taken, ...inbox.flatMap(({ message }) => (message.type === 'change' ? [message] : []))];
}

/** Items that were added and are not in the file yet. */
export const pendingEntries = (target: Pick<Target, 'workspaceDir'>): readonly Json[] =>
  pendingChanges(target).flatMap(({ edit }) => (edit.name === 'add' ? [edit.input.entry] : []));
