// Ends sessions that a pause, a crash or a stop interrupted.
import { z } from 'zod';
import { defineProcedure } from '../../../engine/definitions.ts';
import { addUsage, NO_USAGE, usageSchema } from '../../../model/usage.ts';
import { groupInput, nameOf, outputsOf } from './dispatch.ts';

/** Records their costs, and removes documents that they did not finish. The code of a generator stays: the next run verifies it. */
export const closeInterrupted = defineProcedure({
  id: 'workflow.close-interrupted',
  input: groupInput.pick({ item: true, session: true, stage: true, assignments: true }).extend({ reason: z.string() }),
  output: z.object({ usage: usageSchema }),
  async perform(run, { item, session, assignments, stage, reason }) {
    const all = assignments.map((one, n) => ({ step: run.scope(nameOf(one)), number: session + n }));
    const ended = await run.all(
      all.map(
        ({ step, number }) =>
          () =>
            step.do('close', { kind: 'close', session: number }),
      ),
    );
    // After all have ended: while a session is open, what the harness writes would look like the agent's.
    for (const [n, { step, number }] of all.entries()) {
      const spent = ended[n]?.usage ?? NO_USAGE;
      if (spent.inputTokens + spent.outputTokens > 0)
        await step.do('costs', { kind: 'remember', what: 'costs', session: number, item });
      const summary = { item, termination: 'user_pause', completed: false, result: 'paused', reason };
      await step.do('record', { kind: 'remember', what: 'session', session: number, summary });
    }
    const unfinished = outputsOf(assignments.filter(({ role }) => role !== 'generator'));
    const paths = stage === 'revise-spec' ? [] : unfinished;
    if (paths.length > 0) await run.do('clear', { kind: 'tidy', paths, keep: [] });
    return { usage: ended.map(({ usage }) => usage).reduce(addUsage, NO_USAGE) };
  },
});
