// Session 0, which makes a list from a specification: what it has in common in every playbook. Either all that it made is committed, or nothing is.
import { z } from 'zod';
import type { Run, State } from '../../engine/types.ts';
import { checkpointSchema, type Checkpoint } from '../../model/checkpoint.ts';
import type { Actions, ItemOutcome, Say, SessionAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failureSchema, type Failure, type Params } from '../../model/failure.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { converse } from './conversation.ts';
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

/** How often mistakes in what it wrote go back to it. */
const RETRIES = 2;

export type Drafting<F> = {
  /** Left out: session 0. */
  readonly session?: number;
  readonly who: Omit<SessionAsk, 'session' | 'attempt' | 'item' | 'turn' | 'say' | 'resume' | 'agent'>;
  readonly opening: Say;
  readonly config: Config;
  /** What it wrote, and what is wrong with that. */
  readonly check: (step: Run<Actions>) => Promise<F>;
};

/** The session writes its drafts until they have no mistake, a few times. */
export async function drafted<F extends { readonly problems: readonly Problem[] }>(
  run: Run<Actions>,
  { session = 0, who, opening, config, check }: Drafting<F>,
): Promise<({ readonly end: 'fits' } & F) | ({ readonly end: 'refused' } & SessionZeroRefusal)> {
  const refused = (why: Partial<SessionZeroRefusal> & Pick<SessionZeroRefusal, 'reason'>) =>
    ({ end: 'refused', problems: [], failure: null, ...why }) as const;
  const send = converse(run, { who: { session, attempt: 1, item: null, ...who }, opening, config });
  let say: Say = opening;
  for (let retries = 0; ; retries += 1) {
    const { turn, step, outage } = await send(say);
    if (outage) return refused({ reason: outage.failure.reason, failure: outage.failure });
    if (turn.end === 'agent-failed' && turn.failure)
      return refused({ reason: turn.failure.reason, failure: turn.failure });
    if (turn.end !== 'end-turn') return refused({ reason: turn.end });
    const found = await check(step);
    if (found.problems.length === 0) {
      const { tampering } = await run.do('close', { kind: 'close', session });
      return tampering.length === 0
        ? { end: 'fits', ...found }
        : refused({ reason: 'init-rejected', problems: tampering });
    }
    if (retries >= RETRIES) return refused({ reason: 'init-rejected', problems: found.problems });
    say = { kind: 'problems', problems: found.problems, note: '' };
  }
}

/** Its costs and its record, after its commit. */
export async function recordSessionZero(
  run: Run<Actions>,
  {
    session = 0,
    commit,
    ...times
  }: { readonly session?: number; readonly startedAt: string; readonly endedAt: string; readonly commit: string },
): Promise<void> {
  await run.do('costs', { kind: 'remember', what: 'costs', session, item: '0' });
  const summary = { item: '0', ...times, completed: true, termination: 'success', result: 'landed', commit };
  await run.do('record', { kind: 'remember', what: 'session', session, summary });
}

/** Each cause of a list that cannot be read, for the agent that wrote it. */
export const listProblems = (found: Failure): Problem[] =>
  (found.causes ?? [found]).map((cause) => {
    const { file = '', line = 0, column = 0, key = '' } = cause.at ?? {};
    const params: Params = { ...cause.params, reason: cause.reason, file, line, column, key };
    return { code: 'init-backlog-invalid', params };
  });
