// The positions of the features machine. Data only; what its procedures hand back is in ../session/facts.ts.
import type { ItemOutcome, StrengthOutcome } from '../../model/action.ts';
import type { Failure } from '../../model/failure.ts';
import type { GateAnswer } from '../../model/gate.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import type {
  CutReason,
  Ended,
  Holding,
  ItemFacts,
  Overspent,
  Proof,
  RefusedSubject,
  Rejection,
  Session,
} from '../session/facts.ts';

export type At =
  | { readonly stage: 'preflight' }
  | { readonly stage: 'stuck'; readonly facts: ItemFacts; readonly firstTask: readonly Problem[] }
  | { readonly stage: 'oversized'; readonly facts: ItemFacts; readonly firstTask: readonly Problem[] }
  | {
      readonly stage: 'flag';
      readonly facts: ItemFacts;
      readonly firstTask: readonly Problem[];
      readonly change: 'skip' | 'accept-size';
      readonly note: string;
      readonly decidedAt: string;
    }
  | { readonly stage: 'checkpoint'; readonly facts: ItemFacts; readonly firstTask: readonly Problem[] }
  | ({ readonly stage: 'work'; readonly firstTask: readonly Problem[] } & Session)
  | ({ readonly stage: 'doubtful'; readonly verdict: Verdict; readonly strength: StrengthOutcome } & Ended)
  | ({ readonly stage: 'show' } & Proof & Ended)
  | ({ readonly stage: 'manual'; readonly shown: readonly string[] } & Proof & Ended)
  | ({ readonly stage: 'drop'; readonly note: string; readonly decidedAt: string } & Ended)
  | ({ readonly stage: 'accept' } & Holding & Ended)
  /** `byHand`: a person goes on with it. */
  | ({
      readonly stage: 'save';
      readonly why: CutReason;
      readonly failure: Failure | null;
      readonly byHand?: true;
    } & Ended)
  | ({ readonly stage: 'refused'; readonly subject: RefusedSubject; readonly why: Rejection } & Ended)
  /** `isLast`: a person ends the run. */
  | ({ readonly stage: 'reject'; readonly why: Rejection; readonly isLast?: true } & Ended)
  /** `outcome`: of the session that used it up; null: none was begun. */
  /** The environment could not be brought to a clean state. */
  | { readonly stage: 'broken'; readonly failure: Failure }
  | { readonly stage: 'overspent'; readonly over: Overspent; readonly outcome: ItemOutcome | null }
  | {
      readonly stage: 'raise';
      readonly over: Overspent;
      readonly outcome: ItemOutcome | null;
      readonly answer: GateAnswer;
    }
  | { readonly stage: 'ended'; readonly outcome: ItemOutcome };

export const STAGES = [
  'preflight',
  'stuck',
  'oversized',
  'flag',
  'checkpoint',
  'work',
  'doubtful',
  'show',
  'manual',
  'drop',
  'accept',
  'save',
  'refused',
  'reject',
  'broken',
  'overspent',
  'raise',
  'ended',
] as const satisfies readonly At['stage'][];

/** Counters that the reference's file has no room for. */
export type Mem = {
  readonly paused: boolean;
  /** Budgets that a person raised. */
  readonly raises?: number;
  /** How often preflight began anew because somebody said so. */
  readonly mends?: number;
};
