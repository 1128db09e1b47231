// Complete runs of a machine: its procedures are performed step by step, with outcomes picked among all that a step can have
// (step-outcomes.ts). A run shows what the conformance suite cannot see: the order of the effects inside a stage.
import * as fc from 'fast-check';
import { procedureOf } from '../../src/engine/definitions.ts';
import type { Machine, State } from '../../src/engine/types.ts';
import { stageOf } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import type { Config } from '../../src/model/config.ts';
import { runOf } from '../support/run.ts';
import { stepOutcomes, type Action } from './step-outcomes.ts';

export type Step = { readonly stage: string; readonly name: string; readonly action: Action; readonly outcome: object };
export type MachineRun<F, At, Mem> = {
  readonly start: State<F, At, Mem>;
  readonly steps: readonly Step[];
  /** After each stage. */
  readonly states: readonly State<F, At, Mem>[];
  readonly outputs: readonly { readonly procedure: string; readonly output: unknown }[];
};
export type Choices = { readonly picks: readonly number[]; readonly mood: number };

/** Two of three steps have the usual outcome, so that a run gets past its first stages. */
const choices = fc.record({ picks: fc.array(fc.nat(299), { minLength: 90, maxLength: 90 }), mood: fc.nat(9) });
const SEED = 20_260_101;
export const someChoices = (count: number): readonly Choices[] => fc.sample(choices, { numRuns: count, seed: SEED });

const AT = '2026-01-01T00:00:00.000Z';
const MOST_STEPS = 300;
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Plays the machine to its end. Throws if the run does not end, a name is used for two steps, or a step is not plain data. */
export async function playMachine<F, At extends { readonly stage: string }, Mem>(
  machine: Machine<F, At, Mem, Actions>,
  start: State<F, At, Mem>,
  config: Config,
  { picks, mood }: Choices,
): Promise<MachineRun<F, At, Mem>> {
  const steps: Step[] = [];
  const states: State<F, At, Mem>[] = [];
  const outputs: { procedure: string; output: unknown }[] = [];
  const pick = (action: Action): object => {
    const all = stepOutcomes(action);
    const n = picks[steps.length % picks.length] ?? 0;
    const isUsual = n % 10 < 9 - (mood % 4);
    const [usual = {}] = all;
    return isUsual ? usual : (all[Math.floor(n / 10) % all.length] ?? usual);
  };
  for (let s = start; ;) {
    const wants = stageOf(machine, s.at).wants(s);
    if ('verdict' in wants) return { start, steps, states, outputs };
    const [action] = wants;
    if (action === undefined || wants.length > 1) throw new Error(`${wants.length} actions in ${s.at.stage}`);
    const { stage } = s.at;
    const step = (name: string, asked: Action): object => {
      if (steps.length > MOST_STEPS) throw new Error(`no end after ${MOST_STEPS} steps`);
      const outcome = pick(asked);
      steps.push({ stage, name, action: asked, outcome });
      return outcome;
    };
    let outcome: object;
    if (action.kind === 'procedure') {
      const perform = procedureOf(action.procedure, config);
      const output = asJson(await perform(runOf(step), asJson(action.input)));
      outputs.push({ procedure: action.procedure, output });
      outcome = { output };
    } else outcome = step(action.key, action);
    s = stageOf(machine, s.at).apply(s, { kind: action.kind, key: action.key, action, outcome, at: AT } as never);
    states.push(s);
  }
}

/** The outputs of procedures in runs of a machine, each once: outcomes for the conformance suite. */
export async function outputsOf<F, At extends { readonly stage: string }, Mem>(
  machine: Machine<F, At, Mem, Actions>,
  files: readonly F[],
  config: Config,
  runs: number,
): Promise<{ readonly [procedure: string]: readonly unknown[] }> {
  const found = new Map<string, Map<string, unknown>>();
  for (const [n, one] of someChoices(runs).entries()) {
    const file = files[n % files.length];
    if (file === undefined) throw new Error('a run needs a file');
    for (const { procedure, output } of (await playMachine(machine, { file, ...machine.place(file) }, config, one))
      .outputs) {
      const of = found.get(procedure) ?? new Map<string, unknown>();
      found.set(procedure, of.set(JSON.stringify(output), output));
    }
  }
  return Object.fromEntries([...found].map(([procedure, outputs]) => [procedure, spread([...outputs.values()])]));
}

/** The claims of the suite try every output in every state: so many are enough. */
const MOST_OUTPUTS = 48;
const spread = <T>(all: readonly T[]): readonly T[] =>
  all.filter(
    (_one, n) => Math.floor((n * MOST_OUTPUTS) / all.length) !== Math.floor(((n - 1) * MOST_OUTPUTS) / all.length),
  );
