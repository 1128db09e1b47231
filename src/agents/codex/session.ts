// One live session with Codex: its program, its turns, and how either is ended.
import { mkdirSync } from 'node:fs';
import { settlesWithin, systemClock } from '../../host/clock.ts';
import { Bug } from '../../model/bug.ts';
import type { AgentEvent } from '../../model/event.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Result } from '../../model/result.ts';
import { NO_USAGE } from '../../model/usage.ts';
import type { AgentSession, Denial, SessionSpec, ToolPolicy, TurnResult } from '../port.ts';
import { NO_TOKENS, type Tokens } from '../tokens.ts';
import { respondTo } from './approvals.ts';
import { trackCommands, type RunningCommands } from './running-commands.ts';
import { openThread, type CodexThread } from './connect.ts';
import { classify, isFinal, symptomOf, type TurnError } from './errors.ts';
import { startServer, type Server } from './server.ts';
import { readNotification, type ServerNotification } from './notifications.ts';
import { openTurn, type CodexTurn } from './turn.ts';
import { shareOf } from './usage.ts';

/** How long a refusal waits for its reason to reach the model. */
const STEER_MS = 2_000;
/** How long the program may take to react to an interrupt before it is ended. */
const INTERRUPT_MS = 5_000;
/** An interrupt of a turn that is over gets no response: it is checked again after this time whether it is. */
const REPEAT_MS = 500;
/** How long an idle program may take to exit by itself after its input has ended. */
const EXIT_MS = 2_000;
/** How often the program may retry by itself; the harness decides about more. */
const MAX_RETRIES = 2;
/** A provider can ask for any wait, and the program waits silently. */
const MAX_WAIT_MS = 60_000;

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
  let connected: Promise<Result<CodexThread>> | null = null;
  let thread: CodexThread | null = null;
  let commands: RunningCommands | null = null;
  let turn: CodexTurn | null = null;
  /** The program's id of the running turn. */
  let running: string | null = null;
  let failed: Failure | null = null;
  let isNamed = false;
  /** The last reported totals of the thread; null: a resumed one that has not reported them yet. */
  let before: Tokens | null = spec.resume === null ? NO_TOKENS : null;
  let limitResets: number | null = null;
  let patience: NodeJS.Timeout | undefined;

  const begin = (): Server => {
    mkdirSync(spec.home, { recursive: true });
    const started = startServer(argv, spec, {
      onNotification: (method, params) => receive(readNotification(method, params)),
      onRequest,
    });
    server = started;
    connected = openThread(started.wire, spec, now, () => started.exited);
    void started.exited.then((why) => {
      failed ??= why;
      turn?.lost(failed);
    });
    return started;
  };

  const onRequest = async (method: string, params: unknown): Promise<unknown> => {
    const current = turn;
    if (current === null || thread === null) return null;
    const { isConfined } = thread;
    const sent: Promise<unknown>[] = [];
    const denied = (tool: string, denial: Denial): void => {
      current.denied(tool, denial);
      // The program reports only the refusal to the model: the reason is sent in a message.
      const reason = denial.say ?? denial.why;
      sent.push(steer(current, reason).then((isSent) => isSent || held.push(reason)));
    };
    const answer = respondTo(method, params, { spec, policy, isConfined, items: current.items, denied });
    // The message arrives before the refusal: else the model would continue once without it, and once more with it.
    if (sent.length > 0) await settlesWithin(STEER_MS, Promise.all(sent));
    return answer;
  };

  const receive = (m: ServerNotification): void => {
    if (m.says === 'nothing') return;
    if (m.says === 'limit') {
      limitResets = m.resets;
      turn?.emit(m.windows.map((one) => ({ t: 'quota', ...one })));
      return;
    }
    if (m.says === 'usage') {
      const isOld = before === null && m.turn !== running; // the usage of a resumed thread before this session
      const share = shareOf(m.report, before);
      before = m.report.total;
      if (!isOld) {
        turn?.used(share);
        turn?.filled(m.report.last, m.report.window);
      }
      return;
    }
    const current = turn;
    if (current === null) return;
    if (m.says === 'notice') return current.emit([{ t: 'notice', text: m.text }]);
    if (m.says === 'turn-begun') return know(current, m.turn);
    if (m.turn !== running) return; // of an abandoned turn
    if (m.says === 'error') {
      if (m.willRetry) onRetry(current, m.error);
      return; // a final error is repeated at the end of the turn
    }
    clearTimeout(patience);
    current.progressed();
    if (m.says === 'turn-over') current.finish(m.status, m.error);
    else if (m.says === 'chunk') current.emit(current.items.chunk(m.chunk));
    else emitItem(current, m.isEnd ? current.items.completed(m.item) : current.items.started(m.item));
  };

  /** The response to our request and the notification come in any order, and before the first item. */
  const know = (current: CodexTurn, id: string): void => {
    running ??= id;
    if (running === id) current.begun(id);
  };

  const emitItem = (current: CodexTurn, events: readonly AgentEvent[]): void => {
    for (const event of events) {
      if (event.t === 'tool-start') commands?.began(event.id);
      if (event.t === 'tool-end') commands?.ended(event.id);
    }
    current.emit(events);
  };

  const onRetry = (current: CodexTurn, error: TurnError): void => {
    const { attempt, failure: why } = current.requestFailed(error);
    const giveUp = (): void => {
      current.fail(why);
      void interrupt(current);
    };
    clearTimeout(patience);
    if (attempt > MAX_RETRIES || isFinal(why.reason)) return giveUp();
    current.emit([{ t: 'retry', why: why.reason, attempt, delayMs: null }]);
    patience = setTimeout(giveUp, MAX_WAIT_MS);
  };

  /** Sends a message into the running turn; false: the turn is over, or takes no message. */
  const steer = async (into: CodexTurn, text: string): Promise<boolean> => {
    const expectedTurnId = await Promise.race([into.id, into.over.then(() => null)]);
    if (expectedTurnId === null || server === null || thread === null) return false;
    into.messageSent();
    const params = { threadId: thread.id, expectedTurnId, input: textInput(text) };
    return (await server.wire.request('turn/steer', params)).ok;
  };

  /** Commands continue after a turn that was ended, and can outlive one that ended by itself. */
  const clean = async (): Promise<void> => {
    if (failed === null && (await commands?.endAll()) === false) await server?.sweep();
  };

  /** Repeats the interrupt until the turn is over. A program that does not react is ended, and the session with it. */
  const interrupt = async (current: CodexTurn): Promise<void> => {
    const until = performance.now() + interruptMs;
    while (performance.now() < until) {
      if (server !== null && thread !== null && running !== null)
        await settlesWithin(REPEAT_MS, server.wire.request('turn/interrupt', { threadId: thread.id, turnId: running }));
      if (await settlesWithin(REPEAT_MS, current.over)) return;
    }
    failed ??= failure('agent-crashed', { provider: 'codex', detail: 'ended' });
    await server?.end(0);
    current.lost(failed);
  };

  /** Resolves when the turn runs, or is over already. */
  const start = async (current: CodexTurn, { wire }: Server, prompt: string): Promise<void> => {
    const met = await Promise.race([connected, current.over.then(() => null)]);
    if (met === null) return;
    if (!met.ok) {
      failed ??= met.failure;
      return current.lost(failed);
    }
    thread = met.value;
    commands ??= trackCommands(wire, thread.id, limitMs);
    if (!isNamed)
      current.emit([{ t: 'session', id: thread.id, version: thread.version }, ...sandboxWarning(spec, thread)]);
    isNamed = true;
    if (current.isAborted()) return current.finish('interrupted', null);
    const text = [...held.splice(0), prompt].join('\n\n');
    const answer = await wire.request('turn/start', { threadId: thread.id, input: textInput(text) });
    if (!answer.ok && answer.error === null) return; // the program has exited: its exit will end the turn
    if (!answer.ok) return current.lost(classify(symptomOf(answer.error ?? { message: '' }), now()));
    const id = turnIdOf(answer.result);
    if (id === null) return current.lost(failure('agent-malformed', { provider: 'codex', what: 'turn/start' }));
    know(current, id);
  };

  const run = async (prompt: string, onEvent: Parameters<AgentSession['turn']>[1]): Promise<TurnResult> => {
    if (turn !== null) throw new Bug('a turn was begun while another one runs');
    if (failed !== null) return { end: 'agent-failed', failure: failed, text: '', usage: NO_USAGE };
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
    failed ??= failure('agent-crashed', { provider: 'codex', detail: 'closed' });
    await server?.end(EXIT_MS);
  };

  return {
    id: () => thread?.id ?? spec.resume?.id ?? null,
    turn: run,
    async inject(text) {
      if (failed !== null) return 'unsupported';
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

/** What the agent runs is not confined by anything. */
const sandboxWarning = ({ box }: SessionSpec, { isConfined }: CodexThread): readonly AgentEvent[] =>
  box === undefined && !isConfined ? [{ t: 'notice', text: 'no-sandbox' }] : [];

const textInput = (text: string): readonly object[] => [{ type: 'text', text, text_elements: [] }];

function turnIdOf(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('turn' in result)) return null;
  const { turn } = result;
  return typeof turn === 'object' && turn !== null && 'id' in turn && typeof turn.id === 'string' ? turn.id : null;
}
