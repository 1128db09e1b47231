// What a list of work says of itself as a whole.
import type { Json } from './json.ts';

/** A line for people: `label` and `value` in English; `code`: what the value is called in the catalogue, where it has words there. */
export type TellLine = { readonly label: string; readonly value: string; readonly code?: string };
/** What a list says of itself as a whole: lines for people, and the same as data under a name of its own. */
export type Tells = {
  readonly name: string;
  readonly lines: readonly TellLine[];
  readonly json: { readonly [key: string]: Json };
};
