// The types of the engine: machines, and procedures inside their actions. Independent of agents, git and playbooks.
//
// A machine is a pure table of stages. Each stage defines the actions it wants and how their outcomes change the state. No clock,
// no I/O, no randomness: the driver passes in everything that is not a function of the state.

import type { Failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';

/** kind → [request, outcome]. The map of the product is `Actions` in src/model/action.ts. */
export type ActionMap = { [kind: string]: readonly [object, object] };

/** An action as data. Its key is unique within the machine and never depends on siblings in flight. */
export type ActionOf<M extends ActionMap, K extends keyof M = keyof M> = {
  [P in K]: { readonly kind: P; readonly key: string } & M[P][0];
}[K];

/** An action and its outcome: one discriminated pair, so that both narrow without casts. */
export type Done<M extends ActionMap, K extends keyof M = keyof M> = {
  [P in K]: {
    readonly kind: P;
    readonly key: string;
    readonly action: ActionOf<M, P>;
    readonly outcome: M[P][1];
    readonly at: string;
  };
}[K];

/** How a machine ended. `reason` is kebab-case. */
export type MachineVerdict = { readonly verdict: string; readonly reason: string };

/** `file`: the machine's own file · `at`: the position in the table · `mem`: state that the file's format has no place for. */
export type State<F, At, Mem> = { readonly file: F; readonly at: At; readonly mem: Mem };

/** Events from outside the machine's actions. */
export type External =
  /** A process has taken over the machine. `life`: the base of its tokens, recorded so that a replay sees the same value. */
  | { readonly type: 'life-started'; readonly life: string }
  | { readonly type: 'pause' }
  /** An action waits at a gate: nothing of it runs. */
  | { readonly type: 'parked'; readonly key: string; readonly gate: string }
  /** The gate was answered: the action is performed again under its old token. */
  | { readonly type: 'answered'; readonly gate: string }
  | { readonly type: 'message'; readonly id: string; readonly body: Json };

export type Stage<F, Here, At, Mem, M extends ActionMap> = {
  /** All actions wanted now, in flight or not; or the end. */
  wants(s: State<F, Here, Mem>): readonly ActionOf<M>[] | MachineVerdict;
  apply(s: State<F, Here, Mem>, done: Done<M>): State<F, At, Mem>;
  /** For an action found half done after a crash; left out: the action is performed again. */
  recover?(s: State<F, Here, Mem>, action: ActionOf<M>): State<F, At, Mem>;
};

/** `name`: the playbook has a sentence for it. `round`: how often the work began again, from 1. */
export type MachinePhase = { readonly name: string; readonly round: number };

/** Reads a stored value; throws a ZodError-like error if it does not match. */
export type Schema<T> = { parse(value: unknown): T };

export type Machine<F, At extends { readonly stage: string }, Mem, M extends ActionMap> = {
  readonly name: string;
  readonly version: number;
  readonly file: Schema<F>;
  readonly position: Schema<{ at: At; mem: Mem }>;
  /** The position derived from the file alone: first start, hand-written file, lost journal. */
  place(file: F): { at: At; mem: Mem };
  readonly stages: { readonly [N in At['stage']]: Stage<F, Extract<At, { readonly stage: N }>, At, Mem, M> };
  /** Handles an external event. `at`: when it was received, ISO 8601. Left out: nothing changes. */
  on?(s: State<F, At, Mem>, event: External, at: string): State<F, At, Mem>;
  /** The value that means "no file": when the machine reaches it, its file is removed. Left out: it never does. */
  readonly gone?: F;
  /** The phase that is under way, for people who watch; null: none is. Left out: the machine has no phases. */
  phase?(s: State<F, At, Mem>): MachinePhase | null;
  /** A user changed the file while no session ran: merges `theirs` with what the machine must keep of `mine`. */
  edited?(mine: State<F, At, Mem>, theirs: F): State<F, At, Mem>;
};

/** The stage of a position. A position of a stage is what this stage's functions take. */
export const stageOf = <F, At extends { readonly stage: string }, Mem, M extends ActionMap>(
  m: Machine<F, At, Mem, M>,
  { stage }: { readonly stage: At['stage'] },
): Stage<F, At, At, Mem, M> => m.stages[stage];

/** What is known about an action that was in flight when the process died. */
export type Evidence<O> =
  | { readonly found: 'nothing' } // not started, or safe to repeat
  | { readonly found: 'outcome'; readonly outcome: O } // it finished: the crash does not matter
  | { readonly found: 'partial' }; // the machine must decide

/** The action waits for a user: nothing runs, nothing is spent; a later process checks again. */
export type Parked = { readonly parked: string };

/** The action cannot be performed until a problem is fixed: the driver ends, the intent stays open. */
export type Blocked = { readonly blocked: Failure };

export type ActionContext = {
  /** Unique on this machine and stable for this intent: processes, refs and result files carry it. */
  readonly token: string;
  /** How often the position was lost; a used answer of an older epoch never counts for a newer question. */
  readonly epoch: number;
  readonly signal: AbortSignal;
};

export type Performer<A, O> = {
  perform(action: A, context: ActionContext): Promise<O | Parked | Blocked>;
  probe(action: A, context: Omit<ActionContext, 'signal'>): Promise<Evidence<O>>;
  /** The outcome is durable, or the action is no longer wanted: data kept to resume it may be deleted. Idempotent. */
  settled?(action: A, context: Omit<ActionContext, 'signal'>): void;
  /** It reads, or writes what can be written again: it may be repeated, so its intent need not be durable. */
  readonly isRepeatable?: true;
  /**
   * It takes long and judges, and what it writes decides nothing: evidence, folders of proofs, a checkpoint. A power failure may take its intent and
   * outcomes before it, whose effects are found again or made again under their tokens; a crash of the program alone takes none of them.
   */
  readonly isJudging?: true;
};
export type Performers<M extends ActionMap> = { readonly [K in keyof M]: Performer<ActionOf<M, K>, M[K][1]> };

/** The performer of an action. Its outcome type is any of the map's; the caller narrows it. */
export const performerOf = <M extends ActionMap>(
  performers: Performers<M>,
  { kind }: { readonly kind: keyof M },
): Performer<ActionOf<M>, object> => performers[kind];

/** What a procedure may do: named actions, recorded in a journal that is deleted when the procedure ends. */
export type Run<M extends ActionMap> = {
  /** Performs an action once per procedure; after a crash it returns the recorded outcome. */
  do<K extends keyof M>(name: string, action: { readonly kind: K } & M[K][0]): Promise<M[K][1]>;
  /** A prefix for names, needed if a branch or loop has more than one step. */
  scope(name: string): Run<M>;
  all<T>(branches: readonly (() => Promise<T>)[]): Promise<T[]>;
  /**
   * Steps that belong together: an abort (a pause) takes effect only after the last of them. For short steps that record a user's
   * decision; a crash in the middle resumes them.
   */
  uninterrupted<T>(steps: () => Promise<T>): Promise<T>;
};
