// The positions of the tasks machine, and what its procedures hand back. Data only.
import type { Checkpoint, ItemOutcome, StrengthOutcome } from '../../model/action.ts';
import type { Failure } from '../../model/failure.ts';
import type { GateAnswer } from '../../model/gate.ts';
import type { Usage } from '../../model/usage.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import type { CutReason, Ended, Holding, Overspent, Proof, Rejection } from '../session/facts.ts';
import type { TaskError, TaskFacts } from './facts.ts';
import type { TaskCheckpoint } from './schema.ts';

export type OfTask = { readonly facts: TaskFacts };
export type Begun = { readonly checkpoint: Checkpoint; readonly startedAt: string } & OfTask;
/** A session on the task that is over. */
export type Over = Ended & OfTask;

/** What became of a task whose session was cut (reference 003, Context Window Recovery Protocol). */
export type Recovered = {
  /** As the log tells it. */
  readonly action: string;
  readonly reason: string;
  /** What its agent had said of its progress, with what the file has already. */
  readonly checkpoints: readonly TaskCheckpoint[];
  /** What the task's commits stand on, and what everything goes back to. */
  readonly base: Checkpoint;
  readonly usage: Usage;
  /** N of SESSION-N by now. */
  readonly run: number;
} & (
  | { readonly end: 'holds'; readonly verdict: Verdict; readonly strength: StrengthOutcome | null }
  | { readonly end: 'resume' }
  /** `isLast`: there is no way back, so that another attempt makes no sense. */
  | { readonly end: 'failed'; readonly error: TaskError; readonly why: Rejection; readonly isLast: boolean }
  | { readonly end: 'blocked'; readonly failure: Failure }
);

/** How an attempt ended that did not land. `isLast`: no further one. */
type Fault = { readonly error: TaskError; readonly why: Rejection; readonly isLast?: true };

export type At =
  | { readonly stage: 'look' }
  | ({ readonly stage: 'prepare' } & OfTask)
  | ({ readonly stage: 'recover' } & OfTask)
  | ({ readonly stage: 'recovered'; readonly found: Recovered; readonly at: string } & OfTask)
  | ({ readonly stage: 'checkpoint'; readonly firstTask: readonly Problem[] } & OfTask)
  | ({ readonly stage: 'claim'; readonly firstTask: readonly Problem[] } & Begun)
  | ({ readonly stage: 'work'; readonly firstTask: readonly Problem[] } & Begun)
  | ({ readonly stage: 'unproved' } & Proof & Over)
  | ({ readonly stage: 'doubtful'; readonly verdict: Verdict; readonly strength: StrengthOutcome } & Over)
  | ({ readonly stage: 'accept' } & Holding & Over)
  /** `by`: the person on whose word it landed. */
  | ({
      readonly stage: 'complete';
      readonly outcome: ItemOutcome;
      readonly by: { readonly reason: string; readonly by: string; readonly at: string } | null;
      readonly at: string;
    } & Heard &
      OfTask)
  | ({ readonly stage: 'fail' } & Fault & Over)
  | ({
      readonly stage: 'failed';
      readonly error: TaskError;
      readonly back: Back;
      readonly isLast: boolean;
      readonly outcome: ItemOutcome;
      readonly at: string;
    } & OfTask)
  /** `failure`: an outage that cut it off. */
  | ({ readonly stage: 'save'; readonly why: CutReason; readonly failure: Failure | null } & Over)
  | ({
      readonly stage: 'saved';
      readonly message: string;
      readonly isKept: boolean;
      readonly over: Overspent | null;
      readonly outcome: ItemOutcome;
      readonly at: string;
    } & Heard &
      OfTask)
  /** What kept it from its end was not the task: back to where it was, and no attempt is counted. `isSkipped`: a person leaves it out. */
  | ({
      readonly stage: 'release';
      readonly error: TaskError;
      readonly failure: Failure | null;
      readonly skip?: string;
    } & Over)
  | ({
      readonly stage: 'released';
      readonly error: TaskError;
      readonly outcome: ItemOutcome;
      readonly skip: string | null;
      readonly at: string;
    } & OfTask)
  /** The environment is broken: the log says so, and the run stops. */
  | ({ readonly stage: 'stop'; readonly failure: Failure; readonly at: string } & OfTask)
  /** A budget is used up. `outcome`: of the session that used it; null: none was begun. */
  | ({ readonly stage: 'overspent'; readonly over: Overspent; readonly outcome: ItemOutcome | null } & OfTask)
  | ({
      readonly stage: 'raise';
      readonly over: Overspent;
      readonly answer: GateAnswer;
      readonly outcome: ItemOutcome | null;
    } & OfTask)
  | { readonly stage: 'ended'; readonly outcome: ItemOutcome };

export const STAGES = [
  'look',
  'prepare',
  'recover',
  'recovered',
  'checkpoint',
  'claim',
  'work',
  'unproved',
  'doubtful',
  'accept',
  'complete',
  'fail',
  'failed',
  'save',
  'saved',
  'release',
  'released',
  'stop',
  'overspent',
  'raise',
  'ended',
] as const satisfies readonly At['stage'][];

/** What the agent told of its progress, with what the list has already. */
export type Heard = { readonly checkpoints: readonly TaskCheckpoint[] };

/** What a rollback did. */
export type Back = Heard & {
  readonly usage: Usage;
  /** Commit that HEAD is on again. */
  readonly base: string;
  /** The private ref that keeps the work. */
  readonly attempt: string | null;
  /** The task's cleanup command did not succeed. */
  readonly isCleanupFailing: boolean;
};

export type Mem = {
  readonly paused: boolean;
  /** The environment was started once more after it had failed. */
  readonly mends?: number;
  /** Budgets that a person raised. */
  readonly raises?: number;
};
