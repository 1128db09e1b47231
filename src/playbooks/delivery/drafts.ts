// What a planner drafted, read and judged; and the same as the files of one commit.
import { z } from 'zod';
import { defineEdit, defineSurvey, type ReadContext } from '../../engine/definitions.ts';
import type { Config } from '../../model/config.ts';
import { ok } from '../../model/result.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { acceptanceOf, readAcceptance } from './acceptance.ts';
import { DRAFTS } from './paths.ts';
import { draftProblems, renumbered, type PlansDraft } from './plan-draft.ts';
import type { FoundPlan } from './plan-index.ts';
import { plansFound } from './plans.ts';

/** What is planned from. `path`: inside the repository, null: it is elsewhere. `acceptance`: the criteria that the user has; null: none. */
export const planSpecSchema = z.object({
  path: z.string().nullable(),
  text: z.string(),
  acceptance: z.string().nullable(),
  /** Nothing is planned where plans are there already. */
  isFirst: z.boolean(),
});
export type PlanSpec = z.output<typeof planSpecSchema>;

/** Where the acceptance criteria of the specification are, repository-relative. */
export function acceptanceFile(spec: Pick<PlanSpec, 'path'>, { planDir }: Pick<Config, 'planDir'>): string {
  if (spec.path !== null) return acceptanceOf(spec.path);
  const folder = planDir.split('/').slice(0, -1).join('/');
  return folder === '' ? 'acceptance.md' : `${folder}/acceptance.md`;
}

const files = z.array(z.object({ file: z.string(), text: z.string() })).readonly();
export const draftsSchema = z.object({
  plans: files,
  /** The criteria that the planner drafted; null: the user has some. */
  acceptance: z.string().nullable(),
});
export type Drafts = z.output<typeof draftsSchema>;

/** Plans that are there, those whose work is merged included. One that is in both folders is merged. */
export async function plansThere(context: Pick<ReadContext, 'view' | 'config'>): Promise<readonly FoundPlan[]> {
  const found = new Map((await plansFound(context)).map((one) => [one.head.name, one]));
  return [...found.values()].sort((a, b) => (a.head.id < b.head.id ? -1 : 1));
}

const judged = async (
  context: Pick<ReadContext, 'view' | 'config'>,
  spec: PlanSpec,
  { plans, acceptance }: Drafts,
): Promise<readonly Problem[]> => {
  const { config } = context;
  const criteria = spec.acceptance ?? acceptance;
  const draft: PlansDraft = {
    plans,
    existing: (await plansThere(context)).map(({ head }) => head),
    acceptance: criteria === null ? null : readAcceptance(criteria),
    acceptanceFile: spec.acceptance === null ? DRAFTS.acceptance : acceptanceFile(spec, config),
    reserved: [config.planDir, config.completedDir, config.contextDir, config.paths.stateDir],
  };
  return draftProblems(draft);
};

/** `since`: the checkpoint of the session. */
export const draftedPlans = defineSurvey({
  id: 'delivery.drafted-plans',
  input: z.object({ since: z.string(), spec: planSpecSchema }),
  facts: z.object({ problems: problemsSchema, drafts: draftsSchema }),
  async read(context, { since, spec }) {
    const { view } = context;
    const plans: { file: string; text: string }[] = [];
    for (const file of await view.names(DRAFTS.folder))
      if (`${DRAFTS.folder}/${file}` !== DRAFTS.acceptance)
        plans.push({ file, text: (await view.read(`${DRAFTS.folder}/${file}`)) ?? '' });
    const acceptance = spec.acceptance === null ? await view.read(DRAFTS.acceptance) : null;
    const drafts = { plans, acceptance };
    const problems = [...(await judged(context, spec, drafts))];
    const strays = await view.changedSince(since);
    if (strays.length > 0)
      problems.push({
        code: 'out-of-scope',
        params: { count: strays.length, file: strays[0] ?? '', scope: `${DRAFTS.folder}/` },
        ids: strays.slice(0, MOST_NAMED),
      });
    return { problems: problems.slice(0, MOST_PROBLEMS), drafts };
  },
});
const MOST_NAMED = 20;
/** So many mistakes are one message. */
const MOST_PROBLEMS = 60;

/** The drafts as files of the base branch as it is now. */
export const placedPlans = defineSurvey({
  id: 'delivery.placed-plans',
  input: z.object({ spec: planSpecSchema, drafts: draftsSchema }),
  facts: z.object({ problems: problemsSchema, files: z.record(z.string(), z.string()) }),
  async read(context, { spec, drafts }) {
    const { view, config } = context;
    const existing = (await plansThere(context)).map(({ head }) => head);
    const plans = renumbered(drafts.plans, existing);
    const problems = await judged(context, spec, { ...drafts, plans });
    const criteria = acceptanceFile(spec, config);
    // Criteria that the user wrote and did not commit become part of the commit.
    const acceptance = spec.acceptance ?? drafts.acceptance;
    const isThere = (await view.read(criteria)) !== null;
    return {
      problems,
      files: {
        ...Object.fromEntries(plans.map(({ file, text }) => [`${config.planDir}/${file}`, withEnd(text)])),
        ...(acceptance === null || (isThere && spec.acceptance !== null) ? {} : { [criteria]: withEnd(acceptance) }),
      },
    };
  },
});

const withEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** The same files, in the commit of a repository without a forge. */
export const planFiles = defineEdit({
  id: 'delivery.plan-files',
  input: z.object({ files: z.record(z.string(), z.string()) }),
  texts: (_context, { files: texts }) => Promise.resolve(ok(texts)),
});

/** How many plans there are. */
export const countPlans = defineSurvey({
  id: 'delivery.count-plans',
  input: z.object({}),
  facts: z.object({ count: z.number() }),
  read: async (context) => ({ count: (await plansThere(context)).length }),
});
