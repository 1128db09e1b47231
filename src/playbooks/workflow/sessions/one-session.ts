// One session of a workflow: it is told its brief, must leave its file, and its first line is all that is heard of it (reference 004,
// Sub-agent Return Value Rules). What counts of it is judged and written down when all that work beside it have ended.
import type { Run } from '../../../engine/types.ts';
import type { Actions, Checkpoint, Say, TurnOutcome } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import type { Failure } from '../../../model/failure.ts';
import type { Problem } from '../../../model/verdict.ts';
import { ask } from '../../session/asks.ts';
import { converse, type Heard } from '../../session/conversation.ts';
import type { BriefInput } from './brief-input.ts';
import { briefInputOf } from './brief-parts.ts';
import { modelFor } from './models.ts';
import { readReturn, type Returned } from './returns.ts';
import type { SessionSpec } from '../table/sessions.ts';
import type { WorkflowState } from '../file/state.ts';

type R = Run<Actions>;
/** A group of sessions that is sent: what for, and what they are told. */
export type Dispatch = {
  readonly item: string;
  readonly stage: string;
  /** The number of the first; the others follow. */
  readonly session: number;
  readonly specs: readonly SessionSpec[];
  readonly attempt: number;
  readonly state: WorkflowState;
  readonly retry: BriefInput['retry'];
  readonly note: string;
  readonly files?: readonly string[];
};
type Said = {
  readonly said: TurnOutcome;
  /** What it should have left and has not. */
  readonly problems: readonly Problem[];
  readonly outage: Heard['outage'];
};

/** What its steps are called. */
export const nameOf = ({ role, persona }: SessionSpec): string => (persona === null ? role : `${role}-${persona}`);

export type One = Dispatch & {
  readonly spec: SessionSpec;
  /** The numbers of all that are sent with it. */
  readonly group: readonly number[];
  readonly checkpoint: Checkpoint;
};

/** One session from its first word to its last. It is told once what is missing, then it is over. */
export async function hear(run: R, input: One, config: Config): Promise<Said> {
  const { spec, session, item, attempt, state } = input;
  const { role, persona, output } = spec;
  const { retry, note, files = [] } = input;
  const brief: BriefInput = { role, persona, output, state, retry, note, files };
  const opening: Say = { kind: 'open', brief: role, input: briefInputOf(brief) };
  const model = modelFor(role, state.model_config);
  const beside = input.group.length > 1 ? { beside: input.group } : {};
  const who = { role, session, attempt, item, title: titleOf(state), output, model, ...beside };
  const tell = converse(run, { who, opening, config });
  let heard = await tell(opening);
  let problems = await misses(heard.step, input);
  for (let fixes = 0; problems.length > 0 && isAnswered(heard) && fixes < config.verification.fixTurns; fixes += 1) {
    heard = await tell({ kind: 'problems', problems, note: '' });
    problems = await misses(heard.step, input);
  }
  return { said: heard.said, outage: heard.outage, problems };
}

const isAnswered = ({ outage, said }: Pick<Heard, 'outage' | 'said'>): boolean =>
  outage === null && said.end === 'end-turn';

export type Judged = {
  readonly returned: Returned;
  readonly problems: readonly Problem[];
  readonly outage: Failure | null;
  readonly end: string;
};

/** What counts of a session: its first line, what it left, whether it kept to the rules. */
export function judged(
  { role, output }: SessionSpec,
  { said, problems, outage }: Said,
  tampering: readonly Problem[],
): Judged {
  const returned = readReturn(role, said.head ?? said.text);
  // Half of a file beside an honest "FAIL" is not what it was sent for.
  const isGivenUp = returned.keyword === 'FAIL' && role !== 'evaluator' && role !== 'verifier';
  const given: readonly Problem[] = isGivenUp
    ? [{ code: 'session-gave-up', params: { role, line: returned.line } }]
    : [];
  const found = [...problems, ...given, ...tampering];
  const isCut = found.length === 0 && !isAnswered({ said, outage });
  const cut: readonly Problem[] = isCut ? [{ code: 'output-missing', params: { file: output, role } }] : [];
  const isGone = outage !== null && (outage.next === 'pause' || outage.next === 'hand-over');
  const end = outage?.failure.reason ?? found[0]?.code ?? said.end;
  return { returned, problems: [...found, ...cut], outage: isGone ? outage.failure : null, end };
}

/** `attempt`: where what it did was put that was taken back; null: nothing was. */
export async function record(
  run: R,
  one: Judged,
  {
    item,
    session,
    role,
    attempt,
  }: Pick<One, 'item' | 'session'> & { readonly role: string; readonly attempt: string | null },
): Promise<Judged> {
  const { problems, outage, end } = one;
  await run.do('costs', { kind: 'remember', what: 'costs', session, input: { item } });
  const completed = outage === null && problems.length === 0;
  const about = {
    item,
    role,
    said: one.returned.line,
    termination: completed ? 'success' : 'error',
    completed,
    result: outage !== null ? 'partial' : completed ? 'done' : 'failed',
    reason: end,
    problems,
    attempt,
  };
  await run.do('record', { kind: 'remember', what: 'session', session, input: about });
  return one;
}

/** One line, at most 80 characters. */
export const titleOf = ({ task }: Pick<WorkflowState, 'task'>): string => {
  const line = task.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
};

/** What the session was sent for is not there, or a generator went beyond its bounds. */
const misses = async (step: R, { spec, state }: One): Promise<readonly Problem[]> =>
  (
    await ask<{ readonly problems: readonly Problem[] }>(step, 'left', {
      role: spec.role,
      output: spec.output,
      scope: state.scope,
      maxFiles: state.max_files,
      docs: state.docs_path,
    })
  ).problems;
