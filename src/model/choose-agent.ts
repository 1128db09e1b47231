// Which agent works next: asked before each session.
import type { Failure } from './failure.ts';
import type { ItemId } from './item.ts';

/** Chooses the agent of a role by what its provider's quota allows. `refused`: an agent whose provider has just refused. */
export type ChooseAgentAsk = {
  readonly role: string;
  readonly item: ItemId | null;
  readonly session: number;
  readonly refused: { readonly agent: number; readonly failure: Failure } | null;
};
/** `wall`: no agent can work, and for how long. */
export type ChooseAgentOutcome = { readonly agent: number; readonly wall: Failure | null };
