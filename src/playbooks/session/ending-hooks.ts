// What a machine adds to the ends of its sessions: which of its own files their commits carry, how a landing reaches the base branch, whose tests broke.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { BundleAsk } from '../../model/landing-action.ts';
import type { EditCall } from '../../model/remember.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { Problem } from '../../model/verdict.ts';
import type { EndedSession, ItemFacts, LandingProof, Rejection } from './facts.ts';

type R = Run<Actions>;

/** The entry of a session in the progress log. */
export type LogFacts = { readonly verification: string; readonly state: readonly string[] };
export type ClosingSession = EndedSession & { readonly session: number };
/** An item that the session broke. `isFailing`: it fails on the rolled-back tree too. */
export type BrokenItem = {
  readonly id: string;
  readonly title: string;
  readonly testFile: string;
  readonly dependents: readonly string[];
  readonly isFailing: boolean;
};

/** What a machine adds to the endings: which of its own files its commits carry, and which items a session broke. */
export type EndingHooks = {
  readonly role: (facts: ItemFacts) => string;
  /** What says that an item is done, where no person does. */
  readonly claim: NonNullable<BundleAsk['claim']>;
  /** Committed files in which an agent claims that its item is done: restored where it is not. */
  readonly claimedIn: (config: Config) => readonly string[];
  /** Own files in the accepting commit; null: none. */
  readonly accepting: (closing: ClosingSession, config: Config, entry: LogFacts) => EditCall | null;
  /** The log entry of a session without a landing, which the next landing carries; null: no commit carries the log. */
  readonly logging: (closing: ClosingSession, config: Config, entry: LogFacts) => EditCall | null;
  /** What the session leaves in the memory of the machine; left out: the machine remembers nothing. */
  readonly notes?: (closing: ClosingSession, result: string) => readonly string[];
  /** A rollback gives up all work on the item; left out: what earlier sessions left counts on, unless the work was the cause. */
  readonly startsAnew?: true;
  /** The landing is a pull request that others merge; left out: the accepting commit moves the current branch. */
  readonly proposes?: Proposing;
  /** Whose tests broke, after the rollback. */
  readonly blame: (
    run: R,
    closing: ClosingSession & { readonly why: Rejection },
    config: Config,
  ) => Promise<readonly BrokenItem[]>;
};

/** What was committed on a branch of its own, to be brought to the base branch. */
export type Proposed = {
  readonly commit: string;
  readonly bundle: string;
  readonly proof: LandingProof;
  /** The work of an earlier session, as it was. */
  readonly asBefore: boolean;
};
export type Delivered =
  /** It is on the base branch by this commit, and so is the work tree. */
  | { readonly is: 'merged'; readonly commit: string }
  /** Others merge it. The item waits with its work. */
  | { readonly is: 'proposed'; readonly number: number; readonly url: string }
  /** Others were quicker: the item's next session sees what they did. */
  | { readonly is: 'overtaken' }
  /**
   * It was not merged. The work is in the work tree, and the item's next session continues it with these problems. `reached`: it continues after
   * what is done already; left out: from the start.
   */
  | {
      readonly is: 'held';
      readonly failure: Failure | null;
      readonly problems: readonly Problem[];
      readonly reached?: string;
    };
export type Proposing = {
  /** The branch that the accepting commit becomes. */
  readonly branch: (facts: ItemFacts) => string;
  readonly deliver: (run: R, closing: ClosingSession, proposed: Proposed, config: Config) => Promise<Delivered>;
};
