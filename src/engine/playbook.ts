// What a playbook hands to the loop: a backlog, a machine, procedures, roles. All of it pure.
import type { Actions, SessionAsk, WriteAsk } from '../model/action.ts';
import type { Config, PlaybookName } from '../model/config.ts';
import type { Failure, Params } from '../model/failure.ts';
import type { Item, ItemChange, ItemId, Subject } from '../model/item.ts';
import type { Json } from '../model/json.ts';
import type { Result } from '../model/result.ts';
import type { Tells } from '../model/tells.ts';
import type { World } from '../model/world.ts';
import type { Drivable } from './drivable.ts';
import type { Procedure } from './types.ts';

/** The items of one text of a backlog. Linear in its size. */
export type Listing = {
  readonly items: readonly Item[];
  /** What the list says the project is called; left out: nothing. */
  readonly project?: string;
  /** What the next session is told to be: a role, or a phase; left out: the record of sessions says it. */
  readonly prompt?: string;
  /** The runs that the list itself has counted; left out: it counts none. `last`: ISO 8601, null: there was none. */
  readonly sessions?: { readonly count: number; readonly max: number; readonly last: string | null };
  /** Shown above everything else; left out: its items say it all. */
  readonly tells?: Tells;
  /** Which is next; null: none can begin. `prefer`: one to go on with before any other; `taken`: others are at work there. */
  next(from?: { readonly prefer?: ItemId | null; readonly taken?: ReadonlySet<ItemId> }): ItemId | null;
  subject(id: ItemId): Subject | null;
};
/** What a person wants added. Null, or an empty list: they did not say. */
export type NewItem = {
  readonly title: string;
  readonly category: string | null;
  /** What proves it: a test file, or a command, as the format has it. */
  readonly verify: string | null;
  readonly timeoutSeconds: number | null;
  readonly dependsOn: readonly string[];
  readonly priority: string | null;
  readonly steps: readonly string[];
};
export type Draft = {
  readonly id: ItemId;
  /** As it will stand in the file. */
  readonly entry: Json;
  readonly testFile: string | null;
  /** What is odd about it, and how it could be smaller: codes of the catalogue. */
  readonly flags: readonly { readonly flag: string; readonly weight: string; readonly params: Params }[];
  readonly split: readonly { readonly by: string; readonly parts: readonly (readonly string[])[] }[];
  /** It is in the file already: nothing is to be added. */
  readonly isThere: boolean;
};

/** A pure codec of one file format. Unknown fields, order and formatting of what is not changed survive. */
export type Backlog = {
  /** Every mistake of the text at once, each with line and key. */
  read(text: string, file: string): Result<Listing>;
  change(text: string, id: ItemId, change: ItemChange): string;
  /** The item as the file has it, every field; null where it is not there or the text cannot be read. */
  raw(text: string, id: ItemId): Json;
  /**
   * What a person wants added as it would stand in the file; `usage` with a cause for each mistake where it could not stand there.
   * `queued`: entries that wait to be written: their ids are taken, and they can be depended on.
   */
  draft(
    text: string,
    file: string,
    wanted: NewItem,
    options?: { readonly maxSteps?: number; readonly queued?: readonly Json[] },
  ): Result<Draft>;
};
/** Reads facts through the world; decides nothing that is not a function of what it read. */
export type Survey = (world: World, input: Json) => Promise<Json>;
/** The part of a prompt that changes from session to session. The stable part is the role's file in prompts/. */
export type Brief = (world: World, input: Json) => Promise<string>;
/** Texts of the harness's own committed files as they must stand in a commit: path → text, absolute, repeatable. */
export type Edit = (world: World, input: Json) => Promise<{ readonly [path: string]: string }>;

/** What a run begins with and ends with, in files of the playbook's own. */
export type RunBooks = {
  begins(
    world: World,
    /** `at`: ISO 8601 · `stale`: whose lock was taken over, where somebody died with it. */
    about: { readonly config: Config; readonly at: string; readonly pid: number; readonly stale: string | null },
  ): Promise<RunEntry & { /** So many items at most. */ readonly most?: number; readonly limit?: 'max-sessions' }>;
  ends(world: World, about: { readonly config: Config; readonly at: string }): Promise<RunEntry>;
};
/** `failure`: the run does not begin. */
export type RunEntry = { readonly failure: Failure | null } & WriteAsk;

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
  /** What a run without further words does; left out: one session. */
  readonly runs?: 'until-done';
  /** Files at the top of the repository that the machine keeps beside the work, whether git tracks them or not; left out: none. */
  own?(config: Config): readonly string[];
  /** An agent claims in the backlog itself that its item is done; left out: the list is nobody's to write while a session runs. */
  readonly isClaimedInList?: true;
  /** Other files that are the machine's alone while a session runs; left out: none. */
  keeps?(config: Config): readonly string[];
  /** The machine's own file, in the state folder. */
  readonly ledger: string;
  /** The machine that takes one item through one session. */
  item(input: ItemInput): Drivable<Actions>;
  procedures(config: Config): { readonly [name: string]: Procedure<Actions, Json, Json> };
  readonly surveys: { readonly [name: string]: Survey };
  readonly briefs: { readonly [name: string]: Brief };
  readonly edits: { readonly [name: string]: Edit };
  /**
   * Its list is one task, there only while it is under way, and its machine proves each step: nothing is decided of an item, verified by
   * hand or tidied up beside it.
   */
  readonly isOneTask?: true;
  /** Whoever follows the reference by hand locks by a folder (003, Concurrency Control): it is made beside the lock of the kernel. */
  readonly isLockedByFolder?: true;
  /** What an empty project of this playbook has, path → text, and which of it are scripts. */
  frame(about: { readonly config: Config; readonly name: string; readonly root: string; readonly at: string }): {
    readonly files: { readonly [path: string]: string };
    readonly scripts: readonly string[];
  };
  /** Left out: a run leaves no trace of its own. */
  readonly books?: RunBooks;
  /** A line of an agent's answer that tells of its progress, as data; null: it does not. Left out: none does. */
  readonly noteIn?: (line: string) => { readonly [key: string]: Json } | null;
  /** The first turn of a session as it would be asked for, for those who only want to look. */
  opening(
    world: World,
    about: { readonly item: ItemId; readonly session: number; readonly config: Config },
  ): Promise<Result<{ readonly ask: SessionAsk; readonly testFile: string | null }>>;
};
