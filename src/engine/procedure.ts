// Procedures: straight lines inside one action. Steps are remembered in a journal of their own, thrown away at the end.
// I1 a step's intent is durable before it is performed, its outcome before the next step begins.
// I2 a remembered step is never performed again; one that was under way is asked how far it got.
// I3 a step that differs from the remembered one: written by other code or for another input, the procedure begins anew;
//    by the same, the code is not deterministic, and that is a bug, not a recovery.
// I4 nothing a procedure began is still under way when it has ended, however it ended.
import type { Io } from '../host/io.ts';
import { Bug } from '../model/bug.ts';
import { openJournal } from './journal.ts';
import { openSteps, type Halt, type StepLine } from './steps.ts';
import type { ActionContext, ActionMap, Blocked, Parked, Performers, Run } from './types.ts';

export type ProcedureDeps<M extends ActionMap> = {
  readonly io: Io;
  readonly journal: string;
  readonly performers: Performers<M>;
  readonly context: ActionContext;
  /** Changes with whatever the steps are a function of beside the input: the program's version, the configuration. */
  readonly identity: string;
};

/**
 * Runs or resumes a procedure. Answers its output; or that it waits at a gate, is blocked, or was aborted. The function
 * is then left standing at its `await` for ever: nothing unwinds, no catch or finally of the playbook ever sees it.
 * Its journal stays: run again, it answers the same output and performs nothing. `forgetProcedure` removes it.
 */
export async function runProcedure<M extends ActionMap, I, O>(
  procedure: (run: Run<M>, input: I) => Promise<O>,
  input: I,
  deps: ProcedureDeps<M>,
): Promise<{ readonly output: O } | Parked | Blocked | { readonly halt: 'aborted' }> {
  const opened = openJournal<StepLine>(deps.journal, deps.io);
  if (!opened.ok) return { blocked: opened.failure };
  for (;;) {
    const end = await once(procedure, input, { ...deps, journal: opened.value });
    if (!('halt' in end) || end.halt === 'aborted') return end;
    opened.value.replaceAll([]);
  }
}

async function once<M extends ActionMap, I, O>(
  procedure: (run: Run<M>, input: I) => Promise<O>,
  input: I,
  deps: Parameters<typeof openSteps<M>>[0],
): Promise<{ readonly output: O } | Halt> {
  const steps = openSteps(deps);
  try {
    const end = await Promise.race([procedure(steps.run, input).then((output) => ({ output })), steps.halted]);
    if ('output' in end && steps.underWay().length > 0)
      throw new Bug(`a procedure returned while "${steps.underWay().join('", "')}" was under way`);
    steps.keep();
    return end;
  } finally {
    await steps.close();
  }
}

/** Removes what a procedure remembered: for when the outcome of its action is durable, or nobody wants it any more. */
export const forgetProcedure = (io: Io, journal: string): void => io.remove(journal);
