// Finds the item that a word on the command line means.
import { failure } from '../../model/failure.ts';
import type { Subject, ItemId } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Target } from '../open/target.ts';
import { distance, nearest } from '../../model/nearest.ts';

/** `12` and `#12` are the same item. Fails with `item-unknown`, `item-ambiguous`, `backlog-missing` (or the playbook's reason) or `backlog-invalid`. */
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

/** For decisions about an item. Fails too if the playbook's list has no room for decisions. */
export async function findToDecide(target: Target, word: string): Promise<Result<Subject>> {
  const { oneTask } = target.playbook;
  return oneTask === undefined ? findItem(target, word) : err(failure(oneTask.noList));
}

type Named = { readonly id: ItemId; readonly title: string };

/**
 * A number is matched exactly, or `1` would match 12. Any other word is an id or the prefix of one.
 * Fails with `item-unknown` (with a suggestion) or `item-ambiguous`.
 */
export function nameItem<I extends Named>(word: string, items: readonly I[]): Result<I> {
  const typed = word.trim().replace(/^#/, '');
  const exact = items.find(({ id }) => id === typed);
  if (exact !== undefined) return ok(exact);
  if (typed !== '' && !/^\d+$/.test(typed)) {
    const begun = items.filter(({ id }) => id.toLowerCase().startsWith(typed.toLowerCase()));
    const [match] = begun;
    if (match !== undefined && begun.length === 1) return ok(match);
    if (begun.length > 1) {
      const matches = begun.slice(0, 10).map(({ id }) => id);
      return err(failure('item-ambiguous', { item: word, matches: matches.join(', ') }));
    }
  }
  return err(failure('item-unknown', { item: word, suggestion: meant(typed, items) }));
}

/** Suggests by a word of a title, else the nearest id; '' if none is near. A number always has a nearest one. */
function meant(typed: string, items: readonly Named[]): string {
  const item = /^\d+$/.test(typed) ? nearestNumber(typed, items) : nearestWord(typed, items);
  return item === undefined ? '' : `${item.id} (${item.title.replace(/\s+/g, ' ').slice(0, 60)})`;
}

function nearestWord(typed: string, items: readonly Named[]): Named | undefined {
  const lower = typed.toLowerCase();
  const titled = lower.length < 3 ? undefined : items.find(({ title }) => title.toLowerCase().includes(lower));
  if (titled !== undefined) return titled;
  const id = nearest(
    typed,
    items.map((item) => item.id),
  );
  return typed === '' ? undefined : items.find((item) => item.id === id);
}

/** A typing mistake first, then the nearest number: 13 is closer to 12 than to 1. */
function nearestNumber(typed: string, items: readonly Named[]): Named | undefined {
  let best: { readonly item: Named; readonly edits: number; readonly far: number } | undefined;
  for (const item of items) {
    const edits = distance(typed, item.id);
    const far = Math.abs(Number(typed) - Number(item.id));
    if (best === undefined || edits < best.edits || (edits === best.edits && far < best.far))
      best = { item, edits, far };
  }
  return best?.item;
}
