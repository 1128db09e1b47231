// The words of the engine: machines outside, procedures inside. It knows no agent, no git, no playbook.
//
// A machine is a pure table of stages. Each stage owns the actions it wants and the meaning of their outcomes, in one
// place. No clock, no I/O, no randomness: the driver hands in everything that is not a function of the state.

import type { Failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';

/** kind → [what is asked, what came of it]. The product's map is `Actions` in src/model/action.ts. */
export type ActionMap = { [kind: string]: readonly [object, object] };

/** An action as data. Its key names it within the machine's life and never depends on siblings in flight. */
export type ActionOf<M extends ActionMap, K extends keyof M = keyof M> = {
  [P in K]: { readonly kind: P; readonly key: string } & M[P][0];
}[K];

/** An action together with what came of it: one discriminated pair, so that both narrow without casts. */
export type Done<M extends ActionMap, K extends keyof M = keyof M> = {
  [P in K]: {
    readonly kind: P;
    readonly key: string;
    readonly action: ActionOf<M, P>;
    readonly outcome: M[P][1];
    readonly at: string;
  };
}[K];

/** How a machine's life ended. `reason` is kebab-case. */
export type MachineVerdict = { readonly verdict: string; readonly reason: string };

/** `file`: exactly the reference's own file · `at`: the position in the table · `mem`: what the file has no room for. */
export type State<F, At, Mem> = { readonly file: F; readonly at: At; readonly mem: Mem };

/** What reaches a machine from outside its own actions. */
export type External =
  /** `life`: the base of this life's tokens. What a machine makes of it must come from here: another life may replay it. */
  | { readonly type: 'life-started'; readonly life: string }
  | { readonly type: 'pause' }
  /** An action waits at a gate: nothing of it runs. */
  | { readonly type: 'parked'; readonly key: string; readonly gate: string }
  /** The gate has an answer: the action is performed again under its old token. */
  | { readonly type: 'answered'; readonly gate: string }
  | { readonly type: 'message'; readonly id: string; readonly body: Json };

export type Stage<F, Here, At, Mem, M extends ActionMap> = {
  /** Everything wanted now, in flight or not; or the end. */
  wants(s: State<F, Here, Mem>): readonly ActionOf<M>[] | MachineVerdict;
  apply(s: State<F, Here, Mem>, done: Done<M>): State<F, At, Mem>;
  /** Only for an action found half done after a crash; without it the action is done again. */
  recover?(s: State<F, Here, Mem>, action: ActionOf<M>): State<F, At, Mem>;
};

/** Reads a value that was stored: throws a ZodError-like error where it does not fit. */
export type Schema<T> = { parse(value: unknown): T };

export type Machine<F, At extends { readonly stage: string }, Mem, M extends ActionMap> = {
  readonly name: string;
  readonly version: number;
  readonly file: Schema<F>;
  readonly position: Schema<{ at: At; mem: Mem }>;
  /** The position that the reference's file alone speaks for: first start, hand-written, lost journal. */
  place(file: F): { at: At; mem: Mem };
  readonly stages: { readonly [N in At['stage']]: Stage<F, Extract<At, { readonly stage: N }>, At, Mem, M> };
  /** A person wants something: pause, stop. `at`: when it was taken up, ISO 8601. Default: nothing changes. */
  on?(s: State<F, At, Mem>, event: External, at: string): State<F, At, Mem>;
  /** What stands for "there is no file any more": a machine that comes to it has its file removed. Left out: it never does. */
  readonly gone?: F;
  /** A person changed the file while no session ran: theirs, with what the machine must keep of mine. */
  edited?(mine: State<F, At, Mem>, theirs: F): State<F, At, Mem>;
};

/** The stage of a position. A position of a stage is what this stage's functions take. */
export const stageOf = <F, At extends { readonly stage: string }, Mem, M extends ActionMap>(
  m: Machine<F, At, Mem, M>,
  { stage }: { readonly stage: At['stage'] },
): Stage<F, At, At, Mem, M> => m.stages[stage];

/** What can be said about an action that was under way when the process died. */
export type Evidence<O> =
  | { readonly found: 'nothing' } // never begun, or safe to do again
  | { readonly found: 'outcome'; readonly outcome: O } // it finished: nobody needs to know of the crash
  | { readonly found: 'partial' }; // only here must the machine decide

/** The action waits for a person: nothing runs, nothing is spent, a later life asks again. */
export type Parked = { readonly parked: string };

/** The action cannot be performed until somebody mends something: the life ends, the intent stays open. */
export type Blocked = { readonly blocked: Failure };

export type ActionContext = {
  /** Unique on this machine and stable for this intent: processes, refs and result files carry it. */
  readonly token: string;
  /** How often the position was lost; gates of an older epoch never answer a newer question. */
  readonly epoch: number;
  readonly signal: AbortSignal;
};

export type Performer<A, O> = {
  perform(action: A, context: ActionContext): Promise<O | Parked | Blocked>;
  probe(action: A, context: Omit<ActionContext, 'signal'>): Promise<Evidence<O>>;
  /** The outcome is durable, or nobody wants the action any more: what was kept to resume it may go. Repeatable. */
  settled?(action: A, context: Omit<ActionContext, 'signal'>): void;
  /** It only reads: nothing is lost by performing it again, so its intent need not be durable. */
  readonly isReading?: true;
};
export type Performers<M extends ActionMap> = { readonly [K in keyof M]: Performer<ActionOf<M, K>, M[K][1]> };

/** The performer of an action. Its outcome is only known to be one of the map's: the stage or step that asked narrows it. */
export const performerOf = <M extends ActionMap>(
  performers: Performers<M>,
  { kind }: { readonly kind: keyof M },
): Performer<ActionOf<M>, object> => performers[kind];

/** What a procedure may do: actions, by name, remembered in a journal that is thrown away when the procedure ends. */
export type Run<M extends ActionMap> = {
  /** Performs an action once in the life of this procedure; after a crash the remembered outcome is handed back. */
  do<K extends keyof M>(name: string, action: { readonly kind: K } & M[K][0]): Promise<M[K][1]>;
  /** A prefix for names: needed where a branch or a loop has more than one step. */
  scope(name: string): Run<M>;
  all<T>(branches: readonly (() => Promise<T>)[]): Promise<T[]>;
  /**
   * Steps that belong together: an abort (a pause) takes effect only after the last of them. For the few short steps that write down what a
   * user has just decided; a crash in the middle resumes them.
   */
  uninterrupted<T>(steps: () => Promise<T>): Promise<T>;
};
