// The steps of planning (planner.ts): what is there is looked at, drafts are written until they fit, one commit adds them.
import { z } from 'zod';
import { defineProcedure, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import { checkpointSchema } from '../../model/checkpoint.ts';
import type { Actions } from '../../model/action.ts';
import { problemsSchema } from '../../model/verdict.ts';
import { drafted, recordSessionZero, refusalSchema } from '../session/session-zero.ts';
import { addHere, addToRemote } from './adding.ts';
import { countPlans, draftedPlans, draftsSchema, placedPlans, planSpecSchema } from './drafts.ts';
import { refresh } from './index-step.ts';
import { DRAFTS } from './paths.ts';
import { planner } from './plan-brief.ts';

type R = Run<Actions>;

export const prepare = defineProcedure({
  id: 'delivery.plan.prepare',
  input: z.object({}),
  output: z.object({ count: z.number(), session: z.number(), checkpoint: checkpointSchema }),
  async perform(run) {
    await run.do('clear', { kind: 'tidy', paths: [DRAFTS.folder], keep: [] });
    const { count } = await readFacts(run, countPlans, {});
    const { session } = await run.do('number', { kind: 'number', item: null });
    const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item: null, why: 'pre_plan' });
    return { count, session, checkpoint };
  },
});

const draftEnd = z.discriminatedUnion('end', [
  z.object({ end: z.literal('fits'), drafts: draftsSchema }),
  refusalSchema.extend({ end: z.literal('refused') }),
]);

export const draft = defineProcedure({
  id: 'delivery.plan.draft',
  input: z.object({ spec: planSpecSchema, checkpoint: checkpointSchema, session: z.number() }),
  output: draftEnd,
  async perform(run, { spec, checkpoint, session }, config): Promise<z.output<typeof draftEnd>> {
    const made = await drafted(run, {
      session,
      who: { role: 'planner', title: config.project.name, output: '', writes: [`${DRAFTS.folder}/`] },
      opening: openingSay(planner, { spec }),
      config,
      check: (step) => readFacts(step, draftedPlans, { since: checkpoint.commit, spec }),
    });
    return made.end === 'fits' ? { end: 'fits', drafts: made.drafts } : made;
  },
});

/** How often it is tried where others add commits to the base branch at the same time. */
const MOST_ROUNDS = 5;

export const settle = defineProcedure({
  id: 'delivery.plan.settle',
  input: z.object({
    spec: planSpecSchema,
    session: z.number(),
    startedAt: z.string(),
    endedAt: z.string(),
    drafts: draftsSchema,
  }),
  output: z.object({ commit: z.string().nullable(), refused: problemsSchema }),
  async perform(run, { spec, session, startedAt, endedAt, drafts }, config) {
    const adding = {
      session,
      place: (step: R) => readFacts(step, placedPlans, { spec, drafts }),
      subject: subjectOf(drafts.plans.length),
    };
    const made = await (config.forge.kind === 'none' ? addHere(run, adding) : addToRemote(run, adding, MOST_ROUNDS));
    if (made.commit === null) return made;
    await run.do('drafts', { kind: 'tidy', paths: [DRAFTS.folder], keep: [] });
    await refresh(run);
    await recordSessionZero(run, { session, startedAt, endedAt, commit: made.commit });
    return made;
  },
});

const subjectOf = (count: number): string => `chore: plan ${count} ${count === 1 ? 'piece' : 'pieces'} of work`;

/** What the planner changed beside its drafts is kept as an attempt and taken back; the drafts stay for the user. */
export const undo = defineProcedure({
  id: 'delivery.plan.undo',
  input: z.object({ checkpoint: checkpointSchema, why: refusalSchema, session: z.number() }),
  output: z.object({ attempt: z.string().nullable() }),
  async perform(run, { checkpoint, why: { reason, problems }, session }) {
    await run.do('close', { kind: 'close', session });
    await run.do('costs', { kind: 'remember', what: 'costs', session, item: '0' });
    const summary = { item: '0', completed: false, termination: 'error', result: 'failed', reason, problems };
    await run.do('record', { kind: 'remember', what: 'session', session, summary });
    const { attempt } = await run.do('rollback', { kind: 'rollback', checkpoint, item: null, session, why: reason });
    return { attempt };
  },
});
