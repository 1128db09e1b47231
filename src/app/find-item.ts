// One item as a person names it, with what they decided about it so far.
import { failure } from '../model/failure.ts';
import type { Subject } from '../model/item.ts';
import { err, ok, type Result } from '../model/result.ts';
import { nameItem } from './name-item.ts';
import type { Target } from './target.ts';

export type { Subject } from '../model/item.ts';

/** Fails with `item-unknown`, `item-ambiguous`, `backlog-missing` (or the playbook's reason for that) or `backlog-invalid`. `12` and `#12` name the same item. */
export async function findItem(target: Target, word: string): Promise<Result<Subject>> {
  const file = target.config.paths.backlog;
  const text = await target.view.read(file);
  if (text === null) {
    const missing = target.playbook.oneTask?.none ?? 'backlog-missing';
    return err(failure(missing, { file }, { at: { file } }));
  }
  const list = target.backlog.read(text, file);
  if (!list.ok) return list;
  const named = nameItem(word, list.value.items);
  if (!named.ok) return named;
  const subject = list.value.subject(named.value.id);
  return subject === null ? err(failure('item-unknown', { item: word })) : ok(subject);
}

/** One that a user decides about. Fails too where the list of the playbook has no room for decisions. */
export async function findToDecide(target: Target, word: string): Promise<Result<Subject>> {
  const { oneTask } = target.playbook;
  return oneTask === undefined ? findItem(target, word) : err(failure(oneTask.noList));
}
