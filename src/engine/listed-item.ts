// An item of a list and all that is beside it: what a landing changes in the list, and what it must leave as it was. Pure.
import type { ItemId } from '../model/item.ts';
import { toJson, type Json } from '../model/json.ts';
import type { Backlog } from './backlog.ts';

/** `rest`: the list without the item and without the date of its last change. null: the list cannot be read or does not hold the item. */
export function listedItem(
  backlog: Backlog,
  text: string | null,
  item: ItemId,
): { readonly isDone: boolean; readonly entry: Json; readonly rest: Json } | null {
  if (text === null) return null;
  const list = backlog.read(text, '', { requireTestFile: false, allowCycles: true });
  const subject = list.ok ? list.value.subject(item) : null;
  if (subject === null) return null;
  return { isDone: subject.passes, entry: backlog.raw(text, item), rest: withoutItem(text, item) };
}

function withoutItem(text: string, item: ItemId): Json {
  const file: unknown = JSON.parse(text);
  const isItem = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && 'id' in one && String(one.id) === item;
  const members = Object.entries(file ?? {}).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'last_updated') return [];
    return [[name, Array.isArray(value) ? value.filter((one) => !isItem(one)) : value] as const];
  });
  return toJson(Object.fromEntries(members));
}
