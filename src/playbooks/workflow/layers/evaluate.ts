// Layers 2 and 3 (reference 004, Step 6): the evaluator's first line, and a report with a verdict.
import type { Run } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import { ask } from '../../session/asks.ts';
import type { Came } from '../table/came.ts';
import { send } from '../sessions/dispatch.ts';
import type { Dispatch } from '../sessions/one-session.ts';
import { evaluationEvent } from '../sessions/returns.ts';

export async function evaluate(run: Run<Actions>, input: Dispatch, config: Config): Promise<Came> {
  const sent = await send(run, input, config);
  if ('over' in sent) return sent;
  const { usage, outage, problems, returned } = sent;
  const sessions = input.specs.length;
  if (outage !== null) return { outage, sessions, usage };
  const [said] = returned;
  const line = said?.line ?? '';
  const { on } = await ask<{ readonly on: string }>(run, 'verdict', { report: `${input.state.docs_path}qa_report.md` });
  if (problems.length > 0 || said === undefined || on === 'verdict: none')
    return { on: 'failed', line, sessions, usage, problems };
  return { on: evaluationEvent(said), line, sessions, usage };
}
