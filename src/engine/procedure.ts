// Procedures: sequences of steps inside one action. Steps are recorded in a separate journal, deleted at the end.
// I1 a step's intent is durable before it is performed, its outcome before the next step begins.
// I2 a recorded step is never performed again; one that was in flight is probed.
// I3 a step that differs from the recorded one: if it was recorded by other code or for another input, the procedure starts over;
//    otherwise the code is not deterministic, which is a bug.
// I4 no action of a procedure is in flight when it has ended, however it ended.
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
  /** Changes with everything that the steps depend on besides the input: the program's version, the configuration. */
  readonly identity: string;
};

/**
 * Runs or resumes a procedure. Resolves to its output, or to a halt: waiting at a gate, blocked, or aborted. A halted function stays
 * suspended at its `await` forever: no catch or finally of the playbook runs. The journal is kept: run again, a finished procedure
 * returns the same output and performs nothing. `forgetProcedure` removes it.
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

/** Removes the journal of a procedure, once the outcome of its action is durable or no longer wanted. */
export const forgetProcedure = (io: Io, journal: string): void => io.remove(journal);
