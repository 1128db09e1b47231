// How a machine keeps its books: what it writes of a session beside the work, and whether its commits carry that.
import type { Run } from '../../engine/types.ts';
import type { Actions, CommitAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Ended, ItemFacts, Rejection } from './facts.ts';

export type Entry = { readonly verification: string; readonly state: readonly string[] };
export type Told = Ended & { readonly session: number };
/** An item that the session broke. `isFailing`: it fails on the rolled-back tree too. */
export type Broken = { readonly id: string; readonly dependents: readonly string[]; readonly isFailing: boolean };

export type Books = {
  readonly role: (facts: ItemFacts) => string;
  /** Committed files in which an agent claims that it is done: put back where it is not. */
  readonly claimedIn: (config: Config) => readonly string[];
  /** What the accepting commit, and one that stands for a session without a landing, carries of the books; null: nothing. */
  readonly accepting: (told: Told, config: Config, entry: Entry) => CommitAsk['edit'];
  readonly logging: (told: Told, config: Config, entry: Entry) => CommitAsk['edit'];
  /** Whose tests broke, after the rollback. */
  readonly blame: (
    run: Run<Actions>,
    told: Told & { readonly why: Rejection },
    config: Config,
  ) => Promise<readonly Broken[]>;
};
