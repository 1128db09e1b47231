// The phase of a workflow by its state.json, and what is wrong with it.
import { broken } from '../../support/workflow-invariants.ts';
import { readState } from '../../../src/playbooks/workflow/file/read.ts';
import { resolved, type WorkflowState } from '../../../src/playbooks/workflow/file/state.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { STATE } from './desk.ts';
import type { WorkflowScenario } from './scenario.ts';

/** `state` null: the file is gone, as it is when all is over. */
export function stateOf(shop: FixtureProject): {
  readonly state: WorkflowState | null;
  readonly wrong: readonly string[];
} {
  const text = shop.read(STATE);
  if (text === null) return { state: null, wrong: [] };
  const read = readState(text, STATE);
  if (!read.ok || read.value.kind === 'foreign')
    return { state: null, wrong: [`${STATE} cannot be read: ${JSON.stringify(read)}`] };
  const { file } = read.value;
  return { state: resolved(file), wrong: broken(file).map((claim) => `does not hold: ${claim}`) };
}

export const phaseOf = (shop: FixtureProject, { phase }: WorkflowScenario): readonly string[] => {
  const found = stateOf(shop).state?.phase ?? null;
  return found === phase ? [] : [`it stands in ${found}, not in ${phase}`];
};
