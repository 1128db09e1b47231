// What a list says of itself as a whole, for `harness status`.
import type { Json } from './json.ts';

/** A line for people. `label` and `value` are English; `code`: the key of the value in the catalogue, where it has a translation. */
export type StatusLine = { readonly label: string; readonly value: string; readonly code?: string };
/** Lines for people, and the same as data under a name of its own. */
export type PlaybookStatus = {
  readonly name: string;
  readonly lines: readonly StatusLine[];
  readonly json: { readonly [key: string]: Json };
};
