// How a specification becomes a plan: the planner drafts features and contract, the harness checks that they fit, the reviewer accepts or
// rejects. Either the whole plan is committed, or nothing is. The machine of session 0.
//
//   checkpoint ─▶ plan ─┬─ fits ─▶ review ─┬─ accepted ─▶ settle ─▶ ended: landed
//                       └─ else ───────────┴─ rejected ─▶ undo ───▶ ended: blocked (plan-rejected), rejected, failed
import { z } from 'zod';
import { defineProcedure, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import type { Machine, Run } from '../../engine/types.ts';
import { checkpointSchema } from '../../model/checkpoint.ts';
import { itemOutcomeSchema, type Actions } from '../../model/action.ts';
import { failure } from '../../model/failure.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import {
  begunSchema,
  drafted,
  recordSessionZero,
  refusalSchema,
  sessionZeroLanded,
  sessionZeroRefused,
  specSchema,
  undoSchema,
  undoSessionZero,
  type Spec,
} from '../session/session-zero.ts';
import { sessionStateSchema, type SessionStateFile } from '../session/session-state.ts';
import { endedStage, go, procedureStages, sessionMachine } from '../session/stages.ts';
import { verdictLine } from './answers.ts';
import { writeEscalation } from './escalation.ts';
import { CONTRACT, DRAFT, LIST } from './paths.ts';
import { draftedPlan, planFiles } from './plan.ts';
import { planner, planReviewer } from './plan-briefs.ts';
import { askRole } from './role-session.ts';
import { takeBack } from '../session/strays.ts';

type R = Run<Actions>;

const begun = begunSchema.extend({ spec: specSchema });
const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('checkpoint') }),
    begun.extend({ stage: z.literal('plan') }),
    begun.extend({ stage: z.literal('review'), endedAt: z.string() }),
    begun.extend({ stage: z.literal('settle'), endedAt: z.string(), notes: z.string() }),
    undoSchema,
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({}),
});
type Position = z.output<typeof positionSchema>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();

export function plannerMachine(spec: Spec): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
  return {
    name: 'mission-plan',
    version: 1,
    file: sessionStateSchema,
    position: positionSchema,
    place: () => ({ at: { stage: 'checkpoint' }, mem: {} }),
    stages: {
      checkpoint: performs('checkpoint', prepare, {
        input: () => ({}),
        next: (s, checkpoint, at) => go(s, { stage: 'plan', checkpoint, startedAt: at, spec }),
      }),
      plan: performs('plan', draft, {
        input: ({ at }) => ({ spec: at.spec, checkpoint: at.checkpoint }),
        next: (s, made, at) =>
          made.end === 'fits'
            ? go(s, { ...s.at, stage: 'review', endedAt: at })
            : undoSessionZero(s, s.at.checkpoint, made),
        lost: (s) => undoSessionZero(s, s.at.checkpoint, { reason: 'session-lost' }),
      }),
      review: performs('review', review, {
        input: ({ at }) => ({ spec: at.spec, checkpoint: at.checkpoint }),
        next: (s, made) =>
          made.end === 'accepted'
            ? go(s, { ...s.at, stage: 'settle', notes: made.notes })
            : undoSessionZero(s, s.at.checkpoint, made),
        lost: (s) => undoSessionZero(s, s.at.checkpoint, { reason: 'session-lost' }),
      }),
      settle: performs('settle', settle, {
        input: ({ at: { startedAt, endedAt, notes } }) => ({ startedAt, endedAt, notes }),
        next(s, { commit, refused: problems }, at) {
          if (commit !== null) return sessionZeroLanded(s, commit, at);
          return undoSessionZero(s, s.at.checkpoint, { reason: problems[0]?.code ?? 'refused', problems });
        },
      }),
      undo: performs('undo', undo, {
        input: ({ at: { checkpoint, why } }) => ({ checkpoint, why: why.reason }),
        next: (s) => sessionZeroRefused(s, s.at.why),
      }),
      ended: endedStage(),
    },
  };
}

export const missionPlan = (spec: Spec): Drivable<Actions> => sessionMachine(plannerMachine(spec));

const prepare = defineProcedure({
  id: 'mission.plan.prepare',
  input: z.object({}),
  output: checkpointSchema,
  async perform(run) {
    await run.do('abandon', { kind: 'abandon', session: 0, item: null });
    await run.do('clear', { kind: 'tidy', paths: [DRAFT.list, DRAFT.contract], keep: [] });
    return run.do('checkpoint', { kind: 'checkpoint', session: 0, item: null, why: 'pre_plan' });
  },
});

const ofPlan = z.object({ spec: specSchema, checkpoint: checkpointSchema });
const fitsOrNot = z.discriminatedUnion('end', [
  z.object({ end: z.literal('fits') }),
  refusalSchema.extend({ end: z.literal('refused') }),
]);

const draft = defineProcedure({
  id: 'mission.plan.draft',
  input: ofPlan,
  output: fitsOrNot,
  async perform(run, { spec, checkpoint }, config): Promise<z.output<typeof fitsOrNot>> {
    const made = await drafted(run, {
      who: { role: 'planner', title: config.project.name, output: DRAFT.list, writes: [DRAFT.contract] },
      opening: openingSay(planner, { spec }),
      config,
      check: (step) => readFacts(step, draftedPlan, { since: checkpoint.commit }),
    });
    return made.end === 'fits' ? { end: 'fits' } : made;
  },
});

const ANSWERS = ['accept', 'accept-with-notes', 'reject'] as const;
const reviewed = z.discriminatedUnion('end', [
  z.object({ end: z.literal('accepted'), notes: z.string() }),
  refusalSchema.extend({ end: z.literal('refused') }),
]);

const review = defineProcedure({
  id: 'mission.plan.review',
  input: ofPlan,
  output: reviewed,
  async perform(run, { spec, checkpoint }, config): Promise<z.output<typeof reviewed>> {
    const asked = await askRole(
      run,
      {
        role: 'plan-reviewer',
        item: null,
        title: config.project.name,
        attempt: 1,
        opening: openingSay(planReviewer, { spec }),
        read(text) {
          const found = verdictLine(text, ANSWERS);
          const unanswered: Problem = { code: 'review-unanswered', params: { role: 'plan-reviewer' } };
          return Promise.resolve(found === null ? { problems: [unanswered] } : { answer: found.word });
        },
      },
      config,
    );
    await takeBack(run, checkpoint, { session: asked.session, item: null });
    if (asked.is === 'unavailable')
      return { end: 'refused', reason: asked.failure.reason, failure: asked.failure, problems: [] };
    switch (asked.is === 'answered' ? asked.answer : null) {
      case 'accept':
        return { end: 'accepted', notes: '' };
      case 'accept-with-notes':
        return { end: 'accepted', notes: asked.text };
      default:
        return rejected(run, asked.text);
    }
  },
});

/** The reasons are kept for the user and for the next planner. */
async function rejected(run: R, text: string): Promise<z.output<typeof reviewed>> {
  const reasons = text.trim() === '' ? 'no reasons were given' : text.trim();
  const problem: Problem = { code: 'plan-rejected', params: { reasons } };
  await writeEscalation(run, {
    title: 'The plan was rejected',
    why: reasons,
    next: [`The draft is in ${DRAFT.list} and ${DRAFT.contract}.`, 'Improve the specification and plan again.'],
    also: { [DRAFT.review]: `${reasons}\n` },
  });
  return {
    end: 'refused',
    reason: 'plan-rejected',
    failure: failure('plan-rejected', { reasons }),
    problems: [problem],
  };
}

const settle = defineProcedure({
  id: 'mission.plan.settle',
  /** ISO 8601. */
  input: z.object({ startedAt: z.string(), endedAt: z.string(), notes: z.string() }),
  output: z.object({ commit: z.string().nullable(), refused: problemsSchema }),
  async perform(run, { startedAt, endedAt, notes }) {
    const { commit, refused } = await run.do('commit', {
      kind: 'commit',
      style: 'plain',
      item: null,
      session: 0,
      subject: 'chore(mission): plan',
      body: notes,
      tree: null,
      checkpoint: null,
      only: [LIST, CONTRACT],
      edit: editCall(planFiles, {}),
    });
    if (commit === null) return { commit, refused: refused === null ? [] : [refused] };
    await run.do('drafts', { kind: 'tidy', paths: [DRAFT.list, DRAFT.contract, DRAFT.review], keep: [] });
    await recordSessionZero(run, { startedAt, endedAt, commit });
    return { commit, refused: [] };
  },
});

/** What the planner changed beside its drafts is kept as an attempt and taken back; the drafts stay for the user. */
const undo = defineProcedure({
  id: 'mission.plan.undo',
  input: z.object({ checkpoint: checkpointSchema, why: z.string() }),
  output: z.object({ attempt: z.string().nullable() }),
  async perform(run, { checkpoint, why }) {
    await run.do('close', { kind: 'close', session: 0 });
    await run.do('costs', { kind: 'remember', what: 'costs', session: 0, item: '0' });
    const { attempt } = await run.do('rollback', { kind: 'rollback', checkpoint, item: null, session: 0, why });
    return { attempt };
  },
});
