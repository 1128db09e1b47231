// The text of a turn: the role's stable part, with what a machine that remembers knows, the playbook's brief, the runtime context; or findings handed back.
import { writeBrief } from '../engine/definitions.ts';
import { composeFollowUp, composePrompt } from '../memory/prompt.ts';
import type { SessionAsk } from '../model/action.ts';
import type { MemoryRepair } from '../model/memory.ts';
import { ok, type Result } from '../model/result.ts';
import { readContext, type RunContext } from './run-context.ts';

export type Composed = {
  readonly text: string;
  readonly mode: 'exec' | 'review' | 'complete';
  /** Length of the beginning that is the same in every session of the role (src/memory/prompt.ts); left out: there is none. */
  readonly stable?: number;
  /** Files of the memory that were broken; left out: none was. */
  readonly repairs?: readonly MemoryRepair[];
};

/** `only-looks`: a broken file of the memory is not fixed. `cut`: what the agent has to know of the same turn, which was cut in its session. */
export async function composeTurn(
  context: Pick<RunContext, 'roles' | 'machine' | 'backlog' | 'config' | 'view' | 'root' | 'catalogue' | 'memory'>,
  ask: SessionAsk,
  { how, cut = null }: { readonly how?: 'only-looks'; readonly cut?: string | null } = {},
): Promise<Result<Composed>> {
  const role = await context.roles.load(context.machine.name, ask.role);
  if (!role.ok) return role;
  const { item, title, session, attempt, output } = ask;
  const runtime = {
    playbook: context.machine.name,
    role: ask.role,
    item,
    ...(context.machine.itemKey === undefined ? {} : { itemKey: context.machine.itemKey }),
    title,
    workdir: context.root,
    session,
    attempt,
    output,
  };
  const { mode } = role.value;
  if (ask.say.kind === 'problems') {
    const problems = ask.say.problems.map((problem) => context.catalogue.problem(problem));
    const note = cut === null ? ask.say.note : `${ask.say.note}\n\n${cut}`;
    return ok({ text: composeFollowUp({ problems, note, context: runtime }), mode });
  }
  // What its session knows is not sent again.
  if (cut !== null) return ok({ text: composeFollowUp({ problems: [], note: cut, context: runtime }), mode });
  if (ask.say.kind === 'again') {
    const why = context.catalogue.outcome(ask.say.why);
    const words = context.catalogue.text('limit.again', { why });
    return ok({
      text: composeFollowUp({
        problems: [],
        note: context.catalogue.text('limit.from-harness', { words }),
        context: runtime,
      }),
      mode,
    });
  }
  const variable = await writeBrief(
    ask.say.brief,
    { ...readContext(context), sentence: context.catalogue.problem },
    ask.say.input,
  );
  const parts = { role: role.value, variable, context: runtime };
  if (context.machine.remembers !== true) return ok({ ...composePrompt(parts), mode });
  const memory = context.memory.forPrompt(ask.role, how);
  if (!memory.ok) return memory;
  const { repairs } = memory.value;
  return ok({ ...composePrompt({ ...parts, memory: memory.value }), mode, repairs });
}
