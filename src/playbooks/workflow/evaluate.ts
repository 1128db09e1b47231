// Layers 2 and 3 (reference 004, Step 6): the evaluator's first line, and a report with a verdict.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { ask } from '../session/asks.ts';
import type { Came } from './came.ts';
import { send } from './dispatch.ts';
import type { Dispatch } from './one-session.ts';
import { evaluationEvent } from './returns.ts';

export async function evaluate(run: Run<Actions>, input: Dispatch, config: Config): Promise<Came> {
  const { usage, outage, problems, returned } = await send(run, input, config);
  const sessions = input.specs.length;
  if (outage !== null) return { outage, sessions, usage };
  const [said] = returned;
  const line = said?.line ?? '';
  const { on } = await ask<{ readonly on: string }>(run, 'verdict', { report: `${input.state.docs_path}qa_report.md` });
  if (problems.length > 0 || said === undefined || on === 'verdict: none')
    return { on: 'failed', line, sessions, usage, problems };
  return { on: evaluationEvent(said), line, sessions, usage };
}
