// A playbook: a backlog format and a machine that takes one item from ready to landed. All of it pure. Any machine can work on any
// backlog (`config.playbook`), unless it works on its own list only.
import { z } from 'zod';
import type { Actions, SessionAsk, WriteAsk } from '../model/action.ts';
import type { Config } from '../model/config.ts';
import { apartSchema } from '../model/expected-files.ts';
import { failureSchema, type Failure } from '../model/failure.ts';
import type { ItemId } from '../model/item.ts';
import { jsonSchema, type Json } from '../model/json.ts';
import { testCountsSchema } from '../model/report.ts';
import type { Result } from '../model/result.ts';
import type { SiteReverseAsk, SiteReverseResult } from '../model/site.ts';
import { problemsSchema } from '../model/verdict.ts';
import type { Backlog } from './backlog.ts';
import type { Edit, Procedure, ReadContext, Survey } from './definitions.ts';
import type { Drivable } from './drivable.ts';

/** What the loop passes to a machine with an item. */
export type ItemInput = {
  readonly item: ItemId;
  readonly session: number;
  readonly lane: number;
  readonly run: string;
  readonly config: Config;
};

/** `taken`: items that are at work or wait for an answer. They are neither done nor chosen. */
export const nextInput = z.object({
  only: z.string().nullable(),
  taken: z.array(z.string()).readonly().default([]),
  /** The number of the next session is not lower. */
  least: z.number().optional(),
  /** This one where it can start. */
  prefer: z.string().optional(),
  /** Those of `taken` that an agent is at work on: no item begins that is expected to change the same files. Left out: none. */
  atWork: z.array(z.string()).readonly().optional(),
});
export const nextFacts = z.object({
  next: z.string().nullable(),
  remaining: z.number(),
  session: z.number(),
  /** Why no item can be chosen. */
  failure: failureSchema.nullable(),
  /** The role or phase of the next session, if the list says so. */
  prompt: z.string().optional(),
  /** Set if the failure is only a dependency cycle. */
  cycle: z.object({ items: z.array(z.string()).readonly(), paths: z.array(z.string()).readonly() }).optional(),
  /** Items that a person holds: none of them is chosen. Left out: none. */
  held: z.array(z.string()).readonly().optional(),
  /** Items whose pull request others have to merge: none of them is chosen. Left out: none. */
  awaited: z.array(z.string()).readonly().optional(),
  /** Items that could start and wait, as they are expected to change a file of another one. Left out: none. */
  apart: z.array(apartSchema).readonly().optional(),
  /** An item that is skipped, with unfinished work of its own on the branch. */
  leftover: z.string().optional(),
});
export type NextFacts = z.output<typeof nextFacts>;

export const finalResult = z.discriminatedUnion('end', [
  /** The project could not be started, so its state is unknown. */
  z.object({ end: z.literal('unready'), failure: failureSchema }),
  z.object({ end: z.literal('holds') }),
  /** `broken`: the items whose tests fail, as far as known. */
  z.object({
    end: z.literal('broken'),
    problems: problemsSchema,
    tests: testCountsSchema.nullable(),
    broken: z.array(z.string()).readonly(),
  }),
]);
export type FinalResult = z.output<typeof finalResult>;
export type BrokenProject = Extract<FinalResult, { end: 'broken' }>;

/** An item that is added. `entry`: of a draft of the list's format. `subject`: of the commit. */
export const additionSchema = z.object({ entry: jsonSchema, subject: z.string() });
/** `commit` null: it was there already. */
export const addedItem = z.object({ commit: z.string().nullable() });

/** Start and end of a run in the log that the machine keeps itself. */
export type RunLog = {
  /** `at`: ISO 8601 · `stale`: the process whose lock was taken over, if it exited without releasing it. */
  begin(
    context: ReadContext,
    about: { readonly at: string; readonly pid: number; readonly stale: string | null },
  ): Promise<
    RunLogEntry & {
      /** Maximum number of items. */
      readonly most?: number;
      readonly limit?: 'max-sessions';
    }
  >;
  end(context: ReadContext, about: { readonly at: string }): Promise<RunLogEntry>;
};
/** `failure`: the run does not start. */
export type RunLogEntry = { readonly failure: Failure | null } & WriteAsk;

export type ItemMachine = {
  /** The folder of its roles in prompts/. */
  readonly name: string;
  /** Roles of its sessions: each must be loadable before the first session. */
  readonly roles: readonly string[];
  /** The machine's own file, in the state folder. */
  readonly ledger: string;
  /** Default of a run without options; left out: one session. */
  readonly runs?: 'until-done';
  /** A file for people, repository-relative: which decisions a run waits for. Left out: it keeps none. */
  readonly escalationFile?: string;
  /** The limit of a run without one; left out: none. */
  mostSessions?(config: Config): number;
  /** A second key for the item in the runtime context of its prompts; left out: only `ITEM`. */
  readonly itemKey?: string;
  /** An item has several sessions, which the machine numbers by itself from the first; left out: one. */
  readonly numbersSessions?: true;
  /** Its sessions leave notes for later ones, and their prompts carry what was remembered (docs/memory.md). Left out: they do not. */
  readonly remembers?: true;
  /** Between the turns and the commit it changes files of the work itself, so that a change without a tool call is no sign of a user. Left out: it does not. */
  readonly changesWork?: true;
  /** Its file is the user's to change while a question is open: the item then continues from what the file says. Left out: it waits for the answer. */
  readonly followsEdits?: true;
  /** Agents claim in the list that their item is done, where the list's format has claims. */
  readonly readsClaims?: true;
  /** A lock folder is made in addition to the kernel lock, for other programs that use the same list. */
  readonly isLockedByFolder?: true;
  /**
   * Files beside the code that belong to the harness. `own`: at the top of the repository; no commit, checkpoint or rollback carries them.
   * `guarded`: others that no agent may write while its session is open. `carried`: files of the state folder that are committed, unlike the
   * rest of it; left out: none. `records`: a folder of the state folder that only the harness writes, with a slash at its end; left out: none.
   */
  files(config: Config): {
    readonly own: readonly string[];
    readonly guarded: readonly string[];
    readonly carried?: readonly string[];
    readonly records?: string;
  };
  /** The machine that takes one item through one session. */
  item(input: ItemInput): Drivable<Actions>;
  /** Runs at the beginning of each run that works: whether it continues, as the user decides. Left out: it does. */
  readonly begin?: Procedure<Record<string, never>, { readonly continues: boolean }>;
  /** Adds an item to a list that follows from other files. Left out: an item is an entry of the list. */
  readonly adds?: Procedure<z.output<typeof additionSchema>, z.output<typeof addedItem>>;
  /** Runs before each item: which one is next. */
  readonly next: Survey<z.output<typeof nextInput>, NextFacts>;
  /** Runs when every item has landed: checks the project as a whole. */
  readonly final: Procedure<Record<string, never>, FinalResult>;
  /** Reverts the unfinished work of a skipped item on the branch. Its output is informative only. */
  readonly revertWip: Procedure<{ readonly item: ItemId }, unknown>;
  /** An item with a trouble of its own is marked in the list, and asked about before it begins again. Left out: the run leaves it aside. */
  readonly asksAfterTrouble?: true;
  /** Gives the attempts of these items back; left out: it counts none. */
  readonly retry?: Edit<{ readonly items: string[] }>;
  /** A person took the unfinished work of this item back: nothing of it is under way any more. Left out: the machine keeps nothing of it. */
  readonly beginAgain?: Edit<{ readonly item: string }>;
  /** Left out: a run writes no log of its own. */
  readonly runLog?: RunLog;
  /** A line of an agent's text that reports progress, as data; null: it does not. Left out: no line does. */
  readonly noteIn?: (line: string) => { readonly [key: string]: Json } | null;
  /** The request of a session's first turn; for `run --dry-run`. */
  opening(
    context: ReadContext,
    about: { readonly item: ItemId; readonly session: number },
  ): Promise<Result<{ readonly ask: SessionAsk; readonly testFile: string | null }>>;
};

export type Playbook = {
  readonly name: string;
  readonly backlog: Backlog;
  readonly machine: ItemMachine;
  /** The files of an empty project, path → text; which of them are scripts, and which lines a new configuration file gets. */
  frame(about: { readonly config: Config; readonly name: string; readonly root: string; readonly at: string }): {
    readonly files: { readonly [path: string]: string };
    readonly scripts: readonly string[];
    readonly settings: readonly string[];
  };
  /** Session 0: an agent makes the list from a specification. `refused`: the list is made in another way. */
  readonly fromSpec:
    | {
        /** Roles of its sessions. */
        readonly roles: readonly string[];
        readonly start: (spec: GivenSpec) => Drivable<Actions>;
        /** A file beside the specification that belongs to it, by its path. Left out: none does. */
        readonly beside?: (path: string) => string;
        /** What it makes is added to what is there; with a forge, to the base branch of the remote. Left out: it makes a new list. */
        readonly adds?: true;
        /** The file with the reasons why the last one was rejected, repository-relative; the next is made with them. Left out: none is judged. */
        readonly rejected?: string;
      }
    | { readonly refused: { readonly what: string; readonly hint: string } };
  /** An agent makes a specification from a site that is served. Left out: none does. */
  readonly fromSite?: {
    readonly roles: readonly string[];
    readonly start: (ask: SiteReverseAsk) => Drivable<Actions>;
    /** The file with the acceptance criteria, beside the specification. */
    readonly beside: (path: string) => string;
    /** What the machine's file says; null: it cannot be read. */
    readonly fileIn: (
      text: string,
    ) => { readonly ask: SiteReverseAsk; readonly result: SiteReverseResult | null } | null;
  };
};

/** `path` null: outside the repository. `beside` null: the file beside it is not there. */
export type GivenSpec = {
  readonly path: string | null;
  readonly text: string;
  readonly beside: string | null;
  /** Nothing is made where there are items already. */
  readonly isFirst: boolean;
};
