// An entry that a user added waits outside the list, and is put into the list as that is by then.
import { z } from 'zod';
import { jsonSchema, type Json } from '../../model/json.ts';

/** What a format says of its entries. `E`: what distinguishes them, whatever their id is. */
export type InsertRules<E extends { readonly id: string | number }> = {
  /** The member of the file that holds the list. */
  readonly member: string;
  readonly entry: z.ZodType<E>;
  readonly isSame: (a: E, b: E) => boolean;
  readonly freeId: (entries: readonly E[], wanted: E) => E['id'];
  readonly add: (text: string, entry: { readonly [field: string]: Json }) => string;
};

/** All of an entry, in the order of its fields. */
const fieldsSchema = z.record(z.string(), jsonSchema);

/** The text with the entry at its end, under the next free id where its own was taken meanwhile; unchanged where it is there already. */
export function insertEntry<E extends { readonly id: string | number }>(
  rules: InsertRules<E>,
  text: string,
  entry: Json,
): string {
  const wanted = rules.entry.parse(entry);
  const entries = z.array(rules.entry).parse(z.looseObject({}).parse(JSON.parse(text))[rules.member]);
  if (entries.some((one) => rules.isSame(one, wanted))) return text;
  const isTaken = entries.some(({ id }) => id === wanted.id);
  const whole = fieldsSchema.parse(entry);
  return rules.add(text, isTaken ? { ...whole, id: rules.freeId(entries, wanted) } : whole);
}
