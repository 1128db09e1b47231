// What a machine adds to the endings that all machines share: which of its own files its commits carry, and whose tests a session broke.
import type { Run } from '../../engine/types.ts';
import type { Actions, EditCall } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { EndedSession, ItemFacts, Rejection } from './facts.ts';

/** The entry of a session in the progress log. */
export type LogFacts = { readonly verification: string; readonly state: readonly string[] };
export type ClosingSession = EndedSession & { readonly session: number };
/** An item that the session broke. `isFailing`: it fails on the rolled-back tree too. */
export type BrokenItem = { readonly id: string; readonly dependents: readonly string[]; readonly isFailing: boolean };

export type EndingHooks = {
  readonly role: (facts: ItemFacts) => string;
  /** Committed files in which an agent claims that its item is done: restored where it is not. */
  readonly claimedIn: (config: Config) => readonly string[];
  /** Own files in the accepting commit; null: none. */
  readonly accepting: (closing: ClosingSession, config: Config, entry: LogFacts) => EditCall | null;
  /** Own files in a commit for a session without a landing; null: none, and then no such commit is made for the log alone. */
  readonly logging: (closing: ClosingSession, config: Config, entry: LogFacts) => EditCall | null;
  /** Whose tests broke, after the rollback. */
  readonly blame: (
    run: Run<Actions>,
    closing: ClosingSession & { readonly why: Rejection },
    config: Config,
  ) => Promise<readonly BrokenItem[]>;
};
