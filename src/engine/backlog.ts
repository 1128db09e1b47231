// A backlog: the pure codec of one list format. Items have one neutral form, so that any machine works on any list.
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
  /** A line of each item in the words of the list, for `status`; left out: it shows their number only. */
  readonly lines?: readonly string[];
  /** Shown above everything else; left out: the items say it all. */
  readonly status?: PlaybookStatus;
  /** Of an item at work: what its machine does, where the list says it more exactly; null: it does not. Left out: it never does. */
  stage?(id: ItemId): string | null;
  /** The item to work on next; null: none can start. `prefer`: taken first if it can start; `taken`: others work on these. */
  next(from?: { readonly prefer?: ItemId | null; readonly taken?: ReadonlySet<ItemId> }): ItemId | null;
  /** True if a session on this item may start now. */
  canStart(id: ItemId): boolean;
  subject(id: ItemId): Subject | null;
};

/** What a user wants added. Null, or an empty list: not given. */
export type NewItem = {
  readonly title: string;
  readonly category: string | null;
  /** Its proof: a test file or a command, as the format defines. */
  readonly verify: string | null;
  readonly timeoutSeconds: number | null;
  readonly dependsOn: readonly string[];
  readonly priority: string | null;
  readonly steps: readonly string[];
  /** What else its author says of it; left out: nothing. */
  readonly notes?: string;
};
export type Draft = {
  readonly id: ItemId;
  /** The entry as it will be in the file. */
  readonly entry: Json;
  readonly testFile: string | null;
  /** Warnings about it, and how it could be split: codes of the catalogue. */
  readonly flags: readonly { readonly flag: string; readonly weight: string; readonly params: Params }[];
  readonly split: readonly { readonly by: string; readonly parts: readonly (readonly string[])[] }[];
  /** It already exists in the file: nothing to add. */
  readonly isThere: boolean;
};

/** What a user is asked of a new item beside its title. */
export type AddPrompt = 'test-file' | 'command' | 'timeout' | 'level' | 'number' | 'depends-on';

/** How strictly a list is read. Left out: as the format requires. */
export type ListRules = {
  /** An item without its own test is an error. */
  readonly requireTestFile?: boolean;
  /** A dependency cycle is no error. */
  readonly allowCycles?: boolean;
  /** More verification steps than this make an item too large for one session. */
  readonly maxSteps?: number;
};
/** The items of dependency cycles, and the cycles as text. */
export type DependencyCycle = { readonly items: readonly ItemId[]; readonly paths: readonly string[] };

/** What an item promises, one by one, and where that comes from. */
export type Claim = {
  readonly id: string;
  /** null: no item claims it. */
  readonly item: ItemId | null;
  /** null: nothing spells it out. `line`: counted from 1. */
  readonly assertion: { readonly text: string; readonly file: string; readonly line: number } | null;
  /** The sentence of the specification that it is quoted from; null: none is quoted. `line` null: it is not in the file. */
  readonly spec: { readonly text: string; readonly file: string; readonly line: number | null } | null;
};
/** Claims of a list, for those who trace them. */
export type Claims = {
  /** What is read besides the list. */
  files(text: string): readonly string[];
  /** `texts`: of those files; null where there is none. */
  read(text: string, texts: { readonly [file: string]: string | null }): readonly Claim[];
};

/** Unknown fields, order and formatting of what is not changed survive every write. */
export type Backlog = {
  /** Every mistake of the text at once, each with line and key. */
  read(text: string, file: string, rules?: ListRules): Result<Listing>;
  /** The text with one item changed. Applying a change twice has the effect of applying it once. */
  change(text: string, id: ItemId, change: ItemChange): string;
  /** The text with the entry of a draft added, under the next free id if its own is taken by now. */
  insert(text: string, entry: Json): string;
  /** The item with every field of the file; null: no such item, or the text cannot be parsed. */
  raw(text: string, id: ItemId): Json;
  /**
   * A new item as it would be in the file; fails with `usage` and a cause for each mistake. `queued`: entries that are not written
   * yet: their ids are taken, and items can depend on them.
   */
  draft(
    text: string,
    file: string,
    wanted: NewItem,
    options?: { readonly maxSteps?: number; readonly queued?: readonly Json[] },
  ): Result<Draft>;
  /** The text of a list without items, where the list follows from other files and there are none yet. Left out: a list is a file. */
  readonly empty?: string;
  /** What a user is asked who adds an item without saying more than its title. Left out: nothing. */
  readonly prompts?: readonly AddPrompt[];
  /** The dependency cycles of the text; null: none, or the text has other mistakes. Left out: `read` allows cycles. */
  cycle?(text: string): DependencyCycle | null;
  /**
   * The list with what a person changed in a copy of it: what the harness knows of the items stays. null: the copy is no list. `isSure`: the person
   * asked for it; otherwise an agent may have written into the copy too. `isWhole`: nothing of it is left out. Idempotent. Left out: the list
   * has nothing of the harness in it, and a person's text is taken as it is.
   */
  takeEdit?(text: string, edited: string, isSure: boolean): { readonly text: string; readonly isWhole: boolean } | null;
  /**
   * An agent claims in the list itself that its item is done. Every difference from `before` other than that one claim is a problem;
   * `nothing-claimed` where it is missing. Left out: the list belongs to the harness while a session runs.
   */
  claim?(before: string, after: string | null, item: ItemId): readonly Problem[];
  /** Left out: its items promise nothing beyond their tests. */
  readonly claims?: Claims;
};
