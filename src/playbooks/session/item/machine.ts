// The machine that takes one item through one session, for every kind of item (kind.ts).
//
//   prepare ─▶ work ─▶ decide ─▶ close ─▶ ended
//
// prepare: preflight, the questions before a session, the checkpoint · work: the agent works, the harness proves · decide: what becomes of the
// work, by the user where the proof is not clear · close: landed, saved or rolled back.
//
// Each stage is one procedure, in the file of its name; every question and every retry is a step inside it. A crash resumes the procedure of the
// stage; an upgrade or an edited session_state.json restarts that one stage. The machine's file is session_state.json.
import { z } from 'zod';
import type { ItemInput } from '../../../engine/playbook.ts';
import type { External, Machine, State } from '../../../engine/types.ts';
import { itemOutcomeSchema, type Actions, type ItemOutcome } from '../../../model/action.ts';
import { problemsSchema } from '../../../model/verdict.ts';
import {
  workDecisionSchema,
  endedSession,
  NO_PROBLEM,
  startedSession,
  workResult,
  type WorkDecision,
  type EndedSession,
  type StartedSession,
} from '../facts.ts';
import { sessionStateSchema, type SessionStateFile, finished, started } from '../session-state.ts';
import { endedStage, go, outcomeOf, procedureStages } from '../stages.ts';
import { defineClose } from './close.ts';
import { defineDecide } from './decide.ts';
import type { ItemKind } from './kind.ts';
import { definePrepare } from './prepare.ts';
import { defineWork } from './work.ts';

const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('prepare') }),
    startedSession.extend({ stage: z.literal('work'), firstTask: problemsSchema }),
    endedSession.extend({ stage: z.literal('decide'), work: workResult }),
    endedSession.extend({ stage: z.literal('close'), decision: workDecisionSchema }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({ paused: z.boolean() }),
});
type Position = z.output<typeof positionSchema>;
type S = State<SessionStateFile, Position['at'], Position['mem']>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();

/** Once for each kind, when its module is loaded: it defines the procedures of the kind. */
export function defineItemMachine(
  kind: ItemKind,
): (input: ItemInput) => Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
  const prepare = definePrepare(kind);
  const work = defineWork(kind);
  const decide = defineDecide(kind);
  const close = defineClose(kind);
  return ({ session, item }) => ({
    name: kind.name,
    version: kind.version,
    file: sessionStateSchema,
    position: positionSchema,
    place: () => ({ at: { stage: 'prepare' }, mem: { paused: false } }),
    on: onPause,
    stages: {
      prepare: performs('prepare', prepare, {
        input: (s) => ({ item, session, lastItem: s.file.current_feature, stuckCount: s.file.stuck_count }),
        next(s, found, at) {
          const file = found.wasAskedAboutStuck ? { ...s.file, stuck_count: 0 } : s.file;
          if (found.is === 'ended') return ended({ ...s, file }, found.outcome);
          const { facts, firstTask, checkpoint } = found;
          const after = { ...s, file: started(file, { session, feature: item, at }) };
          return go(after, { stage: 'work', facts, firstTask, checkpoint, startedAt: at });
        },
      }),
      work: performs('work', work, {
        input: ({ at: { facts, firstTask, checkpoint } }) => ({ facts, firstTask, checkpoint, session }),
        next: (s, result, at) =>
          go(s, { stage: 'decide', ...sessionOf(s.at), text: result.text, endedAt: at, work: result }),
        // The session of an older version of the program cannot be resumed: it is rolled back.
        lost: (s) =>
          go(s, { stage: 'close', ...sessionOf(s.at), text: '', endedAt: s.at.startedAt, decision: LOST_SESSION }),
      }),
      decide: performs('decide', decide, {
        input: (s) => ({ ...endedOf(s.at), work: s.at.work, session }),
        next: (s, decision) => go(s, { stage: 'close', ...endedOf(s.at), decision }),
      }),
      close: performs('close', close, {
        input: (s) => ({ ...endedOf(s.at), decision: s.at.decision, session, paused: s.mem.paused }),
        next: (s, { end, outcome }, at) => ended({ ...s, file: finished(s.file, { ...end, at }) }, outcome),
      }),
      ended: endedStage(),
    },
  });
}

const LOST_SESSION: WorkDecision = { do: 'reject', why: { ...NO_PROBLEM, reason: 'session-lost' } };
const ended = (s: S, outcome: ItemOutcome): S => go(s, { stage: 'ended', outcome });
const sessionOf = ({ facts, checkpoint, startedAt }: StartedSession): StartedSession => ({
  facts,
  checkpoint,
  startedAt,
});
const endedOf = (s: EndedSession): EndedSession => ({ ...sessionOf(s), text: s.text, endedAt: s.endedAt });

/**
 * A pause before the agent's session: it does not start. During it: its work is saved. After it the end is near and is waited for; while a
 * question is open nothing runs, and the loop handles the pause.
 */
function onPause(s: S, event: External, at: string): S {
  if (event.type !== 'pause') return s;
  const paused = { ...s, mem: { paused: true } };
  if (s.at.stage === 'prepare') return ended(paused, outcomeOf({ result: 'paused', reason: 'user_pause' }));
  if (s.at.stage !== 'work') return s;
  const decision = { do: 'save', why: 'user_pause', failure: null } as const;
  return go(paused, { stage: 'close', ...sessionOf(s.at), text: '', endedAt: at, decision });
}
