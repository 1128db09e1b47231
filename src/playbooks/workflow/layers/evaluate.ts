// Layers 2 and 3 (reference 004, Step 6): the evaluator's first line, and a report with a verdict.
import type { Run } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import { ask } from '../../session/asks.ts';
import type { Came } from '../table/came.ts';
import { cameOf } from '../sessions/dispatch.ts';
import type { Dispatch } from '../sessions/one-session.ts';
import { evaluationEvent } from '../sessions/returns.ts';

export const evaluate = (run: Run<Actions>, input: Dispatch, config: Config): Promise<Came> =>
  cameOf(run, input, config, async ({ returned: [said], problems }) => {
    const report = `${input.state.docs_path}qa_report.md`;
    const { on } = await ask<{ readonly on: string }>(run, 'verdict', { report });
    if (problems.length > 0 || said === undefined || on === 'verdict: none')
      return { on: 'failed', line: said?.line ?? '', problems };
    return { on: evaluationEvent(said), line: said.line };
  });
