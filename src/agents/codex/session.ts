// Owns one live session with Codex: its program, its turns, and the few ways to end either.
import { mkdirSync } from 'node:fs';
import { settlesWithin, systemClock } from '../../host/clock.ts';
import { Bug } from '../../model/bug.ts';
import type { AgentEvent } from '../../model/event.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Result } from '../../model/result.ts';
import { NO_USAGE } from '../../model/usage.ts';
import type { AgentSession, SessionSpec, ToolPolicy, TurnResult } from '../port.ts';
import { answerTo, type Denial } from './approvals.ts';
import { openCommands, type Commands } from './commands.ts';
import { introduce, type Thread } from './connect.ts';
import { classify, isFinal, symptomOf, type TurnError } from './errors.ts';
import { startServer, type Server } from './server.ts';
import { readMessage, type Message } from './told.ts';
import { openTurn, type Turn } from './turn.ts';
import { NO_TOKENS, shareOf, type Tokens } from './usage.ts';

/** How long a refusal waits for its reason to be heard. */
const STEER_MS = 2_000;
/** How long the program may take to obey an interrupt before it is ended. */
const INTERRUPT_MS = 5_000;
/** An interrupt of a turn that is over is never answered; it is asked again whether it is. */
const AGAIN_MS = 500;
/** How long an idle program may take to go by itself once its input has ended. */
const GOODBYE_MS = 2_000;
/** So often the program may try again by itself; more is the harness's to decide. */
const MOST_RETRIES = 2;
/** A provider can ask for any wait, and the program keeps it without a word. */
const RETRY_MS = 60_000;

export function openSession(
  argv: readonly string[],
  spec: SessionSpec,
  policy: ToolPolicy,
  interruptMs: number = INTERRUPT_MS,
): AgentSession {
  const now = (): number => systemClock.now();
  const held: string[] = [];
  const limitMs = (spec.tools?.settings.shell.timeoutSeconds ?? 0) * 1_000;
  let server: Server | null = null;
  let connected: Promise<Result<Thread>> | null = null;
  let thread: Thread | null = null;
  let commands: Commands | null = null;
  let turn: Turn | null = null;
  /** The program's id of the running turn. */
  let running: string | null = null;
  let dead: Failure | null = null;
  let isNamed = false;
  /** The thread's totals as last told; null: a resumed one that did not tell them yet. */
  let before: Tokens | null = spec.resume === null ? NO_TOKENS : null;
  let limitResets: number | null = null;
  let patience: NodeJS.Timeout | undefined;

  const begin = (): Server => {
    mkdirSync(spec.home, { recursive: true });
    const started = startServer(argv, spec, { onTold: (method, params) => hear(readMessage(method, params)), onAsked });
    server = started;
    connected = introduce(started.wire, spec, now, () => started.gone);
    void started.gone.then((why) => {
      dead ??= why;
      turn?.lost(dead);
    });
    return started;
  };

  const onAsked = async (method: string, params: unknown): Promise<unknown> => {
    const current = turn;
    if (current === null || thread === null) return null;
    const { isConfined } = thread;
    const said: Promise<unknown>[] = [];
    const denied = (tool: string, denial: Denial): void => {
      current.denied(tool, denial);
      // The program tells the model only that somebody said no: the reason goes in as a word of ours.
      const reason = denial.say ?? denial.why;
      said.push(steer(current, reason).then((isHeard) => isHeard || held.push(reason)));
    };
    const answer = answerTo(method, params, { spec, policy, isConfined, items: current.items, denied });
    // The word is there before the no: else the model is asked once without it, and once more with it.
    if (said.length > 0) await settlesWithin(STEER_MS, Promise.all(said));
    return answer;
  };

  const hear = (m: Message): void => {
    if (m.says === 'nothing') return;
    if (m.says === 'limit') {
      limitResets = m.resets;
      turn?.tell(m.windows.map((one) => ({ t: 'quota', ...one })));
      return;
    }
    if (m.says === 'usage') {
      const isOld = before === null && m.turn !== running; // what a resumed thread had used before
      const share = shareOf(m.told, before);
      before = m.told.total;
      if (!isOld) {
        turn?.used(share);
        turn?.filled(m.told.last, m.told.window);
      }
      return;
    }
    const current = turn;
    if (current === null) return;
    if (m.says === 'notice') return current.tell([{ t: 'notice', text: m.text }]);
    if (m.says === 'turn-begun') return know(current, m.turn);
    if (m.turn !== running) return; // of a turn that was given up
    if (m.says === 'error') {
      if (m.willRetry) again(current, m.error);
      return; // what is final is said again by the end of the turn
    }
    clearTimeout(patience);
    current.moved();
    if (m.says === 'turn-over') current.finish(m.status, m.error);
    else if (m.says === 'piece') current.tell(current.items.piece(m.piece));
    else tellItem(current, m.isEnd ? current.items.completed(m.item) : current.items.started(m.item));
  };

  /** The answer to our request and the program's own word come in any order, and before the first item. */
  const know = (current: Turn, id: string): void => {
    running ??= id;
    if (running === id) current.begun(id);
  };

  const tellItem = (current: Turn, events: readonly AgentEvent[]): void => {
    for (const event of events) {
      if (event.t === 'tool-start') commands?.began(event.id);
      if (event.t === 'tool-end') commands?.ended(event.id);
    }
    current.tell(events);
  };

  const again = (current: Turn, error: TurnError): void => {
    const { attempt, failure: why } = current.stumbled(error);
    const giveUp = (): void => {
      current.fail(why);
      void interrupt(current);
    };
    clearTimeout(patience);
    if (attempt > MOST_RETRIES || isFinal(why.reason)) return giveUp();
    current.tell([{ t: 'retry', why: why.reason, attempt, delayMs: null }]);
    patience = setTimeout(giveUp, RETRY_MS);
  };

  /** A word into the running turn; false: the turn is over, or takes none. */
  const steer = async (into: Turn, text: string): Promise<boolean> => {
    const expectedTurnId = await Promise.race([into.id, into.over.then(() => null)]);
    if (expectedTurnId === null || server === null || thread === null) return false;
    into.spokenInto();
    const params = { threadId: thread.id, expectedTurnId, input: said(text) };
    return (await server.wire.request('turn/steer', params)).ok;
  };

  /** Commands go on after a turn that was ended, and can outlive one that ended by itself. */
  const clean = async (): Promise<void> => {
    if (dead === null && (await commands?.endAll()) === false) await server?.sweep();
  };

  /** Says it until the turn is over; a program that does not listen is ended, and the session with it. */
  const interrupt = async (current: Turn): Promise<void> => {
    const until = performance.now() + interruptMs;
    while (performance.now() < until) {
      if (server !== null && thread !== null && running !== null)
        await settlesWithin(AGAIN_MS, server.wire.request('turn/interrupt', { threadId: thread.id, turnId: running }));
      if (await settlesWithin(AGAIN_MS, current.over)) return;
    }
    dead ??= failure('agent-crashed', { provider: 'codex', detail: 'ended' });
    await server?.end(0);
    current.lost(dead);
  };

  /** Resolves when the turn runs, or is over already. */
  const start = async (current: Turn, { wire }: Server, prompt: string): Promise<void> => {
    const met = await Promise.race([connected, current.over.then(() => null)]);
    if (met === null) return;
    if (!met.ok) {
      dead ??= met.failure;
      return current.lost(dead);
    }
    thread = met.value;
    commands ??= openCommands(wire, thread.id, limitMs);
    if (!isNamed) current.tell([{ t: 'session', id: thread.id, version: thread.version }, ...warned(spec, thread)]);
    isNamed = true;
    if (current.isAborted()) return current.finish('interrupted', null);
    const text = [...held.splice(0), prompt].join('\n\n');
    const answer = await wire.request('turn/start', { threadId: thread.id, input: said(text) });
    if (!answer.ok && answer.error === null) return; // the program is gone: it will be said why
    if (!answer.ok) return current.lost(classify(symptomOf(answer.error ?? { message: '' }), now()));
    const id = turnIdOf(answer.result);
    if (id === null) return current.lost(failure('agent-malformed', { provider: 'codex', what: 'turn/start' }));
    know(current, id);
  };

  const run = async (prompt: string, onEvent: Parameters<AgentSession['turn']>[1]): Promise<TurnResult> => {
    if (turn !== null) throw new Bug('a turn was begun while another one runs');
    if (dead !== null) return { end: 'agent-failed', failure: dead, text: '', usage: NO_USAGE };
    const current = openTurn(spec.cwd, onEvent, { now, limitResets: () => limitResets });
    turn = current;
    await start(current, server ?? begin(), prompt);
    await current.over;
    clearTimeout(patience);
    await clean();
    const result = current.result();
    turn = null;
    running = null;
    return result;
  };

  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    if (turn !== null) {
      turn.abort();
      await interrupt(turn);
    }
    dead ??= failure('agent-crashed', { provider: 'codex', detail: 'closed' });
    await server?.end(GOODBYE_MS);
  };

  return {
    id: () => thread?.id ?? spec.resume?.id ?? null,
    turn: run,
    async inject(text) {
      if (dead !== null) return 'unsupported';
      if (turn !== null && (await steer(turn, text))) return 'delivered';
      held.push(text);
      return 'next-turn';
    },
    async abort() {
      const current = turn;
      if (current === null) return;
      current.abort();
      await interrupt(current);
    },
    close: () => (closing ??= close()),
  };
}

/** Nothing at all is around what the agent runs. */
const warned = ({ box }: SessionSpec, { isConfined }: Thread): readonly AgentEvent[] =>
  box === undefined && !isConfined ? [{ t: 'notice', text: 'no-sandbox' }] : [];

const said = (text: string): readonly object[] => [{ type: 'text', text, text_elements: [] }];

function turnIdOf(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('turn' in result)) return null;
  const { turn } = result;
  return typeof turn === 'object' && turn !== null && 'id' in turn && typeof turn.id === 'string' ? turn.id : null;
}
