// A backlog: the pure codec of one list format. Machines see its items in one neutral form, so that any machine works on any list.
import type { Params } from '../model/failure.ts';
import type { Item, ItemChange, ItemId, Subject } from '../model/item.ts';
import type { Json } from '../model/json.ts';
import type { Result } from '../model/result.ts';
import type { PlaybookStatus } from '../model/playbook-status.ts';
import type { Problem } from '../model/verdict.ts';

/** The items of one text of a list. Linear in its size. */
export type Listing = {
  readonly items: readonly Item[];
  /** The project's name as the list gives it; left out: it gives none. */
  readonly project?: string;
  /** The role or phase of the next session; left out: the record of sessions says it. */
  readonly prompt?: string;
  /** The runs that the list itself counts; left out: it counts none. `last`: ISO 8601, null: there was none. */
  readonly sessions?: { readonly count: number; readonly max: number; readonly last: string | null };
  /** Shown above everything else; left out: the items say it all. */
  readonly status?: PlaybookStatus;
  /** The item to work on next; null: none can start. `prefer`: taken first if it can start; `taken`: others work on these. */
  next(from?: { readonly prefer?: ItemId | null; readonly taken?: ReadonlySet<ItemId> }): ItemId | null;
  /** Whether a session on this item may start now. */
  canStart(id: ItemId): boolean;
  subject(id: ItemId): Subject | null;
};

/** What a user wants added. Null, or an empty list: not given. */
export type NewItem = {
  readonly title: string;
  readonly category: string | null;
  /** What proves it: a test file or a command, as the format has it. */
  readonly verify: string | null;
  readonly timeoutSeconds: number | null;
  readonly dependsOn: readonly string[];
  readonly priority: string | null;
  readonly steps: readonly string[];
};
export type Draft = {
  readonly id: ItemId;
  /** The entry as it will be in the file. */
  readonly entry: Json;
  readonly testFile: string | null;
  /** What is odd about it, and how it could be smaller: codes of the catalogue. */
  readonly flags: readonly { readonly flag: string; readonly weight: string; readonly params: Params }[];
  readonly split: readonly { readonly by: string; readonly parts: readonly (readonly string[])[] }[];
  /** It is in the file already: nothing is to be added. */
  readonly isThere: boolean;
};

/** How strictly a list is read. Left out: as every reader of the format must. */
export type ListRules = {
  /** An item without a test of its own is a mistake. */
  readonly requireTestFile?: boolean;
  /** Items that wait for each other are no mistake here. */
  readonly allowCycles?: boolean;
  /** More verification steps than this make an item too large for one session. */
  readonly maxSteps?: number;
};
/** Items that wait for each other, and the cycles as people read them. */
export type DependencyCycle = { readonly items: readonly ItemId[]; readonly paths: readonly string[] };

/** Unknown fields, order and formatting of what is not changed survive every write. */
export type Backlog = {
  /** Every mistake of the text at once, each with line and key. */
  read(text: string, file: string, rules?: ListRules): Result<Listing>;
  /** The text with one item changed. Applying a change twice has the effect of applying it once. */
  change(text: string, id: ItemId, change: ItemChange): string;
  /** The text with one entry of a draft added, under the next free id where its own was taken meanwhile. */
  insert(text: string, entry: Json): string;
  /** The item with every field of the file; null where it is not there or the text cannot be read. */
  raw(text: string, id: ItemId): Json;
  /**
   * What a user wants added as it would be in the file; `usage` with a cause for each mistake where it could not be there.
   * `queued`: entries that wait to be written: their ids are taken, and they can be depended on.
   */
  draft(
    text: string,
    file: string,
    wanted: NewItem,
    options?: { readonly maxSteps?: number; readonly queued?: readonly Json[] },
  ): Result<Draft>;
  /** Items of the text that wait for each other; null: none do, or the text has other mistakes. Left out: `read` allows them. */
  cycle?(text: string): DependencyCycle | null;
  /**
   * An agent claims in the list itself that its item is done. Every difference from `before` other than that one claim is a problem;
   * `nothing-claimed` where it is missing. Left out: the list belongs to the harness while a session runs.
   */
  claim?(before: string, after: string | null, item: ItemId): readonly Problem[];
};
