// What briefs and decisions of a mission need to know of one feature: its entry, its assertions, what earlier sessions found out.
import type { ReadContext } from '../../engine/definitions.ts';
import { assertionsFor, type ContractAssertion } from './contract.ts';
import { decisionsOf, type SettledAssertion } from './decided.ts';
import { debugFile } from './paths.ts';
import { contractOf } from './plan.ts';
import { readMission, type MissionFeature } from './schema.ts';

export type FeatureFacts = {
  readonly feature: Pick<MissionFeature, 'id' | 'title' | 'claims' | 'notes' | 'test_file'>;
  readonly assertions: readonly ContractAssertion[];
  readonly decisions: readonly SettledAssertion[];
  /** What a debugger found out; '': none looked. */
  readonly debug: string;
};

/** Of an item of any list: without claims where the list has none. */
export async function featureFacts(context: ReadContext, id: string): Promise<FeatureFacts> {
  const { view, backlog, config } = context;
  const text = (await view.read(config.paths.backlog)) ?? '';
  const mission = readMission(text, '', { allowCycles: true });
  const own = mission.ok ? mission.value.features.find((feature) => feature.id === id) : undefined;
  const decisions = await decisionsOf(context, id);
  const debug = (await view.read(debugFile(id))) ?? '';
  if (own !== undefined)
    return { feature: own, assertions: assertionsFor(await contractOf(context), own.claims), decisions, debug };
  const list = backlog.read(text, '', { allowCycles: true });
  const subject = list.ok ? list.value.subject(id) : null;
  const title = subject?.title ?? id;
  // Its steps are what it promises.
  const claims = subject === null || subject.steps.length === 0 ? [title] : subject.steps;
  return {
    feature: { id, title, claims: claims.map((_, n) => `${id}.${n + 1}`), test_file: subject?.testFile ?? null },
    assertions: claims.map((claim, n) => ({ id: `${id}.${n + 1}`, text: claim, details: '', line: 0 })),
    decisions,
    debug,
  };
}
