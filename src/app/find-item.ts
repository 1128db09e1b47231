// One item as a person names it, with what they decided about it so far.
import { failure } from '../model/failure.ts';
import type { Subject } from '../model/item.ts';
import { err, ok, type Result } from '../model/result.ts';
import { nameItem } from './name-item.ts';
import type { Target } from './target.ts';

export type { Subject } from '../model/item.ts';

/** Fails with `item-unknown`, `item-ambiguous`, `backlog-missing`, `workflow-missing` or `backlog-invalid`. `12` and `#12` name the same item. */
export async function findItem(target: Target, word: string): Promise<Result<Subject>> {
  const file = target.config.paths.backlog;
  const text = await target.world.read(file);
  if (text === null) {
    const missing = target.machine.isOneTask === true ? 'workflow-missing' : 'backlog-missing';
    return err(failure(missing, { file }, { at: { file } }));
  }
  const list = target.backlog.read(text, file);
  if (!list.ok) return list;
  const named = nameItem(word, list.value.items);
  if (!named.ok) return named;
  const subject = list.value.subject(named.value.id);
  return subject === null ? err(failure('item-unknown', { item: word })) : ok(subject);
}

/** One that a person decides about; fails with `workflow-one-task` too, where the list has no room for what they decide. */
export const findToDecide = async (target: Target, word: string): Promise<Result<Subject>> =>
  target.machine.isOneTask === true ? err(failure('workflow-one-task')) : findItem(target, word);
