// Facts that every machine asks for before a session: where it is, what git says, what money is left.
import { parse } from 'yaml';
import { z } from 'zod';
import type { Survey } from '../../engine/playbook.ts';
import { exhausted, limitsFor, raisedShape } from '../../model/budget.ts';
import { failure, filesNamed } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { unfit } from '../../model/own-files.ts';

/** Whatever is JSON in fact, as JSON in type; undefined members vanish. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Preflight 1: the folder is the top of a work tree and holds the configuration that was read. */
const directory: Survey = async (world, input) => {
  const { config } = z.object({ config: z.string().nullable() }).parse(input);
  const isThere = (await world.stat('.'))?.kind === 'folder';
  const hasConfig = config === null || (await world.stat(config))?.kind === 'file';
  return asJson({
    failure: isThere && hasConfig ? null : failure('wrong-directory', { missing: isThere ? String(config) : '.' }),
  });
};

/** Preflight 3: on a branch, nothing that a person is in the middle of, nothing uncommitted. */
const gitState: Survey = async (world) => {
  const { branch, dirty, operation } = await world.head();
  if (operation !== null) return asJson({ failure: failure('git-operation-open', { operation }) });
  if (branch === null) return asJson({ failure: failure('detached-head') });
  if (dirty.length > 0) return asJson({ failure: failure('dirty-tree', filesNamed(dirty)) });
  return asJson({ failure: null });
};

/** Where the branch is: `{commit}`. */
const head: Survey = async (world) => asJson({ commit: (await world.head()).commit });

const money = z.number().nullable();
const budgetInput = z.object({
  file: z.string(),
  item: z.string(),
  session: z.number().default(0),
  costs: z.looseObject({ perSessionUsd: money, perFeatureUsd: money, totalProjectUsd: money }),
});
const spentShape = z.looseObject({
  current_session: z.looseObject({ session_id: z.number(), cost_usd: z.number() }).optional(),
  cumulative: z.looseObject({
    total_cost_usd: z.number(),
    by_feature: z.array(z.looseObject({ feature_id: z.union([z.number(), z.string()]), cost_usd: z.number() })),
  }),
  raised: raisedShape.default([]),
});
const NOTHING_SPENT: z.output<typeof spentShape> = { cumulative: { total_cost_usd: 0, by_feature: [] }, raised: [] };

/** Preflight 7: money is left for a session, for this feature, for the project. `{failure, over}`, both null where it is. */
const budget: Survey = async (world, input) => {
  const { file, item, session, costs } = budgetInput.parse(input);
  const text = await world.read(file);
  let spent = NOTHING_SPENT;
  try {
    if (text !== null) spent = spentShape.parse(parse(text));
  } catch (error) {
    return asJson({ failure: unfit(file, error), over: null });
  }
  const { current_session: current, cumulative, raised } = spent;
  const over = exhausted(limitsFor(costs, raised, item), {
    session: current?.session_id === session ? current.cost_usd : 0,
    feature: cumulative.by_feature.find((f) => String(f.feature_id) === item)?.cost_usd ?? 0,
    project: cumulative.total_cost_usd,
  });
  if (over === null) return asJson({ failure: null, over });
  const { scope, spentUsd, limitUsd } = over;
  const baseUsd = limitsFor(costs, [], item)[scope];
  return asJson({
    failure: failure('budget-exhausted', { scope: `budget-${scope}`, spentUsd, limitUsd }),
    over: { ...over, baseUsd },
  });
};

export const sessionSurveys = { directory, 'git-state': gitState, head, budget } as const satisfies {
  readonly [name: string]: Survey;
};
