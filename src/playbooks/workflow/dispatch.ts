// Sessions side by side: each is told its brief, must leave its file and nothing else, and its first line is all that is heard of it
// (reference 004, Sub-agent Return Value Rules). What a session changed beyond what it was sent for is taken back, or handed back to it.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, Say, TurnOutcome } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import { addUsage, NO_USAGE, type Usage } from '../../model/usage.ts';
import type { Problem } from '../../model/verdict.ts';
import { ask } from '../session/asks.ts';
import { converse, type Heard } from '../session/conversation.ts';
import type { BriefInput } from './brief-input.ts';
import { briefInputOf } from './brief-parts.ts';
import type { Came } from './came.ts';
import { modelFor } from './models.ts';
import { readReturn, type Returned } from './returns.ts';
import type { SessionSpec } from './sessions.ts';
import type { WorkflowState } from './state.ts';

type R = Run<Actions>;
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
export type Sent = {
  readonly returned: readonly Returned[];
  readonly problems: readonly Problem[];
  readonly outage: Failure | null;
  readonly usage: Usage;
};

/** The event that comes of a group of sessions. */
export async function dispatch(run: R, input: Dispatch, config: Config): Promise<Came> {
  const sent = await send(run, input, config);
  const sessions = input.specs.length;
  const { outage, usage, problems } = sent;
  if (outage !== null) return { outage, sessions, usage };
  const line = sent.returned.map((one) => one.line).find((one) => one !== '') ?? '';
  return { on: problems.length === 0 ? 'written' : 'failed', line, sessions, usage, problems };
}

/** `problems` empty: each left its file, and nothing that it was not sent for. */
export async function send(run: R, input: Dispatch, config: Config): Promise<Sent> {
  const { item, session, stage, specs } = input;
  const why = `pre_${stage.replaceAll('-', '_')}`;
  const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item, why });
  // What an earlier session left would pass for the work of this one. A spec that is revised stays.
  const paths = stage === 'revise-spec' ? [] : specs.map(({ output }) => output).filter((path) => path !== '');
  if (paths.length > 0) await run.do('clear', { kind: 'tidy', paths, keep: [] });
  const said = await run.all(
    specs.map(
      (spec, n) => () => hear(run.scope(nameOf(spec)), { ...input, spec, session: session + n, checkpoint }, config),
    ),
  );
  // All of them end before anything is written down: while one is at work, what the harness writes would look like the agent's.
  const ended = await run.all(
    specs.map((spec, n) => () => run.scope(nameOf(spec)).do('close', { kind: 'close', session: session + n })),
  );
  const strayed = await strays(run, { ...input, checkpoint });
  const back: Judged[] = [];
  for (const [n, spec] of specs.entries()) {
    const [heard, closed] = [said[n], ended[n]];
    if (heard === undefined || closed === undefined) continue;
    const about = { item, session: session + n, checkpoint };
    back.push(await record(run.scope(nameOf(spec)), judged(spec, heard, closed.tampering), about));
  }
  return {
    returned: back.map(({ returned }) => returned),
    problems: [...back.flatMap(({ problems }) => problems), ...strayed],
    outage: back.map(({ outage }) => outage).find((one) => one !== null) ?? null,
    usage: ended.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
  };
}

const nameOf = ({ role, persona }: SessionSpec): string => (persona === null ? role : `${role}-${persona}`);

type One = Dispatch & { readonly spec: SessionSpec; readonly checkpoint: Checkpoint };

/** One session from its first word to its last. It is told once what is missing, then it is over. */
async function hear(run: R, input: One, config: Config): Promise<Said> {
  const { spec, session, item, attempt, state } = input;
  const { role, persona, output } = spec;
  const { retry, note, files = [] } = input;
  const brief: BriefInput = { role, persona, output, state, retry, note, files };
  const opening: Say = { kind: 'open', brief: role, input: briefInputOf(brief) };
  const model = modelFor(role, state.model_config);
  const who = { role, session, attempt, item, title: titleOf(state), output, model };
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

type Judged = {
  readonly returned: Returned;
  readonly problems: readonly Problem[];
  readonly outage: Failure | null;
  readonly end: string;
};

/** What counts of a session: its first line, what it left, whether it kept to the rules. */
function judged(
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

async function record(
  run: R,
  one: Judged,
  { item, session, checkpoint }: Pick<One, 'item' | 'session' | 'checkpoint'>,
): Promise<Judged> {
  const { problems, outage, end } = one;
  await run.do('costs', { kind: 'remember', what: 'costs', session, input: { item } });
  const completed = outage === null && problems.length === 0;
  const about = {
    item,
    startedAt: '',
    endedAt: '',
    termination: completed ? 'success' : 'error',
    completed,
    result: outage !== null ? 'partial' : completed ? 'done' : 'failed',
    reason: end,
    problems,
    attempt: checkpoint.ref,
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
const misses = async (step: R, { spec, checkpoint, state }: One): Promise<readonly Problem[]> =>
  (
    await ask<{ readonly problems: readonly Problem[] }>(step, 'left', {
      role: spec.role,
      output: spec.output,
      since: checkpoint.ref,
      scope: state.scope,
      maxFiles: state.max_files,
      docs: state.docs_path,
    })
  ).problems;

/** Where HEAD was moved, or a session that writes one file changed others: that is undone, and kept as an attempt. */
async function strays(run: R, input: Dispatch & { readonly checkpoint: Checkpoint }): Promise<readonly Problem[]> {
  const { specs, checkpoint, item, session, state } = input;
  const found = await ask<{ readonly paths: readonly string[]; readonly isMoved: boolean }>(run, 'strayed', {
    roles: specs.map(({ role }) => role),
    outputs: specs.map(({ output }) => output),
    since: checkpoint.ref,
    head: checkpoint.head,
    branch: checkpoint.branch,
    docs: state.docs_path,
  });
  if (found.isMoved) {
    await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why: 'history-rewritten' });
    return [{ code: 'history-rewritten', params: { path: '' } }];
  }
  if (found.paths.length > 0) {
    await run.do('keep', { kind: 'checkpoint', session, item, why: 'strayed' });
    await run.do('restore', { kind: 'restore', checkpoint, paths: found.paths });
  }
  return [];
}

/** Ends sessions that were cut: what they cost is written down, and a file that one had not finished is nobody's work. */
export async function putAway(
  run: R,
  {
    item,
    session,
    specs,
    stage,
    reason,
  }: Pick<Dispatch, 'item' | 'session' | 'specs' | 'stage'> & { readonly reason: string },
): Promise<{ readonly usage: Usage }> {
  let usage = NO_USAGE;
  for (const [n, spec] of specs.entries()) {
    const step = run.scope(nameOf(spec));
    const closed = await step.do('close', { kind: 'close', session: session + n });
    usage = addUsage(usage, closed.usage);
    if (closed.usage.inputTokens + closed.usage.outputTokens > 0)
      await step.do('costs', { kind: 'remember', what: 'costs', session: session + n, input: { item } });
    const about = {
      item,
      startedAt: '',
      endedAt: '',
      termination: 'user_pause',
      completed: false,
      result: 'paused',
      reason,
    };
    await step.do('record', { kind: 'remember', what: 'session', session: session + n, input: about });
  }
  // The code of a generator stays: the next session verifies it. A document that was cut in two says what nobody meant.
  const halves = specs.filter(({ role }) => role !== 'generator').map(({ output }) => output);
  const paths = stage === 'revise-spec' ? [] : halves.filter((path) => path !== '');
  if (paths.length > 0) await run.do('clear', { kind: 'tidy', paths, keep: [] });
  return { usage };
}
