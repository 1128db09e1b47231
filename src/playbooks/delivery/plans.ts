// The plan files of the work tree, and the index derived from them.
import { z } from 'zod';
import { defineEdit, type ReadContext } from '../../engine/definitions.ts';
import type { ListSources } from '../../engine/manifest.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { PHASES, REACHED } from './phases.ts';
import { planName, readPlan, type PlanHead } from './plan-file.ts';
import {
  derive,
  headOf,
  indexText,
  readIndex,
  sameNumbers,
  type FoundPlan,
  type Plan,
  type PlanIndex,
} from './plan-index.ts';

export const planPath = ({ config }: Pick<ReadContext, 'config'>, name: string): string =>
  `${config.planDir}/${name}.md`;
export const completedPath = ({ config }: Pick<ReadContext, 'config'>, name: string): string =>
  `${config.completedDir}/${name}.md`;

const NONE: PlanIndex = { plans: [] };

/**
 * The plans of both folders, as their files are. Merged plans that `kept` names are as they are there, and their files are not read: they grow in number
 * and change no more. An edit of such a file by a user counts from the next look at all of them, at the start of a run.
 */
export async function plansFound({ view, config }: ListSources, kept = NONE): Promise<readonly FoundPlan[]> {
  const merged = kept.plans.filter((plan) => plan.merged);
  const known = new Map<string, PlanHead>(merged.map((plan) => [`${plan.name}.md`, headOf(plan)]));
  const found: FoundPlan[] = [];
  for (const folder of [config.planDir, config.completedDir])
    for (const name of await view.names(folder)) {
      if (planName(name) === null) continue;
      const merged = folder === config.completedDir;
      const head =
        (merged ? known.get(name) : undefined) ?? readPlan(name, (await view.read(`${folder}/${name}`)) ?? '');
      if (head !== null) found.push({ head, merged });
    }
  return found;
}

/** Fails with `backlog-invalid`, with a cause for each mistake of a plan file. */
async function plansIn(from: ListSources, kept: PlanIndex): Promise<Result<readonly FoundPlan[]>> {
  const { config } = from;
  const found = await plansFound(from, kept);
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
  return read?.ok === true ? read.value : NONE;
}

/**
 * The index as the plan files are now. Where they have a mistake, or there is none, as it was derived last: a run says what is wrong. null: it never
 * was. `isWhole`: files of merged plans are read too.
 */
export async function derivedIndex(from: ListSources, isWhole = false): Promise<string | null> {
  const kept = await keptIndex(from);
  const found = await plansIn(from, isWhole ? NONE : kept);
  if (!found.ok || found.value.length === 0) return from.view.read(from.config.paths.backlog);
  return indexText(derive(found.value, kept));
}

/** Derives the index again from the plan files. `isWhole`: of merged plans too. */
export const refreshIndex = defineEdit({
  id: 'delivery.refresh',
  input: z.object({ isWhole: z.literal(true).optional() }),
  async texts(context, { isWhole }) {
    const kept = await keptIndex(context);
    const found = await plansIn(context, isWhole === true ? NONE : kept);
    if (!found.ok) return found;
    return ok({ [context.config.paths.backlog]: indexText(derive(found.value, kept)) });
  },
});

/** Plans that are merged, where the files here do not show it yet: another plan, or this one while it waits, has the work tree. */
export const markMerged = defineEdit({
  id: 'delivery.merged',
  input: z.object({ items: z.array(z.string()) }),
  async texts(context, { items }) {
    const { plans } = await keptIndex(context);
    const heads = plans.map((plan) => ({ head: headOf(plan), merged: plan.merged && plan.migrated !== true }));
    const marked = plans.map((plan) => (items.includes(plan.id) ? { ...plan, migrated: true } : plan));
    return ok({ [context.config.paths.backlog]: indexText(derive(heads, { plans: marked })) });
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

/** The entry of a plan with the text of its file, which others may have renamed since the index was derived; null: there is no such plan. */
export async function planOf(
  context: ReadContext,
  id: string,
): Promise<{ readonly plan: Plan; readonly text: string } | null> {
  const { view, config } = context;
  const plan = (await keptIndex(context)).plans.find((one) => one.id === id);
  if (plan === undefined) return null;
  const text = await view.read(planPath(context, plan.name));
  if (text !== null) return { plan, text };
  const renamed = (await view.names(config.planDir))
    .flatMap((file) => planName(file) ?? [])
    .find((one) => one.id === id);
  if (renamed === undefined) return { plan, text: '' };
  return {
    plan: { ...plan, name: renamed.name },
    text: (await view.read(planPath(context, renamed.name))) ?? '',
  };
}
