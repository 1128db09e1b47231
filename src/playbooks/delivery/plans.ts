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

/** Fails with `backlog-invalid`, with a cause for each mistake of a plan file. */
async function plansIn({ view, config }: ListSources): Promise<Result<readonly FoundPlan[]>> {
  const found: FoundPlan[] = [];
  const causes = [];
  for (const folder of [config.planDir, config.completedDir]) {
    const merged = folder === config.completedDir;
    const names = (await view.names(folder)).filter((name) => planName(name) !== null);
    const heads = [];
    for (const name of names) {
      const head = readPlan(name, (await view.read(`${folder}/${name}`)) ?? '');
      if (head === null) continue;
      heads.push(head);
      found.push({ head, merged });
      const file = `${folder}/${name}`;
      if (!merged)
        for (const { line, what } of head.mistakes)
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
