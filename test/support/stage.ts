// One stage of an item's machine for tests: the procedure that it wants, performed with scripted outcomes of its steps, and the state after it.
import { procedureOf } from '../../src/engine/definitions.ts';
import { stageOf, type ActionOf, type Machine, type State } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import type { Config } from '../../src/model/config.ts';
import { scriptedRun, type Answers, type ScriptedRun } from './run.ts';

type AnyMachine<F, At extends { readonly stage: string }, Mem> = Machine<F, At, Mem, Actions>;

/** The procedure that a machine wants in this state; throws where it wants anything else. */
export function wantedBy<F, At extends { readonly stage: string }, Mem>(
  machine: AnyMachine<F, At, Mem>,
  s: State<F, At, Mem>,
): ActionOf<Actions, 'procedure'> {
  const wanted = stageOf(machine, s.at).wants(s);
  const [action] = 'verdict' in wanted ? [] : wanted;
  if (action?.kind !== 'procedure') throw new Error(`the stage ${s.at.stage} wants no procedure`);
  return action;
}

/** The state after that procedure ended with this output. `at`: ISO 8601. */
export function stateAfter<F, At extends { readonly stage: string }, Mem>(
  machine: AnyMachine<F, At, Mem>,
  s: State<F, At, Mem>,
  output: unknown,
  at: string,
): State<F, At, Mem> {
  const action = wantedBy(machine, s);
  return stageOf(machine, s.at).apply(s, { kind: 'procedure', key: action.key, action, outcome: { output }, at });
}

/** Performs that procedure. `out`: its output as plain data. */
export async function performStage<F, At extends { readonly stage: string }, Mem>(
  machine: AnyMachine<F, At, Mem>,
  s: State<F, At, Mem>,
  answers: Answers,
  config: Config,
): Promise<ScriptedRun & { readonly out: { readonly [field: string]: unknown } }> {
  const { procedure, input } = wantedBy(machine, s);
  const script = scriptedRun(answers);
  const out = await procedureOf(procedure, config)(script.run, JSON.parse(JSON.stringify(input)));
  return { ...script, out: Object.fromEntries(Object.entries(Object(out))) };
}
