// What happened: runs, sessions, money. From records and event logs that are read while a run writes them.
import { join } from 'node:path';
import { z } from 'zod';
import { tailOf } from '../../host/files.ts';
import type { Catalogue } from '../../host/catalogue.ts';
import { begunSessions, eventsIn, pointerOf, usedBy } from '../../loop/sessions.ts';
import { failure } from '../../model/failure.ts';
import { toJson, jsonSchema } from '../../model/json.ts';
import { err, ok } from '../../model/result.ts';
import { readActiveSessions } from '../look/active-sessions.ts';
import { listGates } from '../look/questions.ts';
import { loggedRuns, notableEvents, runEventShape, type RunEvent } from '../look/run-events.ts';
import { NO_RECORD, readSessionRecords, reasonOf, resultOf, type KeptSessionRecord } from '../look/session-records.ts';
import { readSpending } from '../look/spending.ts';
import { costShape, type tokensShape } from '../look/status-answer.ts';
import { spanShape, timelineOf } from '../look/timeline.ts';
import { openProjectView, type ProjectView } from '../open/project-view.ts';
import { operation } from './operation.ts';

const NOTHING = z.object({});
const maybe = z.string().nullable();
const list = <S extends z.ZodType>(shape: S) => z.array(shape).readonly();

const sessionShape = z.object({
  session: z.number(),
  item: maybe,
  run: maybe,
  role: maybe,
  provider: maybe,
  model: maybe,
  result: z.string(),
  reason: z.string(),
  why: z.string().describe('the reason as a sentence'),
  problems: list(z.object({ code: z.string(), text: z.string() })).describe('what the checks found'),
  started: maybe,
  ended: maybe,
  turns: z.number(),
  tool_calls: z.number(),
  cost: costShape,
  commit: maybe,
  attempt: maybe.describe('where rejected or interrupted work is kept'),
  evidence: maybe.describe('the folder of its last checks'),
  bundle: maybe.describe('the hash of its evidence bundle'),
});
type Session = z.output<typeof sessionShape>;

/** Which agent a session had, as its run noted it. */
type Agent = { readonly role: string | null; readonly provider: string | null; readonly model: string | null };
const NO_AGENT: Agent = { role: null, provider: null, model: null };

function agentsOf({ workspaceDir }: ProjectView): ReadonlyMap<number, Agent> {
  const agents = new Map<number, Agent>();
  for (const run of loggedRuns(workspaceDir))
    for (const { type, session, data } of notableEvents(workspaceDir, run))
      if (type === 'session-started' && session !== undefined)
        agents.set(session, {
          role: text(data?.['role']),
          provider: text(data?.['provider']),
          model: text(data?.['model']),
        });
  return agents;
}
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Sessions that were begun and have no record: at work, interrupted, waiting for an answer; or ended, where `.harness/` was removed since. How those ended
 * is in the event logs.
 */
async function unrecorded(
  view: ProjectView,
  known: readonly KeptSessionRecord[],
): Promise<readonly KeptSessionRecord[]> {
  const { workspaceDir } = view;
  const recorded = new Set(known.map((record) => record.session_id));
  const begun = begunSessions(workspaceDir).filter((number) => !recorded.has(number));
  if (begun.length === 0) return [];
  const { isLive, sessions: active } = await readActiveSessions(workspaceDir);
  const open = listGates(view, { open: true });
  const asked = new Set(open.ok ? open.value.map(({ gate }) => gate.item) : []);
  const logged = loggedRuns(workspaceDir).flatMap((name) => notableEvents(workspaceDir, name));
  const lastOf = (type: string) =>
    new Map(
      logged.flatMap((event) =>
        event.type === type && event.session !== undefined ? [[event.session, event] as const] : [],
      ),
    );
  const [starts, landings, ends] = [lastOf('session-started'), lastOf('landed'), lastOf('item-ended')];
  return begun.map((number) => {
    const { usage, turns, toolCalls, startedAt } = usedBy(workspaceDir, number);
    const start = starts.get(number);
    const item = start?.item ?? null;
    const isActive = isLive && active.some(({ session: other }) => other === number);
    const gate = open.ok ? open.value.find((record) => record.gate.item === item)?.gate : undefined;
    const last = isActive ? undefined : ends.get(number);
    const end = last?.data?.['result'] === 'gate' ? undefined : last;
    const ending =
      end === undefined
        ? {}
        : {
            ended_at: end.ts,
            reason: text(end.data?.['reason']) ?? '',
            commit: text(end.data?.['commit']),
            evidence_bundle: text(landings.get(number)?.data?.['evidence']),
          };
    return {
      ...NO_RECORD,
      session_id: number,
      started_at: startedAt === '' ? null : startedAt,
      feature_id: item,
      run: start?.run ?? null,
      tokens_used: { input: usage.inputTokens, output: usage.outputTokens, cached: usage.cachedTokens },
      cost_usd: usage.source === 'none' ? null : usage.costUsd,
      turns,
      tool_calls: toolCalls,
      result:
        text(end?.data?.['result']) ??
        (item !== null && asked.has(item) ? 'waiting' : isActive ? 'active' : 'interrupted'),
      evidence: gate?.evidence[0] ?? null,
      ...ending,
    };
  });
}

/** Finished or not, oldest first. */
async function allSessions(view: ProjectView): Promise<readonly KeptSessionRecord[]> {
  const records = readSessionRecords(view);
  const rest = await unrecorded(view, records);
  return rest.length === 0 ? records : [...records, ...rest].sort((a, b) => a.session_id - b.session_id);
}

function sessionOf(record: KeptSessionRecord, agents: ReadonlyMap<number, Agent>, catalogue: Catalogue): Session {
  const agent = agents.get(record.session_id) ?? NO_AGENT;
  const [result, reason] = [resultOf(record), reasonOf(record)];
  return {
    session: record.session_id,
    item: record.feature_id,
    run: record.run,
    role: agent.role ?? record.role,
    provider: agent.provider,
    model: agent.model,
    result,
    reason,
    why: catalogue.outcome(reason === '' ? result : reason),
    problems: record.problems.map((problem) => ({ code: problem.code, text: catalogue.problem(problem) })),
    started: record.started_at,
    ended: record.ended_at,
    turns: record.turns,
    tool_calls: record.tool_calls,
    cost: { usd: record.cost_usd, tokens: record.tokens_used },
    commit: record.commit,
    attempt: record.attempt,
    evidence: record.evidence,
    bundle: record.evidence_bundle,
  };
}

export const sessions = operation({
  name: 'sessions',
  kind: 'read',
  about: 'All sessions, oldest first: what each cost, how it ended, what was caught and why.',
  command: null,
  input: NOTHING,
  output: z.object({ sessions: list(sessionShape) }),
  async run(asker) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const agents = agentsOf(view.value);
    const all = (await allSessions(view.value)).map((record) => sessionOf(record, agents, asker.catalogue));
    return ok({ answer: { sessions: all }, detail: null });
  },
});

const TRANSCRIPT_BYTES = 256 * 1_024;

export const session = operation({
  name: 'session',
  kind: 'read',
  about: 'One session with the end of its transcript.',
  command: null,
  input: z.object({ session: z.number().int().nonnegative() }),
  output: z.object({
    session: sessionShape.nullable(),
    transcript: list(z.record(z.string(), jsonSchema)).describe('its last events: text, tool calls, their output'),
    is_cut: z.boolean().describe('it has earlier events, in its own log'),
  }),
  async run(asker, { session: number }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const pointer = pointerOf(view.value.workspaceDir, number);
    const record = (await allSessions(view.value)).find((one) => one.session_id === number) ?? null;
    if (pointer === null && record === null) return err(failure('session-unknown', { session: number }));
    const folder = pointer?.folder ?? join(view.value.stateDir, 'sessions', String(number));
    const tail = tailOf(join(folder, 'events.jsonl'), TRANSCRIPT_BYTES);
    const answer = {
      session: record && sessionOf(record, agentsOf(view.value), asker.catalogue),
      transcript: eventsIn(tail)
        .map((event) => toJson(event))
        .flatMap((event) => objectIn(event)),
      is_cut: tail.length >= TRANSCRIPT_BYTES - 4,
    };
    return ok({ answer, detail: null });
  },
});

const objectIn = (value: z.output<typeof jsonSchema>) => {
  const read = z.record(z.string(), jsonSchema).safeParse(value);
  return read.success ? [read.data] : [];
};

const runShape = z.object({
  run: z.string(),
  command: maybe,
  started: maybe,
  ended: maybe,
  result: maybe.describe('null: it is live, or it was killed'),
  reason: maybe,
  is_live: z.boolean(),
  sessions: z.number(),
  landed: z.number(),
  caught: z.number().describe('sessions whose work was refused'),
  cost: costShape,
});

export const runs = operation({
  name: 'runs',
  kind: 'read',
  about: 'The runs, newest first.',
  command: 'runs',
  input: NOTHING,
  output: z.object({ runs: list(runShape) }),
  async run(asker) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const { owner } = await readActiveSessions(view.value.workspaceDir);
    const byRun = Map.groupBy(await allSessions(view.value), (record) => record.run ?? '');
    const logged = loggedRuns(view.value.workspaceDir).filter((run) => run.startsWith('r-'));
    const names = new Set([...[...byRun.keys()].filter((run) => run.startsWith('r-')), ...logged]);
    const all = [...names]
      .map((run) => runOf(run, byRun.get(run) ?? [], notableEvents(view.value.workspaceDir, run), owner?.run === run))
      .sort((a, b) => ((a.started ?? '') < (b.started ?? '') ? 1 : -1));
    return ok({ answer: { runs: all }, detail: all });
  },
});

/** One that failed without a problem was an agent that did not answer. */
export const isCaught = (result: string, problems: readonly unknown[]): boolean =>
  result === 'rejected' || (result === 'failed' && problems.length > 0);

function runOf(
  run: string,
  records: readonly KeptSessionRecord[],
  events: readonly RunEvent[],
  isLive: boolean,
): z.output<typeof runShape> {
  const started = events.find(({ type }) => type === 'run-started');
  const ended = events.findLast(({ type }) => type === 'run-ended');
  const results = records.map(resultOf);
  return {
    run,
    command: text(started?.data?.['command']),
    started: events[0]?.ts ?? records[0]?.started_at ?? null,
    ended: isLive ? null : (ended?.ts ?? events.at(-1)?.ts ?? records.at(-1)?.ended_at ?? null),
    result: text(ended?.data?.['result']),
    reason: text(ended?.data?.['reason']),
    is_live: isLive,
    sessions: records.length,
    landed: results.filter((result) => result === 'landed').length,
    caught: records.filter((one) => isCaught(resultOf(one), one.problems)).length,
    cost: costOf(records),
  };
}

export const run = operation({
  name: 'run',
  kind: 'read',
  about:
    'One run as a timeline: its sessions with the agent at work, checks, proofs and waits, and what happened of note.',
  command: 'runs show RUN',
  input: z.object({ run: z.string().describe('its name; `last`: the newest') }),
  output: z.object({ run: runShape, spans: list(spanShape), events: list(runEventShape) }),
  async run(asker, { run: name }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const { workspaceDir } = view.value;
    const records = await allSessions(view.value);
    const logged = loggedRuns(workspaceDir).filter((one) => one.startsWith('r-'));
    const found = name === 'last' ? (newestOf(workspaceDir, logged) ?? records.at(-1)?.run ?? '') : name;
    const own = records.filter((record) => record.run === found);
    const events = notableEvents(workspaceDir, found);
    if (events.length === 0 && own.length === 0)
      return err(failure('run-unknown', { run: name, known: logged.slice(-5).join(', ') }));
    const { owner } = await readActiveSessions(workspaceDir);
    const isLive = owner?.run === found;
    const spans =
      events.length > 0 ? timelineOf(events, !isLive).map((span) => closedBy(span, own)) : own.map(spanOfRecord);
    return ok({ answer: { run: runOf(found, own, events, isLive), spans, events }, detail: { spans } });
  },
});

/** Names with a time are in its order; the setting up of a project has one without. */
function newestOf(workspaceDir: string, logged: readonly string[]): string | null {
  const isTimed = (run: string): boolean => /^r-\d{14}/.test(run);
  const last = logged.findLast(isTimed);
  const candidates = [...logged.filter((run) => !isTimed(run)), ...(last === undefined ? [] : [last])];
  const startOf = (run: string): string => notableEvents(workspaceDir, run)[0]?.ts ?? '';
  return candidates.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1)).at(-1) ?? null;
}

/** Several sessions of one item end with their records, and the item later. */
function closedBy(span: z.output<typeof spanShape>, records: readonly KeptSessionRecord[]): z.output<typeof spanShape> {
  const record = records.find((one) => one.session_id === span.session);
  const end = Date.parse(record?.ended_at ?? '');
  if (record === undefined || Number.isNaN(end) || end < span.from) return span;
  const isCut = span.to === null || span.to > end;
  return {
    ...span,
    to: isCut ? end : span.to,
    result: span.result ?? resultOf(record),
    reason: span.reason ?? reasonOf(record),
    parts: isCut
      ? span.parts.filter(({ from }) => from < end).map((part) => ({ ...part, to: Math.min(part.to ?? end, end) }))
      : span.parts,
  };
}

/** Of a program that wrote no event log: only when the session was. */
const spanOfRecord = (record: KeptSessionRecord): z.output<typeof spanShape> => ({
  session: record.session_id,
  item: record.feature_id,
  from: Date.parse(record.started_at ?? '') || 0,
  to: Date.parse(record.ended_at ?? '') || 0,
  result: resultOf(record),
  reason: reasonOf(record),
  parts: [],
});

const groupShape = z.object({ key: z.string(), sessions: z.number(), cost: costShape });

export const costs = operation({
  name: 'costs',
  kind: 'read',
  about: 'What the work has cost, in all and by item, role, model and session; estimates.',
  command: 'costs',
  input: z.object({ sessions: z.boolean().default(false).describe('by session too: there may be thousands') }),
  output: z.object({
    cost: costShape,
    by_item: list(groupShape),
    by_role: list(groupShape),
    by_model: list(groupShape).describe('of a provider that names no model, the provider'),
    by_session: list(groupShape).nullable().describe('null: not asked for'),
  }),
  async run(asker, { sessions: bySession }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const { usd, tokens } = await readSpending(view.value);
    const agents = agentsOf(view.value);
    const records = await allSessions(view.value);
    const agentOf = ({ session_id: number }: KeptSessionRecord): Agent => agents.get(number) ?? NO_AGENT;
    const answer = {
      cost: { usd, tokens },
      by_item: grouped(records, (record) => record.feature_id ?? ''),
      by_role: grouped(records, (record) => agentOf(record).role ?? record.role ?? ''),
      by_model: grouped(records, (record) => agentOf(record).model ?? agentOf(record).provider ?? ''),
      by_session: bySession ? grouped(records, (record) => String(record.session_id)) : null,
    };
    return ok({ answer, detail: answer });
  },
});

/** The most expensive first. */
const grouped = (records: readonly KeptSessionRecord[], keyOf: (record: KeptSessionRecord) => string) =>
  [...Map.groupBy(records, keyOf)]
    .map(([key, own]) => ({ key, sessions: own.length, cost: costOf(own) }))
    .sort((a, b) => (b.cost.usd ?? 0) - (a.cost.usd ?? 0) || b.sessions - a.sessions);

/** Sums of cents have no more digits than their parts. */
const MICRO = 1_000_000;

/** `usd` null: tokens were used, and the price of none of them is known. */
function costOf(records: readonly KeptSessionRecord[]): z.output<typeof costShape> {
  const tokens: z.output<typeof tokensShape> = { input: 0, output: 0, cached: 0 };
  let usd: number | null = null;
  for (const { cost_usd: own, tokens_used: used } of records) {
    if (own !== null) usd = (usd ?? 0) + own;
    tokens.input += used.input;
    tokens.output += used.output;
    tokens.cached += used.cached;
  }
  const sum = usd === null ? null : Math.round(usd * MICRO) / MICRO;
  return { usd: sum ?? (tokens.input + tokens.output === 0 ? 0 : null), tokens };
}
