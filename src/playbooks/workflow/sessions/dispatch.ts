// A group of sessions in parallel. Each gets its brief, must write its file, and only the first line of its answer is read. All of them end
// before their results are judged and recorded, and what a session changed that was not its own to change is undone.
import { z } from 'zod';
import { defineProcedure, openingSay, readFacts } from '../../../engine/definitions.ts';
import type { Run } from '../../../engine/types.ts';
import type { Actions, Say } from '../../../model/action.ts';
import type { Checkpoint } from '../../../model/checkpoint.ts';
import type { SessionSummary } from '../../../model/remember.ts';
import type { Overspent } from '../../../model/budget.ts';
import type { Config } from '../../../model/config.ts';
import type { Failure } from '../../../model/failure.ts';
import { addUsage, NO_USAGE, type Usage } from '../../../model/usage.ts';
import type { Problem } from '../../../model/verdict.ts';
import { converse, type AgentReply } from '../../session/conversation.ts';
import { budget } from '../../session/surveys.ts';
import { resolved, workflowFileSchema, type WorkflowState } from '../file/state.ts';
import { qaVerdict } from '../project/reports.ts';
import { assignmentSchema, type Assignment } from '../table/assignments.ts';
import { stageResult, type EventResult, type StageResult } from '../table/stages.ts';
import { briefInput } from './brief-parts.ts';
import { briefs } from './briefs.ts';
import { modelFor } from './models.ts';
import { evaluationEvent, readReturn, type ReturnLine } from './returns.ts';
import { outputProblems, strayChanges } from './session-outputs.ts';
import { unseenBy } from './unseen.ts';
import { voidedBy, voidReturn } from './void-verdict.ts';

type R = Run<Actions>;

export const groupInput = z.object({
  item: z.string(),
  stage: z.string(),
  /** The number of the first session; the others follow. */
  session: z.number(),
  assignments: z.array(assignmentSchema).readonly(),
  attempt: z.number(),
  file: workflowFileSchema,
  retry: briefInput.shape.retry,
  note: z.string(),
});
/** A group of sessions that is sent. `files`: as in a brief. `notes`: what a user should know of it. */
export type SessionGroup = z.output<typeof groupInput> & {
  readonly files?: readonly string[];
  readonly notes?: readonly Problem[];
};

export const dispatch = defineProcedure({
  id: 'workflow.dispatch',
  input: groupInput,
  output: stageResult,
  perform: (run, input, config) =>
    groupResult(run, input, config, ({ returned, problems }) => {
      const line = returned.map((one) => one.line).find((one) => one !== '') ?? '';
      return { on: problems.length === 0 ? 'written' : 'failed', line, problems };
    }),
});

/** The evaluator's first line counts only with a report that has a verdict, and only if it left the work as it was. */
export const evaluate = defineProcedure({
  id: 'workflow.evaluate',
  input: groupInput,
  output: stageResult,
  perform: (run, input, config) =>
    groupResult(run, input, config, async ({ returned: [first], problems }) => {
      if (problems.some(({ code }) => code === 'verdict-void'))
        return { on: 'evaluation: void', line: first?.line ?? '', problems };
      const { on } = await readFacts(run, qaVerdict, { docs: resolved(input.file).docs_path });
      if (problems.length > 0 || first === undefined || on === 'verdict: none')
        return { on: 'failed', line: first?.line ?? '', problems };
      return { on: evaluationEvent(first), line: first.line };
    }),
});

/** `returned`: by session. `problems` empty: each wrote its file, and changed nothing that was not its own. */
type Sent = {
  readonly returned: readonly ReturnLine[];
  readonly problems: readonly Problem[];
  readonly outage: Failure | null;
  readonly usage: Usage;
};

/** The result of a group by its event, an outage of its agents, or that a budget is used up. */
export async function groupResult(
  run: R,
  group: SessionGroup,
  config: Config,
  eventOf: (sent: Sent) => EventResult | Promise<EventResult>,
): Promise<StageResult> {
  const sent = await send(run, group, config);
  if ('over' in sent) return sent;
  const { outage, usage } = sent;
  const sessions = group.assignments.length;
  return outage === null ? { ...(await eventOf(sent)), sessions, usage } : { outage, sessions, usage };
}

export async function send(run: R, group: SessionGroup, config: Config): Promise<Sent | { readonly over: Overspent }> {
  const { item, session, stage, assignments } = group;
  // One phase sends several groups, and some again: an earlier one may have used up the budget.
  const { over } = await readFacts(run, budget, { item, session: 0 });
  if (over !== null) return { over };
  const why = `pre_${stage.replaceAll('-', '_')}`;
  const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item, why });
  // A file of an earlier session would pass for the work of this one. A spec that is revised stays.
  const paths = stage === 'revise-spec' ? [] : outputsOf(assignments);
  if (paths.length > 0) await run.do('clear', { kind: 'tidy', paths, keep: [] });
  const all = assignments.map((assignment, n) => ({
    assignment,
    number: session + n,
    step: run.scope(nameOf(assignment)),
  }));
  const beside = all.map(({ number }) => number);
  const replies = await run.all(
    all.map(
      ({ step, assignment, number }) =>
        () =>
          ask(step, { ...group, assignment, session: number, beside }, config),
    ),
  );
  // While a session is open, what the harness writes would look like the agent's.
  const ended = await run.all(
    all.map(
      ({ step, number }) =>
        () =>
          step.do('close', { kind: 'close', session: number }),
    ),
  );
  const strays = await undoStrays(run, group, checkpoint);
  const isVoid = assignments.some((one) => voidedBy(one, strays.paths).length > 0);
  // The report of a void verdict must not be found later and taken for one.
  if (isVoid && paths.length > 0) await run.do('void', { kind: 'tidy', paths, keep: [] });
  const results: SessionResult[] = [];
  for (const [n, { assignment, number, step }] of all.entries()) {
    const [reply, closed] = [replies[n], ended[n]];
    if (reply === undefined || closed === undefined) continue;
    const result = judged(assignment, reply, [...closed.tampering, ...voidedBy(assignment, strays.paths)]);
    results.push(result);
    await step.do('costs', { kind: 'remember', what: 'costs', session: number, item });
    const notes = [...(group.notes ?? []), ...unreadNotes(assignment, result)];
    const summary = {
      ...summaryOf(result),
      ...(notes.length > 0 ? { notes } : {}),
      item,
      role: nameOf(assignment),
      attempt: strays.attempt,
    };
    await step.do('record', { kind: 'remember', what: 'session', session: number, summary });
  }
  return {
    returned: results.map(({ returned }) => returned),
    problems: [...results.flatMap(({ problems }) => problems), ...strays.problems],
    outage: results.map(({ outage }) => outage).find((one) => one !== null) ?? null,
    usage: ended.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
  };
}

/** The name of a session's steps. */
export const nameOf = ({ role, persona }: Assignment): string => (persona === null ? role : `${role}-${persona}`);
export const outputsOf = (assignments: readonly Assignment[]): readonly string[] =>
  assignments.map(({ output }) => output).filter((path) => path !== '');

/** `problems`: after the last turn. */
type SessionReply = Pick<AgentReply, 'turn' | 'outage'> & { readonly problems: readonly Problem[] };

/** One session from its first message to its last. Problems of its output are sent back to it. */
async function ask(
  run: R,
  input: SessionGroup & { readonly assignment: Assignment; readonly beside: readonly number[] },
  config: Config,
): Promise<SessionReply> {
  const { assignment, beside, session, item, attempt, file, retry, note, files = [] } = input;
  const state = resolved(file);
  const { role, output } = assignment;
  const opening: Say = openingSay(briefs[role], { ...assignment, file, retry, note, files });
  const model = modelFor(role, state.model_config);
  const unseen = unseenBy(assignment, state);
  const about = { role, session, attempt, item, title: titleOf(state), output, model };
  const who = unseen === undefined ? about : { ...about, unseen };
  const tell = converse(run, { who: beside.length > 1 ? { ...who, beside } : who, opening, config });
  const limits = { scope: state.scope, maxFiles: state.max_files, docs: state.docs_path };
  let say = opening;
  for (let fixes = 0; ; fixes += 1) {
    const { turn, outage, step } = await tell(say);
    const { problems } = await readFacts(step, outputProblems, { role, output, ...limits });
    const isOver = problems.length === 0 || !isAnswered({ turn, outage }) || fixes >= config.verification.fixTurns;
    if (isOver) return { turn, outage, problems };
    say = { kind: 'problems', problems, note: '' };
  }
}

const isAnswered = ({ outage, turn }: Pick<AgentReply, 'outage' | 'turn'>): boolean =>
  outage === null && turn.end === 'end-turn';

function judged({ role, output }: Assignment, { turn, problems, outage }: SessionReply, faults: readonly Problem[]) {
  const fault = faults.find(({ code }) => code === 'verdict-void');
  const returned = fault === undefined ? readReturn(role, turn.head ?? turn.text) : voidReturn({ role }, fault);
  // A file that was begun, with an honest FAIL, is not the file that the session was sent for.
  const hasGivenUp = returned.keyword === 'FAIL' && role !== 'evaluator' && role !== 'verifier';
  const given: readonly Problem[] = hasGivenUp
    ? [{ code: 'session-gave-up', params: { role, line: returned.line } }]
    : [];
  const found = [...problems, ...given, ...faults];
  const isCut = found.length === 0 && !isAnswered({ turn, outage });
  const cut: readonly Problem[] = isCut ? [{ code: 'output-missing', params: { file: output, role } }] : [];
  const isUnavailable = outage !== null && (outage.next === 'pause' || outage.next === 'hand-over');
  const end = outage?.failure.reason ?? found[0]?.code ?? turn.end;
  return { returned, problems: [...found, ...cut], outage: isUnavailable ? outage.failure : null, end };
}

/** A session without an answer has a problem of its own. */
const unreadNotes = ({ role }: Assignment, { returned: { fault } }: SessionResult): readonly Problem[] =>
  fault === null || fault === 'empty' ? [] : [{ code: 'return-unread', params: { role } }];

type SessionResult = ReturnType<typeof judged>;
function summaryOf({ returned, problems, outage, end }: SessionResult): Omit<SessionSummary, 'item'> {
  const completed = outage === null && problems.length === 0;
  return {
    said: returned.line,
    termination: completed ? 'success' : 'error',
    completed,
    result: outage !== null ? 'partial' : completed ? 'done' : 'failed',
    reason: end,
    problems,
  };
}

/** One line, at most 80 characters. */
export function titleOf({ task }: Pick<WorkflowState, 'task'>): string {
  const line = task.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

/** Restores what the group moved or changed that was not its own. `attempt`: the private ref that keeps it; null: there was nothing. */
async function undoStrays(
  run: R,
  { assignments, item, session, file }: SessionGroup,
  checkpoint: Checkpoint,
): Promise<{
  readonly problems: readonly Problem[];
  readonly paths: readonly string[];
  readonly attempt: string | null;
}> {
  const { paths, isMoved } = await readFacts(run, strayChanges, {
    roles: assignments.map(({ role }) => role),
    outputs: assignments.map(({ output }) => output),
    since: checkpoint.ref,
    head: checkpoint.head,
    branch: checkpoint.branch,
    docs: resolved(file).docs_path,
  });
  if (isMoved) {
    const why = 'history-rewritten';
    const { attempt } = await run.do('rollback', { kind: 'rollback', checkpoint, item, session, why });
    return { problems: [{ code: why, params: { path: '' } }], paths: [], attempt };
  }
  if (paths.length === 0) return { problems: [], paths, attempt: null };
  const { ref } = await run.do('keep', { kind: 'checkpoint', session, item, why: 'strayed' });
  await run.do('restore', { kind: 'restore', checkpoint, paths });
  return { problems: [], paths, attempt: ref };
}
