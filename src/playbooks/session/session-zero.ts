// Session 0, which makes a list from a specification: what it has in common in every playbook. Either all that it made is committed, or nothing is.
import { z } from 'zod';
import type { Run, State } from '../../engine/types.ts';
import { checkpointSchema, type Actions, type Checkpoint, type ItemOutcome } from '../../model/action.ts';
import { failureSchema, type Failure, type Params } from '../../model/failure.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import type { SessionStateFile } from './session-state.ts';
import { go, outcomeOf } from './stages.ts';

/** The specification: its text, and its path where it is inside the repository. */
export const specSchema = z.object({ path: z.string().nullable(), text: z.string() });
export type Spec = z.output<typeof specSchema>;

/** `startedAt`: ISO 8601. */
export const begunSchema = z.object({ checkpoint: checkpointSchema, startedAt: z.string() });

/** Why nothing of it is committed. */
export const refusalSchema = z.object({
  reason: z.string(),
  problems: problemsSchema,
  failure: failureSchema.nullable(),
});
export type SessionZeroRefusal = z.output<typeof refusalSchema>;

export const undoSchema = z.object({ stage: z.literal('undo'), checkpoint: checkpointSchema, why: refusalSchema });
type Undo = z.output<typeof undoSchema>;

type Kept<Mem> = Omit<State<SessionStateFile, unknown, Mem>, 'at'>;
type Ended = { readonly stage: 'ended'; readonly outcome: ItemOutcome };

export const undoSessionZero = <Mem>(
  s: Kept<Mem>,
  checkpoint: Checkpoint,
  { reason, problems = [], failure = null }: Partial<SessionZeroRefusal> & Pick<SessionZeroRefusal, 'reason'>,
): State<SessionStateFile, Undo, Mem> => go(s, { stage: 'undo', checkpoint, why: { reason, problems, failure } });

/** After the undo. */
export function sessionZeroRefused<Mem>(
  s: Kept<Mem>,
  { reason, problems, failure }: SessionZeroRefusal,
): State<SessionStateFile, Ended, Mem> {
  const result = failure?.policy === 'needs-human' ? 'blocked' : problems.length > 0 ? 'rejected' : 'failed';
  return go(s, { stage: 'ended', outcome: outcomeOf({ result, reason, problems, failure }) });
}

/** What it made is committed. `at`: ISO 8601. */
export const sessionZeroLanded = <Mem>(
  s: Kept<Mem>,
  commit: string,
  at: string,
): State<SessionStateFile, Ended, Mem> => ({
  mem: s.mem,
  file: { ...s.file, last_session: 0, status: 'complete', next_prompt: 'coding', timestamp: at },
  at: { stage: 'ended', outcome: outcomeOf({ result: 'landed', reason: 'initialised', commit }) },
});

/** Its costs and its record, after its commit. */
export async function recordSessionZero(
  run: Run<Actions>,
  { commit, ...times }: { readonly startedAt: string; readonly endedAt: string; readonly commit: string },
): Promise<void> {
  await run.do('costs', { kind: 'remember', what: 'costs', session: 0, item: '0' });
  const summary = { item: '0', ...times, completed: true, termination: 'success', result: 'landed', commit };
  await run.do('record', { kind: 'remember', what: 'session', session: 0, summary });
}

/** Each cause of a list that cannot be read, for the agent that wrote it. */
export const listProblems = (found: Failure): Problem[] =>
  (found.causes ?? [found]).map((cause) => {
    const { file = '', line = 0, column = 0, key = '' } = cause.at ?? {};
    const params: Params = { ...cause.params, reason: cause.reason, file, line, column, key };
    return { code: 'init-backlog-invalid', params };
  });
