// A list that a person edited while the harness changed it too: what a person describes is taken from the edit, what the harness knows (results, and
// what was decided) from the list as it is.
import { toJson, type Json } from '../../model/json.ts';
import { patchEntries, type Patch } from './edit.ts';

type Entry = { readonly id: string | number; readonly [field: string]: unknown };

/** A list of entries that people may edit. */
export type EditableList<E extends Entry> = {
  /** The member of the file that holds the list. */
  readonly member: string;
  /** null: the text is no such list. */
  read(text: string): readonly E[] | null;
  /** Results, and decisions that have commands of their own. */
  readonly own: ReadonlySet<string>;
  /** Fields that decide neither what is run nor what counts as proof. */
  readonly harmless: ReadonlySet<string>;
  /** The text with an entry of the edit that is new: whatever the edit says, nothing has proved it. */
  add(text: string, entry: E): string;
};

/**
 * null: the edit is no such list. `isSure`: a person asked for it; otherwise an agent may have written into the edit, and only new entries and
 * harmless fields are taken. `isWhole`: nothing of the edit is left out. An entry that the edit lacks stays. Idempotent.
 */
export function takeListed<E extends Entry>(
  list: EditableList<E>,
  text: string,
  edited: string,
  isSure: boolean,
): { readonly text: string; readonly isWhole: boolean } | null {
  const [now, then] = [list.read(text), list.read(edited)];
  if (now === null || then === null) return null;
  const known = new Map(now.map((entry) => [entry.id, entry]));
  const named = new Set(then.map(({ id }) => id));
  let isWhole = now.every(({ id }) => named.has(id));
  let after = text;
  for (const entry of then) {
    const before = known.get(entry.id);
    if (JSON.stringify(before) === JSON.stringify(entry)) continue;
    if (before === undefined) {
      after = list.add(after, entry);
      continue;
    }
    const patch = patchOf(list, before, entry, isSure);
    isWhole &&= Object.keys(patchOf(list, before, entry, true)).length === Object.keys(patch).length;
    if (Object.keys(patch).length > 0) after = patchEntries(after, list.member, new Map([[String(entry.id), patch]]));
  }
  return { text: after, isWhole };
}

function patchOf<E extends Entry>({ own, harmless }: EditableList<E>, known: E, entry: E, isSure: boolean): Patch {
  const [was, is] = [new Map<string, unknown>(Object.entries(known)), new Map<string, unknown>(Object.entries(entry))];
  const jsonOf = (of: ReadonlyMap<string, unknown>, field: string): Json => toJson(of.get(field) ?? null);
  return Object.fromEntries(
    [...new Set([...was.keys(), ...is.keys()])].flatMap((field): [string, Json | undefined][] => {
      const isTaken = isSure ? !own.has(field) : harmless.has(field);
      const isSame = JSON.stringify(jsonOf(was, field)) === JSON.stringify(jsonOf(is, field));
      return !isTaken || isSame ? [] : [[field, is.has(field) ? jsonOf(is, field) : undefined]];
    }),
  );
}
