// Gives attempts back: what was counted against items counts no more, and items that were given up may be tried again.
import { retryEdit } from '../../engine/list-edits.ts';
import { failure } from '../../model/failure.ts';
import type { Item, ItemId } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { ProjectView } from '../open/project-view.ts';
import type { Target } from '../open/target.ts';
import { readCurrentItems } from '../look/current-items.ts';
import { applyChange, type ChangeResult } from './changes.ts';
import { pendingChanges } from '../list/pending.ts';
import { nameItem } from './find-item.ts';

export type Retried = { readonly items: readonly ItemId[]; readonly changed: ChangeResult };

/** `word`: the item; null: all that can be tried. Fails with `retry-refused` for one that has landed, is left out, waits for an answer or is at work. */
export async function retryItems(
  target: Target,
  view: ProjectView,
  word: string | null,
  command: string,
): Promise<Result<Retried>> {
  const { oneTask, name } = target.playbook;
  const edit = target.machine.retry?.id;
  if (oneTask !== undefined) return err(failure(oneTask.noList));
  if (edit === undefined) return err(failure('usage', { what: `the playbook ${name} counts no attempts`, hint: '' }));
  const current = await readCurrentItems(view);
  if (!current.ok) return current;
  const { items: all, gates } = current.value;
  const chosen = word === null ? ok(all.filter(isOpen)) : one(word);
  if (!chosen.ok) return chosen;
  const items = chosen.value.map(({ id }) => id);
  if (items.length === 0) return ok({ items, changed: { result: 'already' } });
  const subject = word === null ? 'all items may be tried again' : `#${items.join(', #')} may be tried again`;
  const change = { item: word === null ? null : (items[0] ?? null), subject, edit: retryEdit(edit, items) };
  const isAsked = pendingChanges(target).some(
    (queued) =>
      queued.edit.name === 'retry' &&
      items.every((id) => queued.edit.name === 'retry' && queued.edit.input.items.includes(id)),
  );
  const changed = await applyChange(target, isAsked ? null : change, command);
  return changed.ok ? ok({ items, changed: changed.value }) : changed;

  function one(typed: string): Result<readonly Item[]> {
    const named = nameItem(typed, all);
    if (!named.ok) return named;
    const { id, status } = named.value;
    if (isOpen(named.value)) return ok([named.value]);
    const gate = gates.find(({ item }) => item === id)?.id ?? '';
    return err(failure('retry-refused', { item: id, status: `item-${status}`, gate }));
  }
}

/** It is neither done nor left out, and no session or question of it is under way. */
const isOpen = ({ status }: Item): boolean =>
  status === 'pending' || status === 'ready' || status === 'failed' || status === 'blocked';
