// The text of a turn: the role's stable part, the playbook's brief, the runtime context; or findings handed back.
import { writeBrief } from '../engine/definitions.ts';
import { composeFollowUp, composePrompt } from '../memory/prompt.ts';
import type { SessionAsk } from '../model/action.ts';
import { ok, type Result } from '../model/result.ts';
import { readContext, type RunContext } from './run-context.ts';

export type Composed = { readonly text: string; readonly mode: 'exec' | 'review' | 'complete' };

export async function composeTurn(
  lane: Pick<RunContext, 'roles' | 'machine' | 'backlog' | 'config' | 'view' | 'root' | 'catalogue'>,
  ask: SessionAsk,
): Promise<Result<Composed>> {
  const role = await lane.roles.load(lane.machine.name, ask.role);
  if (!role.ok) return role;
  const { item, title, session, attempt, output } = ask;
  const context = {
    playbook: lane.machine.name,
    role: ask.role,
    item,
    ...(lane.machine.itemKey === undefined ? {} : { itemKey: lane.machine.itemKey }),
    title,
    workdir: lane.root,
    session,
    attempt,
    output,
  };
  const { mode } = role.value;
  if (ask.say.kind === 'problems') {
    const problems = ask.say.problems.map((problem) => lane.catalogue.problem(problem));
    return ok({ text: composeFollowUp({ problems, note: ask.say.note, context }), mode });
  }
  if (ask.say.kind === 'again') {
    const why = lane.catalogue.outcome(ask.say.why);
    const words = lane.catalogue.text('limit.again', { why });
    return ok({
      text: composeFollowUp({ problems: [], note: lane.catalogue.text('limit.from-harness', { words }), context }),
      mode,
    });
  }
  const variable = await writeBrief(ask.say.brief, readContext(lane), ask.say.input);
  return ok({ text: composePrompt({ role: role.value, variable, context }).text, mode });
}
