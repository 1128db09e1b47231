// Turns of simulated agents: the performer of the product with another tree below it and no process between. What is durable, the
// limits and the monitor that watch it are the product's own: turn files, the watchdog of a turn, the pointer to a session, the tamper window.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostedSession } from '../../src/agents/host/client.ts';
import { readTurn, discardCutTurn } from '../../src/agents/host/turn-results.ts';
import { openTurns } from '../../src/agents/host/turns.ts';
import { openQuotaLedger, readQuotaWindows, type Account } from '../../src/agents/quota/ledger.ts';
import type { ActionOf, Performer } from '../../src/engine/types.ts';
import { sha256 } from '../../src/host/files.ts';
import { accountIn, agentOf } from '../../src/loop/agent.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import type { MonitorRules } from '../../src/agents/monitor/rules.ts';
import { endedByBudget, sharedRules } from '../../src/loop/limits.ts';
import { abandons } from '../../src/loop/performers/abandon.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { composeTurn } from '../../src/loop/prompt.ts';
import { protectedFiles } from '../../src/loop/protected.ts';
import { guardOf } from '../../src/loop/sessions.ts';
import type { AbandonOutcome, Actions, CloseOutcome, SessionAsk, TurnOutcome } from '../../src/model/action.ts';
import { CLOSED } from '../../src/model/quota.ts';
import { amountsOf } from '../../src/model/budget.ts';
import type { Reason } from '../../src/model/reasons.ts';
import { ok, type Result } from '../../src/model/result.ts';
import { lostTurn } from '../../src/model/turn.ts';
import { closeTamperGuard, hasTamperGuard, openTamperGuard } from '../../src/verify/tamper-guard.ts';
import { quickIo } from '../support/quick-io.ts';
import { InvariantViolation } from './invariant-violation.ts';
import { openAgent } from './agent.ts';
import { bringIn } from './wips.ts';
import { beginsTurn } from './ledger.ts';
import type { ProcessRun } from './process-run.ts';
import type { Mission } from './mission.ts';
import { headOf, history, idOf, withFiles, type Repository, type Snapshot } from './repository.ts';

type Ask = ActionOf<Actions, 'session'>;
const GONE: readonly Reason[] = ['agent-crashed', 'agent-session-lost', 'agent-malformed'];
/** Not that of the product, which would ask git. */
const begunFile = (folder: string, turn: number): string => join(folder, `turn-${turn}.before.json`);
const sessionToken = (token: string): string => token.replace(/\/turn-\d+\/session$/, '');

export const simulatedTurns = (lane: RunContext, processRun: ProcessRun): Performer<Ask, TurnOutcome> => ({
  async perform(ask, { token, signal }) {
    const { folder, token: owner } = lane.sessions.begin(ask.session, {
      token: sessionToken(token),
      startedAt: lane.clock.iso(),
      price: null,
      agent: ask.agent ?? 0,
      role: ask.role,
      ...(ask.item === null ? {} : { item: ask.item }),
    });
    mkdirSync(folder, { recursive: true });
    await undoCut(lane, processRun, ask, folder);
    // Of the files that are the harness's alone those that lie on a disk; the backlog is a survey's to judge.
    const files = protectedFiles(lane).filter(({ path }) => path.startsWith(lane.config.paths.stateDir));
    const opened = openTamperGuard(lane.io, { root: lane.root, files, into: guardOf(folder) });
    if (!opened.ok) return { blocked: opened.failure };
    const rules = await sharedRules(lane, ask, folder, signal);
    if (rules === null) return { parked: 'stopped' };
    if (!rules.ok) return { blocked: rules.failure };
    const ended = endedByBudget(ask, rules.value);
    if (ended !== null) return ended;
    keepBefore(lane, processRun, ask, folder);
    await bringIn(lane, processRun, ask);
    const prompt = await composeTurn(lane, ask);
    if (!prompt.ok) return { blocked: prompt.failure };
    const live =
      lane.sessions.live(ask.session) ?? open(lane, processRun, ask, { folder, owner, rules: rules.value, signal });
    lane.sessions.keep(ask.session, live);
    const outcome = await lane.io.effect('agent turn', () => live.turn(ask.turn, prompt.value.text));
    if (GONE.includes(outcome.failure?.reason ?? 'usage')) await lane.sessions.drop(ask.session)?.close();
    return outcome;
  },
  async probe(ask, { token }) {
    const known = lane.sessions.pointer(ask.session);
    if (known === null || known.token !== sessionToken(token)) return { found: 'nothing' };
    const outcome = readTurn(known.folder, ask.turn);
    return outcome !== null && outcome.end !== 'aborted' ? { found: 'outcome', outcome } : { found: 'nothing' };
  },
});

function keepBefore(lane: RunContext, { mission: { repo } }: ProcessRun, ask: SessionAsk, folder: string): void {
  const ref = `refs/harness/turns/${idOf(repo.work)}-${repo.head}-${repo.branch}`;
  repo.refs.set(ref, { tree: repo.work, head: repo.head, branch: repo.branch });
  lane.io.replace(begunFile(folder, ask.turn), `${JSON.stringify({ ref })}\n`);
}

/** null: the turn was never begun. */
export function beforeTurn(repo: Repository, folder: string, turn: number): Snapshot | null {
  const begun = begunFile(folder, turn);
  if (!existsSync(begun)) return null;
  const { ref } = JSON.parse(readFileSync(begun, 'utf8')) as { ref: string };
  return repo.refs.get(ref) ?? null;
}

async function undoCut(
  lane: RunContext,
  { mission: { repo } }: ProcessRun,
  ask: Pick<SessionAsk, 'session' | 'turn'>,
  folder: string,
): Promise<void> {
  const before = beforeTurn(repo, folder, ask.turn);
  if (before === null) return;
  await lane.io.effect('undo a turn', async () => {
    const key = sha256(`${folder}/${ask.turn} ${idOf(repo.work)}`);
    repo.attempts.set(key, { ref: `refs/harness/attempts/${key}`, tree: repo.work, why: 'interrupted' });
    repo.work = before.tree;
    repo.head = before.head;
    repo.branch = before.branch;
  });
  let last = ask.turn;
  while (existsSync(begunFile(folder, last + 1))) last += 1;
  for (let turn = last; turn >= ask.turn; turn -= 1) {
    discardCutTurn(lane.io, folder, turn);
    lane.io.remove(begunFile(folder, turn));
  }
}

type At = {
  readonly folder: string;
  readonly owner: string;
  readonly rules: MonitorRules;
  readonly signal: AbortSignal;
};

/** The agent and its wrapper: processes of their own, which end when the driver is gone. */
function open(
  lane: RunContext,
  { mission, onEnd }: ProcessRun,
  ask: SessionAsk,
  { folder, owner, rules, signal }: At,
): HostedSession {
  const own = mission.time.own();
  const agent = openAgent(mission, own, ask);
  const { session } = mission.config;
  const { mostAtOnce } = mission.kind;
  const work = mission.kind.workOn(ask);
  let isPowerless = false;
  const disk = quickIo();
  const io = { ...disk, replace: (...all: Parameters<typeof disk.replace>) => isPowerless || disk.replace(...all) };
  const turns = openTurns({
    session: agent,
    limits: {
      wallMs: session.timeoutMinutes * 60_000,
      idleMs: session.idleSeconds * 1_000,
      outputBytes: session.maxOutputBytes,
    },
    results: folder,
    clock: mission.time.clock,
    alarm: own.alarm,
    io,
    redact: (text) => text,
    onEvent: (_turn, event) => lane.notifyAgentEvent(ask.session, event),
    quota: openQuotaLedger(
      { ...accountOfTurn(lane, mission, ask), token: owner, isLate: false },
      { io, clock: mission.time.clock },
    ),
    monitor: {
      rules: mission.mutant.rules?.(rules) ?? rules,
      inject: mission.agents.inject,
      adviceText(say) {
        agent.hears(say);
        return `From the harness: ${say}`;
      },
    },
  });
  let isAtWork = false;
  const forget = (): void => {
    mission.working.delete(work);
    own.end();
  };
  onEnd((how) => {
    isPowerless = how === 'power';
    const lost = mission.ledger.spent.get(ask.session);
    if (isPowerless && isAtWork && lost) lost.unheard += agent.unsaidUnits();
    void turns.close();
    forget();
  });
  const abort = async (): Promise<void> => turns.abort();
  signal.addEventListener('abort', () => void abort());
  return {
    pid: null,
    provider: 'scripted',
    async turn(n, prompt) {
      beginsTurn(mission.ledger, { session: ask.session, owner, work }, { working: mission.working, most: mostAtOnce });
      mission.working.add(work);
      isAtWork = true;
      const began = mission.time.clock.now();
      const running = turns.run(n, prompt);
      if (signal.aborted) await abort();
      const outcome = await running;
      isAtWork = false;
      mission.working.delete(work);
      mission.ledger.workedMs += mission.time.clock.now() - began;
      if (outcome !== null) agent.heard();
      return outcome ?? lostTurn(null);
    },
    inject: (text) => agent.inject(text),
    abort,
    async close() {
      const usage = await turns.close();
      forget();
      return usage;
    },
    hasEndedAll: () => false,
  };
}

/**
 * No session begins where its account is nearly used up: another agent does, or it is waited for. One that a death cut in its
 * first turn repeats that turn with the agent that was chosen, and is asked to hand over.
 */
function accountOfTurn(lane: RunContext, mission: Mission, ask: SessionAsk): Account {
  const account = accountIn(lane, agentOf(lane.config, ask));
  const full =
    ask.turn > 1 || mission.ledger.turns.has(ask.session)
      ? []
      : readQuotaWindows(account, mission.time.clock.now()).filter((w) => w.used >= mission.config.quota.beginBelow);
  // Beside others it may have waited since it was chosen, and they may have used it up.
  if (mission.areLanes) return account;
  const [wall] = full.filter(({ window }) => window !== CLOSED || mission.config.agents.fallback.length > 0);
  if (wall)
    mission.violation ??= new InvariantViolation(
      'no session begins at the end of a quota',
      `${wall.window}: ${wall.used}`,
    );
  return account;
}

/** No agent may write the list while a session runs: as the product's tamper guard does, it is reverted and reported. */
function forgedList(lane: RunContext, { mission: { repo } }: ProcessRun): CloseOutcome['tampering'] {
  if (lane.machine.readsClaims === true) return [];
  const path = lane.config.paths.backlog;
  const [was, is] = [headOf(repo).tree.get(path), repo.work.get(path)];
  if (was === is) return [];
  repo.work = withFiles(repo.work, { [path]: was ?? null });
  return [{ code: 'harness-file-edited', params: { path } }];
}

/** The performer of the product; what it does with git is done on the repository in memory. */
export const simulatedAbandons = (
  lane: RunContext,
  processRun: ProcessRun,
): Performer<ActionOf<Actions, 'abandon'>, AbandonOutcome> =>
  abandons(lane, async ({ session, folder }) => {
    const { repo, ledger } = processRun.mission;
    ledger.open.delete(session);
    const closed = closeTamperGuard(lane.io, { into: guardOf(folder) });
    if (!closed.ok) return closed;
    const all = [...history(repo)];
    const before = beforeTurn(repo, folder, 1);
    const since =
      before === null
        ? []
        : all.slice(
            0,
            all.findIndex(({ id }) => id === before.head),
          );
    const made = since.find(({ trailers }) => trailers['Harness-Session'] === String(session));
    if (made !== undefined) return ok({ attempt: null, commit: { commit: made.id, isWip: false } });
    await undoCut(lane, processRun, { session, turn: 1 }, folder);
    return ok({ attempt: null, commit: null });
  });

export const simulatedCloses = (
  lane: RunContext,
  processRun: ProcessRun,
): Performer<ActionOf<Actions, 'close'>, CloseOutcome> => ({
  async perform({ session }) {
    await lane.sessions.drop(session)?.close();
    processRun.mission.ledger.open.delete(session);
    const known = lane.sessions.pointer(session);
    const { usage, ms } = lane.sessions.record(session);
    lane.lanes?.shares.close(lane.lane, amountsOf(usage, ms));
    if (known === null || !hasTamperGuard(guardOf(known.folder))) return { usage, tampering: [] };
    const forged = forgedList(lane, processRun);
    const closed: Result<{ problems: CloseOutcome['tampering'] }> = closeTamperGuard(lane.io, {
      into: guardOf(known.folder),
    });
    return closed.ok ? { usage, tampering: [...forged, ...closed.value.problems] } : { blocked: closed.failure };
  },
  probe: repeatable,
});
