// Plan files are added as one commit: to the base branch of the remote, which the branch here follows, or here where there is no forge.
import { z } from 'zod';
import { defineProcedure, defineSurvey, editCall, readFacts } from '../../engine/definitions.ts';
import { addedItem, additionSchema } from '../../engine/playbook.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { planFiles, plansThere } from './drafts.ts';
import { refresh } from './index-step.ts';
import { newPlan, planEntrySchema } from './new-plan.ts';

type R = Run<Actions>;

/** Files as they are to be on the base branch as it is now; none where they are there, or do not fit. */
type Placed = { readonly problems: readonly Problem[]; readonly files: { readonly [path: string]: string } };
type Adding = {
  readonly session: number;
  readonly place: (step: R) => Promise<Placed>;
  readonly subject: string;
};
export type AddedFiles = { readonly commit: string | null; readonly refused: readonly Problem[] };

/** `rounds`: how often it is tried where others add commits to the base branch at the same time; then it is refused. */
export async function addToRemote(run: R, { place, subject }: Adding, rounds: number): Promise<AddedFiles> {
  for (let round = 1; round <= rounds; round += 1) {
    const step = run.scope(`round-${round}`);
    const { commit: base } = await step.do('follow', { kind: 'follow-base', item: null });
    const { problems, files } = await place(step);
    if (problems.length > 0) return { commit: null, refused: problems };
    if (Object.keys(files).length === 0) return { commit: null, refused: [] };
    const { commit } = await step.do('add', { kind: 'add-files', base, files, subject });
    if (commit === null) continue;
    await run.do('follow', { kind: 'follow-base', item: null });
    return { commit, refused: [] };
  }
  return { commit: null, refused: [{ code: 'branch-moved', params: {} }] };
}

export async function addHere(run: R, { session, place, subject }: Adding): Promise<AddedFiles> {
  const { problems, files } = await place(run);
  if (problems.length > 0) return { commit: null, refused: problems };
  if (Object.keys(files).length === 0) return { commit: null, refused: [] };
  const { commit, refused } = await run.do('commit', {
    kind: 'commit',
    style: 'plain',
    item: null,
    session,
    subject,
    body: '',
    tree: null,
    checkpoint: null,
    only: Object.keys(files),
    edit: editCall(planFiles, { files }),
  });
  if (commit === null) return { commit, refused: refused === null ? [] : [refused] };
  await run.do('push', { kind: 'push', commit });
  return { commit, refused: [] };
}

/** The entry of a plan as the file of one. */
const placedPlan = defineSurvey({
  id: 'delivery.new-plan',
  input: z.object({ entry: planEntrySchema }),
  facts: z.object({ problems: problemsSchema, files: z.record(z.string(), z.string()) }),
  async read(context, { entry }) {
    const plan = newPlan(
      entry,
      (await plansThere(context)).map(({ head }) => head),
    );
    return { problems: [], files: plan === null ? {} : { [`${context.config.planDir}/${plan.file}`]: plan.text } };
  },
});

/** Others who push at the same time delay it: it is a fetch and a push each time, and ends with the run. */
export const addPlan = defineProcedure({
  id: 'delivery.add-plan',
  input: additionSchema,
  output: addedItem,
  async perform(run, { entry, subject }, { forge }) {
    const plan = planEntrySchema.parse(entry);
    const adding: Adding = {
      session: 0,
      place: (step) => readFacts(step, placedPlan, { entry: plan }),
      subject,
    };
    const { commit } = await (forge.kind === 'none' ? addHere(run, adding) : addToRemote(run, adding, Infinity));
    await refresh(run);
    return { commit };
  },
});
