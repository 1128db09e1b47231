// What a procedure of the workflow hands back to its table: an event and what a person may be told of it, or that the agent could not
// be had. Nothing else that a session said or wrote decides anything (reference 004, Architecture Principles 1; Sub-agent Return Value Rules).
import type { Failure } from '../../../model/failure.ts';
import type { Usage } from '../../../model/usage.ts';
import type { Problem } from '../../../model/verdict.ts';
import type { Overspent } from '../../session/facts.ts';
import type { Confidence } from './gates.ts';
import type { EventName } from './stages.ts';

export type Came =
  | {
      readonly on: EventName;
      /** The first line that was returned; left out: nothing was said. */
      readonly line?: string;
      readonly confidence?: Confidence;
      /** How many session numbers were used. */
      readonly sessions?: number;
      /** Of Layer 1, where it passed. */
      readonly evidence?: string | null;
      readonly paths?: readonly string[];
      readonly diff?: string | null;
      readonly problems?: readonly Problem[];
      readonly usage?: Usage;
      readonly commit?: string | null;
    }
  | { readonly outage: Failure; readonly sessions: number; readonly usage?: Usage }
  /** A budget is used up: nobody was sent. */
  | { readonly over: Overspent };
