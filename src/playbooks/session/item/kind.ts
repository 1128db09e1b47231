// What a playbook says of its kind of item, which the machine (machine.ts) takes through one session. The stages are the same for every kind; what
// a kind leaves out does not happen to its items.
import type { Run } from '../../../engine/types.ts';
import type { Actions, ItemOutcome, Say } from '../../../model/action.ts';
import type { Checkpoint } from '../../../model/checkpoint.ts';
import type { Scored } from '../../../model/competition.ts';
import type { Config } from '../../../model/config.ts';
import type { Problem } from '../../../model/verdict.ts';
import type { ClosingSession, EndingHooks } from '../ending-hooks.ts';
import type { ItemFacts, LandingProof, WorkDecision } from '../facts.ts';
import type { PreflightSurveys } from '../preflight.ts';
import type { SessionEnd } from '../session-state.ts';

type R = Run<Actions>;

export type ItemKind = {
  /** Of the machine, with which positions are stored. */
  readonly name: string;
  readonly version: number;
  /** Of the ids of its procedures, which journals store. */
  readonly prefix: '' | `${string}.`;
  /** How preflight reads the item, and which files it needs. */
  readonly surveys: PreflightSurveys<ItemFacts>;
  /** In `prepare`, last before the checkpoint: sessions of other roles. null: the item's own session begins. Otherwise how the item ends. */
  before?(run: R, ready: ReadyItem, config: Config): Promise<EarlyEnd | null>;
  /** The first message of the session. */
  opening(ready: ReadyItem): Say;
  /**
   * In `work`: whether the work in progress is done, as it says of itself, and needs no agent but the proof. `only`: where that proof fails, no
   * agent is asked either. Left out: an agent works in each session.
   */
  isWorked?(facts: ItemFacts, config: Config): 'no' | 'yes' | 'only';
  /** In `work`: what the agent says that it needs of a user; null: nothing. Left out: it is not asked for. */
  needIn?(text: string): string | null;
  /**
   * In `work`, after each turn: what the agent says that it cannot decide. Its work is kept, and the next session begins with what is decided
   * (`before`). Left out: it decides.
   */
  undecided?(text: string, facts: ItemFacts): readonly Problem[];
  /** In `decide`: a user is asked for that, and answers; the item's next session knows the answer. */
  answered?(run: R, closing: ClosingSession, need: string): Promise<void>;
  /** In `work`: how many attempt the item, one after the other (compete.ts); left out: one. */
  competitors?(config: Config): number;
  /** Which of several attempts that hold is to land. */
  compare?(run: R, contest: Contest, config: Config): Promise<Comparison>;
  /** In `work`, after each turn: what is wrong with the claim in the list. Left out: the end of the turn is the claim. */
  claimed?(step: R, about: { readonly checkpoint: Checkpoint; readonly item: string }): Promise<readonly Problem[]>;
  /** In `work`: its prompt asks for a run of its test before the claim; an agent that did not is asked once more. Left out: it does not. */
  readonly showsTests?: true;
  /**
   * In `decide`, where the work holds or the user lets it land: others judge it, after the agent's session is closed. They answer with what it
   * lands by, as they may have it proved again.
   */
  review?(run: R, closing: ClosingSession, held: HeldWork, config: Config): Promise<Acceptance<Reproved>>;
  /** In `decide`, last: what the user verifies. `person` null: nothing of the item. */
  byHand?(run: R, closing: ClosingSession, held: HeldWork): Promise<Acceptance<Pick<LandingProof, 'person'>>>;
  /** In `close`: what its commits carry, and whom a rollback names. */
  hooks(config: Config): EndingHooks;
  /**
   * In `close`, of a session that was cut: which problems of the session before it the next one still has to know. Left out: none, the work shows
   * them.
   */
  stillWrong?(failed: readonly Problem[]): readonly Problem[];
  /** In `close`, after the landing: what session_state.json says of it. */
  landed?(run: R, closing: ClosingSession, config: Config): Promise<Landed>;
};

/** An item that may begin. `firstTask`: what failed before the session and is fixed first. */
export type ReadyItem = {
  readonly facts: ItemFacts;
  readonly firstTask: readonly Problem[];
  readonly session: number;
};
/** `candidates`: the attempts that hold, each as a commit of what was proved. */
export type Contest = {
  readonly facts: ItemFacts;
  readonly checkpoint: Checkpoint;
  readonly session: number;
  readonly candidates: readonly { readonly number: number; readonly commit: string }[];
};
/** `scored` empty: there is no answer, and the first counts. `judge`: the session that was asked. */
export type Comparison = { readonly scored: readonly Scored[]; readonly judge: number };
/** How an item ends whose session did not begin. */
export type EarlyEnd = Partial<ItemOutcome> & Pick<ItemOutcome, 'result' | 'reason'>;
/** Work that lands, unless a review or the user decides otherwise. `decided`: the user's answer where the proof is in doubt. */
export type HeldWork = Omit<LandingProof, 'person'>;
export type Reproved = Pick<LandingProof, 'verdict' | 'strength'>;
/** Whether work is accepted; otherwise what becomes of it. */
export type Acceptance<Accepted> =
  | ({ readonly is: 'accepted' } & Accepted)
  | { readonly is: 'decided'; readonly decision: WorkDecision };
export type Landed = Omit<Extract<SessionEnd, { readonly end: 'landed' }>, 'end'>;
