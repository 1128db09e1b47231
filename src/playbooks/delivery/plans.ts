// The plan files of the work tree, and the index derived from them.
import { z } from 'zod';
import { defineEdit, type ReadContext } from '../../engine/definitions.ts';
import type { ListSources } from '../../engine/manifest.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { PHASES, REACHED } from './phases.ts';
import { planName, readPlan } from './plan-file.ts';
import { derive, indexText, readIndex, sameNumbers, type FoundPlan, type Plan, type PlanIndex } from './plan-index.ts';

export const planPath = ({ config }: Pick<ReadContext, 'config'>, name: string): string =>
  `${config.planDir}/${name}.md`;
export const completedPath = ({ config }: Pick<ReadContext, 'config'>, name: string): string =>
  `${config.completedDir}/${name}.md`;

/** The plans of both folders, as their files are. */
export async function plansFound({ view, config }: ListSources): Promise<readonly FoundPlan[]> {
  const found: FoundPlan[] = [];
  for (const folder of [config.planDir, config.completedDir])
    for (const name of await view.names(folder)) {
      const head = planName(name) === null ? null : readPlan(name, (await view.read(`${folder}/${name}`)) ?? '');
      if (head !== null) found.push({ head, merged: folder === config.completedDir });
    }
  return found;
}

/** Fails with `backlog-invalid`, with a cause for each mistake of a plan file. */
async function plansIn(from: ListSources): Promise<Result<readonly FoundPlan[]>> {
  const { config } = from;
  const found = await plansFound(from);
  const causes = [];
  for (const merged of [false, true]) {
    const folder = merged ? config.completedDir : config.planDir;
    const heads = found.flatMap((one) => (one.merged === merged ? [one.head] : []));
    for (const { name, mistakes } of merged ? [] : heads) {
      const file = `${folder}/${name}.md`;
      for (const { line, what } of mistakes)
        causes.push(failure('delivery-plan-mistake', { file, what }, { at: { file, line } }));
    }
    for (const what of sameNumbers(heads))
      causes.push(failure('delivery-plan-number', { files: what }, { at: { file: folder } }));
  }
  const [first] = causes;
  if (first === undefined) return ok(found);
  return err(
    failure(
      'backlog-invalid',
      { file: config.planDir, count: causes.length },
      { ...(first.at === undefined ? {} : { at: first.at }), causes },
    ),
  );
}

/** The index before; empty where there is none, or one that cannot be read: all but the decisions in it is derived. */
export async function keptIndex({ view, config }: ListSources): Promise<PlanIndex> {
  const file = config.paths.backlog;
  const text = await view.read(file);
  const read = text === null ? null : readIndex(text, file, { allowCycles: true });
  return read?.ok === true ? read.value : { plans: [] };
}

/**
 * The index as the plan files are now. Where they have a mistake, or there is none, as it was derived last: a run says what is wrong. null: it never
 * was.
 */
export async function derivedIndex(from: ListSources): Promise<string | null> {
  const found = await plansIn(from);
  if (!found.ok || found.value.length === 0) return from.view.read(from.config.paths.backlog);
  return indexText(derive(found.value, await keptIndex(from)));
}

/** Derives the index again from the plan files. */
export const refreshIndex = defineEdit({
  id: 'delivery.refresh',
  input: z.object({}),
  async texts(context) {
    const found = await plansIn(context);
    if (!found.ok) return found;
    return ok({ [context.config.paths.backlog]: indexText(derive(found.value, await keptIndex(context))) });
  },
});

/** In which phase a plan is, and which it has reached. Only people read it. */
export const notePhase = defineEdit({
  id: 'delivery.phase',
  input: z.object({ item: z.string(), phase: z.enum(PHASES).nullable(), reached: z.enum(REACHED).nullable() }),
  async texts(context, { item, phase, reached }) {
    const { plans } = await keptIndex(context);
    const noted = plans.map((plan) => (plan.id === item ? { ...plan, phase, reached } : plan));
    return ok(plans.length === 0 ? {} : { [context.config.paths.backlog]: indexText({ plans: noted }) });
  },
});

/** The entry of a plan with the text of its file; null: there is no such plan. */
export async function planOf(
  context: ReadContext,
  id: string,
): Promise<{ readonly plan: Plan; readonly text: string } | null> {
  const plan = (await keptIndex(context)).plans.find((one) => one.id === id);
  if (plan === undefined) return null;
  return { plan, text: (await context.view.read(planPath(context, plan.name))) ?? '' };
}
