// The parts of machines that several playbooks share.
import { procedureAction, type Procedure } from '../../engine/definitions.ts';
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { Machine, Stage, State } from '../../engine/types.ts';
import type { Actions, ItemOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { NO_USAGE } from '../../model/usage.ts';
import { emptySessionState, type SessionStateFile } from './session-state.ts';

export const go = <F, At, Mem>({ file, mem }: Omit<State<F, At, Mem>, 'at'>, at: At): State<F, At, Mem> => ({
  file,
  at,
  mem,
});

export const outcomeOf = (outcome: Partial<ItemOutcome> & Pick<ItemOutcome, 'result' | 'reason'>): ItemOutcome => ({
  failure: null,
  problems: [],
  commit: null,
  evidence: null,
  usage: NO_USAGE,
  gate: null,
  ...outcome,
});

/**
 * A stage whose only action is a procedure. `lost`: where the procedure was found half done by an older version of the program and cannot be
 * resumed; left out: it is performed again.
 */
export const procedureStages =
  <F, At extends { readonly stage: string }, Mem>() =>
  <N extends At['stage'], I, O, Here = Extract<At, { readonly stage: N }>>(
    _stage: N,
    procedure: Procedure<I, O>,
    stage: {
      readonly input: (s: State<F, Here, Mem>) => I;
      readonly next: (s: State<F, Here, Mem>, output: O, at: string) => State<F, At, Mem>;
      readonly lost?: (s: State<F, Here, Mem>) => State<F, At, Mem>;
    },
  ): Stage<F, Here, At, Mem, Actions> => ({
    wants: (s) => [procedureAction(procedure, stage.input(s))],
    apply(s, done) {
      if (done.kind !== 'procedure') throw new Bug(`a ${done.kind} is no outcome of the procedure ${procedure.id}`);
      return stage.next(s, procedure.output.parse(done.outcome.output), done.at);
    },
    ...(stage.lost === undefined ? {} : { recover: stage.lost }),
  });

/** The last stage of every item's machine. */
export const endedStage = <F, At, Mem>(): Stage<
  F,
  { readonly stage: 'ended'; readonly outcome: ItemOutcome },
  At,
  Mem,
  Actions
> => ({
  wants: (s) => ({ verdict: s.at.outcome.result, reason: s.at.outcome.reason }),
  apply(_s, done) {
    throw new Bug(`a ${done.kind} ended after its machine did`);
  },
});

type ItemPosition = { readonly stage: string; readonly outcome?: ItemOutcome };
/** A machine over session_state.json, as the driver runs it. */
export const sessionMachine = <At extends ItemPosition, Mem>(
  machine: Machine<SessionStateFile, At, Mem, Actions>,
): Drivable<Actions> =>
  drivable(
    machine,
    () => emptySessionState(''),
    (at) => (at.stage === 'ended' ? (at.outcome ?? null) : null),
  );
