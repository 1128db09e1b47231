// A turn of an agent session: it finished, or it never happened.
// I1 before the prompt is sent, the tamper guard is open and the tree is kept.
// I2 a turn whose outcome the wrapper wrote is never run again. I3 a turn that was cut is undone (and kept as an attempt)
// before it is run again. Work in progress is brought in after that mark. I4 after close the session has no process and the harness's files are restored.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { openHostedSession, type HostedSession } from '../../agents/host/client.ts';
import { knownCost, readTurn } from '../../agents/host/turn-results.ts';
import { knownAs } from '../../agents/known.ts';
import type { SessionSpec } from '../../agents/port.ts';
import { findTurn } from '../../agents/replay/cassette.ts';
import { divergence, isDivergence } from '../../agents/replay/divergence.ts';
import type { MonitorRules } from '../../agents/monitor/rules.ts';
import { startWrapper, type WrapperProcess } from '../../agents/host/wrapper-process.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { agentEnvironment, type Variables } from '../../host/environment.ts';
import { readRegular, sha256 } from '../../host/files.ts';
import { entryFile } from '../../host/package-root.ts';
import { endOrphans } from '../../host/process-tree.ts';
import type { Actions, CloseOutcome, SessionAsk, TurnOutcome } from '../../model/action.ts';
import { measuresOf, type Unit } from '../../model/budget.ts';
import type { AgentConfig } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Usage } from '../../model/usage.ts';
import type { ToolRules } from '../../model/tools.ts';
import { takeCheckpoint, type Snapshot } from '../../repos/checkpoint.ts';
import { sweepLocks } from '../../repos/sweep.ts';
import { treeOf } from '../../repos/tree.ts';
import { resumeWip } from '../../repos/wip.ts';
import { closeTamperGuard, hasTamperGuard, openTamperGuard, settleTamperGuard } from '../../verify/tamper-guard.ts';
import { accountIn, madeBy, modelOf, agentOf, readBy, writtenBy } from '../agent.ts';
import { keepForSession, putDeletedBack } from '../installed.ts';
import {
  laneVariables,
  type RunContext,
  type RunEvents,
  type RunHost,
  type RunRepository,
  type RunSettings,
  type RunStores,
} from '../run-context.ts';
import { endedByBudget, priceFor, rulesFor } from '../limits.ts';
import { withOwnRules } from '../own-rules.ts';
import { type Composed, composeTurn } from '../prompt.ts';
import { notifyRepairs } from '../records/memory.ts';
import { protectedFiles, toolRules } from '../protected.ts';
import { beforeTurn, recordTurn } from '../record-turn.ts';
import { masksOf, unseenRules, type ViewAsk } from '../session-view.ts';
import { messagesForTurn } from '../item-messages.ts';
import { guardOf, guardOfSession } from '../sessions.ts';
import type { Playing } from '../tape.ts';
import { closedFiles, closedMasks, takeEdits } from '../closed-files.ts';
import { cannotCommit, noteClosed } from './newer-commits.ts';
import { processToken } from '../token.ts';
import { begunFile, readBegun, undoCut, type Begun } from './cut-turn.ts';
import { reopenedFor } from './reopened-turn.ts';
import { repeatable } from './repeatable.ts';

type Ask = ActionOf<Actions, 'session'>;
const GONE: readonly Reason[] = ['agent-crashed', 'agent-session-lost', 'agent-malformed'];
/** A session has the token of the action that holds all its turns. */
const sessionToken = (token: string): string => token.replace(/\/turn-\d+\/session$/, '');

export const turns = (context: RunContext): Performer<Ask, TurnOutcome> => ({
  async perform(ask, { token, signal }) {
    const { folder, token: begun } = context.sessions.begin(ask.session, {
      token: sessionToken(token),
      startedAt: context.clock.iso(),
      price: priceFor(context, ask),
      agent: ask.agent ?? 0,
      ...(cannotCommit(context, agentOf(context.config, ask).provider) ? { cannotCommit: true } : {}),
    });
    const owner = processToken(context, begun);
    const opened = await context.sessions.inTurn(() => openTurn(context, ask, folder));
    if (!opened.ok) return { blocked: opened.failure };
    const rules = rulesFor(context, ask, folder);
    if (!rules.ok) return { blocked: rules.failure };
    const ended = endedByBudget(ask, rules.value);
    if (ended !== null) return ended;
    const agent = await agentFor(context, ask);
    if (!agent.ok) return { blocked: agent.failure };
    const known = context.sessions.live(ask.session);
    // The wrapper loads its code while the turn is prepared; it starts the agent when it receives the session.
    const wrapper = known === null ? start({ folder, owner, agent: agent.value }) : null;
    const ready = await context.sessions
      .inTurn(() => prepare(context, ask, folder, known === null))
      .catch((error: unknown) => {
        wrapper?.dismiss();
        throw error;
      });
    if (!ready.ok) {
      wrapper?.dismiss();
      return { blocked: ready.failure };
    }
    const { text, mode, resume } = ready.value;
    for (const path of [ask.output, ...(ask.writes ?? [])])
      if (path !== '') mkdirSync(folderOf(join(context.root, path)), { recursive: true });
    const live =
      known ??
      open(
        context,
        { ...ask, resume },
        { folder, owner, mode, signal, wrapper, agent: agent.value, rules: rules.value },
      );
    context.sessions.keep(ask.session, live);
    const outcome = named(await context.io.effect('agent turn', () => live.turn(ask.turn, text)), context, ask);
    // Git runs between turns: what it obeys is the user's again before that. What a lock is in the way of is put back at the end.
    const settled = settleTamperGuard(context.io, { into: guardOf(folder), only: 'git' });
    if (!settled.ok && settled.failure.reason !== 'git-busy') return { blocked: settled.failure };
    const departed = await afterTurn(context, ask, folder, outcome);
    if (departed !== null) {
      await context.sessions.drop(ask.session)?.close();
      return { blocked: departed };
    }
    // Its process is of no more use: another try gets a new one.
    if (GONE.includes(outcome.failure?.reason ?? 'usage')) await context.sessions.drop(ask.session)?.close();
    return outcome;
  },
  async probe(ask, { token }) {
    const known = context.sessions.pointer(ask.session);
    if (known === null || known.token !== sessionToken(token)) return { found: 'nothing' };
    await endOrphans(processToken(context, known.token));
    const outcome = readTurn(known.folder, ask.turn);
    // Our own stop cut an aborted turn: the next process runs it again.
    if (outcome === null || outcome.end === 'aborted' || isDivergence(outcome.failure)) return { found: 'nothing' };
    const found = named(outcome, context, ask);
    const isRecorded = context.tape?.is === 'recording' && context.tape.has(ask.session, ask.turn);
    const departed = isRecorded ? null : await afterTurn(context, ask, known.folder, found);
    return departed === null ? { found: 'outcome', outcome: found } : { found: 'nothing' };
  },
});

/** Undoes a turn that was cut, and opens the tamper guard. */
async function openTurn(
  context: RunRepository & RunSettings & RunHost & RunStores & RunEvents,
  ask: Ask,
  folder: string,
): Promise<Result<unknown>> {
  const others = (ask.beside ?? []).filter((session) => session !== ask.session);
  const beside = others.flatMap((session) => guardOfSession(context.workspaceDir, session) ?? []);
  const undone = await withOwnRules(context, [guardOf(folder), ...beside], () => undoCut(context, ask, folder));
  if (!undone.ok) return undone;
  if (!hasTamperGuard(guardOf(folder))) {
    showOwnFiles(context);
    const kept = await keepForSession(context);
    if (!kept.ok) return kept;
  }
  return openTamperGuard(context.io, {
    root: context.root,
    files: protectedFiles(context, closedFiles(context, agentOf(context.config, ask).provider)),
    into: guardOf(folder),
    beside,
    git: { places: context.git, store: join(context.workspaceDir, 'git-files') },
  });
}

/** Agents read the files that no commit carries; the harness's are in the user's work tree. */
function showOwnFiles({ root, userRoot, git, io }: RunRepository & RunHost): void {
  if (root === userRoot) return;
  for (const path of git.own) {
    const bytes = readRegular(join(userRoot, path), MOST_OWN_BYTES);
    if (bytes.kind === 'file') io.replace(join(root, path), bytes.bytes);
    else io.remove(join(root, path));
  }
}

/** A path that ends in a slash is one. */
const folderOf = (path: string): string => (path.endsWith('/') ? path : dirname(path));

const MOST_NAMED = 10;
const MOST_OWN_BYTES = 64 * 1024 * 1024;

/** Adds the configured name of the agent to a failure: a user with several agents must know which it was. */
function named(outcome: TurnOutcome, { config }: RunSettings, ask: SessionAsk): TurnOutcome {
  const { failure } = outcome;
  if (failure === null) return outcome;
  const agent = agentOf(config, ask);
  const provider = knownAs(agent)?.name ?? agent.provider;
  return { ...outcome, failure: { ...failure, params: { provider, ...failure.params } } };
}

/** Keeps the prompt and the tree before the turn. `isFirst`: no process has its session yet. `resume`: the provider's session to continue in. */
async function prepare(
  context: RunRepository & RunSettings & RunHost & RunStores & RunEvents,
  ask: Ask,
  folder: string,
  isFirst: boolean,
): Promise<Result<Composed & { readonly resume: string | null }>> {
  const reopened = isFirst ? reopenedFor(context, ask, folder) : null;
  const compose = () => composeTurn(context, ask, { cut: reopened?.note ?? null });
  const isResuming = ask.continues === true && ask.turn === 1 && ask.item !== null;
  const [early, before] = await Promise.all([
    isResuming ? null : compose(),
    takeCheckpoint(context.git, {
      ref: `refs/harness/turns/${ask.session}`,
      message: `before turn ${ask.turn} of session ${ask.session}`,
    }),
  ]);
  if (early?.ok === false) return early;
  if (!before.ok) return before;
  const resumed = isResuming ? await resume(context, { ...ask, item: ask.item }, folder, before.value) : ok(null);
  if (!resumed.ok) return resumed;
  const prompt = early ?? (await compose());
  if (!prompt.ok) return prompt;
  const notes = [resumed.value?.note ?? '', ...messagesFor(context, ask)].filter((note) => note !== '');
  const text = [prompt.value.text, ...notes].map((part) => part.trimEnd()).join('\n\n');
  const said = notes.length === 0 ? prompt.value.text : `${text}\n`;
  const shown = context.redact(said);
  const tape = context.tape?.is === 'recording' ? { tape: beforeTurn(context, folder, shown) } : {};
  const start = resumed.value === null ? {} : { start: resumed.value.tree };
  const begun: Begun = { ...before.value, prompt: sha256(shown), ...start, ...tape };
  context.io.replace(begunFile(folder, ask.turn), `${JSON.stringify(begun)}\n`);
  keepPrompt(context, ask, shown);
  notifyRepairs(context.notify, ask.session, prompt.value.repairs);
  return ok({ ...prompt.value, text: said, resume: reopened?.session ?? ask.resume });
}

/** What people wrote to the agent of the item since its last turn. */
const messagesFor = (
  context: RunRepository & RunHost & RunSettings,
  { item, session, turn, unseen }: Ask,
): readonly string[] =>
  // A role that judges the work does not see what its author was asked.
  item === null || unseen !== undefined
    ? []
    : messagesForTurn(context, item, { session, turn }).map((note) =>
        context.catalogue.problem({ code: 'said-by-person', params: { note } }),
      );

/** The turn is begun first: undoing it takes the work in progress out of the work tree as well. */
async function resume(
  context: RunRepository & RunHost & RunSettings & RunEvents,
  { item, session, turn }: Pick<SessionAsk, 'session' | 'turn'> & { readonly item: string },
  folder: string,
  before: Snapshot,
): Promise<Result<{ readonly tree: string; readonly note: string }>> {
  context.io.replace(begunFile(folder, turn), `${JSON.stringify(before)}\n`);
  const resumed = await resumeWip(context.git, item, before);
  if (!resumed.ok) return resumed;
  if (resumed.value.is === 'none') return ok({ tree: before.tree, note: '' });
  if (resumed.value.is === 'resumed') return ok({ tree: resumed.value.tree, note: '' });
  const { attempt, files, number } = resumed.value;
  context.notify({ type: 'wip-set-aside', level: 'important', session, item, data: { attempt, number } });
  const note = context.catalogue.text('limit.set-aside', { attempt, files: files.join(', ') });
  return ok({ tree: before.tree, note });
}

/** Records the turn on the tape, or compares it with the tape; fails where the replay cannot continue. */
async function afterTurn(context: RunContext, ask: Ask, folder: string, outcome: TurnOutcome): Promise<Failure | null> {
  const { tape } = context;
  if (isDivergence(outcome.failure)) return outcome.failure;
  if (tape === null || outcome.end === 'aborted') return null;
  const { tree: whole, start: tree = whole, tape: before } = readBegun(folder, ask.turn);
  if (tape.is === 'playing') {
    const departed = await compareWithTape(context, tape, { ask, tree });
    if (departed === null) tape.played(ask.session, ask.turn);
    return departed;
  }
  if (before !== undefined) await recordTurn(context, tape, { ask, folder, outcome, tree, before });
  return null;
}

/** Where the tree before the turn was the recorded one, the tree after it must be too. */
async function compareWithTape(
  context: RunRepository,
  { cassette }: Playing,
  { ask, tree }: { readonly ask: Ask; readonly tree: string },
): Promise<Failure | null> {
  const { session, turn } = ask;
  const recorded = findTurn(cassette, session, turn);
  if (recorded === null || recorded.tree.before !== tree) return null;
  const after = await treeOf(context.git);
  if (after.ok && after.value === recorded.tree.after) return null;
  return divergence(cassette, 'departed-tree', { session, turn });
}

type AgentHere = {
  readonly config: AgentConfig;
  readonly env: Variables;
  readonly tools: ToolRules;
  /** What of it must be shown in a box. */
  readonly readable: readonly string[];
  /** null: it may see everything. */
  readonly view: ViewAsk | null;
};

async function agentFor(context: RunRepository & RunSettings, ask: Ask): Promise<Result<AgentHere>> {
  const config = agentOf(context.config, ask);
  const env = agentEnvironment(config.env);
  if (!env.ok) return env;
  const { unseen } = ask;
  const view = unseen === undefined ? null : { unseen, agent: config, env: env.value };
  const tools = toolRules(context, ask, view === null ? undefined : unseenRules(context, view));
  if (!tools.ok) return tools;
  const readable = await readBy(config, context.root, env.value);
  return ok({ config, env: { ...laneVariables(context), ...env.value }, tools: tools.value, readable, view });
}

const start = (at: { readonly folder: string; readonly owner: string; readonly agent: AgentHere }): WrapperProcess =>
  startWrapper({
    entry: entryFile('session'),
    token: at.owner,
    folder: at.folder,
    env: at.agent.env,
    provider: at.agent.config.provider,
  });

function open(
  context: RunRepository & RunSettings & RunHost & RunEvents,
  ask: SessionAsk,
  at: {
    readonly folder: string;
    readonly owner: string;
    readonly mode: 'exec' | 'review' | 'complete';
    readonly signal: AbortSignal;
    readonly wrapper: WrapperProcess | null;
    readonly agent: AgentHere;
    readonly rules: MonitorRules;
  },
): HostedSession {
  const { config: agent, env } = at.agent;
  const home = join(at.folder, 'home');
  mkdirSync(home, { recursive: true });
  const { session } = context.config;
  const model = modelOf(context.config, ask);
  context.notify({
    type: 'session-started',
    level: 'important',
    session: ask.session,
    ...(ask.item === null ? {} : { item: ask.item }),
    data: { role: ask.role, provider: agent.provider, ...(model === null ? {} : { model }) },
  });
  return openHostedSession({
    entry: entryFile('session'),
    token: at.owner,
    results: at.folder,
    limits: {
      wallMs: session.timeoutMinutes * 60_000,
      idleMs: session.idleSeconds * 1_000,
      outputBytes: session.maxOutputBytes,
    },
    spec: {
      agent: { ...agent, env: filledIn(agent.env, env), model },
      mode: at.mode,
      cwd: context.root,
      env,
      resume: ask.resume === null ? null : { id: ask.resume, costUsd: knownCost(at.folder, ask.resume) },
      tools: at.agent.tools,
      ...boxOf(context, at.agent, at.folder),
      home,
    },
    signal: at.signal,
    rules: at.rules,
    quota: accountIn(context, agent),
    ...(at.wrapper === null ? {} : { wrapper: at.wrapper }),
    onEvent: (_turn, event) => context.notifyAgentEvent(ask.session, event),
  });
}

/** A rehearsal is our own program with a script of the user: both exchange files beside the work tree. */
function boxOf(
  context: RunRepository & RunSettings & RunHost,
  { config: agent, env, readable, view }: AgentHere,
  folder: string,
): Pick<SessionSpec, 'box'> {
  const { agents, agentFolders } = context.config.sandbox;
  if (agents === 'outside' || agent.provider === 'scripted' || agent.provider === 'replay') return {};
  const made = madeBy(agent, env);
  if (made !== null && isAbsolute(made)) mkdirSync(made, { recursive: true, mode: 0o700 });
  const closed = closedMasks(context.root, closedFiles(context, agent.provider));
  const masks =
    view === null || context.box.level !== 'bwrap' ? closed : [...closed, ...masksOf(context, view, folder)];
  const box = context.box.enclose({ readable, writable: writtenBy(agent, agentFolders, env), masks });
  return box.argv.length === 0 ? {} : { box };
}

/** The configured variables with their `${NAME}`s filled in: an adapter lets them win over the rest of the environment. */
const filledIn = (configured: Variables, whole: Variables): Variables =>
  Object.fromEntries(Object.keys(configured).map((name) => [name, whole[name] ?? '']));

/** For people: the prompt, beside what the agent did. */
function keepPrompt(context: RunRepository & RunHost, ask: SessionAsk, shown: string): void {
  const file = join(context.stateDir, 'sessions', String(ask.session), `prompt-${ask.turn}.md`);
  context.io.replace(file, shown, 'may-be-lost');
}

export const closes = (context: RunContext): Performer<ActionOf<Actions, 'close'>, CloseOutcome> => ({
  async perform({ session }) {
    await context.sessions.drop(session)?.close();
    const known = context.sessions.pointer(session);
    if (known === null) return { usage: context.sessions.record(session).usage, tampering: [] };
    await endOrphans(processToken(context, known.token));
    const noted = await noteClosed(context, known.folder);
    if (!noted.ok) return { blocked: noted.failure };
    const events = join(known.folder, 'events.jsonl');
    if (existsSync(events))
      context.io.replace(
        join(context.stateDir, 'sessions', String(session), 'events.jsonl'),
        readFileSync(events),
        'may-be-lost', // a copy for people
      );
    const { usage } = context.sessions.record(session);
    const blind = blindFor(context, usage);
    if (blind !== null) context.notify({ type: 'budget-blind', level: 'important', session, data: { blind } });
    // A lock that the agent's git left, or the agent itself, would stop the landing.
    sweepLocks(context.git, context.clock.now());
    const back = putDeletedBack(context);
    if (back.length > 0)
      context.notify({
        type: 'ignored-back',
        level: 'important',
        session,
        data: { count: back.length, files: back.slice(0, MOST_NAMED).join(', ') },
      });
    if (!hasTamperGuard(guardOf(known.folder))) return { usage, tampering: [] };
    const closed = closeTamperGuard(context.io, { into: guardOf(known.folder) });
    if (!closed.ok) return { blocked: closed.failure };
    takeEdits(context, session, closed.value);
    for (const problem of closed.value.problems)
      context.notify({
        type: 'tampering',
        level: 'critical',
        session,
        data: { code: problem.code, ...problem.params },
      });
    return { usage, tampering: closed.value.problems };
  },
  probe: repeatable,
});

/** A budget without effect is reported: tokens were used, and their cost is unknown; or none were reported. */
function blindFor({ config }: RunSettings, usage: Usage): 'money' | 'tokens' | null {
  const isSet = (unit: Unit): boolean => measuresOf(config).some((one) => one.unit === unit);
  if (usage.inputTokens + usage.outputTokens === 0) return usage.source === 'none' && isSet('tokens') ? 'tokens' : null;
  return usage.costUsd === null && isSet('usd') ? 'money' : null;
}
