// A turn of an agent session: it finished, or it never happened.
// I1 before the prompt is sent, the tamper guard is open and the tree is kept.
// I2 a turn whose outcome the wrapper wrote is never run again. I3 a turn that was cut is undone (and kept as an attempt)
// before it is run again. Work in progress is brought in after that mark. The end of the session: close-session.ts.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTurn } from '../../agents/host/turn-results.ts';
import { knownAs } from '../../agents/known.ts';
import { findTurn } from '../../agents/replay/cassette.ts';
import { divergence, isDivergence } from '../../agents/replay/divergence.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { readRegular, sha256, textOrEmpty } from '../../host/files.ts';
import { endOrphans } from '../../host/process-tree.ts';
import type { Actions, SessionAsk, TurnOutcome } from '../../model/action.ts';
import type { Failure } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { ok, type Result } from '../../model/result.ts';
import { takeCheckpoint, type Snapshot } from '../../repos/checkpoint.ts';
import { treeOf } from '../../repos/tree.ts';
import { resumeWip } from '../../repos/wip.ts';
import { lacksTests } from '../../verify/claimed-evidence.ts';
import { hasTamperGuard, openTamperGuard, settleTamperGuard } from '../../verify/tamper-guard.ts';
import { agentOf } from '../agent.ts';
import { keepForSession } from '../installed.ts';
import {
  type RunContext,
  type RunEvents,
  type RunHost,
  type RunRepository,
  type RunSettings,
  type RunStores,
} from '../run-context.ts';
import { endedByBudget, priceFor, sharedRules } from '../limits.ts';
import { withOwnRules } from '../own-rules.ts';
import { type Composed, composeTurn } from '../prompt.ts';
import { notifyRepairs } from '../records/memory.ts';
import { protectedFiles } from '../protected.ts';
import { beforeTurn, recordTurn } from '../record-turn.ts';
import { messagesForTurn } from '../item-messages.ts';
import { eventsIn, guardOf, guardOfSession } from '../sessions.ts';
import type { Playing } from '../tape.ts';
import { closedFiles } from '../closed-files.ts';
import { cannotCommit } from './newer-commits.ts';
import { processToken } from '../token.ts';
import { begunFile, readBegun, type Begun } from './begun-turn.ts';
import { undoCut } from './cut-turn.ts';
import { agentFor, openAgent, startAgent } from './open-agent.ts';
import { reopenedFor } from './reopened-turn.ts';

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
      role: ask.role,
      ...(ask.item === null ? {} : { item: ask.item }),
      ...(cannotCommit(context, agentOf(context.config, ask).provider) ? { cannotCommit: true } : {}),
    });
    const owner = processToken(context, begun);
    const trees = await context.lanes?.prepared();
    if (trees?.ok === false) return { blocked: trees.failure };
    const opened = await context.sessions.inTurn(() => openTurn(context, ask, folder));
    if (!opened.ok) return { blocked: opened.failure };
    const rules = await sharedRules(context, ask, folder, signal);
    if (rules === null) return { parked: 'stopped' };
    if (!rules.ok) return { blocked: rules.failure };
    const ended = endedByBudget(ask, rules.value);
    if (ended !== null) return ended;
    const agent = await agentFor(context, ask);
    if (!agent.ok) return { blocked: agent.failure };
    const known = context.sessions.live(ask.session);
    // The wrapper loads its code while the turn is prepared; it starts the agent when it receives the session.
    const wrapper = known === null ? startAgent(context, agent.value) : null;
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
    const { text, mode, resume, stable } = ready.value;
    for (const path of [ask.output, ...(ask.writes ?? [])])
      if (path !== '') mkdirSync(folderOf(join(context.root, path)), { recursive: true });
    const live =
      known ??
      openAgent(
        context,
        { ...ask, resume },
        { folder, owner, mode, signal, wrapper, agent: agent.value, rules: rules.value },
      );
    context.sessions.keep(ask.session, live);
    const answered = await context.io.effect('agent turn', () => live.turn(ask.turn, text, stable));
    const outcome = withOwnTests(named(answered, context, ask), context, ask, folder);
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
    const found = withOwnTests(named(outcome, context, ask), context, ask, known.folder);
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

const MOST_OWN_BYTES = 64 * 1024 * 1024;

/** Adds the configured name of the agent to a failure: a user with several agents must know which it was. */
function named(outcome: TurnOutcome, { config }: RunSettings, ask: SessionAsk): TurnOutcome {
  const { failure } = outcome;
  if (failure === null) return outcome;
  const agent = agentOf(config, ask);
  const provider = knownAs(agent)?.name ?? agent.provider;
  return { ...outcome, failure: { ...failure, params: { provider, ...failure.params } } };
}

/** A script and a recording have no other answer than the one that is written down. */
function withOwnTests(outcome: TurnOutcome, { config }: RunSettings, ask: SessionAsk, folder: string): TurnOutcome {
  const { provider } = agentOf(config, ask);
  const isAsked = provider !== 'scripted' && provider !== 'replay' && config.verification.requireEvidence;
  if (!isAsked || outcome.end !== 'end-turn') return outcome;
  const { feature, full } = config.testing;
  const known = [feature?.split('{test_file}')[0] ?? '', full ?? ''].map((command) => command.trim());
  const events = eventsIn(textOrEmpty(join(folder, 'events.jsonl')));
  return lacksTests(events, known) ? { ...outcome, ownTests: 'none' } : outcome;
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

/** For people: the prompt, beside what the agent did. */
function keepPrompt(context: RunRepository & RunHost, ask: SessionAsk, shown: string): void {
  const file = join(context.stateDir, 'sessions', String(ask.session), `prompt-${ask.turn}.md`);
  context.io.replace(file, shown, 'may-be-lost');
}
