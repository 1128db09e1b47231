// What the procedures of a session on one item hand to each other and back to the machine, whichever machine it is. Data only.
import type { Checkpoint, StrengthOutcome } from '../../model/action.ts';
import type { Exhausted } from '../../model/budget.ts';
import type { Failure } from '../../model/failure.ts';
import type { Params } from '../../model/failure.ts';
import type { OwnProof } from '../../model/item.ts';
import type { GateAnswer } from '../../model/gate.ts';
import type { Usage } from '../../model/usage.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';

/** What preflight found out about the feature; everything later in the session speaks of this and reads nothing again. */
export type ItemFacts = {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly testFile: string | null;
  /** The item's own command; left out: its test file is its proof. */
  readonly proof?: OwnProof;
  /** The item says that old tests are to change. */
  readonly mayChangeTests: boolean;
  /** The last session left work in progress on the branch that this one goes on with. */
  readonly partial: { readonly session: number; readonly reason: string; readonly base: string | null } | null;
  readonly last: { readonly session: number; readonly status: string; readonly reason: string | null } | null;
  /** What was wrong with the last attempt at this feature. */
  readonly failed: readonly Problem[];
  /** Why it is too large for one session; empty where it is not, or where a person accepted it. */
  readonly oversized: readonly { readonly flag: string; readonly params: Params }[];
  readonly attempt: number;
  /** It held once and was found failing: its tests are red before anybody begins. */
  readonly isFailing?: true;
  /** The sanity checks fail before anybody begins: what is wrong there is mended first. */
  readonly isUnsound?: true;
  /** Set where a person has a part in the proof (reference 000, Non-Automated Verification). */
  readonly byHand?: ByHand;
};

export type ByHand = {
  readonly kind: 'hybrid' | 'manual';
  /** What a person looks at, and the steps that lead there. */
  readonly checks: readonly string[];
  readonly steps: readonly string[];
  /** Automated checks that are commands: run by the harness beside the test. */
  readonly commands: readonly string[];
};
/** A person who looked and said that it holds. */
export type Person = { readonly by: string; readonly at: string; readonly note: string };
/** What a person is shown: files kept with the session. */
export type Shown = { readonly tampering: readonly Problem[]; readonly files: readonly string[] };

export type Preflight =
  | {
      readonly ready: true;
      readonly facts: ItemFacts;
      readonly firstTask: readonly Problem[];
      readonly stash: string | null;
    }
  /** `over`: a budget is used up, which a person may raise. */
  | { readonly ready: false; readonly failure: Failure; readonly over?: Overspent };

/** The first two are asked only where the configuration has a policy for them: by default the answer is known. */
export type RefusedSubject = 'verification-failed' | 'regression' | 'sanity-failed';

/** Why a session ended without a landing (reference 000, Session Definition). */
export type CutReason =
  | 'timeout'
  | 'context_limit'
  | 'stuck'
  | 'user_pause'
  | 'budget'
  | 'error'
  | 'incomplete'
  /** The agent's provider takes no more of it for now. */
  | 'provider_limit';

/** What came of the session before anything was landed or rolled back. */
export type Work =
  | {
      readonly end: 'holds';
      readonly verdict: Verdict;
      readonly strength: StrengthOutcome | null;
      readonly text: string;
    }
  /** The checks hold, but whether they prove anything is for a person to say. The session is closed. */
  | { readonly end: 'doubtful'; readonly verdict: Verdict; readonly strength: StrengthOutcome; readonly text: string }
  | {
      readonly end: 'rejected';
      readonly reason: string;
      readonly problems: readonly Problem[];
      readonly regressions: readonly string[];
      readonly evidence: string | null;
      readonly text: string;
      /** A person is to say what becomes of it; the session is closed. */
      readonly ask?: RefusedSubject;
    }
  /** `failure`: an outage that cut it off. */
  | { readonly end: 'unfinished'; readonly why: CutReason; readonly failure?: Failure; readonly text: string }
  | { readonly end: 'agent-failed'; readonly failure: Failure; readonly text: string };

/** The ends of a session, each a recoverable sequence that began with closing the agent's session. */
export type Accepted =
  | {
      readonly commit: string;
      /** The hash of the evidence bundle that the commit carries; '' where it has none. */
      readonly bundle: string;
      readonly usage: Usage;
      readonly pushFailure: Failure | null;
      /** So many have landed that the next session tidies up. */
      readonly isCleanupDue?: boolean;
    }
  | { readonly commit: null; readonly usage: Usage; readonly refused: readonly Problem[] };
/** `refused`: what was there could not be committed, and was rolled back. */
export type Put = {
  readonly usage: Usage;
  readonly commit: string | null;
  /** The private ref under which work that was rolled back is kept. */
  readonly attempt?: string | null;
  readonly refused?: Problem;
  /** A budget that is used up by now. */
  readonly over?: Overspent;
};

/** `baseUsd`: the limit of the configuration, before anything was allowed on top of it. */
export type Overspent = Exhausted & { readonly baseUsd: number };

/** Why work is rolled back. `failure` is set where it was not the work that failed. */
export type Rejection = {
  readonly reason: string;
  readonly problems: readonly Problem[];
  readonly regressions: readonly string[];
  readonly evidence: string | null;
  readonly failure: Failure | null;
};

export type Session = { readonly facts: ItemFacts; readonly checkpoint: Checkpoint; readonly startedAt: string };

/** A session that is over, as the closing procedures get it. */
export type Ended = Session & { readonly text: string; readonly endedAt: string };

/** Why it lands: the checks, what their tests are worth, and who decided where that was in doubt. */
export type Proof = {
  readonly verdict: Verdict;
  readonly strength: StrengthOutcome | null;
  readonly decided: GateAnswer | null;
};
/** The same, and who looked at what no test can show. */
export type Holding = Proof & { readonly person: Person | null };
