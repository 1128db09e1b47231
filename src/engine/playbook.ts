// What a playbook hands to the loop: a backlog, a machine, procedures, roles. All of it pure.
import type { Actions } from '../model/action.ts';
import type { Config, PlaybookName } from '../model/config.ts';
import type { Item, ItemId } from '../model/item.ts';
import type { Json } from '../model/json.ts';
import type { Result } from '../model/result.ts';
import type { World } from '../model/world.ts';
import type { Drivable } from './drivable.ts';
import type { Procedure } from './types.ts';

/** A pure codec of one file format. Unknown fields, order and formatting of what is not changed survive. */
export type Backlog = {
  readonly file: (config: Config) => string;
  /** Every mistake of the text at once, each with line and key. */
  items(text: string, file: string): Result<readonly Item[]>;
  /** The next item to work on, or why there is none. Must stay fast at 100,000 items. */
  next(text: string, file: string): Result<{ readonly next: ItemId | null; readonly remaining: number }>;
  change(text: string, id: ItemId, change: ItemChange): string;
  /** The item as the file has it, every field; null where it is not there or the text cannot be read. */
  raw(text: string, id: ItemId): Json;
};
/** `at`: ISO 8601; without it the file's own date fields stay as they are. */
export type ItemChange =
  | { readonly type: 'landed'; readonly at?: string }
  | { readonly type: 'failing'; readonly why: string }
  | { readonly type: 'skipped'; readonly reason: string; readonly unblock: boolean; readonly at?: string }
  | {
      readonly type: 'overridden';
      readonly passes: boolean;
      readonly reason: string;
      readonly by: string;
      readonly at: string;
    }
  | { readonly type: 'size-accepted' };

/** Reads facts through the world; decides nothing that is not a function of what it read. */
export type Survey = (world: World, input: Json) => Promise<Json>;
/** The part of a prompt that changes from session to session. The stable part is the role's file in prompts/. */
export type Brief = (world: World, input: Json) => Promise<string>;
/** Texts of the harness's own committed files as they must stand in a commit: path → text, absolute, repeatable. */
export type Edit = (world: World, input: Json) => Promise<{ readonly [path: string]: string }>;

/** What the loop knows of an item when it hands it to a machine. */
export type ItemInput = {
  readonly item: ItemId;
  readonly session: number;
  readonly lane: number;
  readonly run: string;
  readonly config: Config;
};

export type Playbook = {
  readonly name: PlaybookName;
  /** Roles that its sessions may be given: each must be usable before anything begins. */
  readonly roles: readonly string[];
  readonly backlog: Backlog;
  /** The machine's own file, in the state folder. */
  readonly ledger: string;
  /** The machine that takes one item through one session. */
  item(input: ItemInput): Drivable<Actions>;
  procedures(config: Config): { readonly [name: string]: Procedure<Actions, Json, Json> };
  readonly surveys: { readonly [name: string]: Survey };
  readonly briefs: { readonly [name: string]: Brief };
  readonly edits: { readonly [name: string]: Edit };
};
