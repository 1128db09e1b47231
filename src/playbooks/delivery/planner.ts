// How a specification becomes plans: the planner drafts plan files and acceptance criteria, the harness checks that they fit, and one commit adds them
// to the base branch. Either all of it is committed, or nothing is.
//
//   checkpoint ─┬─▶ plan ─┬─ fits ─▶ settle ─▶ ended: landed
//               │         └─ else ─▶ undo ───▶ ended: rejected, failed, blocked
//               └─ plans are there and only first ones are wanted, or the user's criteria have a mistake ─▶ ended
//
// With a forge, agents work beside the user's work tree, the commit is made on the branch of the remote, and the branch here follows it. Where others
// were faster, the drafts get the numbers after theirs, and it is tried again.
import { z } from 'zod';
import { defineProcedure, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import type { Machine, Run } from '../../engine/types.ts';
import { checkpointSchema, itemOutcomeSchema, type Actions } from '../../model/action.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import {
  drafted,
  recordSessionZero,
  refusalSchema,
  sessionZeroLanded,
  sessionZeroRefused,
  undoSchema,
  undoSessionZero,
} from '../session/session-zero.ts';
import { sessionStateSchema, type SessionStateFile } from '../session/session-state.ts';
import { endedStage, go, outcomeOf, procedureStages, sessionMachine } from '../session/stages.ts';
import { acceptanceOf, readAcceptance } from './acceptance.ts';
import {
  countPlans,
  draftedPlans,
  draftsSchema,
  placedPlans,
  planFiles,
  planSpecSchema,
  type PlanSpec,
} from './drafts.ts';
import { refresh } from './index-step.ts';
import { DRAFTS } from './paths.ts';
import { planner } from './plan-brief.ts';
import { criteriaProblems } from './plan-draft.ts';

type R = Run<Actions>;

const begun = z.object({
  checkpoint: checkpointSchema,
  session: z.number(),
  /** ISO 8601. */
  startedAt: z.string(),
  spec: planSpecSchema,
});
const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('checkpoint') }),
    begun.extend({ stage: z.literal('plan') }),
    begun.extend({ stage: z.literal('settle'), endedAt: z.string(), drafts: draftsSchema }),
    undoSchema.extend({ session: z.number() }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({}),
});
type Position = z.output<typeof positionSchema>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();
type Refused = Parameters<typeof undoSessionZero>[2];
type Begun = { readonly file: SessionStateFile; readonly mem: Position['mem']; readonly at: z.output<typeof begun> };

function undone(s: Begun, why: Refused) {
  const { file, mem, at } = undoSessionZero(s, s.at.checkpoint, why);
  return { file, mem, at: { ...at, session: s.at.session } };
}

export function deliveryPlanMachine(
  spec: PlanSpec,
): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
  return {
    name: 'delivery-plan',
    version: 1,
    file: sessionStateSchema,
    position: positionSchema,
    place: () => ({ at: { stage: 'checkpoint' }, mem: {} }),
    stages: {
      checkpoint: performs('checkpoint', prepare, {
        input: () => ({}),
        next(s, { count, checkpoint, session }, at) {
          const ended = (outcome: Parameters<typeof outcomeOf>[0]) =>
            go(s, { stage: 'ended' as const, outcome: outcomeOf(outcome) });
          if (spec.isFirst && count > 0) return ended({ result: 'landed', reason: 'already-planned' });
          // Those of the user are for the user to correct.
          const problems = givenProblems(spec);
          if (problems.length > 0) return ended({ result: 'rejected', reason: 'init-rejected', problems });
          return go(s, { stage: 'plan', checkpoint, session, startedAt: at, spec });
        },
      }),
      plan: performs('plan', draft, {
        input: ({ at: { spec: of, checkpoint, session } }) => ({ spec: of, checkpoint, session }),
        next: (s, made, at) =>
          made.end === 'fits' ? go(s, { ...s.at, stage: 'settle', endedAt: at, drafts: made.drafts }) : undone(s, made),
        lost: (s) => undone(s, { reason: 'session-lost' }),
      }),
      settle: performs('settle', settle, {
        input: ({ at: { spec: of, session, startedAt, endedAt, drafts } }) => ({
          spec: of,
          session,
          startedAt,
          endedAt,
          drafts,
        }),
        next: (s, { commit, refused: problems }, at) =>
          commit === null
            ? undone(s, { reason: problems[0]?.code ?? 'refused', problems })
            : sessionZeroLanded(s, commit, at),
      }),
      undo: performs('undo', undo, {
        input: ({ at: { checkpoint, why, session } }) => ({ checkpoint, why, session }),
        next: (s) => sessionZeroRefused(s, s.at.why),
      }),
      ended: endedStage(),
    },
  };
}

const givenProblems = ({ path, acceptance }: PlanSpec): readonly Problem[] =>
  acceptance === null ? [] : criteriaProblems(readAcceptance(acceptance), acceptanceOf(path ?? ''));

export const deliveryPlan = (spec: PlanSpec): Drivable<Actions> => sessionMachine(deliveryPlanMachine(spec));

const prepare = defineProcedure({
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

const draft = defineProcedure({
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

type Settled = { readonly commit: string | null; readonly refused: readonly Problem[] };

const settle = defineProcedure({
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
    const add = config.forge.kind === 'none' ? addedHere : addedToRemote;
    const made = await add(run, { spec, session, drafts });
    if (made.commit === null) return made;
    await run.do('drafts', { kind: 'tidy', paths: [DRAFTS.folder], keep: [] });
    await refresh(run);
    await recordSessionZero(run, { session, startedAt, endedAt, commit: made.commit });
    return made;
  },
});

type Adding = Pick<z.output<typeof draftEnd> & { readonly end: 'fits' }, 'drafts'> & {
  readonly spec: PlanSpec;
  readonly session: number;
};
const subjectOf = (count: number): string => `chore: plan ${count} ${count === 1 ? 'piece' : 'pieces'} of work`;

async function addedToRemote(run: R, { spec, drafts }: Adding): Promise<Settled> {
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const step = run.scope(`round-${round}`);
    const { commit: base } = await step.do('follow', { kind: 'follow-base', item: null });
    const { problems, files, count } = await readFacts(step, placedPlans, { spec, drafts });
    if (problems.length > 0) return { commit: null, refused: problems };
    const { commit } = await step.do('add', { kind: 'add-files', base, files, subject: subjectOf(count) });
    if (commit === null) continue;
    await run.do('follow', { kind: 'follow-base', item: null });
    return { commit, refused: [] };
  }
  return { commit: null, refused: [{ code: 'branch-moved', params: {} }] };
}

async function addedHere(run: R, { spec, session, drafts }: Adding): Promise<Settled> {
  const { problems, files, count } = await readFacts(run, placedPlans, { spec, drafts });
  if (problems.length > 0) return { commit: null, refused: problems };
  const { commit, refused } = await run.do('commit', {
    kind: 'commit',
    style: 'plain',
    item: null,
    session,
    subject: subjectOf(count),
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

/** What the planner changed beside its drafts is kept as an attempt and taken back; the drafts stay for the user. */
const undo = defineProcedure({
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
