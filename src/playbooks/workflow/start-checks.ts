// Before the first stage: sessions that an earlier process left open are ended; whether the folder and the branch are right, whether the project
// starts, and the facts for the resume table.
import { z } from 'zod';
import { defineProcedure, readFacts } from '../../engine/definitions.ts';
import { failure, failureSchema, type Failure } from '../../model/failure.ts';
import { startEnvironment } from '../session/preflight.ts';
import { resolved, workflowFileSchema } from './file/state.ts';
import { docsPathRule } from './paths/paths.ts';
import { branchState, startFacts } from './repository-facts.ts';
import { missingBefore } from './session-recovery.ts';
import { countersSchema } from './table/counters.ts';
import { startFactsSchema } from './table/resume.ts';

export const startChecks = defineProcedure({
  id: 'workflow.start-checks',
  input: z.object({
    item: z.string(),
    /** The first of this task. */
    session: z.number(),
    file: workflowFileSchema,
    step: countersSchema.shape.only,
  }),
  /** `session`: the number of the next session. */
  output: z.object({ failure: failureSchema.nullable(), facts: startFactsSchema, session: z.number() }),
  async perform(run, { item, session: first, file, step }, config) {
    const state = resolved(file);
    await run.do('abandon', { kind: 'abandon', session: first, item, andLater: true });
    const { facts, session } = await readFacts(run, startFacts, { file });
    const no = (why: Failure | null) => ({ failure: why, facts, session });
    if (!facts.isDocsPathValid) {
      const { rule } = await readFacts(run, docsPathRule, { docs: state.docs_path });
      return no(failure('workflow-docs-path', { path: state.docs_path, rule: rule ?? '', part: '' }));
    }
    const { failure: unfit } = await readFacts(run, branchState, {
      branch: state.has_git === false ? null : state.branch,
    });
    if (unfit !== null) return no(unfit);
    const lacking = missingBefore(step, state.phase, facts);
    if (step !== null && lacking !== null) {
      const missing = lacking.missing.join(', ');
      return no(failure('workflow-step-first', { step, first: lacking.first, missing }));
    }
    return no(await startEnvironment(run, config));
  },
});
